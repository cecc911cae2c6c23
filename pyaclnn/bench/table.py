"""Results for people: a table for each number of threads and element type, then what they come to."""

from __future__ import annotations

from typing import Callable, Iterable, List, Optional, Tuple

from rich import box
from rich.console import Console
from rich.table import Table

from pyaclnn.bench.results import OURS, TORCH, Result, Results, counted, geometric_mean
from pyaclnn.commands.output import plain_console, write

PIPE_WIDTH = 140
NOTHING = "-"


def print_results(results: Results) -> None:
    console = plain_console(PIPE_WIDTH)
    with console.capture() as captured:
        for threads in sorted({result.threads for result in results.results}):
            _print_threads(console, results, threads)
        for sentence in small_calls(results):
            console.print(sentence)
        for note in results.notes:
            console.print(f"Note: {note}")
        for fault in results.faults:
            console.print(f"FAULT: {fault}", style="red")
    write(captured.get())


def groups(results: Results, threads: int) -> Iterable[Tuple[str, List[Result]]]:
    """The results of one number of threads by element type, in the order in which they came."""
    chosen = [result for result in results.results if result.threads == threads]
    for dtype in dict.fromkeys(result.dtype for result in chosen):
        yield dtype, [result for result in chosen if result.dtype == dtype]


COLUMNS = ("row", "ours ms", "torch ms", "torch/ours", "oneDNN ms", "oneDNN/ours", "GF/s", "% peak")


def cells(results: Results, result: Result) -> List[str]:
    onednn = result.best_onednn
    return [
        result.row,
        number(result.milliseconds(OURS)),
        _given_up(result, TORCH) + number(result.milliseconds(TORCH) or result.at_least(TORCH)),
        _given_up(result, TORCH) + ratio(result.speedup(TORCH)),
        number(result.milliseconds(onednn) if onednn else None) + (" plain" if onednn == "onednn plain" else ""),
        ratio(result.speedup(onednn)),
        number(result.gigaflops),
        percent(results.share_of_peak(result)),
    ]


def _given_up(result: Result, contestant: str) -> str:
    """Before what is only known to be more."""
    return ">" if result.at_least(contestant) else ""


def number(value: Optional[float]) -> str:
    """Three digits, more where they stand before the point."""
    if value is None:
        return NOTHING
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def ratio(value: Optional[float]) -> str:
    return NOTHING if value is None else f"{value:.2f}"


def percent(value: Optional[float]) -> str:
    return NOTHING if value is None else f"{100 * value:.0f}"


def means(chosen: List[Result]) -> List[str]:
    """A sentence for each rival: the geometric mean of its ratios, and the worst row."""
    rivals: List[Tuple[str, Callable[[Result], Optional[float]]]] = [
        ("torch", lambda result: result.speedup(TORCH)),
        ("best oneDNN", lambda result: result.speedup(result.best_onednn)),
    ]
    sentences = []
    for name, speedup in rivals:
        ratios = {result.row: value for result in chosen for value in [speedup(result)] if value}
        mean = geometric_mean(ratios.values())
        if mean is not None:
            worst = min(ratios, key=lambda row: ratios[row])
            rows = counted(len(ratios), "row")
            bound = "at least " if any(result.at_least(name) for result in chosen) else ""
            sentences.append(
                f"{name}/ours: geometric mean {bound}{mean:.2f} of {rows}, worst {worst} {ratios[worst]:.2f}"
            )
    return sentences


def small_calls(results: Results) -> List[str]:
    """A sentence for each way to run streams."""
    sentences = []
    for way, parts in results.small_calls.items():
        *single, together = (f"{name} {number(time)}" for name, time in parts.items())
        sentence = f"A small call from C with ACLEMU_STREAM={way}, in microseconds: {together} ({', '.join(single)})"
        sentences.append(sentence)
    return sentences


def _print_threads(console: Console, results: Results, threads: int) -> None:
    peak = results.peaks.get(threads)
    limit = f", float32 peak {peak * 1e-9:.0f} GF/s" if peak else ""
    for dtype, chosen in groups(results, threads):
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), header_style="dim", title_justify="left")
        table.title = f"{dtype}, {counted(threads, 'thread')}{limit}"
        for name in COLUMNS:
            table.add_column(name, justify="left" if name == "row" else "right", no_wrap=True)
        for result in chosen:
            table.add_row(*cells(results, result))
        console.print(table)
        for sentence in means(chosen):
            console.print(sentence)
        console.print(_discarded(chosen))
        console.print()


def _discarded(chosen: List[Result]) -> str:
    figures = [figure for result in chosen for figure in result.figures.values()]
    kept, discarded = (sum(counts) for counts in zip(*((f.kept, f.discarded) for f in figures))) if figures else (0, 0)
    empty = sum(not figure.kept and not figure.at_least for figure in figures)
    without = f"; {counted(empty, 'figure')} without any, try again on a machine that is idle" if empty else ""
    return f"{counted(kept, 'call')} counted, {discarded} discarded because other work disturbed them{without}"
