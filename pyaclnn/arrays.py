"""Arrays of numbers and of truth values, as operators take them."""

from __future__ import annotations

from typing import Sequence

from pyaclnn.native import ffi, lib
from pyaclnn.handles import Handle, created


class IntArray(Handle):
    """An aclIntArray: a stride, a padding."""

    def __init__(self, values: Sequence[int]) -> None:
        self.values = tuple(int(value) for value in values)
        array = lib.aclCreateIntArray(ffi.new("int64_t[]", self.values), len(self.values))
        super().__init__(created(array, lib.aclCreateIntArray), lib.aclDestroyIntArray)

    def _describe(self) -> str:
        return str(list(self.values))


class BoolArray(Handle):
    """An aclBoolArray: an output mask."""

    def __init__(self, values: Sequence[bool]) -> None:
        self.values = tuple(bool(value) for value in values)
        array = lib.aclCreateBoolArray(ffi.new("bool[]", self.values), len(self.values))
        super().__init__(created(array, lib.aclCreateBoolArray), lib.aclDestroyBoolArray)

    def _describe(self) -> str:
        return str(list(self.values))
