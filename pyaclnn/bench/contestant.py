"""What takes part in the benchmark: libraries, and what each of them opens for a case."""

from __future__ import annotations

from typing import Dict, Protocol

from pyaclnn.bench.operands import Gradients, Operands
from pyaclnn.bench.workloads import Case


class Contestant(Protocol):
    """One case, prepared as far as a program prepares it outside its loop."""

    def run(self) -> None:
        """Computes all three gradients; what is timed."""

    def gradients(self) -> Gradients:
        """What run() computes, as arrays on the host."""

    def close(self) -> None: ...


class Library(Protocol):
    def versions(self) -> Dict[str, str]:
        """Names and versions for the record."""

    def contestants(self, case: Case, operands: Operands) -> Dict[str, Contestant]:
        """By name; those that cannot compute the case are left out."""


class Unavailable(Exception):
    """A library cannot take part; says why, and what to do about it."""
