"""HIFLOAT8 in the operator; test_hifloat8.py runs this file in processes that emulate the 950."""

import random
from dataclasses import replace

import numpy as np
import pyaclnn
import pytest

import hif8
import oracle
from geometry import Geometry, random_geometry
from oracle import Dtypes
from products import C950
from two_phase import INNER_NULLPTR, OUTPUTS, Convolution, Operand, of_geometry

pytestmark = pytest.mark.usefixtures("no_leftovers")

ALL = Dtypes(*["hifloat8"] * 6)
ONLY_INPUT = (True, False, False)
NONE = {"grad_weight": None, "grad_bias": None}
# Sums of products of these are exact in FP32 up to 500 terms.
MIDDLE = hif8.VALUES[(np.abs(hif8.VALUES) >= 0.5) & (np.abs(hif8.VALUES) <= 8)]


def transposed(geometry, **changes):
    return replace(geometry, transposed=True, dtypes=ALL, mask=ONLY_INPUT, **changes)


def random_call(seed, spatial):
    geometry = transposed(random_geometry(random.Random(seed), spatial, True))
    numbers = np.random.default_rng(seed)
    return geometry, [numbers.choice(MIDDLE, shape) for shape in geometry.operand_shapes]


def wanted(problem, data):
    options = {"dtypes": ALL, "cube_math_type": problem.cube_math_type, "product": C950}
    return hif8.encode(oracle.emulate(*data, **options, **problem.mathematics).grad_input)


@pytest.mark.parametrize("spatial", [1, 2, 3])
@pytest.mark.parametrize("seed", range(12))
def test_grad_input_is_the_exact_sum_rounded_once(seed, spatial):
    problem, data = random_call(seed, spatial)
    with of_geometry(problem, data, **NONE) as call:
        call.run()
        assert np.array_equal(call.operands["grad_input"].raw(), wanted(problem, data)), problem


def one_tap(batch, taps, rows, positions):
    """gradInput[n, row, position] = the sum over `taps` of gradOutput[n, tap, position] times weight[row, tap]."""
    return transposed(Geometry(batch, rows, taps, (positions,), (1,), (1,), (0,), (1,), (0,)))


def test_the_product_of_any_two_codes_is_rounded_to_the_nearest():
    problem = one_tap(1, 1, 256, 256)
    codes = hif8.VALUES
    with of_geometry(problem, [codes.reshape(1, 1, 256), np.zeros((1, 256, 256)), codes.reshape(256, 1, 1)],
                     **NONE) as call:
        with np.errstate(invalid="ignore"):
            products = codes[:, None] * codes[None, :]
        got = call.run().operands["grad_input"].raw()[0]
    assert np.array_equal(got, hif8.encode(products))


@pytest.mark.parametrize("seed", [0, 1])
def test_a_million_sums_are_rounded_to_the_nearest(seed):
    """Terms of 1 to 15 times terms of 2^-7 to 15: exact in FP32, 20 bits wide, of all sizes by cancellation."""
    numbers = np.random.default_rng(seed)
    values = hif8.VALUES[np.isfinite(hif8.VALUES) & (np.abs(hif8.VALUES) <= 15)]
    problem = one_tap(1, 3, 1000, 1000)
    left = numbers.choice(values[np.abs(values) >= 1], (1, 3, 1000))
    right = numbers.choice(values[np.abs(values) >= 2.0**-7], (1000, 3, 1))
    sums = np.einsum("to,ct->co", left[0], right[:, :, 0])
    assert np.unique(sums).size > 150_000
    with of_geometry(problem, [left, np.zeros((1, 1000, 1000)), right], **NONE) as call:
        assert np.array_equal(call.run().operands["grad_input"].raw()[0], hif8.encode(sums))


@pytest.mark.parametrize("cube", range(4))
def test_cube_math_type_changes_nothing(cube):
    """1 + 2^-4 - 2^-13 is below a tie and would be on it after FLOAT16."""
    problem = replace(one_tap(1, 3, 1, 1), cube_math_type=cube)
    terms = np.array([1, 2**-4, -(2**-13)]).reshape(1, 3, 1)
    with of_geometry(problem, [terms, np.zeros((1, 1, 1)), np.ones((1, 3, 1))], **NONE) as call:
        assert call.run().operands["grad_input"].values() == 1


def test_too_large_sums_are_infinite():
    problem, data = random_call(5, 2)
    data = [x * 4096 for x in data]
    with of_geometry(problem, data, **NONE) as call:
        got = call.run().operands["grad_input"].raw()
    assert np.array_equal(got, wanted(problem, data))
    assert (got & 0x7F == 0x6F).any()


def test_views_of_single_bytes_are_read_and_written_in_place():
    problem = transposed(Geometry(2, 3, 4, (5, 6), (2, 3), (1, 2), (0, 1), (1, 1), (0, 0)))
    numbers = np.random.default_rng(1)
    data = [numbers.choice(MIDDLE, shape) for shape in problem.operand_shapes]
    width = problem.grad_output_shape[-1]
    views = {
        "grad_output": Operand(problem.grad_output_shape, "hifloat8", data[0], offset=7,
                               strides=[1, 2, 8 * width + 3, 8]),
        "weight": Operand(problem.weight_shape, "hifloat8", data[2], offset=71, strides=[-24, 6, -3, 1]),
        "grad_input": Operand(problem.input_shape, "hifloat8", offset=3, strides=[97, 30, 6, 1]),
    }
    with of_geometry(problem, data, **views, **NONE) as call:
        call.run()
        assert np.array_equal(call.operands["grad_input"].raw(), wanted(problem, data))
        assert call.operands["grad_input"].is_untouched_between()


def test_a_given_weight_gradient_that_is_not_asked_for_stays_as_it_is():
    problem, data = random_call(2, 2)
    problem = replace(problem, dtypes=ALL._replace(grad_weight="float32"))
    with of_geometry(problem, data, grad_bias=None) as call:
        call.run()
        assert np.array_equal(call.operands["grad_input"].raw(), wanted(problem, data))
        assert call.operands["grad_weight"].is_untouched()


@pytest.mark.parametrize(
    "mask, is_transposed", [((True, False, False), False), ((True, False, True), True), ((False, True, False), True)]
)
def test_other_gradients_have_no_kernel(mask, is_transposed):
    geometry = Geometry(1, 2, 2, (3, 3), (1, 1), (1, 1), (0, 0), (1, 1), (0, 0), mask=mask, transposed=is_transposed)
    problem = replace(geometry, dtypes=ALL._replace(grad_weight="float32"))
    left_out = {name: None for name, asked in zip(OUTPUTS, mask) if not asked}
    with of_geometry(problem, [np.ones(shape) for shape in problem.operand_shapes], **left_out) as call:
        assert call.phase_one() == INNER_NULLPTR, call.message
        assert call.out_pointers_untouched and call.outputs_untouched()


@pytest.mark.parametrize("dtype, is_transposed", [("hifloat8", False), ("hifloat8", True), ("float8", False)])
def test_without_a_batch_the_bias_gradient_is_zeros_of_the_weights_type(dtype, is_transposed):
    arrays = {name: [x] for name, x in [("stride", 1), ("padding", 0), ("dilation", 1), ("output_padding", 0)]}
    operands = {
        "grad_output": Operand((0, 4, 6), dtype),
        "input": Operand((0, 4, 6), dtype),
        "weight": Operand((4, 4, 1), dtype),
        "grad_bias": Operand((4,), dtype, strides=[3], offset=1),
    }
    mask = (False, False, True)
    with Convolution(**operands, **arrays, bias_sizes=[4], transposed=is_transposed, output_mask=mask) as call:
        call.run()
        assert call.operands["grad_bias"].raw().tolist() == [0] * 4
        assert call.operands["grad_bias"].is_untouched_between()


@pytest.mark.parametrize("as_bytes", [False, True])
def test_python_calls_take_and_give_elements(as_bytes):
    problem, data = random_call(9, 2)
    elements = [pyaclnn.hifloat8.encode(x) for x in data]
    if as_bytes:
        elements = [x.view(np.uint8) for x in elements]
    got = pyaclnn.convolution_backward(
        *elements,
        dtypes=["hif8"] * 3 if as_bytes else None,
        output_mask=ONLY_INPUT,
        output_padding=problem.output_padding,
        **problem.mathematics,
    )
    assert got.grad_input.dtype == pyaclnn.hifloat8.HIFLOAT8 and got[1:] == (None, None)
    assert np.array_equal(got.grad_input.view(np.uint8), wanted(problem, data))
    assert np.array_equal(pyaclnn.hifloat8.decode(got.grad_input), hif8.decode(wanted(problem, data)))


def test_python_says_how_floats_become_bytes():
    with pytest.raises(TypeError, match=r"float32 .* ACL_HIFLOAT8; pyaclnn.hifloat8.encode\(\)"):
        pyaclnn.Tensor.from_numpy(np.ones(3, np.float32), dtype="hif8")


def test_every_axis_of_bytes_may_have_any_stride():
    """Random permutations and gaps, on operands and on the result."""
    numbers = np.random.default_rng(4)
    problem = transposed(Geometry(2, 3, 2, (4, 3), (2, 2), (1, 1), (1, 0), (1, 1), (0, 0)))
    data = [numbers.choice(MIDDLE, shape) for shape in problem.operand_shapes]
    for seed in range(20):
        layout = random.Random(seed)
        shapes = {"grad_output": problem.grad_output_shape, "weight": problem.weight_shape,
                  "grad_input": problem.input_shape}
        contents = {"grad_output": data[0], "weight": data[2], "grad_input": None}
        views = {
            name: Operand(shape, "hifloat8", contents[name], strides=gapped(layout, shape), offset=layout.randrange(9))
            for name, shape in shapes.items()
        }
        with of_geometry(problem, data, **views, **NONE) as call:
            call.run()
            assert np.array_equal(call.operands["grad_input"].raw(), wanted(problem, data))
            assert call.operands["grad_input"].is_untouched_between()


def gapped(layout, shape):
    strides, extent = [0] * len(shape), 1
    for axis in layout.sample(range(len(shape)), len(shape)):
        strides[axis] = extent
        extent = extent * shape[axis] + layout.randrange(3)
    return strides


