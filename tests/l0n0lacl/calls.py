"""Gradients through l0n0lacl's wrapper, arrays in and arrays out, and what they should be."""

import numpy as np
from l0n0lacl import 张量, 张量格式

import oracle
from geometry import Geometry

FORMATS = {3: 张量格式.NCL, 4: 张量格式.NCHW, 5: 张量格式.NCDHW}
NOTHING = 张量()  # a null pointer
GUARD = 77
PLAIN = Geometry(
    batch=2, in_channels=4, out_channels=6, size=(7, 6), kernel=(3, 2), stride=(2, 1), padding=(1, 0), dilation=(1, 2),
    output_padding=(0, 0), groups=2,
)


def on_device(array):
    tensor = 张量(array)
    return tensor.变更格式(FORMATS[array.ndim]) if array.ndim in FORMATS else tensor


def arguments(problem, operands, results):
    """In the order of phase one, as the wrapper takes them."""
    return (
        *operands,
        [problem.out_channels],
        list(problem.stride),
        list(problem.padding),
        list(problem.dilation),
        problem.transposed,
        list(problem.output_padding),
        problem.groups,
        list(problem.mask),
        problem.cube_math_type,
        *results,
    )


def carried(values, dtypes):
    return [np.asarray(x).astype(dtype) for x, dtype in zip(values, dtypes)]


def results(problem):
    """Tensors full of a number that no gradient has, so that what is not written shows."""
    dtypes = problem.dtypes[3:]
    return [on_device(np.full(shape, GUARD, dtype)) for shape, dtype in zip(problem.output_shapes, dtypes)]


def gradients(operators, problem, arrays):
    """Of arrays that have their element types; None where the mask is false."""
    written = [tensor if wanted else NOTHING for tensor, wanted in zip(results(problem), problem.mask)]
    operators.ConvolutionBackward(*arguments(problem, [on_device(array) for array in arrays], written))
    return [tensor.numpy() if wanted else None for tensor, wanted in zip(written, problem.mask)]


def integers(problem, seed=0):
    numbers = np.random.default_rng(seed)
    return carried([numbers.integers(-3, 4, shape) for shape in problem.operand_shapes], problem.dtypes)


def definition(problem, arrays):
    return oracle.emulate(*arrays, dtypes=problem.dtypes, cube_math_type=problem.cube_math_type, **problem.mathematics)


def check(problem, got, want):
    for name, mine, right, dtype, wanted in zip(
        oracle.Gradients._fields, got, want, problem.dtypes[3:], problem.mask
    ):
        if wanted:
            assert mine.dtype == dtype and mine.shape == right.shape, name
            assert (mine == right).all(), name
        else:
            assert mine is None, name
