"""A stand-in for pyACL, the vendor's Python module `acl`: what l0n0lacl calls of it, on libascendcl.so.

Results and statuses come back in pyACL's order: the values first, the status last; addresses are integers.
"""

import ctypes
import os
import sys
from ctypes import byref, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint32, c_void_p

_library = ctypes.CDLL(os.path.join(os.environ["ASCEND_HOME_PATH"], "lib64", "libascendcl.so"))


def _function(name, *arguments, result=c_int):
    function = getattr(_library, name)
    function.argtypes, function.restype = arguments, result
    return function


def __getattr__(name):
    raise AttributeError(f"the stand-in for pyACL has no acl.{name}: it is not among what l0n0lacl calls")


_init = _function("aclInit", c_char_p)
_app_log = _function("aclAppLog", c_int, c_char_p, c_char_p, c_uint32, c_char_p, c_char_p, result=None)
_recent_message = _function("aclGetRecentErrMsg", result=c_char_p)
_version = _function("aclrtGetVersion", *[c_void_p] * 3)
_capability = _function("aclGetDeviceCapability", c_uint32, c_int, c_void_p)

finalize = _function("aclFinalize")


def init(config_path=None):
    return _init(config_path and os.fsencode(config_path))


def get_version():
    numbers = c_int32(), c_int32(), c_int32()
    status = _version(*map(byref, numbers))
    return *[number.value for number in numbers], status


def get_device_capability(device, which):
    value = c_int64()
    status = _capability(device, which, byref(value))
    return value.value, status


def get_recent_err_msg():
    return (_recent_message() or b"").decode()


def app_log(level, text):
    caller = sys._getframe(1)
    code = caller.f_code
    _app_log(level, code.co_name.encode(), os.fsencode(code.co_filename), caller.f_lineno, b"%s", text.encode())


class _Runtime:
    """acl.rt"""

    set_device = staticmethod(_function("aclrtSetDevice", c_int32))
    reset_device_force = staticmethod(_function("aclrtResetDeviceForce", c_int32))
    synchronize_stream = staticmethod(_function("aclrtSynchronizeStream", c_void_p))
    free = staticmethod(_function("aclrtFree", c_void_p))
    memcpy = staticmethod(_function("aclrtMemcpy", c_void_p, c_size_t, c_void_p, c_size_t, c_int))

    _get_device = staticmethod(_function("aclrtGetDevice", c_void_p))
    _malloc = staticmethod(_function("aclrtMalloc", c_void_p, c_size_t, c_int))

    def __getattr__(self, name):
        return __getattr__(f"rt.{name}")

    def get_device(self):
        device = c_int32()
        status = self._get_device(byref(device))
        return device.value, status

    def malloc(self, size, policy):
        address = c_void_p()
        status = self._malloc(byref(address), size, policy)
        return address.value or 0, status


rt = _Runtime()
