"""``pyaclnn demo``."""

from __future__ import annotations

import argparse
from typing import Any


def add_parser(commands: Any) -> argparse.ArgumentParser:
    what = "compute the gradients of a small convolution beside their definition"
    parser: argparse.ArgumentParser = commands.add_parser("demo", help=what)
    return parser


def run(options: argparse.Namespace) -> int:
    from pyaclnn import demo

    return demo.main()
