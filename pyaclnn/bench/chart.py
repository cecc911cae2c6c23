"""The ratios as a picture: a bar for each row and rival, on a logarithmic axis. Needs matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any, List, Optional

from pyaclnn.bench.results import TORCH, Result, Results, counted
from pyaclnn.bench.table import groups

_COLOURS = {"torch": "#ee7733", "best oneDNN": "#0077bb"}
_LESS, _MORE = 0.1, 10.0  # the axis shows at least this much
_INCHES_A_ROW, _INCHES_AROUND, _INCHES_A_PANEL = 0.2, 1.6, 6.5


def draw(results: Results, file: Path) -> None:
    figure(results).savefig(file, dpi=100, metadata={"Software": None})


def figure(results: Results) -> Any:
    """A panel for each number of threads and element type, with the rows that compare worst at the bottom."""
    from matplotlib.figure import Figure

    threads = sorted({result.threads for result in results.results})
    panels = [[(number, *group) for group in groups(results, number)] for number in threads]
    columns = max(map(len, panels))
    rows = max(len(chosen) for line in panels for _, _, chosen in line)
    size = (_INCHES_A_PANEL * columns, (_INCHES_A_ROW * rows + _INCHES_AROUND) * len(panels))
    drawn = Figure(figsize=size, layout="constrained")
    axes = drawn.subplots(len(panels), columns, squeeze=False)
    for line, across in zip(panels, axes):
        for panel in across[len(line) :]:
            panel.set_axis_off()
        for (number, dtype, chosen), panel in zip(line, across):
            _draw_panel(panel, chosen, f"{dtype}, {counted(number, 'thread')}")
    drawn.suptitle(f"Time of the rival divided by ours: right of 1 we are faster\n{results.date}")
    return drawn


def _draw_panel(panel: Any, chosen: List[Result], title: str) -> None:
    ordered = sorted(chosen, key=_worst)
    series = {
        "torch": [result.speedup(TORCH) for result in ordered],
        "best oneDNN": [result.speedup(result.best_onednn) for result in ordered],
    }
    height = 0.4
    for index, (name, ratios) in enumerate(series.items()):
        known = [(place, ratio) for place, ratio in enumerate(ratios) if ratio]
        if known:
            places = [place + (index - 0.5) * height for place, _ in known]
            widths = [ratio - 1 for _, ratio in known]
            panel.barh(places, widths, height, left=1, color=_COLOURS[name], label=name)
    panel.set_xscale("log")
    left, right = panel.get_xlim()
    panel.set_xlim(min(left, _LESS), max(right, _MORE))
    panel.set_ylim(-1, len(ordered))
    panel.set_yticks(range(len(ordered)), [result.row for result in ordered], fontsize=8)
    panel.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    panel.axvline(1, color="black", linewidth=0.8)
    panel.grid(axis="x", alpha=0.3)
    panel.set_axisbelow(True)
    panel.set_title(title, fontsize=10)
    if panel.get_legend_handles_labels()[0]:
        panel.legend(loc="lower right", fontsize=8)


def _worst(result: Result) -> float:
    ratios: List[Optional[float]] = [result.speedup(TORCH), result.speedup(result.best_onednn)]
    return min((ratio for ratio in ratios if ratio), default=0)
