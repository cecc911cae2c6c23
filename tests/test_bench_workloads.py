"""The rows of the benchmark are what they say: shapes that a convolution can have, and the work that it is."""

from collections import Counter
from math import prod

import pytest
from pyaclnn.bench.workloads import DTYPES, load, select

ROWS = load()


def axes(row):
    """Of each axis: size of the input, size of the output, kernel, stride, padding, dilation, output padding."""
    return zip(row.input_shape[2:], row.grad_output_shape[2:], row.weight_shape[2:], row.stride, row.padding,
               row.dilation, row.output_padding)


def test_the_table_has_32_rows_of_different_names():
    assert len(ROWS) == 32 and set(Counter(row.name for row in ROWS).values()) == {1}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_output_of_a_row_is_the_size_that_its_convolution_gives(row):
    for size, output, kernel, stride, padding, dilation, output_padding in axes(row):
        reach = dilation * (kernel - 1) + 1
        if row.transposed:
            assert output == (size - 1) * stride - 2 * padding + reach + output_padding
        else:
            assert output == (size + 2 * padding - reach) // stride + 1


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_work_of_a_row_is_that_of_its_three_gradients(row):
    batch, inputs, *input_size = row.input_shape
    _, outputs, *output_size = row.grad_output_shape
    first, second = (inputs, outputs) if row.transposed else (outputs, inputs)
    assert row.weight_shape[:2] == (first, second // row.groups)
    taps = prod(row.weight_shape[2:])
    positions = prod(input_size if row.transposed else output_size)
    products = batch * positions * taps * inputs * outputs // row.groups
    assert row.flops == 2 * (2 * products) + prod(row.grad_output_shape)


def test_rows_are_chosen_by_a_regular_expression_and_come_in_every_element_type():
    cases = select("^r50_3x3_(64|128)", DTYPES)
    assert [(case.row.name, case.dtype) for case in cases] == [
        (name, dtype) for name in ("r50_3x3_64_56", "r50_3x3_128_28") for dtype in ("float32", "bfloat16", "float16")
    ]
    assert len(select("", ["float32"])) == 32
    assert select("no such row", DTYPES) == []
