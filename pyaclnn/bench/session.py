"""A run of the benchmark: one worker process after the other, and what they answer."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from dataclasses import asdict, dataclass, field
from typing import Any, Dict, Iterator, List, Optional, Sequence

from pyaclnn.bench import machine, small_call
from pyaclnn.bench.results import Figure, Result, Results, counted, result_from_json
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
    patience: float = 5.0
    """Seconds that the first call of a rival may take."""

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
        "patience": f"{plan.patience:g}",
    }
    return Results(machine.now(), machine.description(), settings)


@dataclass
class _Share:
    """What is still to be done with one number of threads."""

    threads: int
    cases: List[Case]
    given_up: List[str] = field(default_factory=list)
    """Rivals that took too long in the first of the cases."""


def run(plan: Plan, results: Results) -> Iterator[Step]:
    results.small_calls = small_call.measure(environment_of(max(plan.threads)), results.notes)
    for threads in plan.threads:
        share = _Share(threads, list(plan.cases))
        while share.cases:
            yield from _run_worker(plan, share, results)


def _run_worker(plan: Plan, share: _Share, results: Results) -> Iterator[Step]:
    """Until the share is done, or a rival takes too long: only the end of its process ends a call."""
    with _worker(plan, share) as process:
        try:
            answers, asked = _answers(process), ""
            while True:
                try:
                    answer = answers.get(timeout=plan.patience if asked else None)
                except queue.Empty:
                    share.given_up.append(asked)
                    process.kill()
                    return
                if answer is None:
                    break
                asked = answer.get("asks", "")
                yield from _take(answer, plan, share, results)
        except BaseException:  # Ctrl-C as well
            process.terminate()
            raise
    if process.returncode != 0:
        number = counted(share.threads, "thread")
        raise WorkerFailed(f"the worker process with {number} ended with status {process.returncode}")


def _answers(process: subprocess.Popen[str]) -> queue.Queue[Any]:
    """What the process says, as it comes; None is its end."""
    answers: queue.Queue[Any] = queue.Queue()

    def read() -> None:
        for line in process.stdout or ():
            answers.put(json.loads(line))
        answers.put(None)

    threading.Thread(target=read, daemon=True).start()
    return answers


def _take(answer: Dict[str, Any], plan: Plan, share: _Share, results: Results) -> Iterator[Step]:
    if "begins" in answer:
        row, dtype = answer["begins"]
        yield Step(_title(row, dtype, share.threads))
    elif "result" in answer:
        result = result_from_json(answer["result"])
        for rival in share.given_up:
            result.figures[rival] = Figure(None, 0, 0, at_least=plan.patience * 1e3)
        share.given_up.clear()
        share.cases.pop(0)
        results.results.append(result)
        yield Step(_title(result.row, result.dtype, share.threads), result)
    elif "versions" in answer:
        results.versions.update(answer["versions"])
        results.peaks[share.threads] = max(answer["peak"], results.peaks.get(share.threads, 0))
        results.notes += [note for note in answer["notes"] if note not in results.notes]


def _title(row: str, dtype: str, threads: int) -> str:
    return f"{row} {dtype} {threads}T"


def _worker(plan: Plan, share: _Share) -> subprocess.Popen[str]:
    task = {
        "threads": share.threads,
        "cases": [[case.row.name, case.dtype] for case in share.cases],
        "rivals": list(plan.rivals),
        "budget": asdict(plan.budget),
        "given_up": share.given_up,
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "pyaclnn.bench.worker"],
        env=environment_of(share.threads),
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
