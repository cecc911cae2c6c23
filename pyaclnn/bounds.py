"""How far a gradient may be from the definition. docs/run.md explains the bounds."""

from __future__ import annotations

from typing import NamedTuple, Sequence

import numpy as np

from pyaclnn.error_statistics import Errors
from pyaclnn.number_formats import spacing
from pyaclnn.problem import Problem

_OF_LARGEST = 2e-6
_SMALL = 2.0**-8
"""Of the largest number: below, a unit in the last place is less than what adding up in FLOAT leaves."""

_TOLERANCES = {"f32": (-10, -16), "hf32": (-9, -10), "f16": (-9, -9), "bf16": (-6, -6), "8-bit": (-2, -4)}
"""Relative and absolute, as powers of two: docs/contract/convolution_backward.md, "Tolerances upstream uses"."""
_OUTSIDE = 0.01
"""The share of elements that may be farther away than that."""


class Judgement(NamedTuple):
    bound: str
    """In words."""
    used: float
    """How much of it the errors take: 1 is all that is allowed."""

    @property
    def within(self) -> bool:
        return self.used <= 1


def judge(errors: Errors, through: Sequence[str]) -> Judgement:
    """By what the emulator promises. Its plan rounds operands as for `errors`, sums to the formats `through`."""
    shorter = [number for number in through if not number.startswith("f32")]
    if not shorter:
        bound = f"{_OF_LARGEST:g} of the largest number"
        return Judgement(bound, _ratio(errors.absolute, np.asarray(_OF_LARGEST * errors.reference)))
    sizes = np.maximum(np.abs(errors.rounded), _SMALL * errors.reference)
    unit = np.max([spacing(sizes, number) for number in shorter], axis=0)
    with np.errstate(invalid="ignore"):
        distance = np.abs(errors.found - errors.rounded)
    distance = np.where(errors.ulps == 0, 0.0, np.where(np.isnan(distance), np.inf, distance))
    return Judgement(f"1 ulp of {' or '.join(dict.fromkeys(shorter))}", _ratio(distance, unit))


def judge_device(errors: Errors, problem: Problem) -> Judgement:
    """By what is usual for a device, whose plan nobody knows; `errors` are those on the operands as they were given."""
    number = _coarsest(problem)
    relative, absolute = _TOLERANCES[number]
    with np.errstate(invalid="ignore"):
        outside = errors.absolute > 2.0**absolute + 2.0**relative * np.abs(errors.rounded)
    share = float(np.mean(outside)) if outside.size else 0.0
    bound = f"the {_OUTSIDE:.0%} of elements that may be farther than 2^{absolute} + 2^{relative} |ref| ({number})"
    return Judgement(bound, share / _OUTSIDE)


def _coarsest(problem: Problem) -> str:
    types = {*problem.dtypes, *problem.output_dtypes}
    if types - {"f32", "f16", "bf16"}:
        return "8-bit"
    if "bf16" in types:
        return "bf16"
    # without HF32 a product computes in FLOAT16 what allows a lower precision
    if "f16" in types or problem.cube_math_type in (1, 2):
        return "f16"
    return "hf32" if problem.cube_math_type == 3 else "f32"


def _ratio(errors: np.ndarray, allowed: np.ndarray) -> float:
    allowed = np.broadcast_to(allowed, errors.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(errors == 0, 0.0, errors / allowed)
    return float(ratios.max(initial=0.0))
