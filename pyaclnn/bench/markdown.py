"""The results as a section of docs/performance.md."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterable, List, Optional, Tuple

from pyaclnn.bench.results import Results, counted
from pyaclnn.bench.table import COLUMNS, cells, groups, means, small_calls

BEGIN = "<!-- results: begin, written by pyaclnn bench -->"
END = "<!-- results: end -->"


def section(results: Results) -> str:
    """Where and when, the means, and a table for each number of threads and element type."""
    lines = _facts(results)
    for sentence in small_calls(results):
        lines += ["", f"{sentence}."]
    for threads in sorted({result.threads for result in results.results}):
        peak = results.peaks.get(threads)
        limit = f" The float32 peak is {peak * 1e-9:.0f} GF/s." if peak else ""
        for dtype, chosen in groups(results, threads):
            lines += ["", f"### {dtype}, {counted(threads, 'thread')}", ""]
            lines += [f"{'; '.join(means(chosen)) or 'No rival was measured'}.{limit}", ""]
            lines += _table(cells(results, result) for result in chosen)
    return "\n".join(lines) + "\n"


def around(file: Path) -> Tuple[str, str]:
    """What a document has before and after its results. One without the marks is not ours to write: ValueError."""
    head, begin, rest = file.read_text().partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{file} has no place for results: the lines {BEGIN} and {END}")
    return head, tail


def replace_section(results: Results, file: Path, chart: Optional[str] = None) -> None:
    """Puts the section between the marks of a document, and the chart before it."""
    head, tail = around(file)
    picture = f"![Ratios of all rows]({os.path.relpath(chart, file.parent)})\n\n" if chart else ""
    file.write_text(f"{head}{BEGIN}\n{picture}{section(results)}{END}{tail}")


def _facts(results: Results) -> List[str]:
    facts = {"date": results.date, **results.machine, **results.versions, **results.settings}
    lines = _table([[name, value] for name, value in facts.items()], ("what", "value"), numbers=False)
    return [*lines, *(f"\nNote: {note}." for note in [*results.notes, *results.faults])]


def _table(rows: Iterable[List[str]], head: Iterable[str] = COLUMNS, numbers: bool = True) -> List[str]:
    head = list(head)
    rule = ["---", *["---:" if numbers else "---"] * (len(head) - 1)]
    return [f"| {' | '.join(row)} |" for row in (head, rule, *rows)]
