"""The command line: ``python -m pyaclnn``, or ``pyaclnn``. Every subcommand is a module with add_parser() and run()."""

from __future__ import annotations

import argparse
import sys
from typing import Optional, Sequence

import pyaclnn
from pyaclnn import paths
from pyaclnn.commands import bench, check, compare, completion, demo, doctor, flags, run

SUBCOMMANDS = (check, run, compare, demo, bench, doctor, flags, completion)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pyaclnn",
        description="The aclnn operator API on any Linux CPU.",
        epilog="Build a program:  cc program.c $(python -m pyaclnn --cflags --libs)",
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    flags.add_options(parser)
    commands = parser.add_subparsers(metavar="COMMAND")
    for subcommand in SUBCOMMANDS:
        subcommand.add_parser(commands).set_defaults(run=subcommand.run)
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> int:
    options = parser().parse_args(arguments)
    if "run" in options:
        return int(options.run(options))

    answers = []
    if options.version:
        answers.append(f"pyaclnn {pyaclnn.__version__}")
    if options.prefix:
        answers.append(str(paths.prefix()))
    if options.cflags:
        answers.append(paths.cflags())
    if options.libs:
        answers.append(paths.libs())
    if not answers:
        parser().print_help(sys.stderr)
        return 2
    print(" ".join(answers))
    return 0
