"""What a call costs whose arithmetic costs nothing, from C. A process of its own measures one way to run streams."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from typing import Dict, List, Mapping

from pyaclnn import paths
from pyaclnn.bench.compiler import load
from pyaclnn.bench.contestant import Unavailable

PARTS = ("phase one", "phase two", "synchronise", "together")
WAYS = ("sync", "async")
"""Values of ACLEMU_STREAM."""
_DECLARATIONS = f"int bench_small_call(int calls, double medians[{len(PARTS)}]);"
_CALLS = 20000


def measure(environment: Mapping[str, str], notes: List[str]) -> Dict[str, Dict[str, float]]:
    """Microseconds by way and part. What hinders it is noted."""
    found = {}
    for way in WAYS:
        done = subprocess.run(
            [sys.executable, "-m", __name__],
            env={**environment, "ACLEMU_STREAM": way},
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            notes.append(f"small calls were not measured: {done.stderr.strip()}")
            break
        found[way] = dict(zip(PARTS, json.loads(done.stdout)))
    return found


def main() -> int:
    try:
        ffi, library = load("small_call.c", _DECLARATIONS, [*shlex.split(f"{paths.cflags()} {paths.libs()}")])
    except Unavailable as reason:
        print(reason, file=sys.stderr)
        return 1
    medians = ffi.new("double[]", len(PARTS))
    status = library.bench_small_call(_CALLS, medians)
    if status != 0:
        print(f"a call returned status {status}", file=sys.stderr)
        return 1
    print(json.dumps([round(median, 3) for median in medians]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
