"""Tensors that are views: any strides and offsets are read and written by their logical elements and nothing else."""

import numpy as np
import pytest

import oracle
from geometry import Geometry
from two_phase import INNER_NULLPTR, OPERANDS, OUTPUTS, Operand, contiguous_strides, of_geometry

pytestmark = pytest.mark.usefixtures("no_leftovers")

PROBLEMS = [
    Geometry(2, 3, 4, (9,), (3,), (2,), (1,), (1,), (0,)),
    Geometry(2, 4, 6, (5, 6), (3, 2), (1, 2), (1, 0), (1, 1), (0, 0), groups=2),
    Geometry(2, 4, 6, (4, 3), (2, 3), (2, 1), (0, 1, 1, 1), (1, 1), (1, 0), groups=2, transposed=True),
    Geometry(2, 2, 3, (3, 4, 3), (2, 2, 1), (1, 2, 1), (1, 0, 1), (1, 1, 1), (0, 0, 0)),
]
every_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=str)


def with_offset(dims):
    return {"strides": contiguous_strides(dims), "offset": 7}


def with_gaps(dims):
    """Every second element of a tensor twice as long in each axis."""
    return {"strides": [2 * s for s in contiguous_strides([2 * d for d in dims])], "offset": 1}


def channels_last(dims):
    order = [0, *range(2, len(dims)), 1]
    steps = contiguous_strides([dims[axis] for axis in order])
    return {"strides": [steps[order.index(axis)] for axis in range(len(dims))]}


def reversed_axes(dims):
    steps = contiguous_strides(dims)
    backwards = [-s if axis in (1, len(dims) - 1) else s for axis, s in enumerate(steps)]
    return {"strides": backwards, "offset": sum((d - 1) * -s for d, s in zip(dims, backwards) if s < 0)} | {
        "capacity": int(np.prod(dims))
    }


def expanded_batch(dims):
    return {"strides": [0, *contiguous_strides(dims)[1:]]}


def expanded_everywhere(dims):
    return {"strides": [0] * len(dims), "offset": 3}


def overlapping_rows(dims):
    """Each row starts one element after the one before it: windows over one line of numbers."""
    steps = contiguous_strides(dims)
    steps[-2] = 1
    return {"strides": steps}


INJECTIVE = [with_offset, with_gaps, channels_last, reversed_axes]
SHARED = [expanded_batch, expanded_everywhere, overlapping_rows]


def integers(dims, seed=1):
    return np.random.default_rng(seed).integers(-4, 5, dims).astype(float)


def named(function):
    return function.__name__


def expect_the_definition(call, problem):
    """Compares with the oracle on what the operands' views hold."""
    data = [call.operands[name].values() for name in OPERANDS]
    want = oracle.convolution_backward(*data, **problem.mathematics)
    call.run()
    for name, right in zip(OUTPUTS, want):
        assert np.array_equal(call.operands[name].values(), right), f"{name} of {problem}"


@every_problem
@pytest.mark.parametrize("view", INJECTIVE + SHARED, ids=named)
@pytest.mark.parametrize("which", OPERANDS)
def test_an_input_view_means_its_logical_elements(which, view, problem):
    dims = dict(zip(OPERANDS, problem.operand_shapes))[which]
    operand = Operand(dims, "float32", integers(dims), **view(dims))
    before = operand.buffer.read()
    values = [integers(shape, seed) for seed, shape in enumerate(problem.operand_shapes)]
    with of_geometry(problem, values, **{which: operand}) as call:
        expect_the_definition(call, problem)
        assert (operand.buffer.read() == before).all()


@every_problem
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("view", INJECTIVE, ids=named)
def test_an_output_view_gets_its_elements_and_no_byte_between(view, dtype, problem):
    shapes = dict(zip(OUTPUTS[:2], problem.output_shapes))
    outputs = {name: Operand(dims, dtype, **view(dims)) for name, dims in shapes.items()}
    outputs["grad_bias"] = Operand([problem.out_channels], dtype, strides=[3], offset=2, format="ND")
    values = [np.sign(integers(shape, seed)) for seed, shape in enumerate(problem.operand_shapes)]
    with of_geometry(problem, values, **outputs) as call:
        expect_the_definition(call, problem)
        for name, output in outputs.items():
            assert output.is_untouched_between(), f"{name} of {problem}"


@every_problem
def test_all_six_tensors_may_be_views_at_once(problem):
    views = {}
    for index, (name, dims) in enumerate(
        zip(OPERANDS + OUTPUTS[:2], problem.operand_shapes + problem.output_shapes[:2])
    ):
        values = integers(dims, index) if name in OPERANDS else None
        views[name] = Operand(dims, "float32", values, **INJECTIVE[index % len(INJECTIVE)](dims))
    with of_geometry(problem, [None] * 3, **views) as call:
        expect_the_definition(call, problem)


@every_problem
def test_the_storage_shape_may_be_the_number_of_allocated_elements(problem):
    dims = problem.input_shape
    count = int(np.prod(dims)) + 11
    given = Operand(dims, "float32", integers(dims), storage=[count], capacity=count)
    with of_geometry(problem, [integers(shape) for shape in problem.operand_shapes], input=given) as call:
        expect_the_definition(call, problem)


def test_an_axis_of_one_element_may_have_any_stride():
    problem = Geometry(1, 3, 2, (5, 4), (2, 2), (1, 1), (0, 0), (1, 1), (0, 0))
    steps = contiguous_strides(problem.input_shape)
    given = Operand(
        problem.input_shape, "float32", integers(problem.input_shape), strides=[10**9, *steps[1:]], capacity=60
    )
    with of_geometry(problem, [integers(shape) for shape in problem.operand_shapes], input=given) as call:
        expect_the_definition(call, problem)


def test_two_inputs_may_be_views_of_one_buffer():
    problem = Geometry(2, 3, 3, (4, 4), (1, 1), (1, 1), (0, 0), (1, 1), (0, 0))
    values = [integers(shape, seed) for seed, shape in enumerate(problem.operand_shapes)]
    values[0] = values[1]
    with of_geometry(problem, values) as call:
        shared = call.operands["grad_output"].create(call.operands["input"].buffer.address)
        call.operands["grad_output"].destroy()
        call.operands["grad_output"].handle = call.handles["grad_output"] = shared
        expect_the_definition(call, problem)


BOUNDS_PROBLEM = Geometry(2, 3, 4, (5, 6), (2, 2), (1, 1), (0, 0), (1, 1), (0, 0))
BOUNDS_SHAPES = dict(zip(OPERANDS, BOUNDS_PROBLEM.operand_shapes))


def bounds_call(which, **view):
    given = Operand(BOUNDS_SHAPES[which], "float32", **view)
    return of_geometry(BOUNDS_PROBLEM, [integers(s) for s in BOUNDS_PROBLEM.operand_shapes], **{which: given})


@pytest.mark.parametrize("which", OPERANDS)
@pytest.mark.parametrize("short_by", [0, 1])
def test_a_view_may_reach_the_last_element_of_its_storage_and_no_further(which, short_by):
    view = with_gaps(BOUNDS_SHAPES[which])
    reached = view["offset"] + 1 + sum((d - 1) * s for d, s in zip(BOUNDS_SHAPES[which], view["strides"]))
    with bounds_call(which, **view, capacity=reached, storage=[reached - short_by]) as call:
        if short_by:
            expect_rejected_view(call, which)
        else:
            assert call.phase_one() == 0, call.message
            call.destroy_executor()


@pytest.mark.parametrize("which", OPERANDS)
@pytest.mark.parametrize("short_by", [0, 1])
def test_a_backward_view_may_reach_element_0_and_no_further(which, short_by):
    view = reversed_axes(BOUNDS_SHAPES[which])
    view["offset"] -= short_by
    with bounds_call(which, **view) as call:
        if short_by:
            expect_rejected_view(call, which)
        else:
            assert call.phase_one() == 0, call.message
            call.destroy_executor()


def expect_rejected_view(call, which):
    assert call.phase_one() == INNER_NULLPTR
    assert call.out_pointers_untouched
    assert call.outputs_untouched()
    assert {"grad_output": "gradOutput"}.get(which, which) in call.message


def test_a_stride_product_beyond_64_bits_is_outside_the_storage():
    dims = BOUNDS_SHAPES["input"]
    with bounds_call("input", strides=[2**62, 2**62, 6, 1], capacity=90) as call:
        assert len(dims) == 4
        expect_rejected_view(call, "input")


@pytest.mark.parametrize("which", OPERANDS)
def test_a_contiguous_view_is_not_held_against_its_storage_shape(which):
    dims = BOUNDS_SHAPES[which]
    with bounds_call(which, values=integers(dims), storage=[1], capacity=int(np.prod(dims))) as call:
        expect_the_definition(call, BOUNDS_PROBLEM)
