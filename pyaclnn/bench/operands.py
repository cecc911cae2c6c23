"""The numbers that all contestants of a case compute with, and whether their results agree."""

from __future__ import annotations

import zlib
from typing import NamedTuple, Sequence, Tuple

import ml_dtypes
import numpy as np

from pyaclnn.bench.workloads import Case

NUMPY = {"float32": np.dtype(np.float32), "bfloat16": np.dtype(ml_dtypes.bfloat16), "float16": np.dtype(np.float16)}
NAMES = ("gradInput", "gradWeight", "gradBias")
TOLERANCE = {"float32": 1e-4, "bfloat16": 3e-2, "float16": 1e-2}
"""Of the largest number of a gradient. Far more than rounding needs: only results that are wrong should fail."""


class Operands(NamedTuple):
    grad_output: np.ndarray
    input: np.ndarray
    weight: np.ndarray


Gradients = Tuple[np.ndarray, np.ndarray, np.ndarray]
"""gradInput, gradWeight and gradBias, in the element type of the case or wider."""


def operands(case: Case) -> Operands:
    random = np.random.default_rng(zlib.crc32(case.row.name.encode()))

    def normal(shape: Sequence[int], scale: float) -> np.ndarray:
        return (random.standard_normal(shape, np.float32) * np.float32(scale)).astype(NUMPY[case.dtype])

    row = case.row
    return Operands(normal(row.grad_output_shape, 1), normal(row.input_shape, 1), normal(row.weight_shape, 0.1))


def difference(found: Gradients, expected: Gradients, dtype: str) -> str:
    """What is wrong with the gradients that were found, or nothing."""
    for name, ours, theirs in zip(NAMES, found, expected):
        ours, theirs = ours.astype(np.float32), theirs.astype(np.float32)
        if ours.shape != theirs.shape:
            return f"{name} has the shape {list(ours.shape)}, not {list(theirs.shape)}"
        error, largest = np.abs(ours - theirs).max(), np.abs(theirs).max()
        if not error <= TOLERANCE[dtype] * largest:  # NaN is wrong as well
            return f"{name} is off by {error:.2g}, its largest number is {largest:.2g}"
    return ""
