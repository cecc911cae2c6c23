"""pyaclnn.definition is what tests/oracle.py is, which shares no code with it, and what can be worked out by hand."""

import itertools
import json
import random

import numpy as np
import pytest
from pyaclnn import definition
from pyaclnn.problem import Problem

import oracle
from geometry import random_geometry
from toolchain import ROOT

KINDS = list(itertools.product((1, 2, 3), (False, True)))
LARGEST_CASE = 10**8  # products of a row; larger ones would make the test slow, not better


def integers(shapes, seed):
    """Whole numbers, so that sums are exact in any order."""
    numbers = np.random.default_rng(seed)
    return [numbers.integers(-8, 9, shape).astype(np.float64) for shape in shapes]


def gradients(problem, operands):
    return (*definition.map_and_weight_gradients(problem, *operands), definition.bias_gradient(operands[0]))


def expect(found, expected, what):
    for name, ours, truth in zip(("gradInput", "gradWeight", "gradBias"), found, expected):
        assert ours.dtype == np.float64 and np.array_equal(ours, truth), f"{name} of {what}"


@pytest.mark.parametrize("spatial, transposed", KINDS)
def test_random_problems_are_those_of_the_oracle(spatial, transposed):
    source = random.Random(spatial * 2 + transposed)
    for seed in range(150):
        geometry = random_geometry(source, spatial, transposed)
        operands = integers(geometry.operand_shapes, seed)
        expected = oracle.convolution_backward(*operands, **geometry.mathematics)
        expect(gradients(Problem.parse(str(geometry)), operands), expected, geometry)


def rows_that_problem_lines_can_say():
    """(id, problem) of the system test table."""
    found = []
    for line in (ROOT / "tests" / "cases" / "system_cases.jsonl").read_text().splitlines():
        row = json.loads(line)
        grad_output, input, weight = (tuple(row[name]["shape"]) for name in ("gradOutput", "input", "weight"))
        if not len(grad_output) == len(input) == len(weight) >= 3 or row["groups"] < 1:
            continue
        problem = Problem(
            batch=input[0],
            in_channels=input[1],
            out_channels=grad_output[1],
            input=input[2:],
            output=grad_output[2:],
            kernel=weight[2:],
            groups=row["groups"],
            transposed=row["transposed"],
            **{name: tuple(row[name]) for name in ("stride", "padding", "dilation")},
            output_padding=tuple(row["outputPadding"]),
        )
        said = (problem.grad_output_shape, problem.weight_shape) == (grad_output, weight)
        if said and min(problem.stride) > 0 and definition.products_of(problem) <= LARGEST_CASE:
            found.append((row["id"], problem))
    return found


def test_problems_of_the_system_test_table_are_those_of_the_oracle():
    rows = rows_that_problem_lines_can_say()
    assert len(rows) > 60
    for name, problem in rows:
        shapes = (problem.grad_output_shape, problem.input_shape, problem.weight_shape)
        operands = integers(shapes, len(name))
        arguments = {key: getattr(problem, key) for key in ("stride", "padding", "dilation", "transposed", "groups")}
        expect(gradients(problem, operands), oracle.convolution_backward(*operands, **arguments), name)


def test_a_convolution_by_hand():
    """y[o] = x[o - 1] + 10 x[o] + 100 x[o + 1]; a gradient goes back the way the value came."""
    problem = Problem.parse("1d ci1 co1 i3 k3 p1")
    found = gradients(problem, [np.array(values, float) for values in ([[[1, 2, 3]]], [[[4, 5, 6]]], [[[1, 10, 100]]])])
    assert found[0].tolist() == [[[10 + 2, 100 + 20 + 3, 200 + 30]]]
    assert found[1].tolist() == [[[2 * 4 + 3 * 5, 4 + 2 * 5 + 3 * 6, 5 + 2 * 6]]]
    assert found[2].tolist() == [6]


def test_unequal_padding_begins_at_the_leading_side():
    problem = Problem.parse("2d ci1 co1 i1x2 k1x2 p0:0x2:0")
    operands = [np.array([[[values]]], float) for values in ([1, 2, 3], [4, 5], [6, 7])]
    grad_input, grad_weight, _ = gradients(problem, operands)
    assert grad_input.tolist() == [[[[2 * 7 + 3 * 6, 3 * 7]]]]
    assert grad_weight.tolist() == [[[[3 * 4, 2 * 4 + 3 * 5]]]]


def test_taps_that_never_meet_the_map_get_nothing():
    problem = Problem.parse("1d ci1 co1 i1 o1 k3 p9 d9")
    _, grad_weight, _ = gradients(problem, [np.ones((1, 1, 1)), np.full((1, 1, 1), 5.0), np.ones((1, 1, 3))])
    assert grad_weight.tolist() == [[[0, 5, 0]]]


@pytest.mark.parametrize("mask", ["100", "010", "001", "000"])
def test_only_what_is_asked_for_is_computed(mask):
    problem = Problem.parse(f"2d ci2 co2 i4 k3 mask={mask}")
    operands = integers((problem.grad_output_shape, problem.input_shape, problem.weight_shape), 0)
    found = definition.map_and_weight_gradients(problem, *operands)
    assert [gradient is not None for gradient in found] == list(problem.output_mask[:2])


def test_every_tap_is_a_step():
    problem = Problem.parse("2d ci2 co2 i4 k3x2")
    steps = []
    operands = integers((problem.grad_output_shape, problem.input_shape, problem.weight_shape), 0)
    definition.map_and_weight_gradients(problem, *operands, step=lambda: steps.append(1))
    assert len(steps) == definition.step_count(problem) == 6


def test_empty_operands_have_gradients_of_zeros():
    problem = Problem.parse("2d n0 ci2 co2 i4 k3")
    operands = integers((problem.grad_output_shape, problem.input_shape, problem.weight_shape), 0)
    grad_input, grad_weight, grad_bias = gradients(problem, operands)
    assert grad_input.shape == (0, 2, 4, 4) and not grad_weight.any() and grad_bias.tolist() == [0, 0]


def test_the_size_of_a_problem_is_known_before_it_is_computed():
    problem = Problem.parse("2d n2 ci4 co8 g2 i10 k3")
    assert definition.products_of(problem) == 2 * (2 * 8 * 8 * 8) * (2 * 3 * 3)
    assert definition.bytes_of(problem) >= 8 * (2 * 8 * 64 + 2 * 4 * 100 + 8 * 2 * 9)
