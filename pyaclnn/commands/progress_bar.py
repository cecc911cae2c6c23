"""A bar on standard error while something long goes on; nothing where that is no terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import Callable, Iterator, Optional


@contextmanager
def steps(description: str, total: int) -> Iterator[Optional[Callable[[], None]]]:
    """Within the block: what to call after each step."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(description, total=total)
        yield lambda: progress.advance(task)
