"""``pyaclnn completion``: the script with which a shell completes commands and options."""

from __future__ import annotations

import argparse
from typing import Any

SHELLS = ("bash", "zsh", "tcsh")

EPILOG = """\
Examples:
  eval "$(pyaclnn completion bash)"                                        for this shell
  pyaclnn completion bash >~/.local/share/bash-completion/completions/pyaclnn    for all that come
  pyaclnn completion zsh >~/.zfunc/_pyaclnn                                with ~/.zfunc in fpath"""


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "completion",
        help="print the script with which a shell completes the words of this command",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))
    return parser


def run(options: argparse.Namespace) -> int:
    import shtab

    from pyaclnn.command_line import parser

    print(shtab.complete(parser(), shell=options.shell))
    return 0
