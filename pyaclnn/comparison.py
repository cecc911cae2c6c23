"""The same operands through several chips, arithmetics or libraries, and how the gradients differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from pyaclnn.appraisal import NAMES, reference
from pyaclnn.computation import Computation, compute
from pyaclnn.error_statistics import Errors
from pyaclnn.number_formats import numbers, ulps
from pyaclnn.problem import Problem
from pyaclnn.random_operands import Operands
from pyaclnn.side import compute_with


class Side(NamedTuple):
    name: str
    problem: Problem
    soc: Optional[str]
    runtime: Optional[str]
    """Of a process of its own; None computes in this one."""


@dataclass(frozen=True)
class Difference:
    """Of two gradients."""

    elements: int
    differing: int
    """How many elements have other bits."""
    largest: float
    """The largest difference of two elements."""
    relative: float
    """That, in parts of the largest number of the definition."""
    ulp_largest: float


@dataclass(frozen=True)
class Answer:
    side: Side
    computation: Computation
    errors: Tuple[Optional[Errors], ...]
    """Of each gradient, against the definition on the operands as they were given, rounded once."""

    @property
    def accepted(self) -> bool:
        return self.computation.verdict.accepted


@dataclass(frozen=True)
class Comparison:
    problem: Problem
    seed: int
    answers: Tuple[Answer, ...]

    @property
    def base(self) -> Optional[Answer]:
        """What the others are compared with: the first that accepts."""
        return next((answer for answer in self.answers if answer.accepted), None)

    @property
    def asked(self) -> Sequence[int]:
        """The numbers of the gradients that were computed."""
        base = self.base
        return [] if base is None else [index for index in range(len(NAMES)) if base.errors[index] is not None]

    @property
    def agree(self) -> bool:
        """Do all accept, and are all bits the same?"""
        return all(answer.accepted for answer in self.answers) and not any(map(self.differs, self.asked))

    def differs(self, index: int) -> bool:
        """Has any side other bits in this gradient than the base?"""
        found = (self.difference(answer, index) for answer in self.answers)
        return any(difference.differing for difference in found if difference)

    def difference(self, answer: Answer, index: int) -> Optional[Difference]:
        """Of a gradient, from the base; None for the base itself, and if there is nothing to compare."""
        base = self.base
        if base is None or answer is base:
            return None
        first, second = base.computation.gradients[index], answer.computation.gradients[index]
        errors = base.errors[index]
        if first is None or second is None or errors is None:
            return None
        return _difference(first, second, self.problem.output_dtypes[index], errors.reference)


def compare(
    sides: Sequence[Side], operands: Operands, seed: int, step: Optional[Callable[[], object]] = None
) -> Comparison:
    """`step` is called for each tap of the definition, once."""
    problem = sides[0].problem
    computations = [_compute(side, operands) for side in sides]
    exact: Sequence[Optional[np.ndarray]] = (None, None, None)
    if any(computation.verdict.accepted for computation in computations):
        exact = reference(problem, [numbers(array) for array in operands], step)
    answers = [Answer(*pair, _errors(problem, pair[1], exact)) for pair in zip(sides, computations)]
    return Comparison(problem, seed, tuple(answers))


def _compute(side: Side, operands: Operands) -> Computation:
    if side.runtime is None:
        return compute(side.problem, operands, side.soc)
    return compute_with(side.runtime, side.problem, operands, side.soc)


def _errors(
    problem: Problem, computation: Computation, exact: Sequence[Optional[np.ndarray]]
) -> Tuple[Optional[Errors], ...]:
    def errors(found: Optional[np.ndarray], whole: Optional[np.ndarray], dtype: str) -> Optional[Errors]:
        if found is None or whole is None:
            return None
        # the types of empty tensors may be such that no plan rounds to
        return Errors.of(found, whole, dtype, (dtype,) if found.size else ())

    return tuple(map(errors, computation.gradients, exact, problem.output_dtypes))


def _difference(first: np.ndarray, second: np.ndarray, dtype: str, scale: float) -> Difference:
    left, right = numbers(first), numbers(second)
    with np.errstate(invalid="ignore"):
        apart = np.abs(left - right)
    same_bits = _bits(first) == _bits(second)
    apart = np.where(same_bits, 0.0, np.where(np.isnan(apart), np.inf, apart))
    largest = float(apart.max(initial=0.0))
    relative = 0.0 if largest == 0 else largest / scale if scale else float("inf")
    farthest = float(ulps(first, right, dtype).max(initial=0.0))
    return Difference(int(first.size), int(np.count_nonzero(~same_bits)), largest, relative, farthest)


def _bits(elements: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(elements).view(f"u{elements.dtype.itemsize}")
