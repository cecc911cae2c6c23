"""Shows on standard error how far a session is: a bar on a terminal, a line for each case elsewhere."""

from __future__ import annotations

import sys
from typing import Iterable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from pyaclnn.bench.results import Result
from pyaclnn.bench.session import Step


def show(steps: Iterable[Step], total: int) -> None:
    """Runs the session."""
    if sys.stderr.isatty():
        _bar(steps, total)
    else:
        _lines(steps, total)


def _bar(steps: Iterable[Step], total: int) -> None:
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    columns = (MofNCompleteColumn(), BarColumn(), *times, TextColumn("{task.description}"))
    # twice a second: the bar must not disturb what is measured
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=2) as progress:
        task = progress.add_task("starting", total=total)
        for step in steps:
            progress.update(task, description=step.case, advance=1 if step.result else 0)


def _lines(steps: Iterable[Step], total: int) -> None:
    done = 0
    for step in steps:
        if step.result:
            done += 1
            print(f"[{done}/{total}] {step.case}: {_times(step.result)}", file=sys.stderr, flush=True)


def _times(result: Result) -> str:
    return ", ".join(f"{name} {_time(result, name)}" for name in result.figures)


def _time(result: Result, name: str) -> str:
    known, bound = result.milliseconds(name), result.at_least(name)
    return f"{known:.3g} ms" if known else f"given up after {bound:.3g} ms" if bound else "disturbed"
