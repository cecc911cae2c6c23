"""Every layer of the benchmark is as exact as docs/performance.md promises, by the definition in float64."""

import numpy as np
import pyaclnn
import pytest
from pyaclnn.bench import workloads
from pyaclnn.bench.operands import NAMES, operands

from oracle import convolution_backward

BOUND = 2e-6  # of the largest number of a gradient, for FLOAT
SMALL = 2.0**-8  # of the largest number: below, an ulp is less than what adding up in FLOAT leaves
FRACTION_BITS = {"bfloat16": 7, "float16": 10}

GEOMETRY = ("stride", "padding", "dilation", "transposed", "groups")


def in_ulps(found, expected, dtype):
    """The largest distance from what the definition rounds to."""
    rounded = expected.astype(found.dtype).astype(np.float64)
    size = np.maximum(np.abs(rounded), np.abs(expected).max() * SMALL)
    ulp = 2.0 ** (np.floor(np.log2(size)) - FRACTION_BITS[dtype])
    return (np.abs(found.astype(np.float64) - rounded) / ulp).max()


@pytest.mark.parametrize(
    "case", workloads.select("", workloads.DTYPES), ids=lambda case: f"{case.row.name}-{case.dtype}"
)
def test_a_layer_is_within_its_bound(case):
    numbers, row = operands(case), case.row
    geometry = {name: getattr(row, name) for name in GEOMETRY}
    expected = convolution_backward(*(array.astype(np.float64) for array in numbers), **geometry)
    found = pyaclnn.convolution_backward(*numbers, output_padding=row.output_padding, soc="A2", **geometry)
    for name, ours, truth in zip(NAMES, found, expected):
        if case.dtype == "float32":
            assert np.abs(ours - truth).max() <= BOUND * np.abs(truth).max(), name
        else:
            assert in_ulps(ours, truth, case.dtype) <= 1, name
