"""The rows of the benchmark: layers of well-known networks, from workloads.json."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

Ints = Tuple[int, ...]

DTYPES = ("float32", "bfloat16", "float16")
_TABLE = Path(__file__).with_name("workloads.json")


@dataclass(frozen=True)
class Row:
    """A layer. Per-axis values are in the order depth, height, width, as many as the convolution has axes."""

    name: str
    source: str
    input_shape: Ints
    weight_shape: Ints
    """[out, in / groups, kernel...], or [in, out / groups, kernel...] when transposed."""
    grad_output_shape: Ints
    stride: Ints
    padding: Ints
    dilation: Ints
    output_padding: Ints
    groups: int
    transposed: bool
    flops: int
    """Of the three gradients together; 2 for a multiplication with its addition, and padding counts too."""


@dataclass(frozen=True)
class Case:
    """A row in one element type."""

    row: Row
    dtype: str


def load() -> List[Row]:
    return [_row(entry) for entry in json.loads(_TABLE.read_text())["rows"]]


def select(pattern: str, dtypes: Sequence[str]) -> List[Case]:
    """The cases whose row is found by the regular expression, row by row."""
    wanted = re.compile(pattern)
    return [Case(row, dtype) for row in load() if wanted.search(row.name) for dtype in dtypes]


def _row(entry: Dict[str, Any]) -> Row:
    axes = ("input_shape", "weight_shape", "grad_output_shape", "stride", "padding", "dilation", "output_padding")
    return Row(
        name=entry["name"],
        source=entry["source"],
        groups=entry["groups"],
        transposed=entry["transposed"],
        flops=entry["flops_grad_input"] + entry["flops_grad_weight"] + entry["flops_grad_bias"],
        **{name: tuple(entry[name]) for name in axes},
    )
