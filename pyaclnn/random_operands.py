"""Seeded operands of a problem: ordinary numbers, such as a network in training has."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pyaclnn.number_formats import elements_of
from pyaclnn.problem import Axes, Problem


class Operands(NamedTuple):
    """Elements of the problem's types."""

    grad_output: np.ndarray
    input: np.ndarray
    weight: np.ndarray


def random_operands(problem: Problem, seed: int) -> Operands:
    """Normally distributed with variance 1; the weight so much less that the sums of gradInput have variance 1, too.

    gradWeight and gradBias then grow with the root of what is summed, and stay far below the largest FLOAT16.
    """
    random = np.random.default_rng(seed)
    terms = max(1, int(np.prod((problem.out_channels // max(1, problem.groups), *problem.kernel), dtype=object)))

    def normal(shape: Axes, dtype: str, scale: float = 1.0) -> np.ndarray:
        return elements_of(random.standard_normal(shape, np.float32) * np.float64(scale), dtype)

    grad_output, input, weight = problem.dtypes
    return Operands(
        normal(problem.grad_output_shape, grad_output),
        normal(problem.input_shape, input),
        normal(problem.weight_shape, weight, terms**-0.5),
    )
