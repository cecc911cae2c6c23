"""A comparison for people: what each side says, how the gradients differ, and why sides refuse."""

from __future__ import annotations

from typing import List

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pyaclnn.appraisal import NAMES
from pyaclnn.commands.output import plain_console, write
from pyaclnn.commands.report_table import MEDIUM, answer_text, arrow, refusals, size_text, status_text
from pyaclnn.commands.run_table import count_text, percent
from pyaclnn.comparison import Answer, Comparison


NARROW = 112
"""Below, there is no room for the columns of the differences."""


def print_comparison(comparison: Comparison) -> None:
    console = plain_console()
    with console.capture() as captured:
        _render(console, comparison)
    write(captured.get())


def summary(comparison: Comparison) -> str:
    names = [answer.side.name for answer in comparison.answers]
    if comparison.agree:
        return f"{', '.join(names[:-1])} and {names[-1]} agree bit for bit."
    accepting = [answer for answer in comparison.answers if answer.accepted]
    if not accepting:
        return "All sides refuse the problem."
    refusing = [answer.side.name for answer in comparison.answers if not answer.accepted]
    parts = [f"{', '.join(refusing)} {'refuses' if len(refusing) == 1 else 'refuse'} the problem"] if refusing else []
    differing = [NAMES[index] for index in comparison.asked if comparison.differs(index)]
    if differing:
        parts.append(f"{', '.join(differing)} {'differs' if len(differing) == 1 else 'differ'}")
    elif len(accepting) > 1:
        parts.append("the others agree bit for bit")
    return "; ".join(parts) + "."


def _render(console: Console, comparison: Comparison) -> None:
    console.print(Text(str(comparison.problem), style="bold"))
    console.print(_sides(comparison, console))
    if comparison.asked:
        console.print(_gradients(comparison, console))
    for answer in comparison.answers:
        for explanation in refusals([answer.computation.verdict]):
            console.print(Text(answer.side.name, style="bold"))
            console.print(Padding(explanation, (0, 0, 0, 2)))
    console.print(Text(summary(comparison), style="green" if comparison.agree else "yellow"))


def _sides(comparison: Comparison, console: Console) -> RenderableType:
    table = _table("Side", "Chip", "Status", "Arithmetic / broken rule", "Workspace")
    for answer in comparison.answers:
        verdict = answer.computation.verdict
        status = status_text(verdict, named=console.width >= MEDIUM)
        size = size_text(verdict.workspace_size)
        table.add_row(answer.side.name, verdict.soc, status, answer_text(verdict, arrow(console)), size)
    return table


def _gradients(comparison: Comparison, console: Console) -> RenderableType:
    """For each gradient the differences from the base, and the errors against the definition."""
    base = comparison.base
    assert base is not None  # or there would be no gradients
    if console.width < NARROW:
        return Group(*(_cards(comparison, index, base) for index in comparison.asked))
    table = _table("Gradient", "Side", *_headings(base))
    for index in comparison.asked:
        for row, answer in enumerate(_accepting(comparison)):
            name = f"{NAMES[index]} {comparison.problem.output_dtypes[index]}"
            table.add_row("" if row else name, answer.side.name, *_cells(answer, index))
    return table


def _accepting(comparison: Comparison) -> List[Answer]:
    return [answer for answer in comparison.answers if answer.accepted]


def _cards(comparison: Comparison, index: int, base: Answer) -> RenderableType:
    """The same for terminals that are too narrow for columns."""
    cards: List[RenderableType] = [Text(f"{NAMES[index]} {comparison.problem.output_dtypes[index]}", style="bold")]
    for answer in _accepting(comparison):
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(overflow="fold")
        for heading, cell in zip(_headings(base), _cells(answer, index)):
            if cell:
                grid.add_row(heading, cell)
        cards += [Padding(Text(answer.side.name), (0, 0, 0, 2)), Padding(grid, (0, 0, 0, 4))]
    return Group(*cards, Text())


def _headings(base: Answer) -> List[str]:
    return [f"not as {base.side.name}", "by up to", "/ max |ref|", "ulp", "max |error|", "/ max |ref|"]


def _cells(answer: Answer, index: int) -> List[str]:
    difference = answer.differences[index]
    cells = ["", "", "", ""]
    if difference and not difference.differing:
        cells[0] = "none"
    elif difference:
        share = difference.differing / difference.elements
        cells = [
            f"{difference.differing} ({percent(share)})",
            f"{difference.largest:.2e}",
            f"{difference.relative:.2e}",
            count_text(difference.ulp_largest),
        ]
    errors = answer.errors[index]
    statistics = errors.statistics if errors else None
    return cells + ([f"{statistics.largest:.2e}", f"{statistics.relative:.2e}"] if statistics else ["", ""])


def _table(*headings: str) -> Table:
    """The first columns are words; those of numbers stand right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), header_style="dim")
    for column, heading in enumerate(headings):
        number = heading == "Workspace" or heading[0].islower() or heading[0] == "/"
        table.add_column(
            heading,
            style="bold" if column == 0 else "",
            justify="right" if number else "left",
            overflow="fold",
        )
    return table
