"""The functions and constants of the public headers, bound to the libraries in force, and cffi's ``ffi`` for them."""

from __future__ import annotations

from importlib import import_module
from typing import Any, List

from pyaclnn import libraries


class _Toolkit:
    """What an installed toolkit has of the declared functions, and all constants.

    The headers declare more than every release has, and calling what is not there would end the process.
    """

    def __init__(self, declared: Any) -> None:
        self._declared = declared

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._declared, name)
        if callable(value) and not libraries.function_exists(name):
            reason = "only the emulator has it" if name.startswith("aclemu") else "its release does not have it"
            raise AttributeError(f"{name} is not in the installed toolkit: {reason} ({libraries.VARIABLE}=system)")
        setattr(self, name, value)  # the next look-up does not come here
        return value

    def __dir__(self) -> List[str]:
        return dir(self._declared)


# The extension names no libraries: its functions are those of the libraries that are loaded when it is.
libraries.load()
_extension = import_module("pyaclnn._native")
ffi: Any = _extension.ffi
lib: Any = _extension.lib if libraries.emulated() else _Toolkit(_extension.lib)
