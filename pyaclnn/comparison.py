"""The same operands through several chips, arithmetics or libraries, and how the gradients differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from pyaclnn.appraisal import reference
from pyaclnn.computation import Computation, compute
from pyaclnn.error_statistics import Errors, largest_finite
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
    differences: Tuple[Optional[Difference], ...]
    """Of each gradient, from the base; None for the base itself, and where there is nothing to compare."""

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
        return [] if base is None else [index for index, errors in enumerate(base.errors) if errors is not None]

    @property
    def agree(self) -> bool:
        """Do all accept, and are all bits the same?"""
        return all(answer.accepted for answer in self.answers) and not any(map(self.differs, self.asked))

    def differs(self, index: int) -> bool:
        """Has any side other bits in this gradient than the base?"""
        found = (answer.differences[index] for answer in self.answers)
        return any(difference.differing for difference in found if difference)


def compare(
    sides: Sequence[Side], operands: Operands, seed: int, step: Optional[Callable[[], object]] = None
) -> Comparison:
    """`step` is called for each tap of the definition, once."""
    problem = sides[0].problem
    computations = [_compute(side, operands) for side in sides]
    base = next((computation for computation in computations if computation.verdict.accepted), None)
    exact: Sequence[Optional[np.ndarray]] = (None, None, None)
    if base:
        exact = reference(problem, [numbers(array) for array in operands], step)
    answers = []
    for side, computation in zip(sides, computations):
        errors = tuple(map(_errors, computation.gradients, exact, problem.output_dtypes))
        others = (None, None, None) if base is None or computation is base else base.gradients
        differences = tuple(map(_difference, others, computation.gradients, exact, problem.output_dtypes))
        answers.append(Answer(side, computation, errors, differences))
    return Comparison(problem, seed, tuple(answers))


def _compute(side: Side, operands: Operands) -> Computation:
    if side.runtime is None:
        return compute(side.problem, operands, side.soc)
    return compute_with(side.runtime, side.problem, operands, side.soc)


def _errors(found: Optional[np.ndarray], exact: Optional[np.ndarray], dtype: str) -> Optional[Errors]:
    if found is None or exact is None:
        return None
    # the types of empty tensors may be such that no plan rounds to
    return Errors.of(found, exact, dtype, (dtype,) if found.size else ())


def _difference(
    first: Optional[np.ndarray], second: Optional[np.ndarray], exact: Optional[np.ndarray], dtype: str
) -> Optional[Difference]:
    if first is None or second is None or exact is None:
        return None
    left, right = numbers(first), numbers(second)
    with np.errstate(invalid="ignore"):
        apart = np.abs(left - right)
    same_bits = _bits(first) == _bits(second)
    apart = np.where(same_bits, 0.0, np.where(np.isnan(apart), np.inf, apart))
    largest = float(apart.max(initial=0.0))
    scale = largest_finite(exact)
    relative = 0.0 if largest == 0 else largest / scale if scale else float("inf")
    farthest = float(ulps(first, right, dtype).max(initial=0.0))
    return Difference(int(first.size), int(np.count_nonzero(~same_bits)), largest, relative, farthest)


def _bits(elements: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(elements).view(f"u{elements.dtype.itemsize}")
