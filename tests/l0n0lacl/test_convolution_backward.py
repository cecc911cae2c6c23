"""aclnnConvolutionBackward through l0n0lacl's wrapper gives the gradients of the definition."""

import ctypes
import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from calls import GUARD, PLAIN, arguments, carried, check, definition, gradients, integers, on_device, results
from l0n0lacl import 算子运行器

import oracle
from geometry import MASKS, random_geometry
from oracle import Dtypes

EPSILON = 2.0**-24


def problems():
    """Of every dimension, normal and transposed, in both element types; strides, dilations and groups are drawn."""
    for spatial, transposed, dtype in product((1, 2, 3), (False, True), ("float32", "float16")):
        generator = random.Random(f"l0n0lacl {spatial} {transposed} {dtype}")
        for _ in range(16):
            yield replace(random_geometry(generator, spatial, transposed), dtypes=Dtypes(*[dtype] * 6))


PROBLEMS = list(problems())


def test_the_problems_cover_every_kind():
    kinds = {(p.spatial, p.transposed, p.dtypes.input, p.groups > 1) for p in PROBLEMS}
    assert len(kinds) == 24
    for per_axis in ("stride", "padding", "dilation"):
        for spatial in (1, 2, 3):
            assert len({max(getattr(p, per_axis)) for p in PROBLEMS if p.spatial == spatial}) > 1
    assert any(p.groups > 1 and p.groups == p.in_channels for p in PROBLEMS)
    assert any(len(p.padding) == 4 for p in PROBLEMS) and any(any(p.output_padding) for p in PROBLEMS)


@pytest.mark.parametrize("problem", PROBLEMS, ids=str)
def test_gradients_of_integers_equal_the_definition(problem, operators):
    arrays = integers(problem)
    check(problem, gradients(operators, problem, arrays), definition(problem, arrays))


@pytest.mark.parametrize("mask", MASKS)
def test_the_mask_chooses_the_gradients(mask, operators):
    problem = replace(PLAIN, mask=mask)
    arrays = integers(problem)
    check(problem, gradients(operators, problem, arrays), definition(problem, arrays))


@pytest.mark.parametrize("mask", MASKS)
def test_outputs_that_are_masked_off_stay_as_they_are(mask, operators):
    problem = replace(PLAIN, mask=mask)
    written = results(problem)
    operators.ConvolutionBackward(*arguments(problem, map(on_device, integers(problem)), written))
    for tensor, wanted in zip(written, mask):
        assert (tensor.numpy() == GUARD).all() == (not wanted)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("spatial", [1, 2, 3])
def test_gradients_of_ordinary_numbers_are_as_near_as_one_rounding_allows(spatial, dtype, operators):
    problem = replace(random_geometry(random.Random(spatial), spatial, False), dtypes=Dtypes(*[dtype] * 6))
    numbers = np.random.default_rng(spatial)
    arrays = carried([numbers.normal(size=shape) for shape in problem.operand_shapes], problem.dtypes)
    truth = oracle.convolution_backward(*arrays, **problem.mathematics)
    scales = oracle.convolution_backward(*map(np.abs, arrays), **problem.mathematics)
    half_a_step = float(np.finfo(dtype).eps) / 2
    tiniest = float(np.finfo(dtype).smallest_subnormal)
    for mine, right, scale in zip(gradients(operators, problem, arrays), truth, scales):
        assert (abs(mine - right) <= half_a_step * abs(right) + 64 * EPSILON * scale + tiniest).all()


@pytest.mark.parametrize("cube_math_type", [0, 1, 2, 3])
def test_cube_math_type_reaches_the_operator(cube_math_type, operators):
    """2049 is a FLOAT and an HF32, but no FLOAT16; 4097 is a FLOAT only."""
    problem = replace(PLAIN, mask=(True, True, False), cube_math_type=cube_math_type)
    arrays = [np.full(shape, value, np.float32) for shape, value in zip(problem.operand_shapes, (1, 2049, 4097))]
    check(problem, gradients(operators, problem, arrays), definition(problem, arrays))


def test_a_transposed_array_goes_to_the_device_as_a_view(operators):
    """l0n0lacl copies the bytes as they lie and hands numpy's strides over."""
    arrays = integers(PLAIN)
    views = [np.ascontiguousarray(array.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2) for array in arrays]
    assert not any(view.flags.c_contiguous for view in views[:2])
    check(PLAIN, gradients(operators, PLAIN, views), definition(PLAIN, arrays))


def test_a_second_call_with_other_shapes_is_a_call_of_its_own(operators):
    other = replace(PLAIN, batch=1, in_channels=3, out_channels=3, groups=3)
    for problem in (PLAIN, other, PLAIN):
        arrays = integers(problem, seed=problem.batch)
        check(problem, gradients(operators, problem, arrays), definition(problem, arrays))


def test_the_runner_works_without_a_generated_wrapper(monkeypatch):
    """The way without header: the caller names the C types of the numbers."""
    arrays = integers(PLAIN)
    written = results(PLAIN)
    values = list(arguments(PLAIN, [on_device(array) for array in arrays], written))
    values[7], values[9], values[11] = ctypes.c_bool(values[7]), ctypes.c_int32(values[9]), ctypes.c_int8(values[11])
    runner = 算子运行器("ConvolutionBackward")
    phase_one = runner.获取workspace大小函数
    monkeypatch.setattr(phase_one, "argtypes", phase_one.argtypes)  # the wrapper's, of the same function, come back
    runner(*values, 同步=True)
    check(PLAIN, [tensor.numpy() for tensor in written], definition(PLAIN, arrays))
