"""What a process finds when it loads the libraries. Runs in processes of its own: a foreign library may end them."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from typing import Any, Callable, Dict, List, Optional

from pyaclnn import libraries

_TIMEOUT = 60  # seconds


def package() -> Dict[str, Any]:
    """The libraries that pyaclnn is bound to, and what they say of themselves."""
    from pyaclnn import chip
    from pyaclnn.native import ffi, lib

    settings = None
    if libraries.function_exists("aclemuDescribeSettings"):
        text = ffi.new("char[]", 512)
        lib.aclemuDescribeSettings(text, 512)
        settings = dict(item.split("=", 1) for item in ffi.string(text).decode().split())
    soc = lib.aclrtGetSocName()
    name = ffi.string(soc).decode() if soc else None
    devices = ffi.new("uint32_t *")
    return {
        "runtime": libraries.runtime(),
        "libraries": _mapped(),
        "soc": name,
        "product": chip.product_of(name) if name else None,
        "devices": int(devices[0]) if lib.aclrtGetDeviceCount(devices) == 0 else None,
        "cann": _toolkit_version(),
        "settings": settings,
    }


def linker() -> Dict[str, Any]:
    """The libraries that programs get which name no folder of their own, and why some that are there do not load."""
    broken = {}
    for name in libraries.NAMES:
        try:
            ctypes.CDLL(name)
        except OSError as error:
            if not str(error).startswith(f"{name}: cannot open shared object file"):
                broken[name] = str(error)
    return {"libraries": _mapped(), "broken": broken}


def ask(what: Callable[[], Dict[str, Any]]) -> Dict[str, Any]:
    """What one of the functions above gives in a process of its own; its messages, and its ``error`` if it failed."""
    code = (
        f"import json, sys; sys.path[:] = json.loads(sys.argv[1])\n"
        f"from pyaclnn import probe; print('\\n' + json.dumps(probe.{what.__name__}()))"
    )
    command = [sys.executable, "-c", code, json.dumps(sys.path)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_TIMEOUT)
    except subprocess.TimeoutExpired:
        return {"error": f"no answer within {_TIMEOUT} seconds", "messages": []}
    messages = done.stderr.decode(errors="replace").splitlines()
    if done.returncode == 0:
        return {**json.loads(done.stdout.splitlines()[-1]), "messages": messages}
    if done.returncode < 0:
        return {"error": f"signal {-done.returncode} ended the process", "messages": messages}
    return {"error": _last_words(messages), "messages": []}


def _last_words(messages: List[str]) -> str:
    """What follows the traceback."""
    start = max((index for index, line in enumerate(messages) if line.startswith("  ")), default=-1) + 1
    return "\n".join(messages[start:]).partition(": ")[2] or "no reason given"


def _mapped() -> Dict[str, List[str]]:
    return {name: [str(path) for path in paths] for name, paths in libraries.mapped().items()}


def _toolkit_version() -> Optional[str]:
    from pyaclnn.native import ffi, lib

    if not libraries.function_exists("aclsysGetCANNVersion"):
        return None
    version = ffi.new("aclCANNPackageVersion *")
    if lib.aclsysGetCANNVersion(lib.ACL_PKG_NAME_CANN, version) != 0:
        return None
    return str(ffi.string(version.version).decode(errors="replace"))
