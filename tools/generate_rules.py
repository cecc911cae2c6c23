"""Writes docs/rules.md and docs/products.md from the tables of the C sources. Run it after a change of a table."""

import re
from pathlib import Path
from typing import Callable, Dict, Iterable, List, Sequence

import tables

DOCS = Path(__file__).resolve().parent.parent / "docs"
NUMBERS = {"PARAM_NULLPTR": 161001, "PARAM_INVALID": 161002, "INNER_NULLPTR": 561103}
# what limits[3-D][transposed] is for, by the places at which a row of products.def has the same limits
CALLS = {(0, 1, 2, 3): "all", (0, 2): "not transposed", (1, 3): "transposed", (0, 1): "1-D and 2-D", (2, 3): "3-D"}

RULES_HEAD = """# Rules

What a call of `aclnnConvolutionBackwardGetWorkspaceSize` must keep. The device looks in this order, stage by stage, and
the first broken rule decides the status; `aclGetRecentErrMsg()` names it with the values, and `aclemuGetViolations()`
tells the others. Where a rule names products, the others do not know it: see [products.md](products.md).

| source | meaning |
|---|---|
| documented | the public reference says so |
| observed | the open implementation does so |
| ours | the device leaves it undefined, and we had to choose |

Statuses: 161001 is `ACLNN_ERR_PARAM_NULLPTR`, 161002 `ACLNN_ERR_PARAM_INVALID`, 561103 `ACLNN_ERR_INNER_NULLPTR`.

Made from `lib/op/convolution_backward/rules.def` by `tools/generate_rules.py`.
"""

PRODUCTS_HEAD = """# Products

What differs between the families of chips in `aclnnConvolutionBackward`, and which chip belongs to which. The A3 chips
behave as those of the A2 do. `ACLEMU_SOC`, `aclemuSetSoc()` and `aclemuSetThreadSoc()` take the name of a chip.

Made from `lib/op/convolution_backward/products.def` and `lib/runtime/socs.def` by `tools/generate_rules.py`.
"""

LIMITS_HEAD = """## Limits of the planning

The largest stride, padding, dilation and kernel, where they differ by axis (depth, height, width): 1-D calls have a
width, 2-D calls a height and a width. Beyond them the device fails with 561103; `ACLEMU_LIMITS=off` computes what the
memory can hold.

"""


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines: List[Sequence[object]] = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def rules() -> str:
    text = RULES_HEAD
    for stage, title in tables.stages().items():
        rows = [
            [f"`{rule.name}`", NUMBERS[rule.status], rule.sentence, rule.hint, rule.products, rule.source]
            for rule in tables.rules()
            if rule.stage == stage
        ]
        text += f"\n## {stage}: {title}\n\n"
        text += table(["rule", "status", "what holds in a correct call", "what to do", "products", "source"], rows)
    return text


def value_text(member: str, row: Dict[str, str]) -> str:
    """A member of a product as people read it; C's zero where the row leaves it out."""
    value = row.get(member, "false")
    dtypes = re.findall(r"EMU_HAS_(\w+)", value)
    bits = re.fullmatch(r"EMU_HF32_(\d+)", value)
    if dtypes:
        return ", ".join(dtypes)
    if bits:
        return bits[1]
    return {"true": "yes", "false": "–", "EMU_F32": "–"}.get(value, value)


def limit_text(axes: Sequence[str]) -> str:
    if set(axes) == {"INT64_MAX"}:
        return "any"
    if len(set(axes)) == 1:
        return axes[0]
    return ", ".join(f"{letter} {'any' if value == 'INT64_MAX' else value}" for letter, value in zip("dhw", axes))


def limits_of(row: Dict[str, str]) -> Dict[str, tables.Limits]:
    """The kinds of call that differ, and the limits of each."""
    names = re.findall(r"&(\w+)", row["limits"])
    places = {name: tuple(i for i, other in enumerate(names) if other == name) for name in names}
    return {CALLS[where]: tables.limits()[name] for name, where in places.items()}


def products() -> str:
    products = tables.products()
    shown = {name: text for name, text in tables.product_members().items() if name not in ("name", "limits")}
    text = PRODUCTS_HEAD + "\n## Differences\n\n"
    text += table(
        ["", *products],
        [[comment, *(value_text(name, row) for row in products.values())] for name, comment in shown.items()],
    )
    text += "\n" + LIMITS_HEAD
    rows = [
        [product, kind, *(limit_text(axes) for axes in limits)]
        for product, row in products.items()
        for kind, limits in limits_of(row).items()
    ]
    text += table(["product", "call", "stride", "padding", "dilation", "kernel"], rows)
    text += "\n## Chips\n\n"
    text += table(
        ["chip", "product", "cube cores", "vector cores", "AI CPUs", "L2 in MiB", "memory in GB"],
        [
            [f"`{soc.name}`{'…' if soc.name == 'Ascend950' else ''}", product_of(soc), soc.cube_cores, soc.vector_cores,
             soc.ai_cpus, soc.l2_bytes >> 20, gigabytes(soc.memory_bytes)]
            for soc in tables.socs()
        ],
    )
    return text + "\nEvery name that begins with `Ascend950` is taken.\n"


def product_of(soc: tables.Soc) -> str:
    return next(name for name, row in tables.products().items() if int(row["architecture"]) == soc.architecture)


def gigabytes(size: int) -> int:
    """In units of 2^30 where that comes out even, as memory is sold, else of 10^9."""
    return size >> 30 if size % (1 << 30) == 0 else size // 10**9


DOCUMENTS: Dict[str, Callable[[], str]] = {"products.md": products, "rules.md": rules}


def main() -> None:
    for name, text in DOCUMENTS.items():
        (DOCS / name).write_text(text())


if __name__ == "__main__":
    main()
