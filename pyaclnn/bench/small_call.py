"""What a call costs whose arithmetic costs nothing. A process of its own measures one way to run streams."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Dict, List, Mapping

from pyaclnn import AclError
from pyaclnn.bench import ours, workloads
from pyaclnn.bench.contestant import Unavailable
from pyaclnn.bench.operands import operands

WAYS = ("sync", "async")
"""Values of ACLEMU_STREAM."""
_ROW = "^official_1x1_tiny$"
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
        found[way] = dict(zip(ours.PARTS, json.loads(done.stdout)))
    return found


def main() -> int:
    (case,) = workloads.select(_ROW, ["float32"])
    try:
        print(json.dumps(ours.Ours().open(case, operands(case)).parts(_CALLS)))
    except (AclError, Unavailable) as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
