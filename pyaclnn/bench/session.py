"""A run of the benchmark: one worker process after the other, and what they answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from typing import Any, Dict, Iterator, List, Optional, Sequence

from pyaclnn.bench import machine, small_call
from pyaclnn.bench.results import Result, Results, counted, result_from_json
from pyaclnn.bench.timing import Budget
from pyaclnn.bench.workloads import Case

TUNABLES = "glibc.malloc.mmap_threshold=8589934592:glibc.malloc.trim_threshold=17179869184"
"""Memory that is freed stays with the process. Otherwise those who allocate in every call pay for page faults."""


@dataclass(frozen=True)
class Plan:
    cases: Sequence[Case]
    threads: Sequence[int]
    rivals: Sequence[str]
    budget: Budget

    @property
    def total(self) -> int:
        return len(self.cases) * len(self.threads)


@dataclass(frozen=True)
class Step:
    """Progress: a case begins, or has ended with a result."""

    case: str
    result: Optional[Result] = None


class WorkerFailed(RuntimeError):
    """A worker process ended before its work; it has said why on standard error."""


def start(plan: Plan) -> Results:
    """The results that run() fills."""
    settings = {
        "GLIBC_TUNABLES": TUNABLES,
        "calls": str(plan.budget.calls),
        "seconds": f"{plan.budget.seconds:g}",
        "tolerance": f"{plan.budget.tolerance:.0%}",
    }
    return Results(machine.now(), machine.description(), settings)


def run(plan: Plan, results: Results) -> Iterator[Step]:
    results.small_calls = small_call.measure(environment_of(max(plan.threads)), results.notes)
    for threads in plan.threads:
        with _worker(plan, threads) as process:
            try:
                for line in process.stdout or ():
                    yield from _take(json.loads(line), threads, results)
            except BaseException:  # Ctrl-C as well
                process.terminate()
                raise
        if process.returncode != 0:
            number = counted(threads, "thread")
            raise WorkerFailed(f"the worker process with {number} ended with status {process.returncode}")


def _take(answer: Dict[str, Any], threads: int, results: Results) -> Iterator[Step]:
    if "begins" in answer:
        row, dtype = answer["begins"]
        yield Step(_title(row, dtype, threads))
    elif "result" in answer:
        result = result_from_json(answer["result"])
        results.results.append(result)
        yield Step(_title(result.row, result.dtype, threads), result)
    else:
        results.versions.update(answer["versions"])
        results.peaks[threads] = answer["peak"]
        results.notes += [note for note in answer["notes"] if note not in results.notes]


def _title(row: str, dtype: str, threads: int) -> str:
    return f"{row} {dtype} {threads}T"


def _worker(plan: Plan, threads: int) -> subprocess.Popen[str]:
    task = {
        "threads": threads,
        "cases": [[case.row.name, case.dtype] for case in plan.cases],
        "rivals": list(plan.rivals),
        "budget": asdict(plan.budget),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "pyaclnn.bench.worker"],
        env=environment_of(threads),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(task))
    process.stdin.close()
    return process


def environment_of(threads: int) -> Dict[str, str]:
    tunables: List[str] = [*filter(None, [os.environ.get("GLIBC_TUNABLES")]), TUNABLES]
    count = str(threads)
    return {**os.environ, "GLIBC_TUNABLES": ":".join(tunables), "ACLEMU_THREADS": count, "OMP_NUM_THREADS": count}
