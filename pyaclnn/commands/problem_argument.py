"""The PROBLEM of a command line: a problem line, the name of a file, or - for standard input."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, List, Sequence, Tuple

if TYPE_CHECKING:
    from pyaclnn.problem import Problem

_PROBLEM = re.compile(r"[123]d\b")


def is_problem(words: Sequence[str]) -> bool:
    """Are the words themselves a problem, rather than the name of a place where problems are?"""
    return len(words) > 1 or bool(_PROBLEM.match(words[0]))


def text_of(word: str) -> Tuple[str, str]:
    """What a file or standard input is called, and the text in it."""
    name = "standard input" if word == "-" else word
    try:
        content = sys.stdin.buffer.read() if word == "-" else Path(word).read_bytes()
        return name, content.decode("utf-8-sig")
    except FileNotFoundError:
        raise ValueError(f"{name!r} is neither a file nor a problem, which begins with 1d, 2d or 3d") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{name}: byte {error.start} is no UTF-8 text") from None


def problems_of(words: Sequence[str]) -> List[Tuple[str, Problem]]:
    """The problems, and where each of them stands; nowhere for one that is written on the command line."""
    from pyaclnn.request_text import read_problem, read_problems

    if is_problem(words):
        return [("", read_problem(" ".join(words)))]
    name, text = text_of(words[0])
    try:
        return [(f"{name}: {place}", problem) for place, problem in read_problems(text)]
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def reason(error: BaseException) -> str:
    """What went wrong, for people."""
    if isinstance(error, OSError) and error.strerror:
        return ": ".join(filter(None, [error.filename, error.strerror]))
    # of the chip's error record, what follows the time and the function
    return re.sub(r"(?s).*failed because name", "soc", str(error)).strip()
