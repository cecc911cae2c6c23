"""Statuses as exceptions."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable, Dict, Tuple

from pyaclnn.native import ffi, lib
from pyaclnn.violation import Violation, last_violations

_STATUS_PREFIXES = ("ACL_ERROR_", "ACLNN_ERR_")
_PHASE_ONE = "GetWorkspaceSize"


class AclError(RuntimeError):
    """A call returned a status other than 0."""

    def __init__(
        self, code: int, function: str, message: str, violations: Tuple[Violation, ...] = ()
    ) -> None:
        self.code = code
        """The status: 161002."""
        self.name = status_name(code)
        """The constant of that value: ``ACLNN_ERR_PARAM_INVALID``; empty for a number that no header knows."""
        self.function = function
        """The function that returned it."""
        self.message = message
        """What aclGetRecentErrMsg() had to say; may be empty."""
        self.violations = violations
        """All rules that a refused phase one broke; the first decided the status. Empty for other functions."""
        super().__init__(code, function, message, violations)

    def __str__(self) -> str:
        name = f" ({self.name})" if self.name else ""
        message = f":\n{self.message}" if self.message else ""
        return f"{self.function} returned {self.code}{name}{message}"


def status_name(code: int) -> str:
    return _status_names().get(code, "")


@lru_cache(maxsize=None)
def _status_names() -> Dict[int, str]:
    names = [name for name in dir(lib) if name.startswith(_STATUS_PREFIXES)]
    return {getattr(lib, name): name for name in names}


def check_status(status: int, function: str) -> None:
    """Raises AclError unless `status` is 0. Takes the calling thread's error text with it."""
    if status != 0:
        raise AclError(status, function, take_message(), last_violations() if function.endswith(_PHASE_ONE) else ())


def take_message() -> str:
    """The calling thread's error text, which is then no longer there."""
    text = lib.aclGetRecentErrMsg()
    return str(ffi.string(text).decode(errors="replace")) if text else ""


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function that returns a status and checks it: ``call(lib.aclrtSetDevice, 0)``."""
    check_status(function(*arguments), function.__name__)
