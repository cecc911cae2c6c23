"""Reports for people: a table of the products, and below it why the others refuse. Wraps at any width."""

from __future__ import annotations

from typing import Dict, Hashable, Iterable, List, Optional, Sequence, Tuple

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pyaclnn.commands.output import plain_console, write
from pyaclnn.report import Arithmetic, Report, Verdict
from pyaclnn.violation import Violation

NARROW, MEDIUM = 60, 100
"""Below, there is no room for columns; and for the names of the statuses."""
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_PREFIX = "ACLNN_ERR_"
_OUTPUTS = ("gradInput", "gradWeight", "gradBias")


def print_answers(answers: Sequence[Tuple[str, Report]]) -> None:
    console = plain_console()
    with console.capture() as captured:
        _render(console, answers)
    write(captured.get())


def _render(console: Console, answers: Sequence[Tuple[str, Report]]) -> None:
    for index, (title, report) in enumerate(answers):
        if index:
            console.rule(style="dim")
        console.print(Text(_printable(title), style="bold"))
        console.print(_overview(report, console))
        for explanation in refusals(report.verdicts):
            console.print(explanation)
    if len(answers) > 1:
        console.rule(style="dim")
        console.print(_summary([report for _, report in answers]))


def arrow(console: Console) -> str:
    return " -> " if console.options.ascii_only else " → "


def _printable(text: str) -> str:
    return text if text.isprintable() else ascii(text)


# ---- the table -----------------------------------------------------------------------------------------------------


def _overview(report: Report, console: Console) -> RenderableType:
    rows = [(verdict, answer_text(verdict, arrow(console))) for verdict in report.verdicts]
    if console.width < NARROW:
        return Group(Text(), *(_card(*row) for row in rows))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), header_style="dim")
    table.add_column("Product", style="bold", no_wrap=True)
    table.add_column("Chip", no_wrap=True)
    table.add_column("Status", no_wrap=True)
    table.add_column("Arithmetic / broken rule", overflow="fold")
    table.add_column("Workspace", justify="right", no_wrap=True)
    for verdict, answer in rows:
        status = status_text(verdict, named=console.width >= MEDIUM)
        table.add_row(verdict.product, _printable(verdict.soc), status, answer, size_text(verdict.workspace_size))
    return table


def _card(verdict: Verdict, answer: Text) -> RenderableType:
    """A row for terminals that are too narrow for columns."""
    head = Text.assemble((verdict.product, "bold"), " ", _printable(verdict.soc))
    size = [Text(f"{size_text(verdict.workspace_size)} workspace")] if verdict.accepted else []
    return Group(head, Padding(Group(status_text(verdict, named=True), answer, *size), (0, 0, 0, 2)), Text())


def status_text(verdict: Verdict, named: bool) -> Text:
    if verdict.accepted:
        return Text("accepted", style="green")
    name = f" {_short(verdict.status_name)}" if named else ""
    return Text(f"{verdict.status}{name}", style="red")


def _short(status_name: str) -> str:
    return status_name[len(_PREFIX) :] if status_name.startswith(_PREFIX) else status_name


def answer_text(verdict: Verdict, arrow: str) -> Text:
    if verdict.arithmetic:
        return Text(_arithmetic(verdict.arithmetic, arrow))
    more = len({violation.rule for violation in verdict.violations}) - 1
    answer = Text(verdict.rule or "", style="yellow")
    return answer.append(f" and {more} more", style="default") if more > 0 else answer


def _arithmetic(arithmetic: Arithmetic, arrow: str) -> str:
    outputs = {
        name: arrow.join(types)
        for name, types in zip(_OUTPUTS, (arithmetic.grad_input, arithmetic.grad_weight, arithmetic.grad_bias))
        if types
    }
    if not outputs:
        return "nothing to compute"
    if arithmetic.route == "zeros":
        return f"nothing to sum: zeros for {', '.join(outputs)}"
    if len(outputs) > 1 and len(set(outputs.values())) == 1:
        results = f"results {outputs.popitem()[1]}"
    else:
        results = ", ".join(f"{name} {types}" for name, types in outputs.items())
    operands = f"operands {arithmetic.operands}, " if arithmetic.operands else ""
    return f"{operands}sums {arithmetic.accumulator}, {results}"


def size_text(size_in_bytes: Optional[int]) -> str:
    if size_in_bytes is None:
        return ""
    size, unit = float(size_in_bytes), 0
    while size >= 1024 and unit + 1 < len(_UNITS):
        size, unit = size / 1024, unit + 1
    return f"{size:.1f} {_UNITS[unit]}" if unit else f"{size:.0f} B"


# ---- why not -------------------------------------------------------------------------------------------------------


def refusals(verdicts: Sequence[Verdict]) -> List[RenderableType]:
    """An explanation for those that refuse; none if all accept."""
    return [_refusal(alike) for alike in _alike(verdicts)]


def _alike(verdicts: Sequence[Verdict]) -> Iterable[List[Verdict]]:
    """Those that refuse, products with the same reasons together."""
    groups: Dict[Hashable, List[Verdict]] = {}
    for verdict in verdicts:
        if not verdict.accepted:
            reasons = tuple((violation.rule, _found(verdict, violation)) for violation in verdict.violations)
            groups.setdefault((verdict.status, reasons), []).append(verdict)
    return groups.values()


def _found(verdict: Verdict, violation: Violation) -> str:
    """The values without the name of the product, which the line above has."""
    return _printable(violation.values.replace(f"product {verdict.product}", "the product"))


def _refusal(verdicts: Sequence[Verdict]) -> RenderableType:
    first = verdicts[0]
    who = ", ".join(verdict.product for verdict in verdicts)
    verb = "refuses" if len(verdicts) == 1 else "refuse"
    head = Text.assemble((who, "bold"), f" {verb} it with ", (f"{first.status} {first.status_name}", "red"))
    rules: Dict[str, List[Violation]] = {}
    for violation in first.violations:
        rules.setdefault(violation.rule, []).append(violation)
    reasons = [_reason(first, violations) for violations in rules.values()]
    return Group(head, *(reasons or [Text(first.message)]), Text())


def _reason(verdict: Verdict, violations: Sequence[Violation]) -> RenderableType:
    """One rule, and every place where the call breaks it."""
    rule = violations[0]
    facts = Table.grid(padding=(0, 2, 0, 0))
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column(overflow="fold")
    for index, violation in enumerate(violations):
        facts.add_row("" if index else "found", _found(verdict, violation))
    facts.add_row("rule", rule.sentence)
    facts.add_row("hint", Text(rule.hint, style="cyan"))
    later = "" if rule.status == verdict.status else f" (alone: {rule.status})"
    head = Text.assemble((rule.rule, "yellow"), (later, "dim"))
    return Padding(Group(head, Padding(facts, (0, 0, 0, 2))), (0, 0, 0, 2))


def _summary(reports: Sequence[Report]) -> str:
    accepted = sum(report.accepted for report in reports)
    refused = len(reports) - accepted
    return f"{len(reports)} calls: {accepted} accepted by all that were asked, {refused} refused by some"
