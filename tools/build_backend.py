"""Builds with meson-python, and gives a wheel the widest tag that its contents allow.

meson-python names the machine that it runs on. The extension keeps to the limited API of the oldest Python, and
auditwheel knows which systems have all that the libraries need of the C library.
"""

import re
import subprocess
import sys
from pathlib import Path

from mesonpy import *  # noqa: F403  the hooks that stay as they are
from mesonpy import build_wheel as build_wheel_for_this_machine

OLDEST_PYTHON = "cp39"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = build_wheel_for_this_machine(wheel_directory, config_settings, metadata_directory)
    wheel = Path(wheel_directory) / name
    tags = ["--python-tag", OLDEST_PYTHON, *_platform_of(wheel)]
    return _output("-m", "wheel", "tags", "--remove", *tags, str(wheel)).split()[-1]


def _platform_of(wheel):
    """auditwheel does not know all systems; then the tag stays that of this one."""
    try:
        verdict = _output("-m", "auditwheel", "show", str(wheel))
    except subprocess.CalledProcessError:
        return []
    found = re.search(r'"((?:many|musl)linux_\w+)"', verdict)
    return ["--platform-tag", found[1]] if found else []


def _output(*arguments):
    return subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
