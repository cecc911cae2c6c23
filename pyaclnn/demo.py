"""A small 2-D convolution: its gradients from the library beside those from the definition in float64."""

from __future__ import annotations

import sys
from typing import Tuple

import numpy as np

import pyaclnn

STRIDE = 2
PADDING = 1
TOLERANCE = 1e-5
"""Largest error that counts as agreement, in parts of the largest element: float32 sums of a few hundred terms."""


def definition(
    grad_output: np.ndarray, input: np.ndarray, weight: np.ndarray
) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Output pixel (y, x) saw input pixel (y, x) * STRIDE - PADDING + (i, j) through kernel tap (i, j)."""
    grad_output, input, weight = (array.astype(np.float64) for array in (grad_output, input, weight))
    height, width = grad_output.shape[2:]
    border = [(0, 0), (0, 0), (PADDING, PADDING), (PADDING, PADDING)]
    padded = np.pad(input, border)
    grad_padded = np.zeros_like(padded)
    grad_weight = np.zeros_like(weight)
    for i, j in np.ndindex(weight.shape[2:]):
        seen = np.s_[:, :, i : i + STRIDE * height : STRIDE, j : j + STRIDE * width : STRIDE]
        grad_padded[seen] += np.einsum("noyx,oc->ncyx", grad_output, weight[:, :, i, j])
        grad_weight[:, :, i, j] = np.einsum("noyx,ncyx->oc", grad_output, padded[seen])
    inside = slice(PADDING, -PADDING)
    return grad_padded[:, :, inside, inside], grad_weight, grad_output.sum(axis=(0, 2, 3))


def main() -> int:
    random = np.random.default_rng(2024)
    input = random.standard_normal((2, 3, 9, 9), dtype=np.float32)
    weight = random.standard_normal((4, 3, 3, 3), dtype=np.float32)
    grad_output = random.standard_normal((2, 4, 5, 5), dtype=np.float32)

    print(f"Convolution: batch 2, 3 -> 4 channels, 9x9 -> 5x5, kernel 3x3, stride {STRIDE}, padding {PADDING}, float32")
    try:
        got = pyaclnn.convolution_backward(grad_output, input, weight, stride=STRIDE, padding=PADDING, dilation=1)
    except pyaclnn.AclError as error:
        print(error, file=sys.stderr)
        return 1
    want = definition(grad_output, input, weight)

    agree = True
    for name, ours, truth in zip(("gradInput", "gradWeight", "gradBias"), got, want):
        assert ours is not None  # nothing is masked off
        largest = float(np.abs(ours - truth).max())
        agree = agree and largest <= TOLERANCE * float(np.abs(truth).max())
        print(f"\n{name} {list(truth.shape)}, largest error {largest:.1e}")
        print("    library   ", compact(ours))
        print("    definition", compact(truth))
    print("\nThe library and the definition agree." if agree else "\nThe library and the definition DISAGREE.")
    return 0 if agree else 1


def compact(array: np.ndarray, shown: int = 6) -> str:
    numbers = " ".join(f"{value:9.5f}" for value in array.flat[:shown])
    return f"{numbers} ..." if array.size > shown else numbers
