"""HIFLOAT8 numbers in numpy arrays.

numpy has no arithmetic for them: encode() makes arrays of HIFLOAT8 elements from numbers, decode() makes numbers again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

HIFLOAT8 = np.dtype([("hif8", np.uint8)])
"""The element type: one byte, which no arithmetic of numpy can take for a number."""

_NAN, _INFINITY, _SIGN = 0x80, 0x6F, 0x80


def _magnitude(code: int) -> float:
    """Of the seven bits below the sign; infinity as the number whose place it takes. docs/hifloat8.md explains them."""
    if code < 0x08:
        return 2.0 ** (code - 23) if code else 0.0
    exponent_bits = (code >> 5) + 1 if code >= 0x20 else int(code >= 0x10)
    mantissa_bits = 3 if exponent_bits < 3 else 5 - exponent_bits
    mantissa = 1 + (code & (1 << mantissa_bits) - 1) / (1 << mantissa_bits)
    if exponent_bits == 0:
        return mantissa
    stored = code >> mantissa_bits & (1 << exponent_bits) - 1
    leading_one = 1 << exponent_bits - 1
    exponent = stored | leading_one
    return float(mantissa * 2.0 ** (-exponent if stored & leading_one else exponent))


_PLACES = np.array([_magnitude(code) for code in range(128)])
_CODES_BY_SIZE = np.argsort(_PLACES).astype(np.uint8)
_SIZES = _PLACES[_CODES_BY_SIZE]
_TIES = (_SIZES[1:] + _SIZES[:-1]) / 2
_VALUES = np.where(np.arange(128) == _INFINITY, np.inf, _PLACES)
_VALUES = np.concatenate([_VALUES, np.where(np.arange(128) == 0, np.nan, -_VALUES)]).astype(np.float32)


def encode(values: Any) -> np.ndarray:
    """The nearest HIFLOAT8 numbers; ties go away from zero, from 40960 on to infinity."""
    with np.errstate(invalid="ignore"):  # a signalling NaN is no more than a NaN here
        values = np.asarray(values, np.float64)
    codes = _CODES_BY_SIZE[np.searchsorted(_TIES, np.abs(values), side="right")]
    codes = np.where(np.signbit(values) & (codes != 0), codes | np.uint8(_SIGN), codes)
    return np.asarray(np.where(np.isnan(values), np.uint8(_NAN), codes), np.uint8).view(HIFLOAT8)


def decode(codes: Any) -> np.ndarray:
    """The numbers of HIFLOAT8 elements, or of their bytes as uint8; as float32, which holds them exactly."""
    codes = np.asarray(codes)
    if codes.dtype == HIFLOAT8:
        codes = codes["hif8"]
    if codes.dtype != np.uint8:
        raise TypeError(f"HIFLOAT8 elements have the type pyaclnn.hifloat8.HIFLOAT8 or uint8, not {codes.dtype}")
    return np.asarray(_VALUES[codes])
