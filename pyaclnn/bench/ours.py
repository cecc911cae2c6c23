"""pyaclnn itself, through the C API: phase one, phase two and the wait for the stream."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, Dict

import pyaclnn
from pyaclnn import BoolArray, Device, DeviceMemory, IntArray, Stream, Tensor, ffi, lib
from pyaclnn.bench.contestant import Contestant
from pyaclnn.bench.operands import Gradients, Operands
from pyaclnn.bench.workloads import Case
from pyaclnn.errors import check_status
from pyaclnn.handles import native

NAME = "pyaclnn"
_PRODUCT = "A2"  # computes all three element types as they are
_KEEP_DTYPE = 0
_OPERATOR = "aclnnConvolutionBackward"


class Ours:
    def __init__(self) -> None:
        pyaclnn.set_soc(_PRODUCT)
        self._device = Device()

    def versions(self) -> Dict[str, str]:
        return {"pyaclnn": pyaclnn.__version__}

    def contestants(self, case: Case, operands: Operands) -> Dict[str, Contestant]:
        return {NAME: TwoPhases(case, operands)}


class TwoPhases:
    """Operands, outputs and workspace lie on the device already, as in the training loop of a device program."""

    def __init__(self, case: Case, operands: Operands) -> None:
        self._owned = ExitStack()
        row = case.row
        own: Any = self._owned.enter_context
        inputs = [own(Tensor.from_numpy(array)) for array in operands]
        channels = row.grad_output_shape[1:2]
        shapes = (row.input_shape, row.weight_shape, channels)
        self._outputs = [own(Tensor.empty(shape, operands.input.dtype)) for shape in shapes]
        arguments = [
            *inputs,
            own(IntArray(channels)),
            *(own(IntArray(values)) for values in (row.stride, row.padding, row.dilation)),
            row.transposed,
            own(IntArray(row.output_padding)),
            row.groups,
            own(BoolArray([True] * 3)),
            _KEEP_DTYPE,
            *self._outputs,
        ]
        self._arguments = [native(argument) for argument in arguments]
        self._size = ffi.new("uint64_t *")
        self._executor = ffi.new("aclOpExecutor **")
        self._phase_one()
        check_status(lib.aclDestroyAclOpExecutor(self._executor[0]), "aclDestroyAclOpExecutor")
        self._workspace = own(DeviceMemory(self._size[0])).address
        self._stream = own(Stream()).handle

    def run(self) -> None:
        self._phase_one()
        status = lib.aclnnConvolutionBackward(self._workspace, self._size[0], self._executor[0], self._stream)
        check_status(status, _OPERATOR)
        check_status(lib.aclrtSynchronizeStream(self._stream), "aclrtSynchronizeStream")

    def gradients(self) -> Gradients:
        self.run()
        grad_input, grad_weight, grad_bias = (output.numpy() for output in self._outputs)
        return grad_input, grad_weight, grad_bias

    def close(self) -> None:
        self._owned.close()

    def _phase_one(self) -> None:
        status = lib.aclnnConvolutionBackwardGetWorkspaceSize(*self._arguments, self._size, self._executor)
        check_status(status, f"{_OPERATOR}GetWorkspaceSize")
