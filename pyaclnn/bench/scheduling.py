"""What the kernel tells about the threads of this process: how long they waited for a processor, and who still runs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Dict

_TASKS = Path("/proc/self/task")
_LONGEST_REST, _POLL = 0.1, 0.0005


class SystemClock:
    """Time, and the delays of this process's threads. Where the kernel does not tell, no delay is seen."""

    def now(self) -> float:
        return time.perf_counter()

    def delays(self) -> Dict[str, float]:
        """By thread: the seconds in which it could have run and another thread had the processor."""
        delays = {}
        for task in _tasks():
            fields = _read(task / "schedstat").split()
            if len(fields) >= 2:
                delays[task.name] = int(fields[1]) * 1e-9
        return delays

    def rest(self) -> None:
        """Waits until no other thread of the process runs: workers spin for a while after their last task."""
        deadline = time.perf_counter() + _LONGEST_REST
        while _running() > 1 and time.perf_counter() < deadline:
            time.sleep(_POLL)


def _tasks() -> list[Path]:
    try:
        return list(_TASKS.iterdir())
    except OSError:
        return []


def _running() -> int:
    states = (_read(task / "stat").rpartition(")")[2].split() for task in _tasks())
    return sum(fields[:1] == ["R"] for fields in states)


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # the thread has ended
        return ""
