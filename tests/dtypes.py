"""The number formats of the device, by integer arithmetic on significands. Nothing here comes from the library."""

from typing import NamedTuple

import numpy as np

import hif8


class Dtype(NamedTuple):
    code: int  # the value of aclDataType
    carrier: type  # the numpy type that has the same bytes


DTYPES = {
    "float32": Dtype(0, np.float32),
    "float16": Dtype(1, np.float16),
    "bfloat16": Dtype(27, np.uint16),
    "hifloat8": Dtype(34, np.uint8),
    "float8": Dtype(36, np.uint8),  # FLOAT8_E4M3FN, of which tests only need the size
}


class Format(NamedTuple):
    mantissa_bits: int
    least_exponent: int  # of a normal number
    largest_exponent: int


FORMATS = {
    "float32": Format(23, -126, 127),
    "float16": Format(10, -14, 15),
    "bfloat16": Format(7, -126, 127),
    "hf32": Format(11, -126, 127),  # of A2 and A3
    "hf32-10": Format(10, -126, 127),  # of the 950
}
FINITE = "-finite"  # appended to a format: too large is the largest number, and NaN is 0


def round_to(values, number):
    """The nearest values of a format, ties to even, as float64. They pass through FLOAT first, as every sum does."""
    saturates, number = number.endswith(FINITE), number.removesuffix(FINITE)
    with np.errstate(over="ignore", invalid="ignore"):
        single = np.array(values, np.float64).astype(np.float32)
    if number == "hifloat8":
        return hif8.decode(hif8.encode(single))
    rounded = single.astype(np.float64) if number == "float32" else _round_to_even(single, FORMATS[number])
    if not saturates:
        return rounded
    largest = largest_of(number)
    return np.where(np.isnan(rounded), 0.0, np.clip(rounded, -largest, largest))


def largest_of(number):
    mantissa_bits, _, exponent = FORMATS[number]
    return float(2 ** (mantissa_bits + 1) - 1) * 2.0 ** (exponent - mantissa_bits)


def _round_to_even(single, format):
    """On the integers in the pattern of a FLOAT: units of its last place are dropped until those of the format remain."""
    patterns = single.view(np.int32)
    exponents = np.maximum(patterns >> 23 & 0xFF, 1)
    significands = (patterns & 0x7FFFFF) | ((patterns & 0x7F800000) != 0).astype(np.int32) << 23
    last_places = np.maximum(exponents - 127, format.least_exponent) - format.mantissa_bits
    dropped = np.minimum(last_places - (exponents - 150), 25)
    kept = significands >> dropped
    twice_the_rest = (significands - (kept << dropped)) * 2
    unit = np.int32(1) << dropped
    kept += (twice_the_rest > unit) | ((twice_the_rest == unit) & (kept & 1 == 1))
    powers = ((last_places.astype(np.int64) + 1023) << 52).view(np.float64)
    rounded = kept * powers
    rounded = np.where(rounded >= 2.0**format.largest_exponent * 2, np.inf, rounded)
    return np.where(np.isfinite(single), np.copysign(rounded, single), single)


def encode(values, dtype):
    """Values as an array of the carrier type, rounded if they are not representable."""
    if dtype == "hifloat8":
        return hif8.encode(values)
    rounded = round_to(values, dtype).astype(np.float32)
    if dtype == "bfloat16":
        return (rounded.view(np.uint32) >> np.uint32(16)).astype(np.uint16)
    return rounded.astype(DTYPES[dtype].carrier)


def decode(carried, dtype):
    """The way back from encode(): float64."""
    if dtype == "hifloat8":
        return hif8.decode(carried)
    if dtype == "bfloat16":
        return (np.asarray(carried, np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
    return np.asarray(carried, np.float64)
