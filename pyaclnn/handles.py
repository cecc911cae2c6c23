"""What all native objects have in common: an owner, and one moment at which they are given back."""

from __future__ import annotations

import weakref
from typing import Any, Callable, TypeVar

from pyaclnn.native import ffi
from pyaclnn.errors import check_status, take_message

Self = TypeVar("Self", bound="Handle")


class Handle:
    """A native object that is destroyed by close(), at the end of a ``with`` block, or when Python forgets it."""

    def __init__(self, handle: Any, destroy: Callable[[Any], int]) -> None:
        self.handle = handle
        """What the C functions take."""
        self._destroy_name = destroy.__name__
        self._finalizer = weakref.finalize(self, destroy, handle)

    @property
    def closed(self) -> bool:
        return not self._finalizer.alive

    def close(self) -> None:
        """Gives the native object back; a second time does nothing."""
        status = self._finalizer()
        if status is not None:
            check_status(status, self._destroy_name)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        details = "closed" if self.closed else self._describe()
        return f"<{type(self).__name__} {details}>"

    def _describe(self) -> str:
        return str(self.handle)


def native(argument: Any) -> Any:
    """An argument as a C function takes it: a handle for an object of ours, a null pointer for None."""
    if isinstance(argument, Handle):
        return argument.handle
    return ffi.NULL if argument is None else argument


def created(handle: Any, function: Callable[..., Any]) -> Any:
    """The result of a create function, which says with a null pointer that it failed."""
    if not handle:
        raise MemoryError(f"{function.__name__} returned no object:\n{take_message()}")
    return handle
