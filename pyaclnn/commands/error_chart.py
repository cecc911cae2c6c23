"""The errors of runs as a picture: for each gradient how many units in the last place, and where. Needs matplotlib."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, List, NamedTuple, Sequence, Tuple

import numpy as np

from pyaclnn.appraisal import GradientAppraisal
from pyaclnn.commands.run_result import RunResult
from pyaclnn.commands.run_table import percent
from pyaclnn.error_statistics import histogram

_BARS, _CORRECT = "#56b4e9", "#0072b2"
_MAP = "cividis"
_CELLS = 192
"""A map has at most so many rows and columns: more would not be seen."""
_FEWEST_BARS = 6
"""There is room for at least so many, so that a single one is not as wide as the panel."""
_WIDTH, _HEIGHT_A_GRADIENT, _HEIGHT_AROUND = 11.0, 2.9, 0.7
_DPI = 100


class Theme(NamedTuple):
    paper: str
    ink: str


LIGHT, DARK = Theme("#ffffff", "#1a1a1a"), Theme("#14181d", "#e6e6e6")


class ErrorMap(NamedTuple):
    """The largest error of each cell, relative to the largest number of the gradient."""

    cells: np.ndarray
    rows: str
    columns: str
    over: str
    """What the largest was taken over."""


def draw(results: Sequence[RunResult], file: Path) -> None:
    file.write_bytes(png(results, LIGHT))


def png(results: Sequence[RunResult], theme: Theme) -> bytes:
    from matplotlib import rc_context

    buffer = io.BytesIO()
    with rc_context(_colours(theme)):
        figure(results).savefig(buffer, format="png", dpi=_DPI, metadata={"Software": None})
    return buffer.getvalue()


def figure(results: Sequence[RunResult]) -> Any:
    """A row of two panels for each gradient."""
    from matplotlib.figure import Figure

    rows = [appraisal for result in results for appraisal in result.appraisals]
    if not rows:
        raise ValueError("there is nothing to draw: no gradient was computed")
    height = _HEIGHT_A_GRADIENT * len(rows) + _HEIGHT_AROUND * len(results)
    drawn = Figure(figsize=(_WIDTH, height), layout="constrained")
    shown = [result for result in results if result.appraisals]
    parts = drawn.subfigures(len(shown), 1, squeeze=False, height_ratios=[len(result.appraisals) for result in shown])
    for result, (part,) in zip(shown, parts):
        part.suptitle(f"{result.problem}\n{result.verdict.soc}, seed {result.seed}", fontsize=9)
        panels = part.subplots(len(result.appraisals), 2, squeeze=False, gridspec_kw={"width_ratios": [2, 3]})
        for appraisal, (left, right) in zip(result.appraisals, panels):
            _draw_histogram(left, appraisal)
            _draw_map(part, right, appraisal)
    return drawn


def error_map(appraisal: GradientAppraisal) -> ErrorMap:
    errors = appraisal.main
    absolute = np.where(np.isfinite(errors.absolute), errors.absolute, 0.0)
    relative = absolute / errors.reference if errors.reference else absolute
    cells, rows, columns, over = _flattened(relative, appraisal.name)
    return ErrorMap(_shrunk(cells), rows, columns, over)


def _flattened(values: np.ndarray, name: str) -> Tuple[np.ndarray, str, str, str]:
    if name == "gradBias":
        return values[np.newaxis], "", "channel", ""
    if name == "gradWeight":
        return values.reshape(values.shape[0], -1), "first channel axis", "second channel axis and taps", ""
    if values.ndim == 3:
        return values.max(axis=0), "channel", "width", "batch"
    over = tuple(range(values.ndim - 2))
    return values.max(axis=over), "height", "width", "batch, channels" + (", depth" if values.ndim == 5 else "")


def _shrunk(cells: np.ndarray) -> np.ndarray:
    """The largest of each block, so that no single error gets lost."""
    for axis in (0, 1):
        length = cells.shape[axis]
        starts = np.unique(np.arange(min(length, _CELLS)) * length // min(length, _CELLS))
        cells = np.maximum.reduceat(cells, starts, axis=axis)
    return cells


def _draw_histogram(panel: Any, appraisal: GradientAppraisal) -> None:
    errors = appraisal.main
    bins = histogram(errors.ulps)
    places = range(len(bins))
    colours = [_CORRECT if label == "0" else _BARS for label, _ in bins]
    panel.bar(places, [count for _, count in bins], color=colours, width=0.9)
    panel.set_xlim(-0.6, max(len(bins), _FEWEST_BARS) - 0.4)
    panel.set_yscale("symlog", linthresh=1)
    panel.set_ylim(0, max(2, 3 * max(count for _, count in bins)))
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    every = -(-len(bins) // 9)
    panel.set_xticks(list(places)[::every], [_short(label) for label, _ in bins][::every], fontsize=7)
    panel.tick_params(axis="y", labelsize=7)
    panel.set_xlabel("units in the last place from the definition", fontsize=8)
    panel.set_ylabel("elements", fontsize=8)
    panel.grid(axis="y", alpha=0.25)
    panel.set_axisbelow(True)
    share = percent(errors.statistics.correctly_rounded)
    panel.set_title(f"{appraisal.name} {appraisal.dtype}: {share} correctly rounded", fontsize=9)


def _short(label: str) -> str:
    """Where a bin begins, once its numbers get long."""
    low = label.split("-")[0]
    if len(label) <= 5 or not low.isdecimal():
        return label
    value = int(low) - 1
    for factor, unit in ((2**30, "G"), (2**20, "M"), (2**10, "k")):
        if value >= factor:
            return f">{value // factor}{unit}"
    return f">{value}"


def _draw_map(part: Any, panel: Any, appraisal: GradientAppraisal) -> None:
    if not appraisal.main.found.size:
        panel.set_axis_off()
        panel.text(0.5, 0.5, "no elements", ha="center", va="center")
        return
    shown = error_map(appraisal)
    extent = _extent(appraisal)
    top = float(shown.cells.max()) or 1e-12
    image = panel.imshow(
        shown.cells, aspect="auto", cmap=_MAP, vmin=0, vmax=top, extent=extent, interpolation="nearest"
    )
    bar = part.colorbar(image, ax=panel, format="%.1e")
    bar.ax.tick_params(labelsize=7)
    panel.tick_params(labelsize=7)
    panel.xaxis.get_major_locator().set_params(integer=True)
    panel.yaxis.get_major_locator().set_params(integer=True)
    panel.set_xlabel(shown.columns, fontsize=8)
    panel.set_ylabel(shown.rows, fontsize=8)
    if not shown.rows:
        panel.set_yticks([])
    over = f", largest over {shown.over}" if shown.over else ""
    panel.set_title(f"|error| / max |reference|{over}", fontsize=9)


def _extent(appraisal: GradientAppraisal) -> Tuple[float, float, float, float]:
    """The axes count elements, however many of them a cell stands for."""
    cells, *_ = _flattened(appraisal.main.absolute, appraisal.name)
    height, width = cells.shape
    return -0.5, width - 0.5, height - 0.5, -0.5


def _colours(theme: Theme) -> Any:
    inked: List[str] = ["text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "grid.color"]
    return {
        **{name: theme.ink for name in inked},
        "figure.facecolor": theme.paper,
        "axes.facecolor": theme.paper,
        "savefig.facecolor": theme.paper,
    }
