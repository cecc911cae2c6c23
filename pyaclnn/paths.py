"""Where the headers and the libraries are, and what a compiler has to be told. Needs neither of them."""

from __future__ import annotations

import shlex
from pathlib import Path

LIBRARIES = ("opapi_nn", "opapi_math", "nnopbase", "ascendcl")


def prefix() -> Path:
    """The directory that holds include/ and lib64/."""
    return Path(__file__).resolve().parent


def cflags() -> str:
    return f"-I{shlex.quote(str(prefix() / 'include'))}"


def libs() -> str:
    directory = shlex.quote(str(prefix() / "lib64"))
    names = " ".join(f"-l{name}" for name in LIBRARIES)
    return f"-L{directory} -Wl,-rpath,{directory} {names}"
