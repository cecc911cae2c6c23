"""The gradients of a convolution by their definition, in float64.

A convolution has a small map, whose every position looks at places of the big map through the taps of the kernel. A
normal convolution has input as its big map and gradOutput as its small one; for a transposed one they change places.
"""

from __future__ import annotations

import itertools
from typing import Any, Callable, Iterator, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from pyaclnn.problem import Problem

Places = Tuple[Any, ...]
"""An index: a number or a slice for each axis."""
Step = Callable[[], object]


class Maps(NamedTuple):
    """gradInput and gradWeight; None where the problem does not ask for one."""

    grad_input: Optional[np.ndarray]
    grad_weight: Optional[np.ndarray]


def map_and_weight_gradients(
    problem: Problem, grad_output: np.ndarray, input: np.ndarray, weight: np.ndarray, step: Optional[Step] = None
) -> Maps:
    """gradInput and gradWeight of operands that hold any real numbers. `step` is called after each of step_count()."""
    groups = problem.groups
    big, small = (grad_output, input) if problem.transposed else (input, grad_output)
    big, small = _grouped(big, groups), _grouped(small, groups)
    kernel = np.asarray(weight, np.float64).reshape(groups, small.shape[2], big.shape[2], *problem.kernel)
    to_weight = np.zeros_like(kernel) if problem.output_mask[1] else None
    to_map = np.zeros_like(small if problem.transposed else big) if problem.output_mask[0] else None
    for tap, of_small, of_big in _taps(problem):
        seeing, seen = _columns(small, of_small), _columns(big, of_big)
        factors = np.ascontiguousarray(kernel[(..., *tap)])  # numpy multiplies strided matrices without BLAS
        if to_weight is not None:
            for one_seeing, one_seen in zip(seeing, seen):
                to_weight[(..., *tap)] += one_seeing @ one_seen.swapaxes(-1, -2)
        if to_map is not None and problem.transposed:
            target = to_map[(..., *of_small)]
            target += (factors @ seen).reshape(target.shape)
        elif to_map is not None:
            target = to_map[(..., *of_big)]
            target += (factors.swapaxes(-1, -2) @ seeing).reshape(target.shape)
        if step:
            step()
    return Maps(
        None if to_map is None else to_map.reshape(problem.input_shape),
        None if to_weight is None else to_weight.reshape(problem.weight_shape),
    )


def bias_gradient(grad_output: np.ndarray) -> np.ndarray:
    """gradBias: the sums over batch and space."""
    summed = (0, *range(2, grad_output.ndim))
    return np.asarray(np.sum(grad_output, axis=summed, dtype=np.float64))


def step_count(problem: Problem) -> int:
    return int(np.prod(problem.kernel, dtype=object))


def products_of(problem: Problem) -> int:
    """How many numbers have to be multiplied, for all gradients that are asked for."""
    positions = problem.input if problem.transposed else problem.output
    one = int(np.prod((problem.batch, *problem.weight_shape, *positions), dtype=object))
    return one * sum(problem.output_mask[:2])


def bytes_of(problem: Problem) -> int:
    """About how much memory the definition needs: operands, results, and what one tap sees."""
    operands = (problem.grad_output_shape, problem.input_shape, problem.weight_shape)
    numbers = sum(int(np.prod(shape, dtype=object)) for shape in operands)
    positions = problem.input if problem.transposed else problem.output
    channels = problem.in_channels + problem.out_channels
    columns = int(np.prod((problem.batch, channels, *positions), dtype=object))
    return np.dtype(np.float64).itemsize * (2 * numbers + 2 * columns)


def _grouped(array: np.ndarray, groups: int) -> np.ndarray:
    """As ``[N, groups, channels of a group, space...]`` in float64."""
    batch, channels, *space = array.shape
    return np.asarray(array, np.float64).reshape(batch, groups, channels // groups, *space)


def _columns(array: np.ndarray, places: Places) -> np.ndarray:
    """What lies at these places, as ``[N, groups, channels of a group, places]``."""
    chosen = array[(..., *places)]
    count = int(np.prod(chosen.shape[3:]))
    return np.ascontiguousarray(chosen).reshape(*chosen.shape[:3], count)


def _taps(problem: Problem) -> Iterator[Tuple[Places, Places, Places]]:
    """Every tap, with the positions of the small map that see the big map through it, and the places that they see."""
    small, big = (problem.input, problem.output) if problem.transposed else (problem.output, problem.input)
    axes = list(zip(small, big, problem.stride, _leading(problem.padding, len(small)), problem.dilation))
    for tap in itertools.product(*map(range, problem.kernel)):
        reaches = [_reach(number, *axis) for number, axis in zip(tap, axes)]
        yield tap, tuple(seeing for seeing, _ in reaches), tuple(seen for _, seen in reaches)


def _reach(tap: int, small: int, big: int, stride: int, padding: int, dilation: int) -> Tuple[slice, slice]:
    """Along one axis. Position o sees place o * stride + shift; places outside the map hold nothing."""
    shift = tap * dilation - padding
    first = max(0, -(shift // stride))
    count = min(small, (big - 1 - shift) // stride + 1) - first
    if count <= 0:
        return slice(0, 0), slice(0, 0)
    start = first * stride + shift
    return slice(first, first + count), slice(start, start + (count - 1) * stride + 1, stride)


def _leading(padding: Sequence[int], axes: int) -> Sequence[int]:
    """What lies before each axis; trailing padding only decides how many positions there are."""
    return padding if len(padding) == axes else padding[::2]
