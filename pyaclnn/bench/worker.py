"""The process that measures with one number of threads. Takes a task as JSON, answers with one JSON object a line."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any, Callable, Dict, List

from pyaclnn import AclError
from pyaclnn.bench import ours, peak, workloads
from pyaclnn.bench.contestant import Contestant, Library, Unavailable
from pyaclnn.bench.operands import Gradients, difference, operands
from pyaclnn.bench.results import TORCH, Figure, Result
from pyaclnn.bench.rivals import RIVALS
from pyaclnn.bench.scheduling import SystemClock
from pyaclnn.bench.timing import Budget, alternate
from pyaclnn.bench.workloads import Case


@dataclass(frozen=True)
class Task:
    threads: int
    cases: List[List[str]]
    """Name of the row and element type."""
    rivals: List[str]
    budget: Budget
    given_up: List[str]
    """Contestants that do not take part in the first case."""


Answer = Callable[[Dict[str, Any]], None]


def main() -> int:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what libraries print is not for the session
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the session, which ends this process
    task = json.load(sys.stdin)
    task["budget"] = Budget(**task["budget"])
    try:
        measure(Task(**task), lambda answer: print(json.dumps(answer), file=answers))
    except (AclError, Unavailable) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def measure(task: Task, answer: Answer) -> None:
    libraries, notes = _libraries(task)
    versions = {name: version for library in libraries for name, version in library.versions().items()}
    answer({"versions": versions, "notes": notes, "peak": _peak(task.threads, notes)})
    rows = {row.name: row for row in workloads.load()}
    gc.disable()
    given_up = task.given_up
    for name, dtype in task.cases:
        answer({"begins": [name, dtype]})
        answer({"result": asdict(_measure_case(Case(rows[name], dtype), libraries, given_up, task, answer))})
        given_up = []
        gc.collect()


def _libraries(task: Task) -> Any:
    libraries: List[Library] = [ours.Ours()]
    notes = []
    for name in task.rivals:
        try:
            libraries.append(RIVALS[name](task.threads))
        except Unavailable as reason:
            notes.append(f"{name} does not take part: {reason}")
    return libraries, notes


def _peak(threads: int, notes: List[str]) -> float:
    try:
        return peak.measure(threads)
    except Unavailable as reason:
        notes.append(f"the peak is not known: {reason}")
        return 0


def _measure_case(
    case: Case, libraries: List[Library], given_up: List[str], task: Task, answer: Answer
) -> Result:
    result = Result(case.row.name, case.dtype, task.threads, case.row.flops, {})
    with ExitStack() as opened:
        numbers = operands(case)
        contestants: Dict[str, Contestant] = {}
        for library in libraries:
            try:
                for name, contestant in library.contestants(case, numbers).items():
                    opened.callback(contestant.close)
                    if name not in given_up:
                        contestants[name] = contestant
            except RuntimeError as error:
                result.faults.append(f"{type(library).__name__}: {error}")
        _leave_wrong_ones_out(contestants, result, answer)
        timings = alternate({name: one.run for name, one in contestants.items()}, SystemClock(), task.budget)
    for name, timing in timings.items():
        milliseconds = None if timing.median is None else timing.median * 1e3
        result.figures[name] = Figure(milliseconds, len(timing.kept), timing.discarded)
    return result


def _leave_wrong_ones_out(contestants: Dict[str, Contestant], result: Result, answer: Answer) -> None:
    """What is fast and wrong must not be timed. Torch is the judge if it takes part, otherwise the first rival.

    The session hears who is asked, and ends this process if a rival takes longer than it is ready to wait.
    """
    found: Dict[str, Gradients] = {}
    for name in list(contestants):
        answer({"asks": "" if name == ours.NAME else name})
        try:
            found[name] = contestants[name].gradients()
        except RuntimeError as error:
            result.faults.append(f"{name}: {error}")
            del contestants[name]
    answer({"asks": ""})
    rivals = [name for name in found if name != ours.NAME]
    if not rivals:
        return
    judge = TORCH if TORCH in rivals else rivals[0]
    for name, gradients in found.items():
        wrong = difference(gradients, found[judge], result.dtype)
        if wrong:
            result.faults.append(f"{name} and {judge} disagree: {wrong}")
            del contestants[name]


if __name__ == "__main__":
    sys.exit(main())
