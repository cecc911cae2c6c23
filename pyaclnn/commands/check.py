"""``pyaclnn check``: which products take a call, why not, and what they would compute in."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from typing import TYPE_CHECKING, Any, List, Sequence, Tuple

from pyaclnn.commands.problem_argument import is_problem, reason, text_of

if TYPE_CHECKING:
    from pyaclnn.report import Report
    from pyaclnn.request_text import WrittenCall

DESCRIPTION = """\
Ask phase one of every product whether it takes a call of aclnnConvolutionBackward: the status, every rule that the
call breaks with the values and a hint, or the arithmetic and the workspace. No device is needed."""

EPILOG = """\
PROBLEM is one of

  a problem line, quoted or as separate words (docs/problems.md):
      pyaclnn check 2d n8 ci64 co64 i56x56 k3x3 p1 dtype=bf16
      pyaclnn check "3d ci16 co16 i8 k3 p1 dtype=f16 transposed" --soc 310P

  a file of problem lines or of calls in JSON, with all shapes, dtypes and formats (docs/check.md):
      pyaclnn check calls.json
      pyaclnn check calls.jsonl --json

  -, for the same on standard input:
      ACLEMU_VERBOSE=problem ./program 2>&1 | grep aclemu: | pyaclnn check - --soc all

Exit status:
  0  all products that were asked take all calls
  1  some call is refused; the output says why
  2  the command line or a problem could not be read, or the output not be written; standard error says what is wrong"""

ACCEPTED, REFUSED, FAILED = 0, 1, 2


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "check",
        help="say which products take a call, and why the others do not",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("problem", metavar="PROBLEM", nargs="+", help="a problem line, a file, or -")
    parser.add_argument(
        "--soc",
        metavar="NAME",
        action="append",
        default=[],
        help="ask only this chip (Ascend310P3) or product (A2, 950, 310P, 910A), or all of them; may be repeated; "
        "goes before the soc= of a problem",
    )
    parser.add_argument("--json", action="store_true", help="print JSON; docs/check.md describes it")
    return parser


def run(options: argparse.Namespace) -> int:
    from pyaclnn import AclError
    from pyaclnn.report import check

    answers = []
    place = ""
    try:
        socs = _chosen(options.soc)
        for call in _read(options.problem):
            place = call.place
            answers.append((call.title, check(call.request, socs or (call.soc and [call.soc]) or None)))
    except (OSError, ValueError, AclError) as error:
        print(": ".join(filter(None, ["pyaclnn check", place, reason(error)])), file=sys.stderr)
        return FAILED
    try:
        _print(answers, options.json)
        sys.stdout.flush()
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # what is left unwritten would fail once more at the end of the process
        print(f"pyaclnn check: standard output: {error.strerror}", file=sys.stderr)
        return FAILED
    return ACCEPTED if all(report.accepted for _, report in answers) else REFUSED


def _chosen(names: Sequence[str]) -> List[str]:
    from pyaclnn.chip import PRODUCTS

    chosen = (PRODUCTS if name == "all" else [name] for name in names)
    return list(dict.fromkeys(name for several in chosen for name in several))


def _read(words: Sequence[str]) -> List[WrittenCall]:
    from pyaclnn.request_text import read_calls, written_call

    if is_problem(words):
        return [written_call(" ".join(words))]
    name, text = text_of(words[0])
    try:
        return [call._replace(place=": ".join(filter(None, [name, call.place]))) for call in read_calls(text)]
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _print(answers: Sequence[Tuple[str, Report]], as_json: bool) -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # the title of a call may be any text
    if as_json:
        from pyaclnn.commands.report_json import document

        print(json.dumps(document(answers), indent=2))
    else:
        from pyaclnn.commands.report_table import print_answers

        print_answers(answers)
