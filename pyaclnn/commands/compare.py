"""``pyaclnn compare``: the same operands through several products, arithmetics or libraries."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, List

from pyaclnn.commands.problem_argument import problems_of
from pyaclnn.commands.run import INTERRUPTED, add_force, add_seed, failure

if TYPE_CHECKING:
    from pyaclnn.comparison import Comparison, Side
    from pyaclnn.problem import Problem

DESCRIPTION = """\
Compute a problem with the same operands on several sides: products, values of cubeMathType, or the emulator and the
toolkit of this machine. Say what each makes of it, how many elements differ in bits and by how much, and how far each
side is from the definition in float64."""

EPILOG = """\
PROBLEM is a problem line, quoted or as separate words (docs/problems.md). Exactly one of --soc, --cube and --runtime is
given twice or more; each of the others may be given once and counts for all sides.

Examples:
  pyaclnn compare 2d n8 ci64 co64 i28 k3 p1 --cube 0 --cube 1 --cube 2          what a lower precision costs
  pyaclnn compare 2d n8 ci64 co64 i28 k3 p1 --cube 1 --soc A2 --soc 310P --soc 950
  pyaclnn compare 2d n8 ci64 co64 i28 k3 p1 --runtime emulator --runtime system  is the device like the emulator?

Exit status:
  0  all sides accept the problem and agree bit for bit
  1  some elements differ, or a side refuses the problem; the output says why
  2  the command line or the problem could not be read, the problem is too large or could not be computed, or the output
     not be written; standard error says what is wrong"""

AGREE, DIFFER = 0, 1


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "compare",
        help="say how the gradients of products, arithmetics or libraries differ",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("problem", metavar="PROBLEM", nargs="+", help="a problem line")
    several: Any = {"action": "append", "default": []}
    parser.add_argument("--soc", metavar="NAME", help="chip (Ascend310P3) or product (A2, 950, 310P, 910A)", **several)
    parser.add_argument("--cube", metavar="N", type=int, help="cubeMathType", **several)
    parser.add_argument("--runtime", choices=("emulator", "system"), help="which libraries compute", **several)
    add_seed(parser)
    parser.add_argument("--json", action="store_true", help="print JSON; docs/run.md describes it")
    add_force(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    try:
        comparison = _compare(options)
        _print(comparison, options.json)
    except (ArithmeticError, ImportError, MemoryError, OSError, RuntimeError, ValueError) as error:
        return failure("compare", "", error)
    except KeyboardInterrupt:
        return INTERRUPTED
    return AGREE if comparison.agree else DIFFER


def _compare(options: argparse.Namespace) -> Comparison:
    from pyaclnn.commands.problem_size import check_size
    from pyaclnn.commands.progress_bar import steps
    from pyaclnn.comparison import compare
    from pyaclnn.definition import step_count
    from pyaclnn.random_operands import random_operands

    sides = _sides(_problem(options.problem), options)
    problem = sides[0].problem
    if min(*problem.grad_output_shape, *problem.input_shape, *problem.weight_shape) < 0:
        raise ValueError(f"{problem}: a size is negative, so there are no operands; `pyaclnn check` names the rule")
    if not options.force:
        check_size(problem)
    operands = random_operands(problem, options.seed)
    with steps("definition in float64", step_count(problem)) as step:
        return compare(sides, operands, options.seed, step)


def _problem(words: List[str]) -> Problem:
    problems = problems_of(words)
    if len(problems) > 1:
        raise ValueError(f"{words[0]} has {len(problems)} problems; one can be compared at a time")
    return problems[0][1]


def _sides(problem: Problem, options: argparse.Namespace) -> List[Side]:
    from pyaclnn.comparison import Side

    given = {"--soc": options.soc, "--cube": options.cube, "--runtime": options.runtime}
    repeated = [name for name, values in given.items() if len(values) > 1]
    if len(repeated) != 1:
        found = " and ".join(repeated) if repeated else "none"
        raise ValueError(
            f"exactly one of --soc, --cube and --runtime is given twice or more, and here it is {found}; for example "
            "--soc A2 --soc 310P"
        )
    varied = given[repeated[0]]
    if len(set(varied)) < len(varied):
        raise ValueError(f"{repeated[0]} names the same side twice: {', '.join(map(str, varied))}")
    sides = []
    for value in varied:
        chosen = {name: (values or [None])[0] for name, values in given.items()}
        chosen[repeated[0]] = value
        cube = problem.cube_math_type if chosen["--cube"] is None else chosen["--cube"]
        name = f"cube={value}" if repeated == ["--cube"] else str(value)
        sides.append(Side(name, replace(problem, cube_math_type=cube), chosen["--soc"], chosen["--runtime"]))
    return sides


def _print(comparison: Comparison, as_json: bool) -> None:
    from pyaclnn.commands import compare_json, compare_table

    if as_json:
        print(json.dumps(compare_json.document(comparison), indent=2))
    else:
        compare_table.print_comparison(comparison)
    sys.stdout.flush()
