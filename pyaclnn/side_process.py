"""``python -m pyaclnn.side_process QUESTION ANSWER``: the process that pyaclnn/side.py starts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Sequence

_FAILED = 2


def main(arguments: Sequence[str]) -> int:
    try:
        from pyaclnn.side import answer_question  # loads the libraries, which may not be there

        answer_question(*map(Path, arguments))
    except (ArithmeticError, ImportError, MemoryError, OSError, RuntimeError, ValueError) as error:
        print(error, file=sys.stderr)
        return _FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
