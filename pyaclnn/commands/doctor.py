"""``pyaclnn doctor``: which libraries, chip and settings are in force, and what is in the way."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

if TYPE_CHECKING:
    from pyaclnn.doctor import Diagnosis

DESCRIPTION = """\
Say what is in force: the package, the libraries that it is bound to and those that programs get, the chip, instruction
set and threads, the environment variables; and warn of mixtures of installations and of settings without effect."""

EPILOG = """\
Examples:
  pyaclnn doctor
  pyaclnn doctor --json
  PYACLNN_RUNTIME=system pyaclnn doctor        the toolkit that is installed on this machine

Exit status:
  0  nothing is in the way
  1  there are warnings
  2  the libraries cannot be used, or the command line could not be read"""

WELL, WARNED, BROKEN = 0, 1, 2
JSON_VERSION = 1


def add_parser(commands: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "doctor",
        help="say which libraries and settings are in force, and what is in the way",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print JSON; docs/doctor.md describes it")
    return parser


def run(options: argparse.Namespace) -> int:
    from pyaclnn.doctor import examine

    try:
        diagnosis = examine()
    except ValueError as error:
        print(f"pyaclnn doctor: {error}", file=sys.stderr)
        return BROKEN
    if options.json:
        print(json.dumps(document(diagnosis), indent=2))
    else:
        print_diagnosis(diagnosis)
    return BROKEN if diagnosis.error else WARNED if diagnosis.findings else WELL


def document(diagnosis: Diagnosis) -> Dict[str, Any]:
    findings = [{"fact": finding.fact, "nextStep": finding.next_step} for finding in diagnosis.findings]
    facts = {**asdict(diagnosis), "prefix": str(diagnosis.prefix), "findings": findings}
    facts["chosenBy"] = facts.pop("chosen_by")
    return {"formatVersion": JSON_VERSION, **facts}


def print_diagnosis(diagnosis: Diagnosis) -> None:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from pyaclnn.commands.output import plain_console, write

    console = plain_console()
    with console.capture() as captured:
        for title, rows in _sections(diagnosis):
            facts = Table.grid(padding=(0, 2, 0, 0))
            facts.add_column(style="dim", no_wrap=True)
            facts.add_column(overflow="fold")
            for name, value in rows:
                facts.add_row(name, value)
            console.print(Text(title, style="bold"))
            console.print(Padding(facts, (0, 0, 1, 2)))
        if not diagnosis.findings:
            console.print(Text("Nothing is in the way.", style="green"))
        for finding in diagnosis.findings:
            console.print(Text.assemble(("warning: ", "yellow"), finding.fact))
            console.print(Text.assemble(("    next: ", "dim"), (finding.next_step, "cyan")))
    write(captured.get())


def _sections(diagnosis: Diagnosis) -> List[Tuple[str, List[Tuple[str, str]]]]:
    none = [("none", "")]
    return [
        (
            "Package",
            [
                ("pyaclnn", f"{diagnosis.version} for {diagnosis.python}"),
                ("folder", str(diagnosis.prefix)),
                ("runtime", f"{diagnosis.runtime} ({diagnosis.chosen_by})"),
            ],
        ),
        ("Device", _device(diagnosis) or none),
        ("Settings", list(diagnosis.settings.items()) or none),
        ("Libraries that pyaclnn is bound to", _files(diagnosis.libraries) or none),
        ("Libraries that programs get without a run path", _files(diagnosis.linker) or none),
        ("Environment", list(diagnosis.environment.items()) or none),
    ]


def _device(diagnosis: Diagnosis) -> List[Tuple[str, str]]:
    facts = {
        "chip": diagnosis.soc,
        "product": diagnosis.product,
        "devices": diagnosis.devices,
        "toolkit": diagnosis.cann,
    }
    return [(name, str(value)) for name, value in facts.items() if value is not None]


def _files(found: Dict[str, List[str]]) -> List[Tuple[str, str]]:
    return [(name, path) for name, files in found.items() for path in files]
