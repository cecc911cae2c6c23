"""Runs for programs. docs/run.md describes the form; what is there stays, what is new gets new names."""

from __future__ import annotations

import math
from typing import Any, Dict, Optional, Sequence

from pyaclnn.appraisal import GradientAppraisal
from pyaclnn.commands.report_json import verdict_object
from pyaclnn.commands.run_result import RunResult
from pyaclnn.error_statistics import Errors, ErrorStatistics, histogram

VERSION = 1


def document(results: Sequence[RunResult]) -> Dict[str, Any]:
    return {
        "version": VERSION,
        "within": all(result.within for result in results),
        "runs": [_run(result) for result in results],
    }


def number(value: float) -> Any:
    """JSON has no infinities: they and NaN are texts."""
    return value if math.isfinite(value) else str(value)


def errors_object(errors: ErrorStatistics) -> Dict[str, Any]:
    worst = errors.worst
    return {
        "maxError": number(errors.largest),
        "maxReference": number(errors.reference),
        "relativeError": number(errors.relative),
        "ulpMax": number(errors.ulp_largest),
        "ulpMean": number(errors.ulp_mean),
        "correctlyRounded": errors.correctly_rounded,
        "worst": worst
        and {"index": worst.index, "found": number(worst.found), "expected": number(worst.expected)},
    }


def _run(result: RunResult) -> Dict[str, Any]:
    return {
        "problem": str(result.problem),
        "seed": result.seed,
        "runtime": result.runtime,
        "command": result.command,
        "within": result.within,
        **verdict_object(result.verdict),
        "plan": result.computation.plan,
        "milliseconds": result.milliseconds,
        "gradients": [_gradient(appraisal) for appraisal in result.appraisals],
    }


def _gradient(appraisal: GradientAppraisal) -> Dict[str, Any]:
    judgement = appraisal.judgement
    return {
        "name": appraisal.name,
        "shape": appraisal.shape,
        "dtype": appraisal.dtype,
        "bound": judgement.bound,
        "used": number(judgement.used),
        "within": judgement.within,
        "givenOperands": _comparison(appraisal.given),
        "roundedOperands": _comparison(appraisal.planned),
    }


def _comparison(errors: Optional[Errors]) -> Optional[Dict[str, Any]]:
    if errors is None:
        return None
    counts = [{"ulps": label, "elements": count} for label, count in histogram(errors.ulps)]
    return {**errors_object(errors.statistics), "histogram": counts}
