"""The oracle is itself right: against finite differences, hand-made numbers and known bit patterns."""

import random

import ml_dtypes
import numpy as np
import pytest

import oracle
from dtypes import decode, encode, round_to
from geometry import Geometry, random_geometry
from oracle import Dtypes


def forward(x, w, geometry):
    """The forward convolution, straight from its definition, one multiplication at a time."""
    y = np.zeros(geometry.grad_output_shape)
    lead = oracle.leading_padding(geometry.padding, geometry.spatial)
    small, big = (x, y) if geometry.transposed else (y, x)
    small_per_group = small.shape[1] // geometry.groups
    for n, m, c, o, k in _every_product(small, w):
        place = tuple(o[a] * geometry.stride[a] - lead[a] + k[a] * geometry.dilation[a] for a in range(len(o)))
        if any(not 0 <= at < size for at, size in zip(place, big.shape[2:])):
            continue
        of_big = (n, m // small_per_group * w.shape[1] + c, *place)
        of_small = (n, m, *o)
        if geometry.transposed:
            y[of_big] += x[of_small] * w[(m, c, *k)]
        else:
            y[of_small] += x[of_big] * w[(m, c, *k)]
    return y


def _every_product(small, w):
    for n in range(small.shape[0]):
        for m, c, *k in np.ndindex(w.shape):
            for o in np.ndindex(small.shape[2:]):
                yield n, m, c, o, k


def small_geometry(generator, spatial, transposed):
    while True:
        geometry = random_geometry(generator, spatial, transposed)
        work = np.prod(geometry.weight_shape) * np.prod(geometry.size) * geometry.batch
        if np.prod(geometry.input_shape) <= 60 and np.prod(geometry.weight_shape) <= 60 and work < 1500:
            return geometry


@pytest.mark.parametrize("transposed", [False, True], ids=["normal", "transposed"])
@pytest.mark.parametrize("spatial", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_gradients_are_the_differences_of_the_forward_pass(spatial, transposed, seed):
    geometry = small_geometry(random.Random(seed), spatial, transposed)
    numbers = np.random.default_rng(seed)
    go, x, w = (numbers.integers(-3, 4, shape).astype(float) for shape in geometry.operand_shapes)
    got = oracle.convolution_backward(go, x, w, **geometry.mathematics)
    base = (go * forward(x, w, geometry)).sum()  # linear in x and in w, so a step of 1 gives the exact slope
    for index in np.ndindex(x.shape):
        stepped = x.copy()
        stepped[index] += 1
        assert got.grad_input[index] == (go * forward(stepped, w, geometry)).sum() - base, geometry
    for index in np.ndindex(w.shape):
        stepped = w.copy()
        stepped[index] += 1
        assert got.grad_weight[index] == (go * forward(x, stepped, geometry)).sum() - base, geometry
    for channel in range(geometry.out_channels):
        assert got.grad_bias[channel] == go[:, channel].sum(), geometry


def test_all_ones_with_a_one_by_one_kernel_give_counts():
    ones = oracle.convolution_backward(
        np.ones((2, 2, 7, 7)),
        np.ones((2, 2, 7, 7)),
        np.ones((2, 2, 1, 1)),
        stride=(1, 1),
        padding=(0, 0),
        dilation=(1, 1),
    )
    assert (ones.grad_input == 2).all()  # two output channels meet every input
    assert (ones.grad_weight == 2 * 7 * 7).all()
    assert (ones.grad_bias == 2 * 7 * 7).all()


def test_a_three_tap_row_with_padding_gives_hand_made_numbers():
    got = oracle.convolution_backward(
        [[[1, 10, 100]]], [[[1, 2, 3]]], [[[4, 5, 6]]], stride=[1], padding=[1], dilation=[1]
    )
    assert got.grad_input.tolist() == [[[5 * 1 + 4 * 10, 6 * 1 + 5 * 10 + 4 * 100, 6 * 10 + 5 * 100]]]
    assert got.grad_weight.tolist() == [[[10 * 1 + 100 * 2, 1 * 1 + 10 * 2 + 100 * 3, 1 * 2 + 10 * 3]]]
    assert got.grad_bias.tolist() == [111]


def test_four_paddings_are_top_bottom_left_right():
    geometry = Geometry(1, 1, 1, (3, 2), (2, 2), (1, 1), (2, 0, 0, 1), (1, 1), (0, 0))
    assert geometry.output_size == (4, 2)
    got = oracle.convolution_backward(
        np.arange(1.0, 9.0).reshape(1, 1, 4, 2),
        np.ones((1, 1, 3, 2)),
        [[[[1, 10], [100, 1000]]]],
        **geometry.mathematics,
    )
    # row i of input meets rows i + 2 (tap 0) and i + 1 (tap 1) of gradOutput, column j meets j and j - 1
    assert got.grad_input[0, 0, 0].tolist() == [5 + 100 * 3, 6 + 10 * 5 + 100 * 4 + 1000 * 3]
    assert got.grad_input[0, 0, 2].tolist() == [100 * 7, 100 * 8 + 1000 * 7]


def test_rounding_is_that_of_numpy_and_ml_dtypes():
    numbers = np.random.default_rng(0)
    patterns = numbers.integers(0, 2**32, 200_000).astype(np.uint32).view(np.float32)
    near_the_least = np.arange(-3000, 3000, dtype=np.float32) * np.float32(2.0**-26)
    for values in (patterns, near_the_least):
        for name, kind in (("float16", np.float16), ("bfloat16", ml_dtypes.bfloat16)):
            with np.errstate(all="ignore"):
                want = values.astype(kind).astype(np.float64)
                got = round_to(values, name)
            assert np.array_equal(got, want, equal_nan=True)
            assert np.array_equal(np.signbit(got), np.signbit(want))


def test_finite_formats_have_no_infinity_and_no_nan():
    values = [np.inf, -np.inf, np.nan, 1e30, -65520.0, 65519.0]
    assert round_to(values, "float16-finite").tolist() == [65504, -65504, 0, 65504, -65504, 65504]
    largest = float(np.finfo(np.float32).max)
    assert round_to(values[:3] + [1e300], "float32-finite").tolist() == [largest, -largest, 0, largest]


def test_rounding_gives_the_known_patterns():
    assert round_to(1 + 2**-9, "bfloat16") == 1
    assert round_to(1 + 3 * 2**-8, "bfloat16") == 1 + 2**-6  # a tie goes to the even neighbour
    assert round_to(1 + 2**-12 + 2**-20, "hf32") == 1 + 2**-11
    assert round_to(1 + 2**-12, "hf32") == 1
    assert round_to(65519.0, "float16") == 65504
    assert round_to(65520.0, "float16") == np.inf
    assert round_to(3.4e38, "bfloat16") == np.inf
    assert round_to(1e39, "float32") == np.inf
    assert np.isnan(round_to(np.nan, "hf32")) and round_to(-np.inf, "bfloat16") == -np.inf
    assert encode([1.0, -2.0], "bfloat16").tolist() == [0x3F80, 0xC000]
    assert decode(np.array([0x3F80, 0xC000], np.uint16), "bfloat16").tolist() == [1.0, -2.0]


@pytest.mark.parametrize(
    "dtypes, cube, number",
    [
        (["float32"] * 3, 0, "float32"),
        (["float32"] * 3, 1, "hf32"),
        (["float32"] * 3, 2, "float16"),
        (["float32"] * 3, 3, "hf32"),
        (["float16"] * 3, 1, "float16"),
        (["bfloat16"] * 3, 3, "bfloat16"),
        (["bfloat16"] * 3, 2, "float16"),
        (["float16", "bfloat16", "float16"], 0, "float32"),
        (["float16", "bfloat16", "bfloat16"], 3, "hf32"),
    ],
)
def test_operands_are_rounded_to_what_the_cube_computes_in(dtypes, cube, number):
    assert oracle.operand_number(Dtypes(*dtypes, *dtypes), cube) == number


def test_the_emulation_rounds_each_result_at_its_own_place():
    third = round_to(1 / 3, "float32")
    dtypes = Dtypes(*["float32"] * 6)
    got = oracle.emulate(
        [[[third]]], [[[3.0]]], [[[1.0]]], dtypes=dtypes, cube_math_type=2, stride=[1], padding=[0], dilation=[1]
    )
    half_third = round_to(third, "float16")
    assert got.grad_input == half_third
    assert got.grad_weight == 3 * half_third  # not rounded to FLOAT16 again
    assert got.grad_bias == third  # cubeMathType does not reach it
