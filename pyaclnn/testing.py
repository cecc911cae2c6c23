"""For tests: gradients that have to be right, with a failure that says what is wrong and how to see it again."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from pyaclnn.host import host_array
from pyaclnn.problem import Problem


class Tolerance(NamedTuple):
    """An element may be `absolute` + `relative` * its expected size away from what is expected."""

    relative: float
    absolute: float


TOLERANCES: Dict[str, Tolerance] = {
    "float64": Tolerance(2.0**-10, 2.0**-16),
    "float32": Tolerance(2.0**-10, 2.0**-16),
    "float16": Tolerance(2.0**-9, 2.0**-9),
    "bfloat16": Tolerance(2.0**-6, 2.0**-6),
    "hif8": Tolerance(2.0**-2, 2.0**-4),
}
"""By element type: the vendor's test criteria, a mixed tolerance for each (docs/pytest.md)."""
HF32 = Tolerance(2.0**-9, 2.0**-10)
"""For FLOAT gradients that were computed in HF32; of the same source."""
_OF_OPERANDS = {
    "f32": TOLERANCES["float32"],
    "hf32-11": HF32,
    "hf32-10": HF32,
    "f16": TOLERANCES["float16"],
    "bf16": TOLERANCES["bfloat16"],
    "hif8": TOLERANCES["hif8"],
}
"""By what operands are rounded to."""

_NAMES = ("gradInput", "gradWeight", "gradBias")
Arrays = Sequence[Any]


def random_operands(problem: Union[str, Problem], seed: int = 0) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """gradOutput, input and weight of a problem: the same numbers for the same seed, here and in ``pyaclnn run``."""
    from pyaclnn.random_operands import random_operands as make

    made = make(_problem(problem), seed)
    return made.grad_output, made.input, made.weight


def definition(problem: Union[str, Problem], operands: Arrays) -> Tuple[Optional[np.ndarray], ...]:
    """The three gradients of these operands in float64; None where the problem asks for none."""
    return _definition(_problem(problem), operands, None)


def assert_gradients(
    found: Arrays,
    expected: Optional[Arrays] = None,
    *,
    problem: Union[str, Problem, None] = None,
    operands: Optional[Arrays] = None,
    seed: Optional[int] = None,
    tolerance: Optional[Tolerance] = None,
    outside: float = 0.0,
) -> None:
    """Fails unless all gradients are where they should be.

    `found` are gradInput, gradWeight and gradBias, such as Gradients, arrays or CPU tensors; None for one that was not
    asked for. They are compared with `expected`; without it with the definition in float64 of `problem` on `operands`,
    which are random_operands(problem, seed) if they are not given either. The definition gets them as the chip in force
    rounds them for the problem's types and ``cube=``.

    An element may be as far away as `tolerance` says, by default the one of its type in TOLERANCES or, if a problem is
    given, that of the chip's arithmetic where it is coarser. The share `outside` of a gradient's elements may be
    farther. NaN and infinities have to be where they are expected. A `seed` beside `expected` or `operands` says where
    the operands came from; a failure then tells how to see it again.
    """
    __tracebackhide__ = True
    problem = None if problem is None else _problem(problem)
    rounded_to = None if problem is None else _operand_format(problem)
    if expected is None:
        if problem is None:
            raise TypeError("assert_gradients() needs what is expected, or a problem to compute it from")
        if operands is None:
            seed = seed or 0
            operands = random_operands(problem, seed)
        expected = _definition(problem, operands, rounded_to)
    if len(found) != len(_NAMES) or len(expected) != len(_NAMES):
        counts = f"{len(found)} found and {len(expected)} expected"
        raise TypeError(f"gradients are three, None for one that is off; {counts}")
    complaints: List[str] = []
    for name, one, right, least in zip(_NAMES, found, expected, _of_arithmetic(problem, rounded_to)):
        complaints += _complaints(name, one, right, tolerance, least, outside)
    if complaints:
        again = [] if problem is None else _how_to_repeat(problem, seed)
        raise AssertionError("\n".join(["the gradients are not as expected", *complaints, *again]))


def _problem(problem: Union[str, Problem]) -> Problem:
    return Problem.parse(problem) if isinstance(problem, str) else problem


def _operand_format(problem: Problem) -> str:
    from pyaclnn import chip
    from pyaclnn.operand_format import operand_format

    return operand_format(problem, chip.product_of(problem.soc or chip.current()))


def _definition(problem: Problem, operands: Arrays, rounded_to: Optional[str]) -> Tuple[Optional[np.ndarray], ...]:
    from pyaclnn.definition import bias_gradient, map_and_weight_gradients
    from pyaclnn.number_formats import numbers, round_to

    given = [numbers(host_array(operand)) for operand in operands]
    grad_output, input, weight = given if rounded_to is None else (round_to(array, rounded_to) for array in given)
    maps = map_and_weight_gradients(problem, grad_output, input, weight)
    # gradBias sums gradOutput as it was given
    return (*maps, bias_gradient(given[0]) if problem.output_mask[2] else None)


def _of_arithmetic(problem: Optional[Problem], rounded_to: Optional[str]) -> Sequence[Optional[Tolerance]]:
    """For each gradient; None if the arithmetic is unknown. gradBias is rounded to the type of gradOutput."""
    if problem is None or rounded_to is None:
        return None, None, None
    of_maps = _OF_OPERANDS.get(rounded_to)
    return of_maps, of_maps, _OF_OPERANDS.get(problem.dtypes[0])


def _complaints(
    name: str,
    found: Any,
    expected: Any,
    tolerance: Optional[Tolerance],
    least: Optional[Tolerance],
    outside: float,
) -> List[str]:
    from pyaclnn.number_formats import numbers

    if found is None or expected is None:
        if found is expected:
            return []
        return [f"{name} is {'missing' if found is None else 'there, but not expected'}"]
    found, expected = host_array(found), host_array(expected)
    if found.shape != expected.shape:
        return [f"{name} has the shape {list(found.shape)}, expected {list(expected.shape)}"]
    of_type = TOLERANCES[_type_name(found.dtype)]
    allowed = tolerance or max(of_type, least or of_type)
    values, right = numbers(found), numbers(expected)
    with np.errstate(invalid="ignore"):
        difference = np.abs(values - right)
        limit = allowed.absolute + allowed.relative * np.abs(right)
        same = (values == right) | (np.isnan(values) & np.isnan(right))
        bad = ~same & ~(np.isfinite(right) & (difference <= limit))
    count = int(np.count_nonzero(bad))
    if count <= outside * bad.size:
        return []
    with np.errstate(invalid="ignore"):
        excess = np.where(bad, np.where(np.isfinite(difference), difference / limit, np.inf), -1.0)
    worst = tuple(int(place) for place in np.unravel_index(int(excess.argmax()), excess.shape))
    return [
        f"{name} {_type_name(found.dtype)} {list(found.shape)}: {count} of {bad.size} elements are too far away",
        f"    worst      [{', '.join(map(str, worst))}]",
        f"    found      {values[worst]:.9g}",
        f"    expected   {right[worst]:.9g}",
        f"    difference {difference[worst]:.3g}, allowed {limit[worst]:.3g}",
    ]


def _type_name(dtype: np.dtype) -> str:
    from pyaclnn.hifloat8 import HIFLOAT8

    name = "hif8" if dtype == HIFLOAT8 else dtype.name
    if name not in TOLERANCES:
        raise TypeError(f"there is no tolerance for {name} elements; there are those of {', '.join(TOLERANCES)}")
    return name


def _how_to_repeat(problem: Problem, seed: Optional[int]) -> List[str]:
    if seed is None:
        return [
            f"problem: {problem}",
            'to keep these operands: numpy.savez("operands.npz", grad_output, input, weight)',
            f"again with other numbers: {_command(problem, 0)}",
        ]
    return [f"problem: {problem}, operands of seed {seed}", f"what the emulator computes: {_command(problem, seed)}"]


def _command(problem: Problem, seed: int) -> str:
    from pyaclnn import chip

    name = None if problem.soc else chip.of_thread()
    return f'pyaclnn run "{problem}" --seed {seed}' + (f" --soc {name}" if name else "")
