"""Reports for programs. docs/check.md describes the form; what is there stays, what is new gets new names."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Dict, Optional, Sequence, Tuple

from pyaclnn.report import Arithmetic, Report, Verdict
from pyaclnn.request import camel_case

VERSION = 1


def document(answers: Sequence[Tuple[str, Report]]) -> Dict[str, Any]:
    return {
        "version": VERSION,
        "accepted": all(report.accepted for _, report in answers),
        "calls": [
            {"title": title, "accepted": report.accepted, "verdicts": [verdict_object(v) for v in report.verdicts]}
            for title, report in answers
        ],
    }


def verdict_object(verdict: Verdict) -> Dict[str, Any]:
    return {
        "product": verdict.product,
        "soc": verdict.soc,
        "accepted": verdict.accepted,
        "status": verdict.status,
        "statusName": verdict.status_name,
        "workspaceSize": verdict.workspace_size,
        "arithmetic": _arithmetic(verdict.arithmetic),
        "violations": [asdict(violation) for violation in verdict.violations],
    }


def _arithmetic(arithmetic: Optional[Arithmetic]) -> Optional[Dict[str, Any]]:
    if arithmetic is None:
        return None
    return {camel_case(name): value for name, value in asdict(arithmetic).items()}
