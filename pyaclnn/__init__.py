"""The aclnn two-phase operator API on any Linux CPU.

Three levels: every function and constant of the public headers under its own name (``pyaclnn.aclrtMalloc``), with
cffi's ``ffi`` for their arguments; objects that own what they stand for; and one call from arrays to gradients.
docs/python.md shows them.

Importing the package loads neither the libraries nor numpy. The first use of a name does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from pyaclnn import hifloat8 as hifloat8
    from pyaclnn.arrays import BoolArray as BoolArray, IntArray as IntArray
    from pyaclnn.chip import set_soc as set_soc, soc as soc
    from pyaclnn.convolution import Gradients as Gradients, convolution_backward as convolution_backward
    from pyaclnn.device import Device as Device, DeviceMemory as DeviceMemory, Stream as Stream
    from pyaclnn.errors import AclError as AclError, call as call, check_status as check_status
    from pyaclnn.event import Event as Event
    from pyaclnn.executor import Executor as Executor
    from pyaclnn.libraries import RuntimeNotFound as RuntimeNotFound, runtime as runtime, use_runtime as use_runtime
    from pyaclnn.native import ffi as ffi, lib as lib
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
    "RuntimeNotFound": "libraries",
    "Stream": "device",
    "Tensor": "tensor",
    "TensorLayout": "request",
    "Verdict": "report",
    "Violation": "violation",
    "call": "errors",
    "check": "report",
    "check_status": "errors",
    "convolution_backward": "convolution",
    "ffi": "native",
    "lib": "native",
    "runtime": "libraries",
    "set_soc": "chip",
    "soc": "chip",
    "use_runtime": "libraries",
}
_DECLARED_PREFIXES = ("acl", "Acl", "ACL", "OK")
__all__ = [*_MODULES, "hifloat8"]


def __getattr__(name: str) -> Any:
    value = _find(name)
    globals()[name] = value  # the next look-up does not come here
    return value


def __dir__() -> List[str]:
    declared = dir(import_module("pyaclnn.native").lib)
    return sorted({*globals(), *__all__, *(name for name in declared if name.startswith(_DECLARED_PREFIXES))})


def _find(name: str) -> Any:
    reason = ""
    if name in _MODULES:
        return getattr(import_module(f"pyaclnn.{_MODULES[name]}"), name)
    if name == "hifloat8":
        return import_module("pyaclnn.hifloat8")
    if name == "__version__":
        return import_module("importlib.metadata").version("pyaclnn")
    # Only what a public header may declare is a reason to load the libraries: Python also asks here for submodules.
    if name.startswith(_DECLARED_PREFIXES):
        try:
            return getattr(import_module("pyaclnn.native").lib, name)
        except AttributeError as error:
            reason = f": {error}"
    raise AttributeError(f"module 'pyaclnn' has no attribute {name!r}{reason}")
