"""``pyaclnn bench``: how fast the gradients are computed, beside torch and oneDNN."""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from pyaclnn.bench.results import Results
    from pyaclnn.bench.session import Plan

DTYPES = ("float32", "bfloat16", "float16")
RIVALS = ("torch", "onednn")

DESCRIPTION = """\
Time aclnnConvolutionBackward beside torch and oneDNN, in turn, on layers of well-known networks. What is timed are
phase one, phase two and the wait for the stream. docs/performance.md explains the method and has results."""

EPILOG = """\
Examples:
  pyaclnn bench --filter r50 --dtype float32 --threads 1 --rivals torch
  pyaclnn bench --json bench.json --plot bench.png
  pyaclnn bench --from bench.json --plot bench.png

Exit status:
  0  all rows were measured
  1  a call failed or a result is wrong; the output says which
  2  the command line or a file could not be read or written; standard error says what is wrong"""

MEASURED, WRONG, FAILED, INTERRUPTED = 0, 1, 2, 130


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "bench",
        help="time the gradients beside torch and oneDNN",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--filter", metavar="REGEX", default="", type=_pattern, help="only rows whose name matches")
    parser.add_argument("--dtype", metavar="NAMES", default=list(DTYPES), type=_names(DTYPES), help=_listed(DTYPES))
    parser.add_argument("--threads", metavar="NUMBERS", default=None, type=_counts, help="1,2; default 1 and all cores")
    parser.add_argument("--rivals", metavar="NAMES", default=list(RIVALS), type=_names(RIVALS), help=_listed(RIVALS))
    parser.add_argument("--calls", metavar="N", default=15, type=_count, help="calls to keep of each; default 15")
    parser.add_argument(
        "--seconds", metavar="S", default=2.0, type=_above_0, help="time for each in a row; then fewer do; default 2"
    )
    parser.add_argument(
        "--tolerance",
        metavar="PERCENT",
        default=4.0,
        type=_above_0,
        help="of a call that its threads may wait for a processor before it is discarded; default 4",
    )
    parser.add_argument(
        "--patience",
        metavar="S",
        default=5.0,
        type=_above_0,
        help="that a rival's first call may take before it is given up; default 5",
    )
    parser.add_argument("--json", metavar="FILE", help="write the results as JSON")
    parser.add_argument("--plot", metavar="FILE", help="draw the ratios into a PNG file; needs matplotlib")
    parser.add_argument("--markdown", metavar="FILE", help="put tables between the marks of a document")
    parser.add_argument("--from", metavar="FILE", dest="source", help="measure nothing, take what --json wrote")
    return parser


def run(options: argparse.Namespace) -> int:
    from pyaclnn.bench.session import WorkerFailed

    try:
        _check_outputs(options)
        results = _read(options) if options.source else _measure(_plan(options))
        _write(results, options)
    except (OSError, ValueError, WorkerFailed) as error:
        print(f"pyaclnn bench: {_reason(error)}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    return WRONG if results.faults else MEASURED


def _check_outputs(options: argparse.Namespace) -> None:
    """Before minutes are spent on results that could not be written."""
    from pyaclnn.bench import markdown

    for name in filter(None, (options.json, options.plot, options.markdown)):
        if not Path(name).resolve().parent.is_dir():
            raise ValueError(f"{name}: there is no such folder")
    if options.markdown:
        markdown.around(Path(options.markdown))
    if options.plot and not importlib.util.find_spec("matplotlib"):
        raise ValueError("--plot needs matplotlib: pip install 'pyaclnn[bench]'")


def _read(options: argparse.Namespace) -> Results:
    """What was measured before, as far as it is asked for."""
    from pyaclnn.bench.results import from_json

    try:
        results = from_json(json.loads(Path(options.source).read_text()))
    except ValueError as error:
        raise ValueError(f"{options.source}: {error}") from None
    results.results = [
        result
        for result in results.results
        if re.search(options.filter, result.row)
        and result.dtype in options.dtype
        and result.threads in (options.threads or [result.threads])
    ]
    if not results.results:
        raise ValueError(f"{options.source} has no such results")
    return results


def _plan(options: argparse.Namespace) -> Plan:
    from pyaclnn.bench import workloads
    from pyaclnn.bench.session import Plan
    from pyaclnn.bench.timing import Budget

    cases = workloads.select(options.filter, options.dtype)
    if not cases:
        names = ", ".join(row.name for row in workloads.load())
        raise ValueError(f"no row matches {options.filter!r}; there are {names}")
    threads = options.threads or sorted({1, len(os.sched_getaffinity(0))})
    budget = Budget(options.calls, options.seconds, options.tolerance / 100)
    return Plan(cases, threads, options.rivals, budget, options.patience)


def _measure(plan: Plan) -> Results:
    from pyaclnn.bench import progress, session

    results = session.start(plan)
    progress.show(session.run(plan, results), plan.total)
    return results


def _write(results: Results, options: argparse.Namespace) -> None:
    from pyaclnn.bench import chart, markdown
    from pyaclnn.bench.results import to_json
    from pyaclnn.bench.table import print_results

    print_results(results)
    sys.stdout.flush()
    if options.json:
        Path(options.json).write_text(json.dumps(to_json(results), indent=1) + "\n")
    if options.plot:
        chart.draw(results, Path(options.plot))
    if options.markdown:
        markdown.replace_section(results, Path(options.markdown), options.plot)


def _reason(error: Exception) -> str:
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)


# ---- words of the command line -------------------------------------------------------------------------------------


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no regular expression: {error}") from None
    return text


def _names(known: Any) -> Any:
    def names(text: str) -> List[str]:
        chosen = [name for name in text.split(",") if name]
        for name in chosen:
            if name not in known:
                raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(known)}")
        return list(dict.fromkeys(chosen))

    return names


def _listed(known: Any) -> str:
    return f"some of {','.join(known)}; default all"


def _counts(text: str) -> List[int]:
    return sorted({_count(word) for word in text.split(",")})


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 to 1024")
    return int(text)


def _above_0(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return value
