"""Convolutions as torch asks for their gradients, and the truth: torch's own double-precision gradients on the CPU."""

from dataclasses import dataclass, field
from itertools import product

import torch

MASKS = [mask for mask in product((True, False), repeat=3) if any(mask)]
KERNEL = (3, 2, 3)
SIZE = (5, 7, 6)


@dataclass(frozen=True)
class Convolution:
    dimensions: int
    transposed: bool = False
    groups: int = 1
    stride: int = 1
    dilation: int = 1
    dtype: torch.dtype = torch.float32
    batch: int = 2
    channels_in: int = 4
    channels_out: int = 6
    mask: tuple = field(default=(True, True, True))

    def __str__(self):
        kind = "transposed" if self.transposed else "normal"
        name = str(self.dtype).replace("torch.", "")
        return f"{self.dimensions}d-{kind}-g{self.groups}-s{self.stride}-d{self.dilation}-{name}"

    @property
    def output_padding(self):
        return self.stride - 1 if self.transposed else 0

    def arguments(self, mask):
        n = self.dimensions
        return ([self.channels_out], [self.stride] * n, [1] * n, [self.dilation] * n, self.transposed,
                [self.output_padding] * n, self.groups, list(mask))

    def shapes(self):
        """Of gradOutput, input and weight."""
        size, kernel = SIZE[-self.dimensions :], KERNEL[-self.dimensions :]
        outer, inner = self.channels_out, self.channels_in
        if self.transposed:
            outer, inner = inner, outer
        result = []
        for length, taps in zip(size, kernel):
            reach = self.dilation * (taps - 1)
            if self.transposed:
                result.append((length - 1) * self.stride - 2 + reach + self.output_padding + 1)
            else:
                result.append((length + 2 - reach - 1) // self.stride + 1)
        return ((self.batch, self.channels_out, *result), (self.batch, self.channels_in, *size),
                (outer, inner // self.groups, *kernel))

    def integers(self, seed=0):
        """Operands whose products and sums are exact in every arithmetic: what is compared is then equal."""
        generator = torch.Generator().manual_seed(seed)
        return [torch.randint(-2, 3, shape, generator=generator).to(self.dtype) for shape in self.shapes()]

    def numbers(self, seed=0):
        generator = torch.Generator().manual_seed(seed)
        return [torch.randn(shape, generator=generator).to(self.dtype) for shape in self.shapes()]


def gradients(convolution, operands, mask=(True, True, True)):
    """On whatever device the operands are; None where the mask is false."""
    found = torch.ops.aten.convolution_backward(*operands, *convolution.arguments(mask))
    return [gradient if wanted else None for gradient, wanted in zip(found, mask)]


def truth(convolution, operands, mask=(True, True, True)):
    """In double precision on the CPU, not yet rounded."""
    return gradients(convolution, [operand.double() for operand in operands], mask)


def magnitude(convolution, operands):
    """The sum of the absolute values of what is added up for each element: the scale of its rounding errors."""
    return truth(convolution, [operand.abs() for operand in operands])
