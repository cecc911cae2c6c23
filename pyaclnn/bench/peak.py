"""The machine's own limit, measured: float32 multiply-adds a second."""

from __future__ import annotations

from pyaclnn.bench.compiler import load

_DECLARATIONS = "double bench_peak(int threads, double seconds);"
_SECONDS = 0.3


def measure(threads: int) -> float:
    """Operations a second of so many threads. Raises Unavailable where nothing can be compiled."""
    _, library = load("peak.c", _DECLARATIONS)
    return float(library.bench_peak(threads, _SECONDS))
