"""Memory of the host, whoever owns it, as numpy arrays that share it."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, Sequence, Tuple

import ml_dtypes
import numpy as np

_CPU, _PINNED = 1, 3
# (kind, bits) of a DLPack type: kinds are integers, floats and so on as the DLPack standard numbers them
_DTYPES: Dict[Tuple[int, int], np.dtype] = {
    **{(0, np.dtype(kind).itemsize * 8): np.dtype(kind) for kind in (np.int8, np.int16, np.int32, np.int64)},
    **{(1, np.dtype(kind).itemsize * 8): np.dtype(kind) for kind in (np.uint8, np.uint16, np.uint32, np.uint64)},
    **{(2, np.dtype(kind).itemsize * 8): np.dtype(kind) for kind in (np.float16, np.float32, np.float64)},
    (4, 16): np.dtype(ml_dtypes.bfloat16),
    **{(5, np.dtype(kind).itemsize * 8): np.dtype(kind) for kind in (np.complex64, np.complex128)},
    (6, 8): np.dtype(np.bool_),
    (10, 8): np.dtype(ml_dtypes.float8_e4m3fn),
    (12, 8): np.dtype(ml_dtypes.float8_e5m2),
}


class _Tensor(ctypes.Structure):
    """DLTensor of the DLPack standard."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("kind", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.argtypes, _pointer_of.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p


def host_array(values: Any) -> np.ndarray:
    """The elements of an array, of a CPU tensor of a framework, or of a nested list; without a copy but for the list.

    Tensors come through DLPack, so that bfloat16 does too, for which numpy has no type of its own. TypeError for a
    tensor that lies on a device, or whose element type is not known.
    """
    if isinstance(values, np.ndarray) or not hasattr(values, "__dlpack__"):
        return np.asarray(values)
    device, index = values.__dlpack_device__()
    if device not in (_CPU, _PINNED):
        raise TypeError(f"the {type(values).__name__} is on DLPack device {device}:{index}; copy it to the CPU first")
    return _shared(values.__dlpack__())


def _shared(capsule: Any) -> np.ndarray:
    """An array over the memory of a DLPack capsule, which lives as long as the array does."""
    tensor = _Tensor.from_address(_pointer_of(capsule, b"dltensor"))
    dtype = _DTYPES.get((tensor.kind, tensor.bits)) if tensor.lanes == 1 else None
    if dtype is None:
        raise TypeError(f"no element type corresponds to DLPack type {tensor.kind} of {tensor.bits} bits")
    shape = tuple(tensor.shape[: tensor.rank])
    if 0 in shape:
        return np.empty(shape, dtype)
    size = dtype.itemsize
    steps = tensor.strides[: tensor.rank] if tensor.strides else _dense(shape)
    strides = tuple(step * size for step in steps)
    reaches = [(length - 1) * stride for length, stride in zip(shape, strides)]
    before = -sum(reach for reach in reaches if reach < 0)
    after = sum(reach for reach in reaches if reach > 0)
    memory = (ctypes.c_char * (before + after + size)).from_address(tensor.data + tensor.byte_offset - before)
    memory.owner = capsule
    return np.ndarray(shape, dtype, memory, before, strides)


def _dense(shape: Tuple[int, ...]) -> Sequence[int]:
    """The strides of a tensor that gives none: it is contiguous."""
    return [int(np.prod(shape[axis + 1 :], dtype=np.int64)) for axis in range(len(shape))]
