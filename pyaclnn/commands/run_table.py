"""Runs for people: who computed it and how, the errors of each gradient, and the verdict. Wraps at any width."""

from __future__ import annotations

from typing import List, Sequence, Tuple

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pyaclnn.appraisal import GradientAppraisal
from pyaclnn.commands.output import plain_console, write
from pyaclnn.commands.report_table import refusals, size_text
from pyaclnn.commands.run_result import RunResult
from pyaclnn.error_statistics import Element, ErrorStatistics

NARROW = 90
"""Below, there is no room for the columns of a table."""
GIVEN, ROUNDED = "operands as given", "operands rounded"
ERROR_HEADINGS = ("max |error|", "/ max |ref|", "ulp max", "ulp mean", "correctly rounded")


def print_results(results: Sequence[RunResult]) -> None:
    console = plain_console()
    with console.capture() as captured:
        for index, result in enumerate(results):
            if index:
                console.rule(style="dim")
            _render(console, result)
        if len(results) > 1:
            console.rule(style="dim")
            console.print(_count(results))
    write(captured.get())


def facts(result: RunResult) -> List[Tuple[str, str]]:
    """Name and value of what there is to say before the errors."""
    verdict = result.verdict
    rows = [("chip", f"{verdict.soc} ({verdict.product}), {result.runtime}"), ("seed", str(result.seed))]
    if result.computation.plan:
        rows.append(("plan", result.computation.plan))
    if result.milliseconds is not None:
        calls = len(result.computation.seconds)
        rows.append(("time", f"{result.milliseconds:.3g} ms, median of {calls}"))
        rows.append(("workspace", size_text(verdict.workspace_size)))
    return rows


def comparisons(appraisal: GradientAppraisal) -> List[Tuple[str, ErrorStatistics]]:
    """What the gradient was compared with, and the errors: one row where rounding the operands changes nothing."""
    given = (GIVEN, appraisal.given.statistics)
    if appraisal.planned is None or appraisal.planned is appraisal.given:
        return [given]
    return [(ROUNDED, appraisal.planned.statistics), given]


def error_cells(errors: ErrorStatistics) -> Tuple[str, ...]:
    """In the order of ERROR_HEADINGS."""
    return (
        f"{errors.largest:.2e}",
        f"{errors.relative:.2e}",
        count_text(errors.ulp_largest),
        f"{errors.ulp_mean:.3g}",
        percent(errors.correctly_rounded),
    )


def count_text(count: float) -> str:
    return f"{count:.0f}" if count < 1e6 else f"{count:.2e}"


def percent(share: float) -> str:
    """Without rounding up to all or down to none."""
    text = f"{100 * share:.2f}"
    if text == "100.00" and share < 1:
        text = "99.99"
    return f"{text} %"


def element_text(element: Element) -> str:
    index = ", ".join(map(str, element.index))
    return f"[{index}] is {element.found:.9g}, definition {element.expected:.9g}"


def used_text(appraisal: GradientAppraisal) -> str:
    judgement = appraisal.judgement
    word = "within" if judgement.within else "OUTSIDE"
    return f"{word}: {100 * judgement.used:.3g} % of {judgement.bound}"


def verdict_text(result: RunResult) -> str:
    if not result.verdict.accepted:
        return f"Refused with {result.verdict.status} {result.verdict.status_name}."
    outside = [appraisal.name for appraisal in result.appraisals if not appraisal.judgement.within]
    if outside:
        return f"{', '.join(outside)} OUTSIDE the bounds."
    if not result.appraisals:
        return "No gradient is asked for."
    return "All gradients are within their bounds."


def _render(console: Console, result: RunResult) -> None:
    console.print(Text(str(result.problem), style="bold"))
    if not result.verdict.accepted:
        console.print(Text())
        for explanation in refusals([result.verdict]):
            console.print(explanation)
        return
    grid = _grid()
    for name, value in facts(result):
        grid.add_row(name, value)
    console.print(Padding(grid, (0, 0, 0, 2)))
    console.print(_errors(result, console) if result.appraisals else "")
    console.print(Text(verdict_text(result), style="green" if result.within else "red"))


def _errors(result: RunResult, console: Console) -> RenderableType:
    if console.width < NARROW:
        return Group(Text(), *(_card(appraisal) for appraisal in result.appraisals))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), header_style="dim")
    table.add_column("Gradient", style="bold", no_wrap=True)
    table.add_column("Compared on", no_wrap=True)
    for heading in ERROR_HEADINGS:
        table.add_column(heading, justify="right")
    for appraisal in result.appraisals:
        for index, (against, errors) in enumerate(comparisons(appraisal)):
            table.add_row("" if index else appraisal.name, against, *error_cells(errors))
    return Group(table, *(_details(appraisal) for appraisal in result.appraisals))


def _details(appraisal: GradientAppraisal) -> RenderableType:
    grid = _grid()
    grid.add_row("worst", _worst(appraisal))
    grid.add_row("bound", _bound(appraisal))
    return Group(_title(appraisal), Padding(grid, (0, 0, 1, 2)))


def _card(appraisal: GradientAppraisal) -> RenderableType:
    """The same for terminals that are too narrow for columns."""
    grid = _grid()
    for against, errors in comparisons(appraisal):
        grid.add_row("on", against)
        for heading, cell in zip(ERROR_HEADINGS, error_cells(errors)):
            grid.add_row(heading, cell)
    grid.add_row("worst", _worst(appraisal))
    grid.add_row("bound", _bound(appraisal))
    return Group(_title(appraisal), Padding(grid, (0, 0, 1, 2)))


def _grid() -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    return grid


def _title(appraisal: GradientAppraisal) -> Text:
    return Text.assemble((appraisal.name, "bold"), f" {list(appraisal.shape)} {appraisal.dtype}")


def _worst(appraisal: GradientAppraisal) -> str:
    worst = appraisal.main.statistics.worst
    return element_text(worst) if worst else "no elements"


def _bound(appraisal: GradientAppraisal) -> Text:
    return Text(used_text(appraisal), style="green" if appraisal.judgement.within else "red")


def _count(results: Sequence[RunResult]) -> str:
    refused = sum(not result.verdict.accepted for result in results)
    within = sum(result.within for result in results)
    outside = len(results) - refused - within
    return f"{len(results)} problems: {within} within their bounds, {outside} outside, {refused} refused"
