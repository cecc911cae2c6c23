"""Text for people: colours and the terminal's width where there is one, plain lines of a fixed width in a pipe."""

from __future__ import annotations

import os
import sys

from rich.console import Console

PIPE_WIDTH = 120
"""A pipe has no width of its own; this keeps an item on its line."""


def plain_console(pipe_width: int = PIPE_WIDTH) -> Console:
    """A console that shows text as it is: no markup, no emoji, no colours of its own invention."""
    wide = None if sys.stdout.isatty() or "COLUMNS" in os.environ else pipe_width
    return Console(width=wide, highlight=False, markup=False, emoji=False)


def write(captured: str) -> None:
    """What pads the lines says nothing, and would be in the way of diff."""
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.splitlines()))
