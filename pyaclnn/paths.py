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


def pkg_config() -> Path:
    """The directory that holds aclemu.pc."""
    return prefix() / "lib64" / "pkgconfig"


def env() -> str:
    """Lines for a POSIX shell: what a toolkit's set_env.sh sets. A second time they change nothing."""
    root = shlex.quote(str(prefix()))
    libraries = '"$ASCEND_HOME_PATH"/lib64'
    return f"""\
export ASCEND_HOME_PATH={root} ASCEND_TOOLKIT_HOME={root}
case ":${{LD_LIBRARY_PATH:-}}:" in
*:{libraries}:*) ;;
*) export LD_LIBRARY_PATH={libraries}"${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}" ;;
esac"""
