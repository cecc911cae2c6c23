"""What the public headers declare, read through the C compiler's preprocessor.

The generators beside this file share it, so that no list of functions or constants is kept by hand.
"""

import argparse
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence

LINEMARKER = re.compile(r'# \d+ "(?P<file>[^"]*)"')
DEFINE = re.compile(r"#define (?P<name>\w+)(?P<value>[ ].*)?$")
WORD = re.compile(r"\b[A-Za-z_]\w*")
NUMBER = re.compile(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b")
OPERATORS = re.compile(r"[\s()+\-*/%|&^~<>]*")
CONSTANT = re.compile(r"static\s+const\s+\w+\s+(?P<name>\w+)\s*=[^;]*;")
FUNCTION = re.compile(r"(?!typedef\b)[^(){}]*?(?P<name>\w+)\s*\(")


@dataclass
class PublicHeaders:
    """The headers below one include directory, as a C compiler sees them together."""

    names: List[str]
    """Every header as a program includes it: "acl/acl.h"."""

    declarations: Dict[str, str]
    """The C declarations of each header that has any, without attributes and bodies of macros."""

    constants: List[str]
    """Integer macros and integer `static const` variables."""

    def functions(self, directory: str = "") -> List[str]:
        """Names of the functions declared by the headers whose name starts with `directory`."""
        return [
            match["name"]
            for name, text in self.declarations.items()
            if name.startswith(directory)
            for statement in top_level_statements(text)
            for match in [FUNCTION.match(statement)]
            if match
        ]

    def include_lines(self) -> str:
        return "".join(f'#include "{name}"\n' for name in self.names)


def read_public_headers(include: Path, compiler: Sequence[str]) -> PublicHeaders:
    include = include.resolve()
    names = sorted(path.relative_to(include).as_posix() for path in include.rglob("*.h"))
    headers = PublicHeaders(names, {}, [])
    # Attributes say nothing about a signature: blanking them here is simpler than recognising them later.
    command = [*compiler, "-E", "-dD", "-D__attribute__(x)=", "-I", str(include), "-x", "c", "-"]
    output = subprocess.run(command, input=headers.include_lines(), stdout=subprocess.PIPE, check=True, text=True)

    current: Optional[str] = None
    for line in output.stdout.splitlines():
        marker = LINEMARKER.match(line)
        if marker:
            current = name_below(include, marker["file"])
        elif current is not None:
            read_line(headers, current, line)
    for name, text in headers.declarations.items():
        headers.constants += [match["name"] for match in CONSTANT.finditer(text)]
        headers.declarations[name] = CONSTANT.sub("", text)
    return headers


def name_below(include: Path, file: str) -> Optional[str]:
    """The header's name as programs include it, or None for a file from elsewhere."""
    try:
        return Path(file).resolve().relative_to(include).as_posix()
    except ValueError:
        return None


def read_line(headers: PublicHeaders, current: str, line: str) -> None:
    define = DEFINE.match(line)
    if define:
        if is_integer(define["value"] or "", headers.constants):
            headers.constants.append(define["name"])
    elif not line.startswith("#") and line.strip():
        headers.declarations[current] = headers.declarations.get(current, "") + line + "\n"


def is_integer(value: str, constants: Sequence[str]) -> bool:
    """Is this macro body an integer expression made of numbers and of earlier constants?"""
    numbers = WORD.sub(lambda word: "0" if word[0] in constants else word[0], value)
    rest = NUMBER.sub("", numbers)
    return rest != numbers and OPERATORS.fullmatch(rest) is not None


def top_level_statements(text: str) -> List[str]:
    """Splits C declarations at the semicolons outside of braces."""
    statements, start, depth = [], 0, 0
    for at, character in enumerate(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == ";" and depth == 0:
            statements.append(text[start:at].strip())
            start = at + 1
    return statements


def generator_arguments(description: str) -> argparse.ArgumentParser:
    """The arguments that every generator takes; see start_generator()."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--include", type=Path, required=True, help="directory of the public headers")
    parser.add_argument("--output", type=Path, required=True, help="file to write")
    parser.add_argument("--depfile", type=Path, help="file to write the names of the headers read to")
    parser.add_argument("compiler", nargs="*", default=["cc"], metavar="CC", help="C compiler with options, after --")
    return parser


def start_generator(arguments: argparse.Namespace) -> PublicHeaders:
    headers = read_public_headers(arguments.include, arguments.compiler)
    if arguments.depfile:
        read = " ".join(str(arguments.include.resolve() / name) for name in headers.names)
        arguments.depfile.write_text(f"{arguments.output}: {read}\n")
    return headers
