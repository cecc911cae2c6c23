"""torch on the CPU: torch.ops.aten.convolution_backward with all three gradients."""

from __future__ import annotations

import re
from typing import Any, Dict

import numpy as np

from pyaclnn.bench.contestant import Contestant, Unavailable
from pyaclnn.bench.operands import Gradients, Operands
from pyaclnn.bench.workloads import Case

NAME = "torch"


class Torch:
    def __init__(self, threads: int) -> None:
        try:
            import torch
        except ImportError as error:
            raise Unavailable(f"torch cannot be imported ({error}); pip install torch==2.13.0, or make bench") from None
        torch.set_num_threads(threads)
        self._torch: Any = torch

    def versions(self) -> Dict[str, str]:
        onednn = re.search(r"DNN v?([\d.]+)", self._torch.__config__.show())
        return {"torch": self._torch.__version__, "oneDNN in torch": onednn[1] if onednn else "none"}

    def contestants(self, case: Case, operands: Operands) -> Dict[str, Contestant]:
        return {NAME: AtenCall(self._torch, case, operands)}


class AtenCall:
    """Allocates its results in every call, as torch does."""

    def __init__(self, torch: Any, case: Case, operands: Operands) -> None:
        row = case.row
        self._dtype = getattr(torch, case.dtype)
        self._arguments = (
            *(_tensor(torch, array, self._dtype) for array in operands),
            [row.grad_output_shape[1]],
            row.stride,
            row.padding,
            row.dilation,
            row.transposed,
            row.output_padding,
            row.groups,
            [True, True, True],
        )
        self._call = torch.ops.aten.convolution_backward.default

    def run(self) -> None:
        self._call(*self._arguments)

    def gradients(self) -> Gradients:
        grad_input, grad_weight, grad_bias = (result.float().numpy() for result in self._call(*self._arguments))
        return grad_input, grad_weight, grad_bias

    def close(self) -> None:
        del self._arguments


def _tensor(torch: Any, array: np.ndarray, dtype: Any) -> Any:
    """The same bits: torch does not know numpy's bfloat16."""
    bits = {2: np.int16, 4: np.int32}[array.itemsize]
    return torch.from_numpy(array.view(bits)).view(dtype)
