"""Why phase one refused a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

from pyaclnn import libraries
from pyaclnn.native import ffi, lib


@dataclass(frozen=True)
class Violation:
    """One rule that a call broke. docs/rules.md lists them all."""

    rule: str
    """Its name: ``CONVBWD_STRIDE_RANGE``."""
    stage: str
    """The group of checks that it belongs to: ``VALUES``."""
    status: int
    """What a call returns that breaks only this rule."""
    sentence: str
    """What holds in a correct call."""
    hint: str
    """What to do."""
    values: str
    """The argument, and the values that break the rule in this call."""


def last_violations() -> Tuple[Violation, ...]:
    """The rules that the calling thread's last phase one broke; the first decided the status. A toolkit tells none."""
    if not libraries.emulated():
        return ()
    found = ffi.new("struct aclemuViolation const **")
    count = lib.aclemuGetViolations(found)
    return tuple(_copy(found[0][index]) for index in range(count))


def _copy(found: object) -> Violation:
    def text(name: str) -> str:
        return str(ffi.string(getattr(found, name)).decode(errors="replace"))

    return Violation(
        rule=text("rule"),
        stage=text("stage"),
        status=int(getattr(found, "status")),
        sentence=text("sentence"),
        hint=text("hint"),
        values=text("values"),
    )
