"""Rounding to the formats of plans, and distances in ulp, against integer and rational arithmetic."""

import math
import struct
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings, strategies
from pyaclnn import hifloat8
from pyaclnn.number_formats import elements_of, numbers, round_through, round_to, spacing, ulps

import dtypes
import hif8

TEST_NAMES = {
    "f32": "float32",
    "f16": "float16",
    "bf16": "bfloat16",
    "hif8": "hifloat8",
    "hf32-11": "hf32",
    "hf32-10": "hf32-10",
    "f16-finite": "float16-finite",
    "f32-finite": "float32-finite",
}
NUMPY = {"f32": np.dtype(np.float32), "f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16)}
LETTERS = {"f32": ("<f", "<I"), "f16": ("<e", "<H")}

singles = strategies.floats(width=32)
patterns = strategies.integers(0, 2**16 - 1)


@pytest.mark.parametrize("name", TEST_NAMES)
@settings(max_examples=300, deadline=None)
@given(values=strategies.lists(singles, min_size=1))
def test_rounding_is_that_of_integer_arithmetic(name, values):
    with np.errstate(invalid="ignore"):
        expected = dtypes.round_to(np.array(values), TEST_NAMES[name])
    assert np.array_equal(round_to(values, name), expected, equal_nan=True)


def test_a_double_is_rounded_once():
    """1 + 2^-11 + 2^-40 is above a tie of FLOAT16; by way of FLOAT it would be the tie itself and go to the even 1."""
    assert round_to(1 + 2**-11 + 2**-40, "f16") == 1 + 2**-10
    assert elements_of([1 + 2**-8 + 2**-40], "bf16").astype(float).tolist() == [1 + 2**-7]
    assert round_through(1 + 2**-11 + 2**-40, ["f32", "f16"]) == 1


def ordinal(pattern, bits):
    """Of a sign-and-magnitude pattern among the ascending numbers."""
    magnitude = pattern & (1 << bits - 1) - 1
    return -magnitude if pattern >> bits - 1 else magnitude


def pattern_of(value, dtype):
    floats, integers = LETTERS[dtype]
    return struct.unpack(integers, struct.pack(floats, value))[0]


@pytest.mark.parametrize("dtype", LETTERS)
@settings(max_examples=300, deadline=None)
@given(data=strategies.data())
def test_the_distance_in_ulps_is_that_of_the_bit_patterns(dtype, data):
    width = NUMPY[dtype].itemsize * 8
    value = strategies.floats(width=width, allow_nan=False)
    found, expected = data.draw(value), data.draw(value)
    distance = abs(ordinal(pattern_of(found, dtype), width) - ordinal(pattern_of(expected, dtype), width))
    assert ulps(np.array([found], NUMPY[dtype]), [expected], dtype).tolist() == [distance]


@settings(max_examples=300, deadline=None)
@given(found=patterns, expected=patterns)
def test_the_distance_of_bfloat16_is_that_of_the_bit_patterns(found, expected):
    left, right = (np.array([pattern], np.uint16).view(ml_dtypes.bfloat16) for pattern in (found, expected))
    wrong = [math.isnan(float(array[0])) for array in (left, right)]
    distance = abs(ordinal(found, 16) - ordinal(expected, 16))
    if any(wrong):
        distance = 0 if all(wrong) else math.inf
    assert ulps(left, right.astype(np.float64), "bf16").tolist() == [distance]


def test_the_distance_of_hifloat8_counts_its_numbers():
    codes = sorted((code for code in range(256) if code != 0x80), key=hif8.place)
    found = np.array(codes, np.uint8).view(hifloat8.HIFLOAT8)
    for rank, expected in enumerate(codes):
        wanted = np.abs(np.arange(len(codes)) - rank)
        assert np.array_equal(ulps(found, np.full(len(codes), hif8.VALUES[expected]), "hif8"), wanted)


def test_nan_is_equal_to_nan_alone():
    found = np.array([np.nan, np.nan, 1], np.float32)
    assert ulps(found, [np.nan, 1, np.nan], "f32").tolist() == [0, np.inf, np.inf]


@pytest.mark.parametrize("dtype", NUMPY)
def test_the_spacing_is_the_way_to_the_next_number(dtype):
    infinity = int(np.array(np.inf, NUMPY[dtype]).view(f"u{NUMPY[dtype].itemsize}"))
    patterns = np.arange(1, infinity - 1, 65537 if dtype == "f32" else 1).astype(f"u{NUMPY[dtype].itemsize}")
    values, above = (np.asarray(p.view(NUMPY[dtype]), np.float64) for p in (patterns, patterns + np.uint8(1)))
    assert np.array_equal(spacing(values, dtype), above - values)


def test_the_spacing_of_hifloat8_is_the_way_to_the_next_number():
    ascending = sorted(hif8.place(code) for code in range(1, 128))
    for low, high in zip(ascending, ascending[1:]):
        assert Fraction(float(spacing(float(low), "hif8"))) == high - low


def test_elements_become_numbers_again():
    for dtype in (*NUMPY, "hif8"):
        assert numbers(elements_of([-1.5, 0, 4], dtype)).tolist() == [-1.5, 0, 4]
