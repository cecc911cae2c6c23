"""Tensors: device memory and how to look at it."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from pyaclnn.native import ffi, lib
from pyaclnn.device import DeviceMemory
from pyaclnn.dtypes import element_type
from pyaclnn.formats import default_format, format_name
from pyaclnn.handles import Handle, created
from pyaclnn.host import host_array


class Tensor(Handle):
    """An aclTensor. Strides and offset count elements; the storage shape defaults to the tensor's own shape.

    `dtype` is a numpy type or a name of the problem language, `format` a number such as ``ACL_FORMAT_ND``; it defaults
    to the one that operators expect of the rank: NCL, NCHW, NCDHW, otherwise ND.
    """

    def __init__(
        self,
        memory: DeviceMemory,
        shape: Sequence[int],
        dtype: Any,
        *,
        strides: Optional[Sequence[int]] = None,
        offset: int = 0,
        format: Optional[int] = None,
        storage_shape: Optional[Sequence[int]] = None,
    ) -> None:
        self.memory = memory
        self.shape: Tuple[int, ...] = tuple(shape)
        self.element_type = element_type(dtype)
        self.strides = contiguous_strides(self.shape) if strides is None else tuple(strides)
        self.offset = offset
        self.storage_shape = self.shape if storage_shape is None else tuple(storage_shape)
        self.format = default_format(len(self.shape)) if format is None else format
        if len(self.strides) != len(self.shape):
            raise ValueError(f"{len(self.strides)} strides for {len(self.shape)} dimensions")
        self._owns_memory = False
        tensor = lib.aclCreateTensor(
            ffi.new("int64_t[]", self.shape),
            len(self.shape),
            getattr(lib, self.element_type.constant),
            ffi.NULL if strides is None else ffi.new("int64_t[]", self.strides),
            offset,
            self.format,
            ffi.new("int64_t[]", self.storage_shape),
            len(self.storage_shape),
            memory.address,
        )
        super().__init__(created(tensor, lib.aclCreateTensor), lib.aclDestroyTensor)

    @classmethod
    def from_numpy(cls, array: Any, *, dtype: Any = None, format: Optional[int] = None) -> Tensor:
        """A tensor with new device memory that holds a copy of the array.

        A strided view stays one: the memory that it spans is copied as it lies, and the tensor gets its strides and
        offset. What numpy can see as an array is taken too, and so are CPU tensors that offer DLPack, such as torch's
        in any element type; none is copied on the host.
        """
        array = host_array(array)
        dtype = element_type(array.dtype if dtype is None else dtype)
        if dtype.numpy.itemsize != array.itemsize:
            hint = "; pyaclnn.hifloat8.encode() makes its elements" if dtype.name == "hif8" else ""
            raise TypeError(f"{array.dtype} elements cannot be taken as {dtype.constant}{hint}")
        if any(stride % array.itemsize for stride in array.strides):
            array = np.ascontiguousarray(array)
        if array.flags.c_contiguous:
            return cls._own(_upload(array), array.shape, dtype, format=format)
        storage, offset = spanned_storage(array)
        strides = [stride // array.itemsize for stride in array.strides]
        view = {"strides": strides, "offset": offset, "storage_shape": storage.shape}
        return cls._own(_upload(storage), array.shape, dtype, format=format, **view)

    @classmethod
    def empty(cls, shape: Sequence[int], dtype: Any, *, format: Optional[int] = None) -> Tensor:
        """A contiguous tensor with new device memory whose contents are undefined."""
        dtype = element_type(dtype)
        memory = DeviceMemory(count(shape) * dtype.numpy.itemsize)
        return cls._own(memory, shape, dtype, format=format)

    @classmethod
    def _own(cls, memory: DeviceMemory, *arguments: Any, **options: Any) -> Tensor:
        tensor = cls(memory, *arguments, **options)
        tensor._owns_memory = True
        return tensor

    @property
    def dtype(self) -> np.dtype:
        return self.element_type.numpy

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        """Lets numpy's functions take the tensor, as numpy() gives it: device memory cannot be seen without a copy."""
        if copy is False:
            raise ValueError("a tensor of a device cannot become an array without a copy")
        return self.numpy() if dtype is None else self.numpy().astype(dtype, copy=False)

    def copy_to(self, target: Any) -> None:
        """Copies the elements into memory of the host: an array, or a CPU tensor that offers DLPack, of the same shape.

        Bytes go straight from the device to where they are wanted, if both are contiguous. Synchronise the stream that
        computes them first.
        """
        array = host_array(target)
        if array.shape != self.shape or array.dtype != self.dtype:
            raise ValueError(f"{self!r} cannot be copied to {array.dtype} elements of shape {list(array.shape)}")
        if not array.flags.writeable or not (isinstance(target, np.ndarray) or hasattr(target, "__dlpack__")):
            raise ValueError(f"the {type(target).__name__} cannot be written to")
        if array.flags.c_contiguous and self._is_dense() and array.size:
            self.memory.read(array)
        else:
            array[...] = self.numpy()

    def _is_dense(self) -> bool:
        return self.offset == 0 and self.strides == contiguous_strides(self.shape)

    def numpy(self) -> np.ndarray:
        """A copy of the elements. Synchronise the stream that computes them first."""
        if count(self.shape) == 0:
            return np.empty(self.shape, self.dtype)
        storage = np.empty(self.memory.nbytes, np.uint8)
        self.memory.read(storage)
        size = self.dtype.itemsize
        strides = [stride * size for stride in self.strides]
        view: np.ndarray = np.ndarray(self.shape, self.dtype, storage, self.offset * size, strides)
        return view.copy()

    def close(self) -> None:
        super().close()
        if self._owns_memory:
            self.memory.close()

    def _describe(self) -> str:
        view = "" if self.strides == contiguous_strides(self.shape) else f" strides={list(self.strides)}"
        offset = f" offset={self.offset}" if self.offset else ""
        what = f"{self.element_type.constant} {list(self.shape)} {format_name(self.format)}{view}{offset}"
        return f"{what} in {self.memory._describe()}"


def count(shape: Sequence[int]) -> int:
    return int(np.prod(shape, dtype=object))


def contiguous_strides(shape: Sequence[int]) -> Tuple[int, ...]:
    return tuple(count(shape[axis + 1 :]) for axis in range(len(shape)))


def spanned_storage(array: np.ndarray) -> Tuple[np.ndarray, int]:
    """The elements of memory from the first to the last that a view reaches, and the place of the view's first one."""
    reaches = [(length - 1) * stride // array.itemsize for length, stride in zip(array.shape, array.strides)]
    before = -sum(reach for reach in reaches if reach < 0)
    after = sum(reach for reach in reaches if reach > 0)
    lowest = array[tuple(slice(None, None, -1 if stride < 0 else 1) for stride in array.strides)]
    return as_strided(lowest, (before + after + 1,), (array.itemsize,)), before


def _upload(array: np.ndarray) -> DeviceMemory:
    memory = DeviceMemory(array.nbytes)
    if array.nbytes:
        memory.write(array)
    return memory
