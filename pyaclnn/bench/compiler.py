"""Compiles the C sources beside this file for the processor that they run on, and loads them."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Sequence

from cffi import FFI

from pyaclnn.bench.contestant import Unavailable

_FLAGS = ("-O3", "-march=native", "-std=gnu11", "-fPIC", "-shared", "-pthread")
_FOLDER = Path(__file__).parent


def load(source: str, declarations: str, flags: Sequence[str] = ()) -> Any:
    """The functions of a source, which are declared as cffi wants them. Raises Unavailable."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if not shutil.which(compiler[0]):
        raise Unavailable(f"there is no C compiler {compiler[0]}; install one, or name it with CC=")
    ffi = FFI()
    ffi.cdef(declarations)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library.so"
        command = [*compiler, *_FLAGS, str(_FOLDER / source), "-o", str(library), *flags]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise Unavailable(f"{source} does not compile: {done.stderr.strip()[-500:]}")
        try:
            return ffi, ffi.dlopen(str(library))
        except OSError as error:
            raise Unavailable(f"{source} does not load: {error}") from None
