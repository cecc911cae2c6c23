"""Whether the definition of a problem can be computed in reasonable memory and time."""

from __future__ import annotations

import os

from pyaclnn.definition import bytes_of, products_of
from pyaclnn.problem import Problem

_SHARE_OF_MEMORY = 0.5
_MOST_PRODUCTS = 10**12
"""That takes minutes on a few cores."""


def check_size(problem: Problem) -> None:
    """ValueError says what it would take, and how to do it all the same."""
    # the operands and gradients are there as errors too, once for each comparison
    needed = 3 * bytes_of(problem)
    there = int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    if needed > _SHARE_OF_MEMORY * there:
        raise ValueError(
            f"{problem}: comparing with the definition in float64 needs about {needed / 2**30:.3g} GiB of memory, and "
            f"this machine has {there / 2**30:.3g}; take a smaller batch or fewer channels, or pass --force"
        )
    products = products_of(problem)
    if products > _MOST_PRODUCTS:
        raise ValueError(
            f"{problem}: the definition in float64 takes {products:.1e} multiplications, which is more than "
            f"{_MOST_PRODUCTS:.0e}; take a smaller batch or fewer channels, or pass --force"
        )
