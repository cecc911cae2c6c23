"""What is left on the devices: memory that was not freed, and work that has not ended. A toolkit does not tell."""

from __future__ import annotations

from typing import List, NamedTuple

from pyaclnn import libraries
from pyaclnn.native import ffi, lib


class Allocation(NamedTuple):
    number: int
    """1 for the first of the process."""
    bytes: int
    address: int
    device: int


def allocations() -> List[Allocation]:
    """Device memory that is not freed, the oldest first."""
    if not libraries.emulated():
        return []
    count = lib.aclemuGetAllocations(ffi.NULL, 0)
    found = ffi.new("struct aclemuAllocation[]", count)
    count = min(count, lib.aclemuGetAllocations(found, count))
    return [
        Allocation(one.number, one.bytes, int(ffi.cast("uintptr_t", one.address)), one.device) for one in found[0:count]
    ]


def has_unfinished_work() -> bool:
    """Is anything queued or running on any device?"""
    return libraries.emulated() and bool(lib.aclemuHasUnfinishedWork())
