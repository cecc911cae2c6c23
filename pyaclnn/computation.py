"""What a chip makes of a problem: its verdict, and for an accepted one the plan, the gradients and the time."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Callable, List, Optional, Sequence, Tuple

import numpy as np

from pyaclnn import chip, libraries
from pyaclnn.device import Device, Stream
from pyaclnn.executor import Executor
from pyaclnn.problem import Problem
from pyaclnn.random_operands import Operands
from pyaclnn.report import Verdict, check
from pyaclnn.request import Request
from pyaclnn.tensor import Tensor

_OPERATOR = "aclnnConvolutionBackward"
_LONG_ENOUGH = 1.0
"""Seconds after which no further call is timed."""


@dataclass(frozen=True)
class Computation:
    verdict: Verdict
    plan: Optional[str] = None
    """As Executor.describe() says it; None for a refused problem, and from the libraries of a toolkit."""
    gradients: Tuple[Optional[np.ndarray], ...] = (None, None, None)
    """None where the problem asks for none, or was refused."""
    seconds: Tuple[float, ...] = field(default=())
    """Of each call, from phase one to the end of the work; the first warms up and is not among several."""


def ask(problem: Problem, soc: Optional[str]) -> Verdict:
    """What the chip or product says to the problem, the one in force if there is no name. Needs no operands."""
    return check(problem, [soc or problem.soc or chip.current()]).verdicts[0]


def compute(problem: Problem, operands: Operands, soc: Optional[str] = None, calls: int = 1) -> Computation:
    """Asks and, if the problem is accepted, computes its gradients on device 0, with up to so many timed calls."""
    verdict = ask(problem, soc)
    if not verdict.accepted:
        return Computation(verdict)
    with ExitStack() as stack:
        stack.enter_context(chip.soc(verdict.soc))
        if not Device.is_open():
            stack.enter_context(Device())
        request = Request.of_problem(problem)
        inputs = [
            stack.enter_context(Tensor.from_numpy(array, dtype=dtype))
            for array, dtype in zip(operands, problem.dtypes)
        ]
        outputs = [
            stack.enter_context(Tensor.empty(layout.shape, layout.dtype)) if layout else None
            for layout in (request.grad_input, request.grad_weight, request.grad_bias)
        ]
        arguments = [*inputs, *request.arguments(stack)[3:-3], *outputs]
        stream = stack.enter_context(Stream())
        plan, seconds = _timed(lambda: _call(arguments, stream), calls)
        gradients = tuple(output.numpy() if output else None for output in outputs)
        return Computation(verdict, plan, gradients, tuple(seconds))


def _call(arguments: Sequence[Any], stream: Stream) -> Optional[str]:
    with Executor(_OPERATOR, *arguments) as executor:
        plan = executor.describe() if libraries.emulated() else None
        executor.run(stream)
        stream.synchronize()
    return plan


def _timed(call: Callable[[], Optional[str]], calls: int) -> Tuple[Optional[str], List[float]]:
    seconds: List[float] = []
    plan = None
    for _ in range(calls + 1 if calls > 1 else 1):
        begun = time.perf_counter()
        plan = call()
        seconds.append(time.perf_counter() - begun)
        if sum(seconds) > _LONG_ENOUGH:
            break
    return plan, seconds[1:] if len(seconds) > 1 else seconds
