"""The number formats that plans name: rounding to them, their spacing, and how far apart two of their numbers are.

docs/configuration.md lists the names, under "What a plan says".
"""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np

from pyaclnn import hifloat8
from pyaclnn.dtypes import BY_NAME


class _Format(NamedTuple):
    mantissa_bits: int
    least_exponent: int
    """Of a normal number."""
    largest_exponent: int


_FORMATS = {
    "f32": _Format(23, -126, 127),
    "f16": _Format(10, -14, 15),
    "bf16": _Format(7, -126, 127),
    "hf32-11": _Format(11, -126, 127),
    "hf32-10": _Format(10, -126, 127),
}
_HIF8 = "hif8"
_FINITE = "-finite"
_SIGN_BIT = {1: 0x80, 2: 0x8000, 4: 0x80000000}
_HIF8_ORDINALS = np.argsort(np.argsort(hifloat8.decode(np.arange(128, dtype=np.uint8))))
"""Where a code without its sign stands among the ascending numbers that are not negative."""



def round_to(values: Any, number: str) -> np.ndarray:
    """The nearest numbers of a format, as float64: ties go to even, those of HIFLOAT8 away from zero."""
    values = np.asarray(values, np.float64)
    name = _without_suffix(number)
    if name == _HIF8:
        return np.asarray(hifloat8.decode(hifloat8.encode(values)), np.float64)
    rounded = _round_to_even(values, _FORMATS[name])
    if number == name:
        return rounded
    largest = _largest(_FORMATS[name])
    return np.asarray(np.where(np.isnan(rounded), 0.0, np.clip(rounded, -largest, largest)))


def round_through(values: Any, numbers: Sequence[str]) -> np.ndarray:
    """Rounds to one format after the other."""
    rounded = np.asarray(values, np.float64)
    for number in numbers:
        rounded = round_to(rounded, number)
    return rounded


def spacing(values: Any, number: str) -> np.ndarray:
    """The distance from numbers of this size to the next larger of the format."""
    exponents = _exponents(values)
    name = _without_suffix(number)
    if name == _HIF8:
        size = np.abs(exponents)
        bits = np.select([size <= 3, size <= 7, exponents >= -15], [3, 2, 1], 0)
        return np.asarray(np.ldexp(1.0, np.maximum(exponents, -22) - bits))
    format = _FORMATS[name]
    return np.asarray(np.ldexp(1.0, np.maximum(exponents, format.least_exponent) - format.mantissa_bits))


def ulps(found: np.ndarray, expected: Any, dtype: str) -> np.ndarray:
    """How many numbers of the element type lie between the elements, counting one end: 0 are equal, 1 are neighbours.

    `found` holds elements of the type, `expected` real numbers that the type has. NaN is infinitely far from numbers.
    """
    expected = np.asarray(expected, np.float64)
    distance = np.abs(_ordinals(found) - _ordinals(elements_of(expected, dtype))).astype(np.float64)
    left, right = np.isnan(expected), np.isnan(numbers(found))
    return np.asarray(np.where(left & right, 0.0, np.where(left | right, np.inf, distance)))


def numbers(elements: np.ndarray) -> np.ndarray:
    """Elements of any type as float64."""
    if elements.dtype == hifloat8.HIFLOAT8:
        return hifloat8.decode(elements).astype(np.float64)
    return elements.astype(np.float64)


def elements_of(values: Any, dtype: str) -> np.ndarray:
    """The nearest elements of a type."""
    if dtype == _HIF8:
        return hifloat8.encode(values)
    # numpy's way from float64 to bfloat16 rounds twice; types that no plan names are left to it
    values = round_to(values, dtype) if dtype in _FORMATS else np.asarray(values)
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(values.astype(BY_NAME[dtype].numpy))


def _without_suffix(number: str) -> str:
    return number[: -len(_FINITE)] if number.endswith(_FINITE) else number


def _round_to_even(values: np.ndarray, format: _Format) -> np.ndarray:
    """In units of the last place, which are powers of two and so lose nothing."""
    places = np.maximum(_exponents(values), format.least_exponent) - format.mantissa_bits
    with np.errstate(invalid="ignore"):
        rounded = np.ldexp(np.rint(np.ldexp(values, -places)), places)
    return np.asarray(np.where(np.abs(rounded) > _largest(format), np.copysign(np.inf, values), rounded))


def _exponents(values: Any) -> np.ndarray:
    """Of the leading bit; any number for zero, NaN and the infinities."""
    return np.asarray(np.frexp(np.asarray(values, np.float64))[1] - 1)


def _largest(format: _Format) -> float:
    return float(np.ldexp(2.0 - np.ldexp(1.0, -format.mantissa_bits), format.largest_exponent))


def _ordinals(elements: np.ndarray) -> np.ndarray:
    """Where elements stand in the ascending list of their type's numbers, both zeros at 0."""
    elements = np.ascontiguousarray(elements)
    size = elements.dtype.itemsize
    patterns = elements.view(f"u{size}").astype(np.int64)
    magnitudes = patterns & (_SIGN_BIT[size] - 1)
    if elements.dtype == hifloat8.HIFLOAT8:
        magnitudes = _HIF8_ORDINALS[magnitudes]
    return np.asarray(np.where(patterns & _SIGN_BIT[size], -magnitudes, magnitudes))
