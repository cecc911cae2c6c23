"""The gradients of a convolution, from arrays to arrays."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from pyaclnn.arrays import BoolArray, IntArray
from pyaclnn.device import Device, Stream
from pyaclnn.executor import Executor
from pyaclnn.host import host_array
from pyaclnn.tensor import Tensor

PerAxis = Union[int, Sequence[int]]


class Gradients(NamedTuple):
    """The outputs; None where the mask leaves one out."""

    grad_input: Optional[np.ndarray]
    grad_weight: Optional[np.ndarray]
    grad_bias: Optional[np.ndarray]


def convolution_backward(
    grad_output: Any,
    input: Any,
    weight: Any,
    *,
    bias_sizes: Optional[Sequence[int]] = None,
    stride: PerAxis,
    padding: PerAxis,
    dilation: PerAxis,
    transposed: bool = False,
    output_padding: Optional[PerAxis] = None,
    groups: int = 1,
    output_mask: Sequence[bool] = (True, True, True),
    cube_math_type: int = 0,
    dtypes: Optional[Sequence[Any]] = None,
    output_dtypes: Optional[Sequence[Any]] = None,
    soc: Optional[str] = None,
    out: Optional[Sequence[Any]] = None,
) -> Gradients:
    """aclnnConvolutionBackward in one call: device, stream, copies, both phases.

    Arrays are ``[N, C, spatial...]`` with one to three spatial axes, and may be any views. One number for `stride`,
    `padding`, `dilation` or `output_padding` counts for every axis; `padding` of a 2-D convolution may also be
    ``(top, bottom, left, right)``. `bias_sizes` defaults to the channels of `grad_output`. The outputs have the element
    types of `input`, `weight` and `grad_output` unless `output_dtypes` names three others, or `out` has them. `dtypes`
    names those of `grad_output`, `input` and `weight` where arrays hold the bytes of another type: ``"hif8"`` for uint8.
    HIFLOAT8 arrays, which `pyaclnn.hifloat8` makes and reads, need no name.

    Any of the three may be a CPU tensor of a framework that offers DLPack, in any element type; it is not copied on the
    host. `out` gives three arrays or tensors of that kind, None for those that `output_mask` leaves out: the gradients
    are copied from the device into their memory, and they are the arrays that are returned.

    `soc` names the chip or the product that this call is for: ``"Ascend310P3"``, ``"310P"``.
    Uses the calling thread's current device if it has one, otherwise opens device 0 for the time of the call.
    Raises AclError with the status and the explanation when the call is not accepted.
    """
    grad_output, input, weight = map(host_array, (grad_output, input, weight))
    spatial = max(input.ndim - 2, 0)
    channels = grad_output.shape[1:2]
    shapes = (input.shape, weight.shape, channels)
    dtypes = dtypes or (grad_output.dtype, input.dtype, weight.dtype)
    if output_dtypes is None:
        output_dtypes = (dtypes[1], dtypes[2], dtypes[0]) if out is None else tuple(map(_dtype_of, out))
    if out is not None and [target is not None for target in out] != [bool(wanted) for wanted in output_mask]:
        raise ValueError("out has an array for each gradient that output_mask asks for, and None for the others")

    with ExitStack() as stack:
        if not Device.is_open():
            stack.enter_context(Device())

        def ints(values: PerAxis) -> IntArray:
            values = (values,) * spatial if isinstance(values, (int, np.integer)) else values
            return stack.enter_context(IntArray(values))

        inputs = [
            stack.enter_context(Tensor.from_numpy(array, dtype=dtype))
            for array, dtype in zip((grad_output, input, weight), dtypes)
        ]
        outputs = [
            stack.enter_context(Tensor.empty(shape, dtype)) if wanted else None
            for shape, dtype, wanted in zip(shapes, output_dtypes, output_mask)
        ]
        outputs += [None] * (3 - len(outputs))  # a mask that is too short is for phase one to refuse
        executor = Executor(
            "aclnnConvolutionBackward",
            *inputs,
            ints(channels if bias_sizes is None else bias_sizes),
            ints(stride),
            ints(padding),
            ints(dilation),
            transposed,
            ints(0 if output_padding is None else output_padding),
            groups,
            stack.enter_context(BoolArray(output_mask)),
            cube_math_type,
            *outputs,
            soc=soc,
        )
        stack.enter_context(executor)
        stream = stack.enter_context(Stream())  # closed first: it waits for the work that uses all the others
        executor.run(stream)
        stream.synchronize()
        return Gradients(*map(_result, outputs, out or (None,) * len(outputs)))


def _dtype_of(target: Any) -> Any:
    return None if target is None else host_array(target).dtype


def _result(output: Optional[Tensor], target: Any) -> Any:
    if output is None:
        return None
    if target is None:
        return output.numpy()
    output.copy_to(target)
    return target
