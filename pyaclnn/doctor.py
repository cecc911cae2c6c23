"""What is in force on this machine, and what will surprise the user."""

from __future__ import annotations

import importlib.util
import os
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Set

import pyaclnn
from pyaclnn import libraries, paths, probe

_PREFIXES = ("ACLEMU_", "ASCEND_", "PYACLNN_")
_OTHERS = ("LD_LIBRARY_PATH", "LD_PRELOAD")
_EMULATOR_PREFIX = "ACLEMU_"


class Finding(NamedTuple):
    """Something that will surprise the user."""

    fact: str
    next_step: str


@dataclass(frozen=True)
class Diagnosis:
    version: str
    """Of this package."""
    prefix: Path
    """Where its headers and libraries are."""
    python: str
    runtime: str
    """``emulator`` or ``system``."""
    chosen_by: str
    """What decided that."""
    error: Optional[str]
    """Why the libraries cannot be used; then nothing is known of them."""
    libraries: Dict[str, List[str]]
    """Those that the package is bound to: files by name."""
    linker: Dict[str, List[str]]
    """Those that programs get which name no folder of their own."""
    soc: Optional[str]
    product: Optional[str]
    devices: Optional[int]
    cann: Optional[str]
    settings: Dict[str, str]
    """What aclemuDescribeSettings() says; empty for a toolkit."""
    environment: Dict[str, str]
    findings: List[Finding]


def examine() -> Diagnosis:
    """Loads the libraries in other processes, so that nothing happens to this one."""
    environment = {
        name: value for name, value in sorted(os.environ.items()) if name.startswith(_PREFIXES) or name in _OTHERS
    }
    package, linker = probe.ask(probe.package), probe.ask(probe.linker)
    runtime = libraries.runtime()
    facts: Dict[str, Any] = {
        "version": pyaclnn.__version__,
        "prefix": paths.prefix(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "runtime": runtime,
        "chosen_by": f"{libraries.VARIABLE}={runtime}" if environment.get(libraries.VARIABLE) else "default",
        "error": package.get("error"),
        "libraries": package.get("libraries", {}),
        "linker": linker.get("libraries", {}),
        "soc": package.get("soc"),
        "product": package.get("product"),
        "devices": package.get("devices"),
        "cann": package.get("cann"),
        "settings": package.get("settings") or {},
        "environment": environment,
    }
    diagnosis = Diagnosis(**facts, findings=[])
    broken = [linker["error"]] if "error" in linker else list(linker["broken"].values())
    diagnosis.findings.extend(_findings(diagnosis, package["messages"], broken))
    return diagnosis


def _findings(diagnosis: Diagnosis, messages: List[str], broken: List[str]) -> Iterator[Finding]:
    if diagnosis.error:
        reason, _, next_step = diagnosis.error.partition(f"\n{libraries.NEXT_STEP}")
        yield Finding(f"the libraries cannot be used: {reason}", next_step or "look at the paths and variables above")
    for message in messages:
        yield Finding(message, "mend or unset the variable")
    for error in broken:
        yield Finding(f"programs cannot load what the dynamic linker finds: {error}", _NAME_ONE)
    yield from _mixtures(diagnosis)
    yield from _variables(diagnosis)


def _mixtures(diagnosis: Diagnosis) -> Iterator[Finding]:
    bound, found = _folders(diagnosis.libraries), _folders(diagnosis.linker)
    if len(bound) > 1:
        yield Finding(f"pyaclnn is bound to libraries of several installations: {_listed(bound)}", _NAME_ONE)
    if len(found) > 1:
        yield Finding(f"programs get libraries of several installations: {_listed(found)}", _NAME_ONE)
    elif found and bound and found != bound:
        yield Finding(
            f"programs that are started here get the libraries of {_listed(found)}, pyaclnn those of {_listed(bound)}; "
            "LD_LIBRARY_PATH goes before the run path of a program",
            f"let LD_LIBRARY_PATH name {_listed(bound)} first, or nothing",
        )


def _variables(diagnosis: Diagnosis) -> Iterator[Finding]:
    environment, emulated = diagnosis.environment, diagnosis.runtime == libraries.EMULATOR
    if not emulated and diagnosis.settings:
        yield Finding(
            f"{libraries.VARIABLE}=system, but what was found there is the emulator",
            "let ASCEND_HOME_PATH or LD_LIBRARY_PATH name a toolkit, or unset the variable",
        )
    unused = [name for name in environment if name.startswith(_EMULATOR_PREFIX)]
    if not emulated and unused and not diagnosis.settings:
        yield Finding(f"a toolkit does not know {', '.join(unused)}", "unset it, or use the emulator")
    for name in libraries.ROOT_VARIABLES:
        root = environment.get(name)
        if root and not (Path(root) / "lib64" / libraries.NAMES[0]).is_file():
            yield Finding(f"{name} is {root}, which has no lib64/{libraries.NAMES[0]}", f"mend {name} or unset it")
    if emulated and environment.get("ASCEND_HOME_PATH") and importlib.util.find_spec("torch_npu"):
        yield Finding(
            "torch_npu is installed and ASCEND_HOME_PATH is set: it then looks for parts of a toolkit that are missing",
            "unset ASCEND_HOME_PATH for programs that import torch_npu",
        )


_NAME_ONE = "let LD_LIBRARY_PATH name one installation only"


def _folders(found: Dict[str, List[str]]) -> Set[Path]:
    return {Path(path).resolve().parent for files in found.values() for path in files}


def _listed(folders: Set[Path]) -> str:
    return " and ".join(sorted(map(str, folders)))
