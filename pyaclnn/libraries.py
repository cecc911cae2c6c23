"""Which libraries the package is bound to: its own, or those of a toolkit that is installed on the machine."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from pyaclnn import paths

VARIABLE = "PYACLNN_RUNTIME"
EMULATOR, SYSTEM = "emulator", "system"
ROOT_VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")
NAMES = ("libascendcl.so", "libnnopbase.so", "libopapi_nn.so", "libopapi_math.so", "libopapi.so")
"""In the order in which they need each other."""
NEXT_STEP = "Next step: "
"""Begins the last line of a RuntimeNotFound."""
_BASE = NAMES[:2]
_OPERATORS = NAMES[2:]
"""A toolkit has them in one library or in several, which depends on its age."""

_chosen: Optional[str] = None
_loaded: Optional[str] = None


class RuntimeNotFound(ImportError):
    """The libraries that were asked for are not there, or cannot be loaded."""


def use_runtime(name: str) -> None:
    """Binds the package to ``"emulator"`` or ``"system"``, in place of the environment variable PYACLNN_RUNTIME.

    ``"system"`` is the toolkit that ASCEND_HOME_PATH or ASCEND_TOOLKIT_HOME points to, or else the one that the dynamic
    linker finds, which LD_LIBRARY_PATH directs. Call it before anything that needs the libraries: a process keeps those
    that it has. RuntimeError says that it is too late, ValueError that there is no such runtime.
    """
    global _chosen
    _check_name(name, "use_runtime()")
    if _loaded not in (None, name):
        raise RuntimeError(
            f"the libraries of the runtime {_loaded!r} are loaded; call use_runtime({name!r}) before the first use of "
            f"anything else of pyaclnn, or set {VARIABLE}={name}"
        )
    _chosen = name


def runtime() -> str:
    """The runtime in force: ``"emulator"``, which is the default, or ``"system"``."""
    name = _chosen or os.environ.get(VARIABLE) or EMULATOR
    _check_name(name, VARIABLE)
    return name


def emulated() -> bool:
    """Are the libraries in force those of this package?"""
    return runtime() == EMULATOR


def load() -> str:
    """Loads the libraries in force for all of the process to see; gives the name of the runtime."""
    global _loaded
    name = runtime()
    if name == EMULATOR:
        for library in paths.LIBRARIES[::-1]:
            _load(paths.prefix() / "lib64", f"lib{library}.so")
    else:
        _load_toolkit()
    _loaded = name
    return name


def function_exists(name: str) -> bool:
    """Has any library that is loaded for all to see a symbol of this name?"""
    return hasattr(ctypes.CDLL(None), name)


def mapped() -> Dict[str, List[Path]]:
    """The files of the libraries of NAMES that this process has, by name; more than one of a name is trouble."""
    found: Dict[str, List[Path]] = {}
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            path = Path(line.rstrip("\n").split(maxsplit=5)[-1])
            if path.name in NAMES and path not in found.setdefault(path.name, []):
                found[path.name].append(path)
    return {name: found[name] for name in NAMES if name in found}


def _check_name(name: str, where: str) -> None:
    if name not in (EMULATOR, SYSTEM):
        raise ValueError(f"{where}: {name!r} is no runtime; there are {EMULATOR!r} and {SYSTEM!r}")


def _toolkit() -> Tuple[Optional[Path], str]:
    """The folder of the first toolkit that is there, None for the dynamic linker's choice, and why."""
    for variable in ROOT_VARIABLES:
        folder = Path(os.environ.get(variable) or os.devnull) / "lib64"
        if (folder / NAMES[0]).is_file():
            return folder, variable
    return None, "LD_LIBRARY_PATH"


def _load_toolkit() -> None:
    folder, reason = _toolkit()
    try:
        for name in _BASE:
            _load(folder, name)
        _load_operators(folder)
    except OSError as error:
        raise RuntimeNotFound(
            f"{VARIABLE}=system, and the toolkit of {reason} cannot be loaded: {error}\n"
            f"{NEXT_STEP}source the toolkit's set_env.sh, or unset {VARIABLE} for the emulator"
        ) from None


def _load_operators(folder: Optional[Path]) -> None:
    reasons = []
    for name in _OPERATORS:
        try:
            _load(folder, name)
        except OSError as error:
            reasons.append(str(error))
    if len(reasons) == len(_OPERATORS):
        raise OSError("; ".join(reasons))


def _load(folder: Optional[Path], name: str) -> None:
    """By full path, or by name for the dynamic linker to find if there is no folder."""
    if folder:
        _refuse_mixture(folder / name)
    ctypes.CDLL(str(folder / name) if folder else name, mode=os.RTLD_GLOBAL | os.RTLD_NOW)


def _refuse_mixture(path: Path) -> None:
    """Two libraries of one name each answer some of the calls, and neither knows the other's handles."""
    for other in mapped().get(path.name, []):
        if path.exists() and not path.samefile(other):
            raise RuntimeNotFound(
                f"this process already has {other}, so {path} would be mixed with it\n"
                f"{NEXT_STEP}import pyaclnn before what loads the other one, let LD_LIBRARY_PATH name {path.parent}, "
                f"or set {VARIABLE}=system to use the other one; `python -m pyaclnn doctor` shows what is found"
            )
