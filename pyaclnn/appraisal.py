"""How exact the gradients of a computation are, by the definition in float64."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

import numpy as np

from pyaclnn.bounds import Judgement, judge, judge_device
from pyaclnn.computation import Computation
from pyaclnn.definition import Step, bias_gradient, map_and_weight_gradients, step_count
from pyaclnn.error_statistics import Errors
from pyaclnn.number_formats import numbers, round_to
from pyaclnn.problem import Problem
from pyaclnn.random_operands import Operands
from pyaclnn.report import Arithmetic

NAMES = ("gradInput", "gradWeight", "gradBias")
Reference = Tuple[Optional[np.ndarray], Optional[np.ndarray], Optional[np.ndarray]]


@dataclass(frozen=True)
class GradientAppraisal:
    name: str
    dtype: str
    given: Errors
    """Against the definition on the operands as they were given, rounded once: what the whole computation costs."""
    planned: Optional[Errors]
    """Against the definition on operands that are rounded as the plan says, and rounded as the plan says: what adding
    up costs. The same object as `given` if that is the same; None if there is no plan."""
    judgement: Judgement

    @property
    def shape(self) -> Tuple[int, ...]:
        return self.given.found.shape

    @property
    def main(self) -> Errors:
        """Those that the judgement is about."""
        return self.given if self.planned is None else self.planned


def reference(problem: Problem, operands: Sequence[np.ndarray], step: Optional[Step] = None) -> Reference:
    """All gradients that the problem asks for, by their definition."""
    grad_output, input, weight = operands
    maps = map_and_weight_gradients(problem, grad_output, input, weight, step)
    return (*maps, bias_gradient(grad_output) if problem.output_mask[2] else None)


def reference_steps(problem: Problem) -> int:
    """How many times appraise() calls `step` at most."""
    return 2 * step_count(problem)


def appraise(
    problem: Problem, operands: Operands, computation: Computation, step: Optional[Step] = None
) -> List[GradientAppraisal]:
    """Of an accepted problem, for each gradient that it asks for."""
    arithmetic = computation.verdict.arithmetic
    values = [numbers(array) for array in operands]
    exact = reference(problem, values, step)
    planned = exact if arithmetic is None else _planned(problem, values, arithmetic, exact, step)
    through = _through(arithmetic)
    appraisals = []
    for index, found in enumerate(computation.gradients):
        whole, summed, dtype = exact[index], planned[index], problem.output_dtypes[index]
        if found is None or whole is None or summed is None:
            continue
        # a gradient of no elements, or of zeros, is rounded nowhere
        formats = through[index] or (() if arithmetic and arithmetic.route == "zeros" else (dtype,))
        once = formats[-1:]
        given = Errors.of(found, whole, dtype, once)
        same = whole is summed and formats == once
        main = given if same else Errors.of(found, summed, dtype, formats)
        judgement = judge(main, formats) if arithmetic else judge_device(given, problem)
        appraisals.append(GradientAppraisal(NAMES[index], dtype, given, main if arithmetic else None, judgement))
    return appraisals


def _planned(
    problem: Problem, values: Sequence[np.ndarray], arithmetic: Arithmetic, exact: Reference, step: Optional[Step]
) -> Reference:
    """The same arrays where rounding the operands changes nothing."""
    number = arithmetic.operands
    if number is None:
        return exact
    rounded = [round_to(array, number) for array in values]
    if all(np.array_equal(*pair) for pair in zip(rounded, values)):
        return exact
    # gradBias sums gradOutput as it was given
    grad_output, input, weight = rounded
    return (*map_and_weight_gradients(problem, grad_output, input, weight, step), exact[2])


def _through(arithmetic: Optional[Arithmetic]) -> Sequence[Tuple[str, ...]]:
    if arithmetic is None:
        return (), (), ()
    return arithmetic.grad_input, arithmetic.grad_weight, arithmetic.grad_bias
