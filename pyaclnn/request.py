"""Everything that a call of phase one is told, without a device and without values."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, fields
from typing import Any, List, Optional, Sequence, Tuple

from pyaclnn.arrays import BoolArray, IntArray
from pyaclnn.device import DeviceMemory
from pyaclnn.problem import Problem
from pyaclnn.tensor import Tensor

Axes = Tuple[int, ...]

_BITS = {"groups": 32, "cubeMathType": 8}


@dataclass(frozen=True)
class TensorLayout:
    """A tensor as aclCreateTensor() is told of it; what is None has the default of Tensor."""

    shape: Axes
    dtype: str
    """A name of the problem language."""
    format: Optional[int] = None
    strides: Optional[Axes] = None
    offset: int = 0
    storage_shape: Optional[Axes] = None

    def __str__(self) -> str:
        return f"{self.dtype} {_text(self.shape)}"


@dataclass(frozen=True)
class Request:
    """The arguments of aclnnConvolutionBackwardGetWorkspaceSize in their order. None is a null pointer."""

    grad_output: Optional[TensorLayout]
    input: Optional[TensorLayout]
    weight: Optional[TensorLayout]
    bias_sizes: Optional[Axes]
    stride: Optional[Axes]
    padding: Optional[Axes]
    dilation: Optional[Axes]
    transposed: bool
    output_padding: Optional[Axes]
    groups: int
    output_mask: Optional[Tuple[bool, ...]]
    cube_math_type: int
    grad_input: Optional[TensorLayout]
    grad_weight: Optional[TensorLayout]
    grad_bias: Optional[TensorLayout]

    @classmethod
    def of_problem(cls, problem: Problem) -> Request:
        """Contiguous tensors in the format of their rank, and null pointers for the outputs that are masked off."""
        inputs = (problem.grad_output_shape, problem.input_shape, problem.weight_shape)
        outputs = (problem.input_shape, problem.weight_shape, (problem.out_channels,))
        grad_output, input, weight = map(TensorLayout, inputs, problem.dtypes)
        grad_input, grad_weight, grad_bias = (
            TensorLayout(shape, dtype) if wanted else None
            for shape, dtype, wanted in zip(outputs, problem.output_dtypes, problem.output_mask)
        )
        return cls(
            grad_output=grad_output,
            input=input,
            weight=weight,
            bias_sizes=(problem.out_channels,),
            stride=problem.stride,
            padding=problem.padding,
            dilation=problem.dilation,
            transposed=problem.transposed,
            output_padding=problem.output_padding,
            groups=problem.groups,
            output_mask=problem.output_mask,
            cube_math_type=problem.cube_math_type,
            grad_input=grad_input,
            grad_weight=grad_weight,
            grad_bias=grad_bias,
        )

    def __str__(self) -> str:
        """For people: what was given, without what says nothing."""
        named = ((camel_case(field.name), getattr(self, field.name)) for field in fields(self))
        return ", ".join(f"{name} {_text(value)}" for name, value in named if value is not None)

    def arguments(self, stack: ExitStack) -> List[Any]:
        """What an Executor takes; the stack closes it. ValueError names the argument that cannot be made."""
        made = []
        for field in fields(self):
            name, value = camel_case(field.name), getattr(self, field.name)
            try:
                made.append(_made(name, value, stack))
            except (ValueError, OverflowError, MemoryError) as error:
                raise ValueError(f"{name}: {error}") from None
        return made


def camel_case(name: str) -> str:
    """``grad_output`` as the C API spells it: ``gradOutput``."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_text, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _made(name: str, value: Any, stack: ExitStack) -> Any:
    if isinstance(value, TensorLayout):
        return stack.enter_context(_tensor(value))
    if name == "outputMask" and value is not None:
        return stack.enter_context(BoolArray(value))
    if isinstance(value, tuple):
        return stack.enter_context(IntArray(fitting(value)))
    if name in _BITS:
        return fitting([value], _BITS[name])[0]
    return value


def _tensor(layout: TensorLayout) -> Tensor:
    """Phase one looks at no address, so the memory is none."""
    return Tensor(
        DeviceMemory(0),
        fitting(layout.shape),
        layout.dtype,
        strides=None if layout.strides is None else fitting(layout.strides),
        offset=fitting([layout.offset])[0],
        format=layout.format,
        storage_shape=None if layout.storage_shape is None else fitting(layout.storage_shape),
    )


def fitting(values: Sequence[int], bits: int = 64) -> Sequence[int]:
    for value in values:
        if not -(1 << bits - 1) <= value < 1 << bits - 1:
            raise ValueError(f"{value} does not fit into {bits} bits")
    return values
