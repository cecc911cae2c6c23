"""Where the device rounds, bit for bit: every FP32 sum here is exact, so only the documented roundings can show."""

import itertools

import numpy as np
import pytest

import oracle
from dtypes import decode, round_to
from geometry import Geometry
from oracle import Dtypes
from two_phase import OUTPUTS, of_geometry

pytestmark = pytest.mark.usefixtures("no_leftovers")

NAMES = ("float32", "float16", "bfloat16")


def dtypes(operands, outputs=None):
    return Dtypes(*([operands] * 3 if isinstance(operands, str) else operands), *[outputs or "float32"] * 3)


def pointwise(dtypes, cube=0, *, batch=1, groups=1, in_channels=1, out_channels=1, size=1):
    """A 1-D problem with a kernel of one tap: sums have as many terms as there are channels or positions."""
    return Geometry(
        batch,
        in_channels * groups,
        out_channels * groups,
        (size,),
        (1,),
        (1,),
        (0,),
        (1,),
        (0,),
        groups=groups,
        cube_math_type=cube,
        dtypes=dtypes,
    )


def expect_emulation(problem, data):
    data = [round_to(x, d) for x, d in zip(data, problem.dtypes)]
    want = oracle.emulate(*data, dtypes=problem.dtypes, cube_math_type=problem.cube_math_type, **problem.mathematics)
    with of_geometry(problem, data) as call:
        call.run()
        for name, right, dtype in zip(OUTPUTS, want, problem.dtypes[3:]):
            got = call.operands[name].raw()
            assert np.array_equal(decode(got, dtype), right, equal_nan=True), f"{name} of {problem}"
        return call.values()


def long_mantissas(numbers, shape):
    """FLOATs of 24 significant bits around 1, none of them halfway between two values of a shorter format."""
    mantissas = numbers.integers(2**22, 2**23, shape) * 2 + 1
    return mantissas * 2.0**-23 * numbers.choice([-1, 1], shape)


@pytest.mark.parametrize("cube", range(4))
@pytest.mark.parametrize("operands", [*itertools.product(NAMES, repeat=3)], ids="-".join)
def test_operands_are_rounded_to_the_type_of_the_cube(operands, cube):
    """One operand is a power of two, so that the product is the other one as the cube sees it."""
    problem = pointwise(dtypes(operands, "float32"), cube)
    for position, seed in itertools.product(range(3), range(3)):
        data = [np.full(shape, 0.5) for shape in problem.operand_shapes]
        data[position] = long_mantissas(np.random.default_rng(seed), problem.operand_shapes[position])
        expect_emulation(problem, data)


@pytest.mark.parametrize("cube", [1, 3])
def test_hf32_keeps_11_mantissa_bits(cube):
    problem = pointwise(dtypes("float32"), cube)
    for value, kept in [
        (1 + 2**-11, 1 + 2**-11),
        (1 + 2**-12 - 2**-20, 1),
        (1 + 2**-12 + 2**-20, 1 + 2**-11),
        (-(1 + 3 * 2**-12 + 2**-23), -(1 + 2**-10)),
        (2 - 2**-23, 2),
        (3e38, round_to(3e38, "hf32")),
    ]:
        grad_input, grad_weight, grad_bias = expect_emulation(problem, [[[[value]]], [[[1]]], [[[1]]]])
        assert grad_input == kept and grad_weight == kept
        assert grad_bias == round_to(value, "float32")


@pytest.mark.parametrize(
    "value, seen", [(65519.0, 65504), (65520.0, np.inf), (-1e30, -np.inf), (2**-26, 0), (2**-24, 2**-24)]
)
def test_use_fp16_rounds_operands_to_fp16_and_overflows_to_infinity(value, seen):
    problem = pointwise(dtypes("float32"), 2)
    grad_input, grad_weight, grad_bias = expect_emulation(problem, [[[[value]]], [[[1]]], [[[1]]]])
    assert grad_input == seen and grad_weight == seen
    assert grad_bias == round_to(value, "float32")


def test_a_float_grad_input_of_use_fp16_holds_fp16_values():
    problem = pointwise(dtypes("float32"), 2, out_channels=2)
    third = round_to(1 + 2**-10, "float16")
    grad_input, grad_weight, _ = expect_emulation(problem, [[[[third], [third]]], [[[third]]], [[[third]], [[1]]]])
    exact = third * third + third
    assert grad_input == round_to(exact, "float16") != exact
    assert grad_weight[0] == third * third != round_to(third * third, "float16")


@pytest.mark.parametrize("operands", ["float16", "bfloat16"])
def test_grad_input_is_rounded_to_the_operands_type_before_its_own(operands):
    problem = pointwise(dtypes(operands, "float32"), out_channels=2)
    small = {"float16": 2**-11, "bfloat16": 2**-8}[operands]
    grad_input, grad_weight, _ = expect_emulation(problem, [[[[1], [small]]], [[[1]]], [[[1]], [[1]]]])
    assert grad_input == 1  # 1 + small is a tie, and 1 is even
    assert grad_weight[1] == small


def test_grad_weight_is_rounded_once_from_fp32():
    """1 + 2^-8 + 2^-17 lies above a tie of BF16; through BF16-rounded terms or FLOAT16 it would go down."""
    problem = pointwise(dtypes(["float32"] * 3, "bfloat16"), size=3)
    terms = [[[1, 2**-8, 2**-17]]]
    _, grad_weight, _ = expect_emulation(problem, [terms, [[[1, 1, 1]]], [[[1]]]])
    assert grad_weight == 1 + 2**-7


@pytest.mark.parametrize("groups, through_fp16", [(1, False), (2, True)])
@pytest.mark.parametrize("operands, cube", [("float16", 0), ("bfloat16", 0), ("float32", 2), ("bfloat16", 2)])
def test_a_grouped_float_grad_weight_of_16_bit_operands_passes_through_fp16(operands, cube, groups, through_fp16):
    problem = pointwise(dtypes(operands, "float32"), cube, groups=groups, size=2)
    terms = np.array([[[1, 2**-12]] * groups])
    ones, weight = np.ones((1, groups, 2)), np.ones((groups, 1, 1))
    _, grad_weight, _ = expect_emulation(problem, [terms, ones, weight])
    assert (grad_weight == (1 if through_fp16 else 1 + 2**-12)).all()
    large = np.full((1, groups, 2), 2.0**15)
    _, grad_weight, _ = expect_emulation(problem, [large, 2 * ones, weight])
    assert (grad_weight == (np.inf if through_fp16 else 2.0**17)).all()


@pytest.mark.parametrize("output", ["float16", "bfloat16"])
def test_a_grouped_16_bit_grad_weight_is_rounded_once(output):
    """1 + 2^-8 + 2^-13 is above a tie of BF16 and would be on it after FLOAT16."""
    problem = pointwise(dtypes("bfloat16", output), groups=2, size=3)
    terms = np.array([[[1, 2**-8, 2**-13]] * 2])
    _, grad_weight, _ = expect_emulation(problem, [terms, np.ones((1, 2, 3)), np.ones((2, 1, 1))])
    assert (grad_weight == (1 + 2**-7 if output == "bfloat16" else 1 + 2**-8)).all()


def test_a_grouped_float_grad_weight_of_float_operands_stays_fp32():
    for cube in (0, 1, 3):
        problem = pointwise(dtypes("float32"), cube, groups=2, size=2)
        _, grad_weight, _ = expect_emulation(
            problem, [np.array([[[1, 2**-20]] * 2]), np.ones((1, 2, 2)), np.ones((2, 1, 1))]
        )
        assert (grad_weight == 1 + 2**-20).all()


@pytest.mark.parametrize("cube", range(4))
@pytest.mark.parametrize("output", NAMES)
@pytest.mark.parametrize("operand", NAMES)
def test_grad_bias_is_the_sum_rounded_to_grad_output_then_to_its_own_type(operand, output, cube):
    problem = pointwise(dtypes(operand, output), cube, size=4)
    terms = [[[2.0**7, 2.0**-1, 2.0**-3, 2.0**-5]]]
    *_, grad_bias = expect_emulation(problem, [terms, np.ones((1, 1, 4)), np.ones((1, 1, 1))])
    exact = 2.0**7 + 2.0**-1 + 2.0**-3 + 2.0**-5
    assert grad_bias == round_to(round_to(exact, operand), output)


def test_a_float_grad_bias_of_fp16_gradients_holds_fp16_values():
    problem = pointwise(dtypes("float16", "float32"), size=2)
    *_, grad_bias = expect_emulation(problem, [[[[2048, 1]]], [[[1, 1]]], [[[1]]]])
    assert grad_bias == 2048
    *_, grad_bias = expect_emulation(problem, [[[[65504, 65504]]], [[[1, 1]]], [[[1]]]])
    assert grad_bias == np.inf


def test_grad_bias_of_mixed_types_is_summed_from_the_original_grad_output():
    problem = pointwise(Dtypes("float32", "float16", "float16", "float32", "float32", "float32"), 2, size=2)
    *_, grad_bias = expect_emulation(problem, [[[[1, 2**-20]]], [[[1, 1]]], [[[1]]]])
    assert grad_bias == 1 + 2**-20


@pytest.mark.parametrize("special", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("cube", range(4))
@pytest.mark.parametrize("operand", NAMES)
def test_infinity_and_nan_pass_through(operand, cube, special):
    problem = pointwise(dtypes(operand, operand), cube, out_channels=2, size=3)
    grad_output = [[[1, special, 1], [1, 1, 1]]]
    expect_emulation(problem, [grad_output, np.ones((1, 1, 3)), np.ones((2, 1, 1))])


def test_infinity_times_zero_is_nan():
    problem = pointwise(dtypes("float32"))
    grad_input, grad_weight, grad_bias = expect_emulation(problem, [[[[np.inf]]], [[[0]]], [[[0]]]])
    assert np.isnan(grad_input) and np.isnan(grad_weight) and grad_bias == np.inf


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("channels", [1, 40])
def test_an_infinity_that_meets_padding_counts_nothing_there(channels, transposed):
    problem = Geometry(2, channels, channels, (9, 8), (3, 3), (1, 1), (1, 1), (1, 1), (0, 0), transposed=transposed)
    data = [np.ones(shape) for shape in problem.operand_shapes]
    small_map = data[1] if transposed else data[0]
    small_map[0, 0, 0, 0] = 2.0**100
    want = oracle.convolution_backward(*data, **problem.mathematics).grad_weight
    want[want > 2.0**99] = np.inf
    small_map[0, 0, 0, 0] = np.inf
    with of_geometry(problem, data) as call:
        got = call.run().values()[1]
    assert np.array_equal(got, want)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("channels", [2, 24])
def test_an_infinite_weight_counts_nothing_where_it_meets_padding(channels, transposed):
    problem = Geometry(2, channels, channels, (9, 8), (3, 3), (1, 1), (1, 1), (1, 1), (0, 0), transposed=transposed)
    data = [np.ones(shape) for shape in problem.operand_shapes]
    data[2][0, 0, 0, 0] = 2.0**100
    want = oracle.convolution_backward(*data, **problem.mathematics).grad_input
    want[want > 2.0**99] = np.inf
    data[2][0, 0, 0, 0] = np.inf
    with of_geometry(problem, data) as call:
        got = call.run().values()[0]
    assert np.array_equal(got, want)


@pytest.mark.parametrize("dtype", NAMES)
def test_subnormals_are_kept(dtype):
    smallest = {"float32": 2.0**-149, "float16": 2.0**-24, "bfloat16": 2.0**-133}[dtype]
    problem = pointwise(dtypes(dtype, dtype))
    grad_input, grad_weight, grad_bias = expect_emulation(problem, [[[[3 * smallest]]], [[[1]]], [[[1]]]])
    assert grad_input == grad_weight == grad_bias == 3 * smallest
