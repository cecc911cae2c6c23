"""The aclnn two-phase protocol, call by call, for tests that look closely.

Built on the exact mirror of the C functions and on raw bytes of device memory: what a test asserts about a view, a
status or an untouched byte does not pass through any convenience of the package.
"""

import numpy as np
import pyaclnn as acl
from pyaclnn import ffi

from dtypes import DTYPES, decode, encode

NULL = ffi.NULL
SUCCESS = 0
PARAM_NULLPTR = 161001
PARAM_INVALID = 161002
INNER = 561000
INNER_NULLPTR = 561103
AICORE_EXCEPTION = 507015

FORMATS = {"NCHW": 0, "NHWC": 1, "ND": 2, "NDHWC": 27, "NCDHW": 30, "NCL": 47}
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
PATTERN = 0xA5  # fills every buffer before the values are written
OUT_SENTINEL = 0x5EED5EED  # what the out-pointers hold before phase one


def take_message():
    """The recent error text of this thread; taking it clears it."""
    text = acl.aclGetRecentErrMsg()
    return "" if text == NULL else ffi.string(text).decode()


def check(status):
    assert status == SUCCESS, f"status {status}: {take_message()}"


def address_of(pointer):
    return int(ffi.cast("uintptr_t", pointer))


class Buffer:
    """Device memory of `size` bytes; `live` has those that are not freed yet."""

    live = set()

    def __init__(self, size):
        self.size = size
        holder = ffi.new("void **")
        check(acl.aclrtMalloc(holder, max(size, 1), 0))
        self.address = holder[0]
        Buffer.live.add(self)

    def write(self, content):
        raw = np.ascontiguousarray(content).reshape(-1).view(np.uint8)
        assert raw.size == self.size
        check(acl.aclrtMemcpy(self.address, self.size, ffi.from_buffer(raw), raw.size, HOST_TO_DEVICE))

    def read(self):
        raw = np.empty(self.size, np.uint8)
        check(
            acl.aclrtMemcpy(
                ffi.from_buffer(raw, require_writable=True), self.size, self.address, self.size, DEVICE_TO_HOST
            )
        )
        return raw

    def free(self):
        if self in Buffer.live:
            Buffer.live.remove(self)
            check(acl.aclrtFree(self.address))


def contiguous_strides(dims):
    strides = [1] * len(dims)
    for axis in range(len(dims) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * dims[axis + 1]
    return strides


def default_format(rank):
    return {3: "NCL", 4: "NCHW", 5: "NCDHW"}.get(rank, "ND")


class Operand:
    """An aclTensor over a device buffer of its own.

    strides None passes a null pointer. The buffer has `capacity` elements (default: just what the view reaches), filled
    with a pattern where the view has no element. `storage` is the storage shape told to aclCreateTensor; by default the
    view's dims for a plain tensor and the number of elements of the buffer for any other.
    """

    def __init__(self, dims, dtype, values=None, *, strides=None, offset=0, format=None, storage=None, capacity=None):
        self.dims, self.dtype, self.strides, self.offset = tuple(dims), dtype, strides, offset
        self.format = format or default_format(len(self.dims))
        steps = contiguous_strides(self.dims) if strides is None else list(strides)
        self._steps = steps
        if capacity is None:
            capacity = offset + 1 + sum((d - 1) * s for d, s in zip(self.dims, steps) if s > 0)
            capacity = 0 if 0 in self.dims else capacity
        plain = strides is None and offset == 0
        self.storage = tuple(storage if storage is not None else self.dims if plain else [capacity])
        self._initial = np.full(capacity * self._carrier().itemsize, PATTERN, np.uint8).view(self._carrier())
        if values is not None:
            self._view(self._initial)[...] = encode(values, dtype)
        self.buffer = Buffer(self._initial.nbytes)
        self.handle = self.create()
        self.reset()

    def _carrier(self):
        return np.dtype(DTYPES[self.dtype].carrier)

    def _view(self, flat):
        if 0 in self.dims:
            return np.empty(self.dims, flat.dtype)
        steps = [s * flat.itemsize for s in self._steps]
        return np.lib.stride_tricks.as_strided(flat[self.offset :], self.dims, steps)

    def create(self, address=None):
        """One more aclTensor of this description; the caller destroys it."""
        handle = acl.aclCreateTensor(
            self.dims,
            len(self.dims),
            DTYPES[self.dtype].code,
            NULL if self.strides is None else self.strides,
            self.offset,
            FORMATS[self.format],
            self.storage,
            len(self.storage),
            self.buffer.address if address is None else address,
        )
        assert handle != NULL
        return handle

    def reset(self):
        """Puts the first contents back."""
        if self.buffer.size:
            self.buffer.write(self._initial)

    def _now(self):
        return self.buffer.read().view(self._carrier()) if self.buffer.size else self._initial

    def values(self):
        """The logical values in device memory now, as float64."""
        return decode(self._view(self._now()).copy(), self.dtype)

    def raw(self):
        """The logical elements as carried, for comparing bits."""
        return self._view(self._now()).copy()

    def is_untouched(self):
        """Every byte of the buffer is what it was at first."""
        return bool((self._now().view(np.uint8) == self._initial.view(np.uint8)).all())

    def is_untouched_between(self):
        """Every byte that belongs to no element of the view is what it was at first."""
        now, before = self._now().copy(), self._initial.copy()
        self._view(now)[...] = 0
        self._view(before)[...] = 0
        return bool((now.view(np.uint8) == before.view(np.uint8)).all())

    def destroy(self):
        handle, self.handle = self.handle, NULL
        check(acl.aclDestroyTensor(handle))

    def close(self):
        self.destroy()
        self.buffer.free()


def int_array(values):
    return NULL if values is None else acl.aclCreateIntArray(list(values), len(values))


def bool_array(values):
    return NULL if values is None else acl.aclCreateBoolArray([bool(v) for v in values], len(values))


OPERANDS = ("grad_output", "input", "weight")
OUTPUTS = ("grad_input", "grad_weight", "grad_bias")
INT_ARRAYS = ("bias_sizes", "stride", "padding", "dilation", "output_padding")


class Convolution:
    """One call of aclnnConvolutionBackward with everything it needs.

    Operands are Operand objects or None for null; arrays are sequences or None for null. Handles live in `handles` by
    argument name, so that a test can replace, destroy or null any of them before a phase.
    """

    def __init__(self, *, transposed=False, groups=1, output_mask=(True, True, True), cube_math_type=0, **arguments):
        self.operands = {name: arguments.get(name) for name in OPERANDS + OUTPUTS}
        self.handles = {name: NULL if x is None else x.handle for name, x in self.operands.items()}
        self.handles.update({name: int_array(arguments.get(name)) for name in INT_ARRAYS})
        self.handles["output_mask"] = bool_array(output_mask)
        self.transposed, self.groups, self.cube_math_type = transposed, groups, cube_math_type
        self.status = None
        self.message = ""
        self._size = ffi.new("uint64_t *", OUT_SENTINEL)
        self._executor = ffi.new("aclOpExecutor **", ffi.cast("aclOpExecutor *", OUT_SENTINEL))
        self.workspace = None

    @property
    def workspace_size(self):
        return self._size[0]

    @property
    def executor(self):
        return self._executor[0]

    @property
    def out_pointers_untouched(self):
        return self._size[0] == OUT_SENTINEL and address_of(self._executor[0]) == OUT_SENTINEL

    def phase_one(self, *, size_pointer=None, executor_pointer=None):
        take_message()
        h = self.handles
        self.status = acl.aclnnConvolutionBackwardGetWorkspaceSize(
            h["grad_output"],
            h["input"],
            h["weight"],
            h["bias_sizes"],
            h["stride"],
            h["padding"],
            h["dilation"],
            self.transposed,
            h["output_padding"],
            self.groups,
            h["output_mask"],
            self.cube_math_type,
            h["grad_input"],
            h["grad_weight"],
            h["grad_bias"],
            self._size if size_pointer is None else size_pointer,
            self._executor if executor_pointer is None else executor_pointer,
        )
        self.message = take_message()
        return self.status

    def make_workspace(self):
        """Device memory of the size that phase one asked for; its address, or null for none."""
        if self.workspace is None and self.workspace_size:
            self.workspace = Buffer(self.workspace_size)
        return self.workspace.address if self.workspace else NULL

    def phase_two(self, stream=NULL, *, workspace=None, workspace_size=None):
        take_message()
        self.status = acl.aclnnConvolutionBackward(
            self.make_workspace() if workspace is None else workspace,
            self.workspace_size if workspace_size is None else workspace_size,
            self.executor,
            stream,
        )
        self.message = take_message()
        return self.status

    def synchronise(self, stream=NULL):
        take_message()
        self.status = acl.aclrtSynchronizeStream(stream)
        self.message = take_message()
        return self.status

    def run(self, stream=NULL):
        """Both phases and a synchronise; all must succeed. Returns self."""
        for step in (self.phase_one, lambda: self.phase_two(stream), lambda: self.synchronise(stream)):
            assert step() == SUCCESS, f"status {self.status}: {self.message}"
        return self

    def destroy_executor(self):
        """For an executor that is repeatable or never ran; others are used up by phase two."""
        check(acl.aclDestroyAclOpExecutor(self.executor))

    def values(self):
        """The outputs now in device memory, None where null."""
        return tuple(None if self.operands[o] is None else self.operands[o].values() for o in OUTPUTS)

    def bits(self):
        return tuple(b"" if self.operands[o] is None else self.operands[o].raw().tobytes() for o in OUTPUTS)

    def outputs_untouched(self):
        return all(self.operands[o].is_untouched() for o in OUTPUTS if self.operands[o] is not None)

    def destroy_array(self, name):
        handle, self.handles[name] = self.handles[name], NULL
        destroy = acl.aclDestroyBoolArray if name == "output_mask" else acl.aclDestroyIntArray
        check(destroy(handle))

    def close(self):
        for name in (*INT_ARRAYS, "output_mask"):
            self.destroy_array(name)
        for operand in self.operands.values():
            if operand is not None:
                operand.close()
        if self.workspace:
            self.workspace.free()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def of_geometry(geometry, values, *, bias_sizes=None, **operands):
    """The call of a Geometry on dense tensors; `operands` replaces any of the six by an Operand of its own."""
    names = OPERANDS + OUTPUTS
    shapes = geometry.operand_shapes + geometry.output_shapes
    for name, dims, dtype, content in zip(names, shapes, geometry.dtypes, [*values, None, None, None]):
        if name not in operands:
            operands[name] = Operand(dims, dtype, content)
    return Convolution(
        stride=geometry.stride,
        padding=geometry.padding,
        dilation=geometry.dilation,
        transposed=geometry.transposed,
        output_padding=geometry.output_padding,
        groups=geometry.groups,
        output_mask=geometry.mask,
        cube_math_type=geometry.cube_math_type,
        bias_sizes=bias_sizes,
        **operands,
    )
