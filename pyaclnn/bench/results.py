"""What a session found, and its form as JSON. docs/performance.md describes the form; what is there stays."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any, Dict, Iterable, List, Optional

VERSION = 1
OURS = "pyaclnn"
TORCH = "torch"


@dataclass
class Figure:
    """The time of one contestant in one case."""

    milliseconds: Optional[float]
    """The median of the calls that were kept; None if none was."""
    kept: int
    discarded: int
    at_least: Optional[float] = None
    """Milliseconds after which its first call was given up."""


@dataclass
class Result:
    """One case with one number of threads."""

    row: str
    dtype: str
    threads: int
    flops: int
    figures: Dict[str, Figure]
    """By contestant. Who could not compute the case is not there."""
    faults: List[str] = field(default_factory=list)
    """What went wrong: a call failed, or contestants disagree. Who is at fault was not timed."""

    def milliseconds(self, contestant: str) -> Optional[float]:
        figure = self.figures.get(contestant)
        return figure.milliseconds if figure else None

    def at_least(self, contestant: str) -> Optional[float]:
        figure = self.figures.get(contestant)
        return figure.at_least if figure else None

    @property
    def best_onednn(self) -> Optional[str]:
        """The faster of the ways to call oneDNN."""
        timed = [name for name in self.figures if name.startswith("onednn") and self.milliseconds(name)]
        return min(timed, key=lambda name: self.milliseconds(name) or math.inf, default=None)

    def speedup(self, contestant: Optional[str]) -> Optional[float]:
        """The contestant's time divided by ours; the least that it can be if the contestant was given up."""
        ours, theirs = self.milliseconds(OURS), self.milliseconds(contestant or "") or self.at_least(contestant or "")
        return theirs / ours if ours and theirs else None

    @property
    def gigaflops(self) -> Optional[float]:
        ours = self.milliseconds(OURS)
        return self.flops / ours * 1e-6 if ours else None


@dataclass
class Results:
    date: str
    machine: Dict[str, str]
    settings: Dict[str, str]
    versions: Dict[str, str] = field(default_factory=dict)
    peaks: Dict[int, float] = field(default_factory=dict)
    """By number of threads: the most float32 operations a second."""
    notes: List[str] = field(default_factory=list)
    results: List[Result] = field(default_factory=list)
    small_calls: Dict[str, Dict[str, float]] = field(default_factory=dict)
    """Microseconds by value of ACLEMU_STREAM and part of the call."""

    def share_of_peak(self, result: Result) -> Optional[float]:
        peak = self.peaks.get(result.threads)
        return result.gigaflops * 1e9 / peak if peak and result.gigaflops else None

    @property
    def faults(self) -> List[str]:
        return [
            f"{result.row} {result.dtype}, {counted(result.threads, 'thread')}: {fault}"
            for result in self.results
            for fault in result.faults
        ]


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def geometric_mean(values: Iterable[float]) -> Optional[float]:
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms)) if logarithms else None


def to_json(results: Results) -> Dict[str, Any]:
    return {"version": VERSION, **asdict(results)}


def from_json(document: Any) -> Results:
    """Raises ValueError if that is no document of ours."""
    try:
        if document["version"] != VERSION:
            raise ValueError(f"version {document['version']} of the form is not {VERSION}")
        entries = {name: value for name, value in document.items() if name != "version"}
        entries["results"] = [result_from_json(entry) for entry in document["results"]]
        entries["peaks"] = {int(threads): peak for threads, peak in document["peaks"].items()}
        return Results(**entries)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"not what pyaclnn bench --json writes: {error!r}") from None


def result_from_json(entry: Dict[str, Any]) -> Result:
    figures = {name: Figure(**figure) for name, figure in entry["figures"].items()}
    return Result(**{**entry, "figures": figures})
