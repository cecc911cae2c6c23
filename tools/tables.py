"""The tables of the C sources as Python data: rules.def, products.def with product.h, socs.def."""

import re
from pathlib import Path
from typing import Dict, List, NamedTuple

LIB = Path(__file__).resolve().parent.parent / "lib"
OPERATOR = LIB / "op" / "convolution_backward"

STRINGS = r'((?:"[^"]*"\s*)+)'
RULE = re.compile(rf'RULE\((\w+), (\w+), (\w+),\s*{STRINGS},\s*{STRINGS},\s*"([^"]*)", "([^"]*)"\)')
STAGE = re.compile(rf"STAGE\((\w+), {STRINGS}\)")
SOC = re.compile(r'SOC\("([^"]+)", (\d+), (\d+), (\d+), (\d+), (\d+), (\d+)\)')
LIMITS = re.compile(r"LIMITS\((\w+),\s*AXES\(([^)]*)\),\s*AXES\(([^)]*)\),\s*AXES\(([^)]*)\),\s*AXES\(([^)]*)\)\)")
DEFINE = re.compile(r"#define (\w+) (\S+)")
PRODUCT = re.compile(r"PRODUCT\((.*?)\n\)", re.DOTALL)
MEMBER = re.compile(r"\.(\w+) = (.*?),\n")
DECLARATION = re.compile(r"^\t[^/\n]*?(\w+)(?:\[\d\])*;\s*/\* (.*?) \*/$", re.MULTILINE)


class Rule(NamedTuple):
    name: str
    stage: str
    status: str
    sentence: str
    hint: str
    products: str
    source: str


class Soc(NamedTuple):
    name: str
    architecture: int
    cube_cores: int
    vector_cores: int
    ai_cpus: int
    l2_bytes: int
    memory_bytes: int


class Limits(NamedTuple):
    """Largest values by axis d, h, w; the words of the source for those that are no limit at all."""

    stride: List[str]
    padding: List[str]
    dilation: List[str]
    kernel: List[str]


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def source(path: Path) -> str:
    return without_comments(path.read_text())


def joined(strings: str) -> str:
    """C's adjacent string literals as one text."""
    return "".join(re.findall(r'"([^"]*)"', strings))


def rules() -> List[Rule]:
    rows = RULE.findall(source(OPERATOR / "rules.def"))
    return [Rule(*row[:3], joined(row[3]), joined(row[4]), *row[5:]) for row in rows]


def stages() -> Dict[str, str]:
    """Name and subject of each stage, in order."""
    return {name: joined(title) for name, title in STAGE.findall(source(OPERATOR / "rules.def"))}


def products() -> Dict[str, Dict[str, str]]:
    """The members of each product's row as the source has them; a member that it leaves out is missing."""
    rows = [dict(MEMBER.findall(body + "\n")) for body in PRODUCT.findall(source(OPERATOR / "products.def"))]
    return {row["name"].strip('"'): row for row in rows}


def product_names() -> List[str]:
    return list(products())


def product_members() -> Dict[str, str]:
    """What the header says of each member of struct emu_product, without what is only for the reader of the source."""
    struct = (OPERATOR / "product.h").read_text().split("struct emu_product {")[1].split("\n};")[0]
    return {name: re.sub(r"(;.*)? \([^()]*\)$", "", comment) for name, comment in DECLARATION.findall(struct)}


def limits() -> Dict[str, Limits]:
    text = source(OPERATOR / "products.def")
    numbers = {name: re.sub(r"INT64_C\((\d+)\)", r"\1", value) for name, value in DEFINE.findall(text)}
    return {
        name: Limits(*[[numbers.get(value, value) for value in axes.split(", ")] for axes in row])
        for name, *row in LIMITS.findall(text)
    }


def socs() -> List[Soc]:
    return [Soc(name, *map(int, numbers)) for name, *numbers in SOC.findall(source(LIB / "runtime" / "socs.def"))]
