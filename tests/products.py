"""What the products do differently with numbers, for the oracle. One process emulates one product: ACLEMU_SOC."""

import os
from typing import NamedTuple, Optional


class Product(NamedTuple):
    name: str
    soc: str
    dtypes: tuple
    hf32: Optional[str]
    """The number format that FLOAT operands are rounded to for cubeMathType 1 and 3; None: no FLOAT operands at all."""
    fp16_weight_detour: bool
    """A FLOAT gradWeight of a grouped 1-D or 2-D call on 16-bit operands is a FLOAT16 in between."""
    outputs_follow_inputs: bool
    saturates: bool
    """Has no infinity and no NaN; emulated with ACLEMU_OVERFLOW=device."""


PLAIN = ("float32", "float16", "bfloat16")
A2 = Product("A2", "Ascend910B3", PLAIN, "hf32", True, False, False)
C950 = Product("950", "Ascend950PR", PLAIN, "hf32-10", False, True, False)
P310 = Product("310P", "Ascend310P3", PLAIN[:2], None, True, False, True)
A910 = Product("910A", "Ascend910A", PLAIN[:2], None, True, False, True)
PRODUCTS = (A2, C950, P310, A910)


def current():
    """The product that this process emulates."""
    soc = os.environ.get("ACLEMU_SOC", A2.soc)
    product = next(product for product in PRODUCTS if product.soc == soc)
    return product if os.environ.get("ACLEMU_OVERFLOW") == "device" else product._replace(saturates=False)
