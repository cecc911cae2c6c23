"""A problem that was run: what `pyaclnn run` prints, draws and writes."""

from __future__ import annotations

import shlex
import statistics
from dataclasses import dataclass
from typing import Callable, Optional, Tuple

from pyaclnn import libraries
from pyaclnn.appraisal import GradientAppraisal, appraise, reference_steps
from pyaclnn.commands.progress_bar import steps
from pyaclnn.computation import Computation, ask, compute
from pyaclnn.problem import Problem
from pyaclnn.random_operands import random_operands
from pyaclnn.report import Verdict

CALLS = 5


@dataclass(frozen=True)
class RunResult:
    problem: Problem
    seed: int
    runtime: str
    computation: Computation
    appraisals: Tuple[GradientAppraisal, ...]

    @property
    def verdict(self) -> Verdict:
        return self.computation.verdict

    @property
    def within(self) -> bool:
        """Accepted, and exact enough."""
        return self.verdict.accepted and all(appraisal.judgement.within for appraisal in self.appraisals)

    @property
    def milliseconds(self) -> Optional[float]:
        seconds = self.computation.seconds
        return 1000 * statistics.median(seconds) if seconds else None

    @property
    def command(self) -> str:
        """What computes this again."""
        variable = f"{libraries.VARIABLE}={self.runtime} " if self.runtime != libraries.EMULATOR else ""
        return f"{variable}pyaclnn run {shlex.quote(str(self.problem))} --soc {self.verdict.soc} --seed {self.seed}"


def run_problem(
    problem: Problem, soc: Optional[str], seed: int, check_size: Optional[Callable[[Problem], None]]
) -> RunResult:
    verdict = ask(problem, soc)
    if not verdict.accepted:
        return RunResult(problem, seed, libraries.runtime(), Computation(verdict), ())
    if check_size:
        check_size(problem)
    operands = random_operands(problem, seed)
    computation = compute(problem, operands, verdict.soc, CALLS)
    with steps("definition in float64", reference_steps(problem)) as step:
        appraisals = appraise(problem, operands, computation, step)
    return RunResult(problem, seed, libraries.runtime(), computation, tuple(appraisals))
