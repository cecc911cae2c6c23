"""Times contestants in turn: A B C, then C B A. Disturbed calls are thrown away; the median of the others counts."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Callable, Dict, List, Mapping, Optional, Protocol

SHORTEST = 0.002
"""Shorter calls are repeated until they take as long as this together."""
LONG = 0.05
"""Such calls need no repetition and no call before them to wake the threads up."""
TOLERATED_PER_CALL = 10e-6
"""Handing work to threads of one's own counts as delay, too."""
PATIENCE = 3
"""So many times the time limit may pass while there are too few calls to be kept."""
FEWEST = 3


class Clock(Protocol):
    def now(self) -> float: ...

    def delays(self) -> Dict[str, float]: ...

    def rest(self) -> None: ...


@dataclass(frozen=True)
class Budget:
    calls: int
    """To be kept, of each contestant."""
    seconds: float
    """After which a contestant stops with fewer."""
    tolerance: float
    """A call is disturbed when its threads waited for a processor for more than this share of it."""


@dataclass
class Timing:
    """The calls of one contestant. A call that was repeated counts as one, with its mean."""

    kept: List[float] = field(default_factory=list)
    discarded: int = 0

    @property
    def median(self) -> Optional[float]:
        return statistics.median(self.kept) if self.kept else None


class _Runner:
    """A contestant with what is known of it so far."""

    def __init__(self, run: Callable[[], None], clock: Clock, budget: Budget) -> None:
        self.run = run
        self.clock = clock
        self.budget = budget
        self.repetitions = 1
        self.spent = 0.0
        self.timing = Timing()

    def calibrate(self) -> None:
        """Also the warm-up: first calls compile and allocate. Of one that takes all the time there is, it counts."""
        before = self.clock.delays()
        elapsed = self._elapsed()
        if elapsed >= self.budget.seconds:
            self.spent = elapsed
            self._take(elapsed, before)
        if elapsed >= LONG:
            return
        while self._elapsed() < SHORTEST:
            self.repetitions *= 2

    def sample(self) -> None:
        started = self.clock.now()
        self.clock.rest()
        if self.repetitions > 1 or self.timing.median is None or self.timing.median < LONG:
            self.run()
        before = self.clock.delays()
        self._take(self._elapsed(), before)
        self.spent += self.clock.now() - started

    def wants_more(self) -> bool:
        kept = len(self.timing.kept)
        limit = self.budget.seconds * (PATIENCE if kept < FEWEST and self.timing.discarded else 1)
        return kept < self.budget.calls and self.spent < limit

    def _take(self, elapsed: float, before: Dict[str, float]) -> None:
        if self._delay_since(before) > self.budget.tolerance * elapsed + TOLERATED_PER_CALL * self.repetitions:
            self.timing.discarded += 1
        else:
            self.timing.kept.append(elapsed / self.repetitions)

    def _elapsed(self) -> float:
        run = self.run
        started = self.clock.now()
        for _ in range(self.repetitions):
            run()
        return self.clock.now() - started

    def _delay_since(self, before: Dict[str, float]) -> float:
        after = self.clock.delays()
        return sum(delay - before.get(thread, 0.0) for thread, delay in after.items())


def alternate(contestants: Mapping[str, Callable[[], None]], clock: Clock, budget: Budget) -> Dict[str, Timing]:
    """Times every contestant until it has enough calls or its time is over."""
    runners = {name: _Runner(run, clock, budget) for name, run in contestants.items()}
    for runner in runners.values():
        runner.calibrate()
    order = list(runners.values())
    while any(runner.wants_more() for runner in order):
        for runner in order:
            if runner.wants_more():
                runner.sample()
        order.reverse()
    return {name: runner.timing for name, runner in runners.items()}
