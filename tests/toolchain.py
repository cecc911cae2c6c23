"""Compilers and other tools as a user of the installed package has them."""

import functools
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
BESIDE = Path(sys.executable).parent
REQUIRE_ALL = os.environ.get("PYACLNN_TESTS_REQUIRE_ALL") == "1"


def absent(what):
    """Skips the test, or fails it where everything has to be there."""
    if REQUIRE_ALL:
        pytest.fail(f"{what} is missing, and PYACLNN_TESTS_REQUIRE_ALL=1 wants every test run")
    pytest.skip(f"{what} is missing")


def tool(*names):
    """The first of the tools that is there: beside the interpreter, as pip installs them, or on the path."""
    for name in names:
        found = shutil.which(name, path=BESIDE) or shutil.which(name)
        if found:
            return found
    return absent(" or ".join(names))


def c_compiler():
    return tool("cc", "gcc", "clang")


def cxx_compiler():
    return tool("c++", "g++", "clang++")


def environment(**changes):
    """This process's environment without settings of the emulator and of pytest-xdist; None removes a variable.

    The tools beside the interpreter come first, as in an activated environment: meson looks for ninja there.
    """
    settings = ("ACLEMU_", "ASCEND_", "COLUMNS", "PYACLNN_RUNTIME")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(settings)}
    kept["PATH"] = f"{BESIDE}{os.pathsep}{kept['PATH']}"
    kept.update(changes)
    return {name: value for name, value in kept.items() if value is not None}


def run(command, *, status=0, cwd=None, env=None, timeout=300):
    """Runs a command that has to end with `status`; returns what it printed to standard output."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=env or environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == status, f"{shlex.join(map(str, command))} ended with {done.returncode}\n" + (
        done.stdout + done.stderr
    )
    return done.stdout


def copy_of_repository(folder):
    """Copies the files that are under version control, and nothing else, to a new folder."""
    listed = subprocess.run([tool("git"), "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        absent("a git checkout")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def pyaclnn(*arguments, python=sys.executable):
    """Runs the package's command line, from a folder in which there is no source of the same name."""
    return run([python, "-m", "pyaclnn", *arguments], cwd=SAMPLES).strip()


@functools.lru_cache(maxsize=None)
def prefix(python=sys.executable):
    """The root of the installed headers and libraries."""
    return Path(pyaclnn("--prefix", python=python))


def flags(kind, python=sys.executable):
    """What --cflags or --libs prints, as a list."""
    return shlex.split(pyaclnn(kind, python=python))
