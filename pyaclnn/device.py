"""Devices, streams and device memory."""

from __future__ import annotations

from typing import Any, List, Optional

import numpy as np

from pyaclnn.native import ffi, lib
from pyaclnn.errors import call
from pyaclnn.handles import Handle


class Device(Handle):
    """Opens a device for the calling thread; closing drops the reference that opening took."""

    def __init__(self, index: int = 0) -> None:
        call(lib.aclrtSetDevice, index)
        super().__init__(index, lib.aclrtResetDevice)

    @staticmethod
    def is_open() -> bool:
        """Does the calling thread have a current device?"""
        return current_device() is not None

    def synchronize(self) -> None:
        """Waits for all work of the current context's device and reports its errors."""
        call(lib.aclrtSynchronizeDevice)
        _on_default_streams.clear()


class Stream(Handle):
    """A queue of work; it runs while the caller goes on."""

    def __init__(self) -> None:
        stream = ffi.new("aclrtStream *")
        call(lib.aclrtCreateStream, stream)
        super().__init__(stream[0], lib.aclrtDestroyStream)
        self._running: List[Any] = []

    def synchronize(self) -> None:
        """Waits for everything submitted so far and reports its errors."""
        call(lib.aclrtSynchronizeStream, self.handle)
        self._running.clear()

    def close(self) -> None:
        super().close()  # waits for the work
        self._running.clear()


_on_default_streams: List[Any] = []


def keep_until_synchronized(work: Any, stream: Optional[Stream]) -> None:
    """Queued work uses the memory that its Python object owns: the stream holds on to it."""
    (_on_default_streams if stream is None else stream._running).append(work)


class DeviceMemory(Handle):
    """Bytes on the device, which only copies and operators can reach. No bytes means a null address."""

    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes
        self.device: Optional[int] = None
        """The number of the device that it is on; no bytes are on none."""
        if nbytes == 0:
            super().__init__(ffi.NULL, _free_nothing)
            return
        address = ffi.new("void **")
        call(lib.aclrtMalloc, address, nbytes, lib.ACL_MEM_MALLOC_HUGE_FIRST)
        super().__init__(address[0], lib.aclrtFree)
        self.device = current_device()

    @property
    def address(self) -> Any:
        return self.handle

    def write(self, array: np.ndarray) -> None:
        """Copies the bytes of a C-contiguous array to the beginning of the memory."""
        source = _bytes_of(array)
        kind = lib.ACL_MEMCPY_HOST_TO_DEVICE
        call(lib.aclrtMemcpy, self.handle, self.nbytes, ffi.from_buffer(source), source.nbytes, kind)

    def read(self, array: np.ndarray) -> None:
        """Fills a C-contiguous array with bytes from the beginning of the memory."""
        target = _bytes_of(array)
        kind = lib.ACL_MEMCPY_DEVICE_TO_HOST
        call(lib.aclrtMemcpy, ffi.from_buffer(target), target.nbytes, self.handle, target.nbytes, kind)

    def _describe(self) -> str:
        place = "" if self.device is None else f" of device {self.device}"
        return f"{self.nbytes} bytes at {int(ffi.cast('uintptr_t', self.handle)):#x}{place}"


def current_device() -> Optional[int]:
    """The number of the calling thread's current device, if it has one."""
    index = ffi.new("int32_t *")
    return int(index[0]) if lib.aclrtGetDevice(index) == 0 else None


def _free_nothing(address: Any) -> int:
    return 0


def _bytes_of(array: np.ndarray) -> np.ndarray:
    """The same memory as bytes: types such as bfloat16 cannot be exported as a buffer."""
    if not array.flags.c_contiguous:
        raise ValueError("the array must be C-contiguous")
    return array.reshape(-1).view(np.uint8)
