"""What the products say to a call: status, broken rules, arithmetic. Needs no device and no memory for the tensors."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, Union

from pyaclnn import chip, libraries
from pyaclnn.errors import AclError, status_name
from pyaclnn.executor import Executor
from pyaclnn.problem import Problem
from pyaclnn.request import Request
from pyaclnn.request_text import request_of
from pyaclnn.violation import Violation

_OPERATOR = "aclnnConvolutionBackward"
Types = Tuple[str, ...]


@dataclass(frozen=True)
class Arithmetic:
    """How the device computes. Number formats have the names of docs/configuration.md: ``f32``, ``hf32-11``."""

    route: str
    """``compute``; or ``zeros`` where an operand is empty and the outputs are filled with zeros."""
    operands: Optional[str]
    """What the operands of the convolution are rounded to; None if no convolution is asked for."""
    accumulator: Optional[str]
    """What products and bias are summed in."""
    grad_input: Types
    """The types that a sum is rounded to, one after the other; empty if the output is not asked for."""
    grad_weight: Types
    grad_bias: Types

    @classmethod
    def of_line(cls, line: str) -> Arithmetic:
        """Reads what Executor.describe() says."""
        items = dict(item.split("=", 1) for item in line.split())

        def types(name: str) -> Types:
            return tuple(items[name].split(">")) if name in items else ()

        return cls(
            route=items["route"],
            operands=items.get("operands"),
            accumulator=items.get("accumulate"),
            grad_input=types("gradInput"),
            grad_weight=types("gradWeight"),
            grad_bias=types("gradBias"),
        )


@dataclass(frozen=True)
class Verdict:
    """The answer of one product."""

    product: str
    """``A2``, ``950``, ``310P`` or ``910A``."""
    soc: str
    """The chip that answered for it."""
    status: int
    message: str
    """The error text of a refused call."""
    violations: Tuple[Violation, ...]
    """Every rule that the call breaks; the first decided the status. Empty for an accepted call."""
    workspace_size: Optional[int]
    """Bytes of device memory that phase two needs; None for a refused call."""
    arithmetic: Optional[Arithmetic]
    """None for a refused call, and from the libraries of a toolkit."""

    @property
    def accepted(self) -> bool:
        return self.status == 0

    @property
    def status_name(self) -> str:
        """The constant: ``ACLNN_ERR_PARAM_INVALID``."""
        return "ACLNN_SUCCESS" if self.accepted else status_name(self.status)

    @property
    def rule(self) -> Optional[str]:
        """The name of the rule that decided the status."""
        return self.violations[0].rule if self.violations else None

    @property
    def hint(self) -> Optional[str]:
        """What to do about that rule."""
        return self.violations[0].hint if self.violations else None


@dataclass(frozen=True)
class Report:
    """The answers of the products, in the order in which they were asked."""

    verdicts: Tuple[Verdict, ...]

    @property
    def accepted(self) -> bool:
        """Do all of them accept the call?"""
        return all(verdict.accepted for verdict in self.verdicts)

    def __getitem__(self, name: str) -> Verdict:
        """The answer of a product or of a chip: ``report["310P"]``."""
        for verdict in self.verdicts:
            if name in (verdict.product, verdict.soc):
                return verdict
        raise KeyError(name)


def check(problem: Union[str, Problem, Mapping[str, Any], Request], socs: Optional[Sequence[str]] = None) -> Report:
    """Asks phase one of every product whether it takes a call of aclnnConvolutionBackward, and why not.

    `problem` is a problem line, a Problem, a call as docs/check.md writes it in JSON, or a Request. `socs` names chips
    or products; without it, a problem with ``soc=`` is asked of that chip only, any other of all products. With the
    libraries of a toolkit there is one answer, that of the device, without rules.

    Raises ValueError for a problem that cannot be read or made, and AclError for a chip that does not exist. A refused
    call is no exception: its verdict says why.
    """
    request, soc = request_of(problem)
    if socs is None:
        socs = [soc] if soc else chip.choices()
    with ExitStack() as stack:
        arguments = request.arguments(stack)
        return Report(tuple(_ask(arguments, name) for name in socs))


def _ask(arguments: Sequence[Any], name: str) -> Verdict:
    with chip.soc(name):
        soc = chip.current()
        answer: Dict[str, Any] = {"product": chip.product_of(soc), "soc": soc}
        try:
            with Executor(_OPERATOR, *arguments) as executor:
                return Verdict(
                    **answer,
                    status=0,
                    message="",
                    violations=(),
                    workspace_size=executor.workspace_size,
                    arithmetic=Arithmetic.of_line(executor.describe()) if libraries.emulated() else None,
                )
        except AclError as error:
            return Verdict(
                **answer,
                status=error.code,
                message=error.message,
                violations=error.violations,
                workspace_size=None,
                arithmetic=None,
            )
