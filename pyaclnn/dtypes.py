"""Element types: the numpy type, the number of the C API and the short name of the problem language."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Union

import ml_dtypes
import numpy as np

from pyaclnn.hifloat8 import HIFLOAT8


class ElementType(NamedTuple):
    name: str
    """In a problem line."""
    constant: str
    """In C."""
    numpy: np.dtype
    """HIFLOAT8 has one of our own, see hifloat8.py."""


def _row(name: str, constant: str, numpy: Any) -> ElementType:
    return ElementType(name, constant, np.dtype(numpy))


ELEMENT_TYPES = (
    _row("f32", "ACL_FLOAT", np.float32),
    _row("f16", "ACL_FLOAT16", np.float16),
    _row("bf16", "ACL_BF16", ml_dtypes.bfloat16),
    _row("f64", "ACL_DOUBLE", np.float64),
    _row("e4m3", "ACL_FLOAT8_E4M3FN", ml_dtypes.float8_e4m3fn),
    _row("e5m2", "ACL_FLOAT8_E5M2", ml_dtypes.float8_e5m2),
    _row("i8", "ACL_INT8", np.int8),
    _row("i16", "ACL_INT16", np.int16),
    _row("i32", "ACL_INT32", np.int32),
    _row("i64", "ACL_INT64", np.int64),
    _row("u8", "ACL_UINT8", np.uint8),
    _row("u16", "ACL_UINT16", np.uint16),
    _row("u32", "ACL_UINT32", np.uint32),
    _row("u64", "ACL_UINT64", np.uint64),
    _row("bool", "ACL_BOOL", np.bool_),
    _row("c64", "ACL_COMPLEX64", np.complex64),
    _row("c128", "ACL_COMPLEX128", np.complex128),
    _row("hif8", "ACL_HIFLOAT8", HIFLOAT8),
)

BY_NAME: Dict[str, ElementType] = {row.name: row for row in ELEMENT_TYPES}
_BY_NUMPY: Dict[np.dtype, ElementType] = {row.numpy: row for row in ELEMENT_TYPES}


def element_type(dtype: Union[str, Any]) -> ElementType:
    """The row of a numpy type, or of a name of the problem language."""
    if isinstance(dtype, ElementType):
        return dtype
    if isinstance(dtype, str) and dtype in BY_NAME:
        return BY_NAME[dtype]
    try:
        return _BY_NUMPY[np.dtype(dtype)]
    except KeyError:
        raise TypeError(f"no aclDataType corresponds to the numpy type {np.dtype(dtype)}") from None
