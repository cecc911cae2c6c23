"""The aclnn two-phase operator API on any Linux CPU.

Two layers: every function and constant of the public headers under its own name (``pyaclnn.aclrtMalloc``), with cffi's
``ffi`` for their arguments; and a few classes and functions that turn arrays into tensors and statuses into exceptions.

Importing the package loads neither the libraries nor numpy. The first use of a name does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from pyaclnn import hifloat8 as hifloat8
    from pyaclnn._native import ffi as ffi, lib as lib
    from pyaclnn.arrays import BoolArray as BoolArray, IntArray as IntArray
    from pyaclnn.chip import set_soc as set_soc, soc as soc
    from pyaclnn.convolution import Gradients as Gradients, convolution_backward as convolution_backward
    from pyaclnn.device import Device as Device, DeviceMemory as DeviceMemory, Stream as Stream
    from pyaclnn.errors import AclError as AclError, call as call, check_status as check_status
    from pyaclnn.event import Event as Event
    from pyaclnn.executor import Executor as Executor
    from pyaclnn.problem import Problem as Problem
    from pyaclnn.report import Arithmetic as Arithmetic, Report as Report, Verdict as Verdict, check as check
    from pyaclnn.request import Request as Request, TensorLayout as TensorLayout
    from pyaclnn.tensor import Tensor as Tensor
    from pyaclnn.violation import Violation as Violation

_MODULES = {
    "AclError": "errors",
    "Arithmetic": "report",
    "BoolArray": "arrays",
    "Device": "device",
    "DeviceMemory": "device",
    "Event": "event",
    "Executor": "executor",
    "Gradients": "convolution",
    "IntArray": "arrays",
    "Problem": "problem",
    "Report": "report",
    "Request": "request",
    "Stream": "device",
    "Tensor": "tensor",
    "TensorLayout": "request",
    "Verdict": "report",
    "Violation": "violation",
    "call": "errors",
    "check": "report",
    "check_status": "errors",
    "convolution_backward": "convolution",
    "ffi": "_native",
    "lib": "_native",
    "set_soc": "chip",
    "soc": "chip",
}
_DECLARED_PREFIXES = ("acl", "Acl", "ACL", "OK")
__all__ = [*_MODULES, "hifloat8"]


def __getattr__(name: str) -> Any:
    value = _find(name)
    globals()[name] = value  # the next look-up does not come here
    return value


def __dir__() -> List[str]:
    declared = dir(import_module("pyaclnn._native").lib)
    return sorted({*globals(), *__all__, *(name for name in declared if name.startswith(_DECLARED_PREFIXES))})


def _find(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"pyaclnn.{_MODULES[name]}"), name)
    if name == "hifloat8":
        return import_module("pyaclnn.hifloat8")
    if name == "__version__":
        return import_module("importlib.metadata").version("pyaclnn")
    # Only what a public header may declare is a reason to load the libraries: Python also asks here for submodules.
    if name.startswith(_DECLARED_PREFIXES):
        lib = import_module("pyaclnn._native").lib
        if hasattr(lib, name):
            return getattr(lib, name)
    raise AttributeError(f"module 'pyaclnn' has no attribute {name!r}")
