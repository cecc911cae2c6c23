"""Runs as one page of HTML that needs nothing beside it: no network, no script; the pictures are in it."""

from __future__ import annotations

import base64
from html import escape
from string import Template
from typing import Iterable, List, Sequence

import pyaclnn
from pyaclnn.appraisal import GradientAppraisal
from pyaclnn.commands import error_chart
from pyaclnn.commands.run_result import RunResult
from pyaclnn.commands.run_table import ERROR_HEADINGS, comparisons, error_cells, facts, used_text, verdict_text

_PAGE = Template("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1a1a1a; --faint: #5c6670; --line: #d5dae0; --good: #00664d;
  --bad: #b3261e; --box: #f4f6f8; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14181d; --ink: #e6e6e6; --faint: #9aa5b1; --line: #343c45; --good: #56d4a8; --bad: #ff8a7a;
    --box: #1d232a; }
}
body { margin: 0 auto; max-width: 70rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; overflow-wrap: anywhere; }
pre { background: var(--box); border-radius: 0.4rem; padding: 0.7rem; white-space: pre-wrap; }
.verdict { border-left: 0.3rem solid; padding: 0.3rem 0.8rem; font-weight: 600; background: var(--box); }
.good { color: var(--good); } .bad { color: var(--bad); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; margin: 1rem 0; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { color: var(--faint); font-weight: 500; text-align: right; vertical-align: bottom; }
th, td { padding: 0.35rem 0.6rem; border-bottom: 1px solid var(--line); }
td { text-align: right; } .words { text-align: left; }
.picture { overflow-x: auto; } img { width: 100%; min-width: 44rem; height: auto; border-radius: 0.4rem; }
footer { margin-top: 2rem; color: var(--faint); font-size: 0.85rem; }
@media (max-width: 40rem) {
  thead { display: none; }
  tr { display: block; border: 1px solid var(--line); border-radius: 0.4rem; margin: 0.6rem 0; padding: 0.3rem 0; }
  td { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: 0.15rem 0.7rem; }
  td::before { content: attr(data-label); color: var(--faint); }
  td.words { text-align: right; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 0.5rem; }
}
</style>
</head>
<body>
<h1>$title</h1>
$runs
<footer>
<p>Errors are distances from the definition in float64. An ulp is a unit in the last place: so many numbers of the
element type lie between the result and the definition, correctly rounded. &ldquo;Operands rounded&rdquo; compares with
the definition on operands that are rounded as the plan says, which shows what adding up costs; &ldquo;operands as
given&rdquo; shows the cost of the whole computation.</p>
<p>Made by pyaclnn $version.</p>
</footer>
</body>
</html>
""")


def page(results: Sequence[RunResult]) -> str:
    title = "Accuracy of convolution gradients"
    runs = "\n".join(_section(result) for result in results)
    return _PAGE.substitute(title=title, runs=runs, version=escape(pyaclnn.__version__))


def _section(result: RunResult) -> str:
    tone = "good" if result.within else "bad"
    parts = [
        f"<section>\n<h2><code>{escape(str(result.problem))}</code></h2>",
        f'<p class="verdict {tone}">{escape(verdict_text(result))}</p>',
        _definitions(facts(result)),
    ]
    parts += _errors(result) if result.verdict.accepted else _reasons(result)
    parts.append(f"<h2>The same again</h2>\n<pre>{escape(result.command)}</pre>\n</section>")
    return "\n".join(parts)


def _definitions(rows: Iterable[Sequence[str]]) -> str:
    return "<dl>\n" + "\n".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows) + "\n</dl>"


def _errors(result: RunResult) -> List[str]:
    if not result.appraisals:
        return []
    return [
        "<h2>Errors</h2>",
        _table(
            ("Gradient", "Shape", "Type", "Compared on", *ERROR_HEADINGS),
            [row for appraisal in result.appraisals for row in _error_rows(appraisal)],
            words=4,
        ),
        "<h2>Bounds and worst elements</h2>",
        _table(
            ("Gradient", "Bound", "Worst element", "Result", "Definition"),
            [_bound_row(appraisal) for appraisal in result.appraisals],
            words=2,
        ),
        "<h2>Where the errors are</h2>",
        _picture(result),
    ]


def _reasons(result: RunResult) -> List[str]:
    parts = ["<h2>Why</h2>"]
    for violation in result.verdict.violations:
        rows = [("found", violation.values), ("rule", violation.sentence), ("hint", violation.hint)]
        parts += [f"<p><code>{escape(violation.rule)}</code></p>", _definitions(rows)]
    if not result.verdict.violations:
        parts.append(f"<pre>{escape(result.verdict.message)}</pre>")
    return parts


def _error_rows(appraisal: GradientAppraisal) -> List[Sequence[str]]:
    shape = " × ".join(map(str, appraisal.shape))
    return [
        (appraisal.name, shape, appraisal.dtype, against, *error_cells(errors))
        for against, errors in comparisons(appraisal)
    ]


def _bound_row(appraisal: GradientAppraisal) -> Sequence[str]:
    worst = appraisal.main.statistics.worst
    if worst is None:
        return appraisal.name, used_text(appraisal), "none", "", ""
    index = ", ".join(map(str, worst.index))
    return appraisal.name, used_text(appraisal), f"[{index}]", f"{worst.found:.9g}", f"{worst.expected:.9g}"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], words: int) -> str:
    """The first columns are words, the others numbers."""

    def kind(column: int) -> str:
        return ' class="words"' if column < words else ""

    head = "".join(f'<th scope="col"{kind(column)}>{escape(name)}</th>' for column, name in enumerate(headings))
    body = []
    for row in rows:
        cells = (
            f'<td{kind(column)} data-label="{escape(name)}">{escape(cell)}</td>'
            for column, (name, cell) in enumerate(zip(headings, row))
        )
        body.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(body) + "\n</tbody>\n</table>"


def _picture(result: RunResult) -> str:
    light, dark = (_inline(error_chart.png([result], theme)) for theme in (error_chart.LIGHT, error_chart.DARK))
    names = ", ".join(appraisal.name for appraisal in result.appraisals)
    return (
        f'<div class="picture"><picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">\n'
        f'<img src="{light}" alt="{names}: histograms of the errors in units in the last place, and maps of them">'
        "</picture></div>"
    )


def _inline(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()
