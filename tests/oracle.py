"""The definition of convolution backward in float64, and the places where the device rounds.

Written from the mathematics alone; nothing is shared with the library.

Both modes know a big and a small feature map: the small one is what sliding the kernel over the big one yields.
A normal convolution has input as its big map, a transposed one has gradOutput. Row r of `columns` holds, for one
channel and one tap k, the big map's values at o * stride - padding + k * dilation for every position o of the small
map.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np

from dtypes import FINITE, round_to
from products import A2


class Gradients(NamedTuple):
    grad_input: np.ndarray
    grad_weight: np.ndarray
    grad_bias: np.ndarray


class _Axes(NamedTuple):
    """The spatial arguments, and the sizes of the maps."""

    small: tuple
    big: tuple
    kernel: tuple
    stride: tuple
    padding: tuple
    dilation: tuple

    @property
    def padded(self):
        """A big map with room for every tap of every position, also of those that reach beyond it."""
        return tuple(
            max(p + x, (o - 1) * s + (k - 1) * d + 1)
            for o, x, k, s, p, d in zip(self.small, self.big, self.kernel, self.stride, self.padding, self.dilation)
        )

    @property
    def inside(self):
        """Where the big map lies in the padded one."""
        return tuple(slice(p, p + x) for p, x in zip(self.padding, self.big))

    def taps(self):
        """For every tap of the kernel, the places of the padded big map that it meets."""
        for tap in itertools.product(*map(range, self.kernel)):
            yield tuple(
                slice(t * d, t * d + (o - 1) * s + 1, s)
                for t, o, s, d in zip(tap, self.small, self.stride, self.dilation)
            )


def _columns(big, axes):
    padded = np.zeros(big.shape[:1] + axes.padded)
    padded[(slice(None), *axes.inside)] = big
    rows = np.stack([padded[(slice(None), *places)] for places in axes.taps()], axis=1)
    return rows.reshape(big.shape[0] * math.prod(axes.kernel), math.prod(axes.small))


def _scatter(rows, channels, axes):
    """The transpose of _columns: adds every row up where it came from."""
    rows = rows.reshape(channels, math.prod(axes.kernel), *axes.small)
    padded = np.zeros((channels, *axes.padded))
    for tap, places in enumerate(axes.taps()):
        padded[(slice(None), *places)] += rows[:, tap]
    return padded[(slice(None), *axes.inside)]


def leading_padding(padding, spatial):
    """What lies before each axis: four values in 2-D are top, bottom, left, right."""
    return tuple(padding[::2]) if spatial == 2 and len(padding) == 4 else tuple(padding)


def convolution_backward(grad_output, input, weight, *, stride, padding, dilation, transposed=False, groups=1):
    """All three gradients in float64."""
    grad_output, input, weight = (np.asarray(x, np.float64) for x in (grad_output, input, weight))
    big, small = (grad_output, input) if transposed else (input, grad_output)
    spatial = big.ndim - 2
    axes = _Axes(
        small=small.shape[2:],
        big=big.shape[2:],
        kernel=weight.shape[2:],
        stride=tuple(stride),
        padding=leading_padding(padding, spatial),
        dilation=tuple(dilation),
    )
    small_channels, big_channels = weight.shape[0] // groups, weight.shape[1]
    grad_input = np.zeros(input.shape)
    grad_weight = np.zeros(weight.shape)
    for n, g in itertools.product(range(input.shape[0]), range(groups)):
        of_small = slice(g * small_channels, (g + 1) * small_channels)
        of_big = slice(g * big_channels, (g + 1) * big_channels)
        matrix = weight[of_small].reshape(small_channels, -1)
        columns = _columns(big[n, of_big], axes)
        values = small[n, of_small].reshape(small_channels, -1)
        grad_weight[of_small] += (values @ columns.T).reshape(weight[of_small].shape)
        if transposed:
            grad_input[n, of_small] = (matrix @ columns).reshape(small_channels, *axes.small)
        else:
            grad_input[n, of_big] = _scatter(matrix.T @ values, big_channels, axes)
    return Gradients(grad_input, grad_weight, grad_output.sum(axis=(0, *range(2, grad_output.ndim))))


# ---- the device's rounding points ----------------------------------------------------------------------------------


class Dtypes(NamedTuple):
    """One dtype name for each of the six tensors."""

    grad_output: str
    input: str
    weight: str
    grad_input: str
    grad_weight: str
    grad_bias: str


def promoted(dtypes):
    """The common type of the three operands: equal types stay, any mixture is FLOAT."""
    operands = {dtypes.grad_output, dtypes.input, dtypes.weight}
    return operands.pop() if len(operands) == 1 else "float32"


def operand_number(dtypes, cube_math_type, product=A2):
    """What the cube multiplies; None where the product refuses the call."""
    common = promoted(dtypes)
    if common == "hifloat8":
        return common
    if common == "float32" and product.hf32 is None:
        return "float16" if cube_math_type in (1, 2) else None
    if cube_math_type == 2:
        return "float16"
    return product.hf32 if common == "float32" and cube_math_type in (1, 3) else common


def emulate(
    grad_output, input, weight, *, dtypes, cube_math_type, transposed=False, groups=1, product=A2, **spatial
):
    """The gradients as the device gives them, up to the order of summation.

    The operands hold values of their dtypes. Where every FP32 partial sum is exact the results are the device's bits.
    """

    def rounded(values, *numbers):
        for number in numbers:
            values = round_to(values, number + FINITE if product.saturates else number)
        return values

    number = operand_number(dtypes, cube_math_type, product)
    with np.errstate(invalid="ignore"):
        sums = convolution_backward(
            *(rounded(x, number) for x in (grad_output, input, weight)),
            transposed=transposed,
            groups=groups,
            **spatial,
        )
        terms = rounded(grad_output, dtypes.grad_output)
        bias_sums = terms.sum(axis=(0, *range(2, np.ndim(terms))))
    stored = "float32" if number in ("hf32", "hf32-10") else number
    detour = product.fp16_weight_detour and goes_through_fp16(np.ndim(weight), groups, number, dtypes.grad_weight)
    return Gradients(
        rounded(sums.grad_input, stored, dtypes.grad_input),
        rounded(sums.grad_weight, *(["float16"] if detour else []), dtypes.grad_weight),
        rounded(bias_sums, dtypes.grad_output, dtypes.grad_bias),
    )


def goes_through_fp16(rank, groups, number, grad_weight_dtype):
    """A FLOAT gradWeight of a grouped 1-D or 2-D call on 16-bit operands is a FLOAT16 in between."""
    return rank < 5 and groups > 1 and number in ("float16", "bfloat16") and grad_weight_dtype == "float32"
