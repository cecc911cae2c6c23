"""``pyaclnn run``: computes the gradients of a problem and says how exact they are."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, List

from pyaclnn.commands.problem_argument import problems_of, reason

if TYPE_CHECKING:
    from pyaclnn.commands.run_result import RunResult
    from pyaclnn.problem import Problem

DESCRIPTION = """\
Compute the gradients of a problem with random operands, and compare every element with the definition in float64: the
largest error, errors in units in the last place, the worst element, and whether all that is within the bounds."""

EPILOG = """\
PROBLEM is one of

  a problem line, quoted or as separate words (docs/problems.md):
      pyaclnn run 2d n8 ci64 co64 i56x56 k3x3 p1 dtype=bf16
      pyaclnn run "3d ci16 co16 i8 k3 p1 dtype=f16 transposed" --soc 310P

  a file of problem lines, or - for the same on standard input:
      ACLEMU_VERBOSE=problem ./program 2>&1 | grep aclemu: | pyaclnn run -

Examples:
  pyaclnn run 2d ci16 co16 i28 k3 p1 --cube 1                   what HF32 costs
  pyaclnn run 2d ci16 co16 i28 k3 p1 --plot errors.png          where the errors are
  pyaclnn run 2d ci16 co16 i28 k3 p1 --report report.html       a page for a colleague
  pyaclnn run problems.txt --json > results.json
  PYACLNN_RUNTIME=system pyaclnn run 2d ci16 co16 i28 k3 p1     on the device of this machine

Exit status:
  0  all gradients are within their bounds
  1  a gradient is outside, or a problem is refused; the output says why
  2  the command line or a problem could not be read, a problem is too large or could not be computed, or the output
     not be written; standard error says what is wrong"""

WITHIN, OUTSIDE, FAILED, INTERRUPTED = 0, 1, 2, 130
SEED_LIMIT = 2**63


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "run",
        help="compute a problem and say how exact the gradients are",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("problem", metavar="PROBLEM", nargs="+", help="a problem line, a file, or -")
    parser.add_argument(
        "--soc", metavar="NAME", help="chip (Ascend310P3) or product (A2, 950, 310P, 910A); before a problem's soc="
    )
    parser.add_argument("--cube", metavar="N", type=int, help="cubeMathType; goes before a problem's cube=")
    add_seed(parser)
    parser.add_argument("--json", action="store_true", help="print JSON; docs/run.md describes it")
    parser.add_argument("--plot", metavar="FILE", help="draw the errors into a PNG file; needs matplotlib")
    parser.add_argument("--report", metavar="FILE", help="write a page in HTML with all of it; needs matplotlib")
    add_force(parser)
    return parser


def add_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", metavar="N", type=_seed, default=0, help="of the random operands; default 0")


def add_force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true", help="compute a problem however large the definition is")


def run(options: argparse.Namespace) -> int:
    place = ""
    try:
        check_outputs("run", options.plot, options.report)
        results = []
        for place, problem in problems_of(options.problem):
            results.append(_run(problem, options))
        place = ""
        _write(results, options)
    except (ArithmeticError, ImportError, MemoryError, OSError, RuntimeError, ValueError) as error:
        return failure("run", place, error)
    except KeyboardInterrupt:
        return INTERRUPTED
    return WITHIN if all(result.within for result in results) else OUTSIDE


def failure(command: str, place: str, error: Exception) -> int:
    """Says what went wrong; gives the exit status."""
    if isinstance(error, OSError) and not error.filename:
        sys.stdout = open(os.devnull, "w")  # what is left unwritten would fail once more at the end of the process
        place = "standard output"
    text = reason(error) or type(error).__name__
    print(": ".join(filter(None, [f"pyaclnn {command}", place, text])), file=sys.stderr)
    return FAILED


def check_outputs(command: str, *names: str) -> None:
    """Before time is spent on results that could not be written."""
    for name in filter(None, names):
        if not Path(name).resolve().parent.is_dir():
            raise ValueError(f"{name}: there is no such folder")
    if any(names) and not importlib.util.find_spec("matplotlib"):
        raise ValueError("--plot and --report need matplotlib: pip install 'pyaclnn[plot]'")


def _run(problem: Problem, options: argparse.Namespace) -> RunResult:
    from pyaclnn.commands.problem_size import check_size
    from pyaclnn.commands.run_result import run_problem

    if options.cube is not None:
        problem = replace(problem, cube_math_type=options.cube)
    return run_problem(problem, options.soc, options.seed, None if options.force else check_size)


def _write(results: List[RunResult], options: argparse.Namespace) -> None:
    from pyaclnn.commands import error_chart, run_json, run_page, run_table

    if options.plot:
        error_chart.draw(results, Path(options.plot))
    if options.report:
        Path(options.report).write_text(run_page.page(results), encoding="utf-8")
    if options.json:
        print(json.dumps(run_json.document(results), indent=2))
    else:
        run_table.print_results(results)
    sys.stdout.flush()


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= SEED_LIMIT:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 to {SEED_LIMIT - 1}")
    return int(text)
