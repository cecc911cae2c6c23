"""A comparison for programs. docs/run.md describes the form; what is there stays, what is new gets new names."""

from __future__ import annotations

from typing import Any, Dict, Optional

from pyaclnn.appraisal import NAMES
from pyaclnn.commands.report_json import verdict_object
from pyaclnn.commands.run_json import errors_object, number
from pyaclnn.comparison import Answer, Comparison, Difference

VERSION = 1


def document(comparison: Comparison) -> Dict[str, Any]:
    base = comparison.base
    return {
        "version": VERSION,
        "agree": comparison.agree,
        "seed": comparison.seed,
        "base": base and base.side.name,
        "sides": [_side(comparison, answer) for answer in comparison.answers],
    }


def _side(comparison: Comparison, answer: Answer) -> Dict[str, Any]:
    return {
        "name": answer.side.name,
        "problem": str(answer.side.problem),
        "runtime": answer.side.runtime,
        **verdict_object(answer.computation.verdict),
        "plan": answer.computation.plan,
        "gradients": [_gradient(comparison, answer, index) for index in comparison.asked if answer.accepted],
    }


def _gradient(comparison: Comparison, answer: Answer, index: int) -> Dict[str, Any]:
    errors = answer.errors[index]
    return {
        "name": NAMES[index],
        "dtype": comparison.problem.output_dtypes[index],
        "errors": errors and errors_object(errors.statistics),
        "difference": _difference(answer.differences[index]),
    }


def _difference(difference: Optional[Difference]) -> Optional[Dict[str, Any]]:
    if difference is None:
        return None
    return {
        "elements": difference.elements,
        "differing": difference.differing,
        "max": number(difference.largest),
        "relative": number(difference.relative),
        "ulpMax": number(difference.ulp_largest),
    }
