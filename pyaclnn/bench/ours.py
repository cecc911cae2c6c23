"""pyaclnn itself, as a C program calls it: phase one, phase two and the wait for the stream, through ours.c."""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from typing import Any, Dict, Tuple

import pyaclnn
from pyaclnn import BoolArray, Device, DeviceMemory, IntArray, Stream, Tensor, lib, paths
from pyaclnn.bench import compiler
from pyaclnn.bench.contestant import Contestant
from pyaclnn.bench.operands import Gradients, Operands
from pyaclnn.bench.workloads import Case
from pyaclnn.errors import check_status

NAME = "pyaclnn"
PARTS = ("phase one", "phase two", "synchronise", "together")
_PRODUCT = "A2"  # computes all three element types as they are
_OPERATOR = "aclnnConvolutionBackward"

_OBJECTS = (
    "grad_output", "input", "weight", "grad_input", "grad_weight", "grad_bias",
    "bias_sizes", "stride", "padding", "dilation", "output_padding", "output_mask",
)  # fmt: skip
_DECLARATIONS = f"""
struct bench_call {{
    void *{", *".join(_OBJECTS)};
    bool transposed;
    int groups;
    void *stream;
    void *workspace;
}};
int bench_plan(const struct bench_call *, uint64_t *workspace_size, void **executor);
int bench_run(const struct bench_call *);
int bench_parts(const struct bench_call *, int calls, double medians[{len(PARTS)}]);
"""


class Ours:
    def __init__(self) -> None:
        """Raises Unavailable without a C compiler."""
        pyaclnn.set_soc(_PRODUCT)
        self._device = Device()
        self.bridge = compiler.load("ours.c", _DECLARATIONS, shlex.split(f"{paths.cflags()} {paths.libs()}"))

    def versions(self) -> Dict[str, str]:
        return {"pyaclnn": pyaclnn.__version__}

    def contestants(self, case: Case, operands: Operands) -> Dict[str, Contestant]:
        return {NAME: self.open(case, operands)}

    def open(self, case: Case, operands: Operands) -> TwoPhases:
        return TwoPhases(self, case, operands)


class TwoPhases:
    """Operands, outputs and workspace lie on the device already, as in the training loop of a device program."""

    def __init__(self, library: Ours, case: Case, operands: Operands) -> None:
        self._library = library  # its device must not end before
        self._ffi, self._bridge = library.bridge
        self._owned = ExitStack()
        row = case.row
        own: Any = self._owned.enter_context
        channels = row.grad_output_shape[1:2]
        shapes = (row.input_shape, row.weight_shape, channels)
        self._outputs = [own(Tensor.empty(shape, operands.input.dtype)) for shape in shapes]
        objects = [
            *(own(Tensor.from_numpy(array)) for array in operands),
            *self._outputs,
            own(IntArray(channels)),
            *(own(IntArray(values)) for values in (row.stride, row.padding, row.dilation, row.output_padding)),
            own(BoolArray([True] * 3)),
        ]
        self._call = self._ffi.new("struct bench_call *", {"transposed": row.transposed, "groups": row.groups})
        for name, owner in zip(_OBJECTS, objects):
            setattr(self._call, name, self._address(owner.handle))
        self._call.stream = self._address(own(Stream()).handle)
        self._call.workspace = self._address(own(DeviceMemory(self._workspace_size())).address)

    def run(self) -> None:
        check_status(self._bridge.bench_run(self._call), _OPERATOR)

    def parts(self, calls: int) -> Tuple[float, ...]:
        """Median microseconds of PARTS."""
        medians = self._ffi.new("double[]", len(PARTS))
        check_status(self._bridge.bench_parts(self._call, calls, medians), _OPERATOR)
        return tuple(round(median, 3) for median in medians)

    def gradients(self) -> Gradients:
        self.run()
        grad_input, grad_weight, grad_bias = (output.numpy() for output in self._outputs)
        return grad_input, grad_weight, grad_bias

    def close(self) -> None:
        self._owned.close()

    def _workspace_size(self) -> int:
        size, executor = self._ffi.new("uint64_t *"), self._ffi.new("void **")
        check_status(self._bridge.bench_plan(self._call, size, executor), f"{_OPERATOR}GetWorkspaceSize")
        handle = pyaclnn.ffi.cast("aclOpExecutor *", int(self._ffi.cast("uintptr_t", executor[0])))
        check_status(lib.aclDestroyAclOpExecutor(handle), "aclDestroyAclOpExecutor")
        return int(size[0])

    def _address(self, pointer: Any) -> Any:
        """A pointer of the package's, or the number of one, as one of the bridge's."""
        number = pointer if isinstance(pointer, int) else int(pyaclnn.ffi.cast("uintptr_t", pointer))
        return self._ffi.cast("void *", number)
