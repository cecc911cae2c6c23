"""Which chip the calls are for, and which product a chip belongs to."""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager
from typing import Iterator, List, Optional

from pyaclnn import libraries
from pyaclnn.errors import call
from pyaclnn.native import ffi, lib

PRODUCTS = {"A2": "Ascend910B3", "950": "Ascend950PR_9589", "310P": "Ascend310P3", "910A": "Ascend910A"}
"""Every product with the chip that stands for it. Chips of one product accept and compute the same."""

_CHIPS = {
    "A2": re.compile(r"Ascend910(B\d\w?(-1)?|_\d+)"),
    "950": re.compile(r"Ascend950.*", re.DOTALL),
    "310P": re.compile(r"Ascend310P\d"),
    "910A": re.compile(r"Ascend910(A|B|ProA|ProB|PremiumA)"),
}
_of_thread = threading.local()


def product_of(chip: str) -> str:
    """The product of a chip; of a chip that is not emulated, its own name."""
    return next((product for product, names in _CHIPS.items() if names.fullmatch(chip)), chip)


def choices() -> List[str]:
    """What can be chosen: every product, or the one chip that is there."""
    return list(PRODUCTS) if libraries.emulated() else [current()]


def current() -> str:
    """The chip that the calling thread's calls are for."""
    return str(ffi.string(lib.aclrtGetSocName()).decode())


def of_thread() -> Optional[str]:
    """The name that the innermost ``with soc(...)`` block of the calling thread has, if any."""
    name: Optional[str] = getattr(_of_thread, "chip", None)
    return name


def set_soc(name: Optional[str]) -> None:
    """Chooses the chip of the process, in place of ``ACLEMU_SOC``; None goes back to that.

    `name` is a chip, ``"Ascend310P3"``, or a product of PRODUCTS, ``"310P"``. Raises AclError if there is no such chip;
    its message names the nearest. Threads within a ``with soc(...)`` keep theirs. With the libraries of a toolkit the
    chip is what it is: choosing its own name or product does nothing, any other raises RuntimeError.
    """
    if libraries.emulated():
        call(lib.aclemuSetSoc, _c_name(name))
    else:
        _expect_device(name)


@contextmanager
def soc(name: Optional[str]) -> Iterator[None]:
    """Within the ``with`` block, the calling thread's calls are for this chip; other threads do not notice.

    None follows the process again. Blocks may lie in each other. Names and errors are those of set_soc().
    """
    before = of_thread()
    _choose(name)
    try:
        yield
    finally:
        _choose(before)


def _expect_device(name: Optional[str]) -> None:
    device = current()
    if name not in (None, device, product_of(device)):
        raise RuntimeError(
            f"the device is {device}, and {name!r} cannot be chosen in its place: only the emulator can be another "
            f"chip ({libraries.VARIABLE}={libraries.EMULATOR})"
        )


def _choose(name: Optional[str]) -> None:
    if libraries.emulated():
        call(lib.aclemuSetThreadSoc, _c_name(name))
    else:
        _expect_device(name)
    _of_thread.chip = name


def _c_name(name: Optional[str]) -> object:
    return ffi.NULL if name is None else PRODUCTS.get(name, name).encode(errors="replace")
