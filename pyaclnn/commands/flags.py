"""``pyaclnn flags``: what compilers, build systems and shells have to be told."""

from __future__ import annotations

import argparse
import sys
from typing import Any

DESCRIPTION = "Print where headers and libraries are, for a compiler, a build system or a shell. Loads none of them."

EPILOG = """\
Examples:
  cc program.c $(pyaclnn flags --cflags --libs) -o program
  cmake -B build -DCMAKE_PREFIX_PATH="$(pyaclnn flags --prefix)"
  PKG_CONFIG_PATH="$(pyaclnn flags --pkg-config)" pkg-config --cflags --libs aclemu
  eval "$(pyaclnn flags --env)"        ASCEND_HOME_PATH and LD_LIBRARY_PATH, for scripts that are written for a toolkit

Exit status:
  0  printed
  2  nothing was asked for"""

PRINTED, NOTHING = 0, 2


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "flags",
        help="print what compilers, build systems and shells have to be told",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_options(parser)
    parser.add_argument("--pkg-config", action="store_true", help="print the directory that holds aclemu.pc")
    parser.add_argument("--env", action="store_true", help="print lines that set variables, for a shell to evaluate")
    return parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """Those that are short forms on the top level, too."""
    parser.add_argument("--prefix", action="store_true", help="print the directory that holds include/ and lib64/")
    parser.add_argument("--cflags", action="store_true", help="print the compiler's flags for the headers")
    parser.add_argument("--libs", action="store_true", help="print the linker's flags for the libraries")


def run(options: argparse.Namespace) -> int:
    from pyaclnn import paths

    functions = {
        "prefix": lambda: str(paths.prefix()),
        "cflags": paths.cflags,
        "libs": paths.libs,
        "pkg_config": lambda: str(paths.pkg_config()),
        "env": paths.env,
    }
    answers = [answer() for name, answer in functions.items() if getattr(options, name)]
    if not answers:
        print("pyaclnn flags: name what to print: --prefix, --cflags, --libs, --pkg-config or --env", file=sys.stderr)
        return NOTHING
    print(" ".join(answers))
    return PRINTED
