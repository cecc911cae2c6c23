"""A call by its shapes, arrays and dtypes, which may contradict each other: a row of the system test table."""

import zlib
from dataclasses import dataclass

import numpy as np

from dtypes import round_to
from oracle import Dtypes
from two_phase import OPERANDS, OUTPUTS, Convolution, Operand, default_format


@dataclass(frozen=True)
class System:
    """Everything a dense call says but the values. Tensors are given by their shapes."""

    id: str
    grad_output: tuple
    input: tuple
    weight: tuple
    dtypes: Dtypes
    range: tuple
    format: str
    bias_sizes: tuple
    stride: tuple
    padding: tuple
    dilation: tuple
    output_padding: tuple
    transposed: bool
    groups: int
    mask: tuple
    cube_math_type: int

    def __str__(self):
        return self.id

    @property
    def spatial(self):
        return len(self.input) - 2

    @classmethod
    def of_row(cls, row):
        """A row of the system test table."""
        tensors = [row[name] for name in ("gradOutput", "input", "weight")]
        grad_output, input, weight = (t["dtype"] for t in tensors)
        (values,) = {tuple(t["range"]) for t in tensors}
        return cls(
            id=row["id"],
            grad_output=tuple(tensors[0]["shape"]),
            input=tuple(tensors[1]["shape"]),
            weight=tuple(tensors[2]["shape"]),
            dtypes=Dtypes(grad_output, input, weight, input, weight, grad_output),
            range=values,
            format=row["format"],
            bias_sizes=tuple(row["biasSizes"]),
            stride=tuple(row["stride"]),
            padding=tuple(row["padding"]),
            dilation=tuple(row["dilation"]),
            output_padding=tuple(row["outputPadding"]),
            transposed=row["transposed"],
            groups=row["groups"],
            mask=tuple(row["outputMask"]),
            cube_math_type=row["cubeMathType"],
        )

    @classmethod
    def of_geometry(cls, geometry):
        """A valid call, for altering it into one that may not be."""
        return cls(
            id=str(geometry),
            grad_output=geometry.grad_output_shape,
            input=geometry.input_shape,
            weight=geometry.weight_shape,
            dtypes=geometry.dtypes,
            range=(-1, 1),
            format=default_format(2 + geometry.spatial),
            bias_sizes=(geometry.out_channels,),
            stride=geometry.stride,
            padding=geometry.padding,
            dilation=geometry.dilation,
            output_padding=geometry.output_padding,
            transposed=geometry.transposed,
            groups=geometry.groups,
            mask=geometry.mask,
            cube_math_type=geometry.cube_math_type,
        )

    def mathematics(self):
        names = ("stride", "padding", "dilation", "transposed", "groups")
        return {name: getattr(self, name) for name in names}

    def data(self):
        """The operands' values: uniform in the row's range, the same at every run."""
        numbers = np.random.default_rng(zlib.crc32(self.id.encode()))
        shapes = (self.grad_output, self.input, self.weight)
        return [round_to(numbers.uniform(*self.range, shape), d) for shape, d in zip(shapes, self.dtypes)]

    def call(self, data):
        inputs = {
            name: Operand(x.shape, dtype, x, format=self.format)
            for name, x, dtype in zip(OPERANDS, data, self.dtypes[:3])
        }
        shapes = (self.input, self.weight, (self.grad_output[1],))
        formats = (self.format, self.format, "ND")
        outputs = {
            name: Operand(shape, dtype, format=format)
            for name, shape, dtype, format in zip(OUTPUTS, shapes, self.dtypes[3:], formats)
        }
        arrays = ("bias_sizes", "stride", "padding", "dilation", "output_padding")
        return Convolution(
            transposed=self.transposed,
            groups=self.groups,
            output_mask=self.mask,
            cube_math_type=self.cube_math_type,
            **{name: getattr(self, name) for name in arrays},
            **inputs,
            **outputs,
        )
