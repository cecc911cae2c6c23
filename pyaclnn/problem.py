"""The problem language: a convolution-backward call as one line of text. The grammar is in docs/problems.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from pyaclnn.dtypes import BY_NAME

Axes = Tuple[int, ...]
Three = Tuple[str, str, str]

_NUMBER_ITEMS = ("n", "ci", "co", "g")
_AXES_ITEMS = ("i", "o", "k", "s", "p", "d", "op")
_WORD_ITEMS = ("mask", "cube", "dtype", "out", "soc")
_REQUIRED = ("ci", "co", "i", "k")

_DIMENSIONS = re.compile(r"([123])d")
_LETTERS = re.compile(r"([a-z]+)(-?\d.*)")
_INTEGER = re.compile(r"-?\d+", re.ASCII)
_LONGEST = 40  # digits, leading zeros included


@dataclass(frozen=True)
class Problem:
    """One call. Per-axis values are in the order depth, height, width, as many as the convolution has axes."""

    batch: int
    in_channels: int
    out_channels: int
    input: Axes
    output: Axes
    kernel: Axes
    stride: Axes
    padding: Axes
    """As given to the call: one number an axis, or (top, bottom, left, right)."""
    dilation: Axes
    output_padding: Axes
    groups: int = 1
    output_mask: Tuple[bool, bool, bool] = (True, True, True)
    cube_math_type: int = 0
    dtypes: Three = ("f32", "f32", "f32")
    """Names of the element types of gradOutput, input, weight."""
    output_dtypes: Three = ("f32", "f32", "f32")
    """The same of gradInput, gradWeight, gradBias."""
    transposed: bool = False
    soc: Optional[str] = None

    @property
    def grad_output_shape(self) -> Axes:
        return (self.batch, self.out_channels, *self.output)

    @property
    def input_shape(self) -> Axes:
        return (self.batch, self.in_channels, *self.input)

    @property
    def weight_shape(self) -> Axes:
        if self.transposed:
            return (self.in_channels, _quotient(self.out_channels, self.groups), *self.kernel)
        return (self.out_channels, _quotient(self.in_channels, self.groups), *self.kernel)

    @classmethod
    def parse(cls, line: str) -> Problem:
        """Reads a line; ValueError names the item that is wrong."""
        words = line.split()
        match = _DIMENSIONS.fullmatch(words[0]) if words else None
        if not match:
            raise ValueError(f"a problem begins with 1d, 2d or 3d: {line!r}")
        items = _read_items(words[1:])
        missing = [name for name in _REQUIRED if name not in items]
        if missing:
            raise ValueError(f"{', '.join(missing)} missing: {line!r}")
        return _problem_of(int(match[1]), items)

    def __str__(self) -> str:
        dimensions = len(self.input)
        items = [
            f"{dimensions}d n{self.batch} ci{self.in_channels} co{self.out_channels}",
            f"i{_axes_text(self.input)} o{_axes_text(self.output)} k{_axes_text(self.kernel)}",
            f"s{_axes_text(self.stride)} p{_axes_text(self.padding, dimensions)} d{_axes_text(self.dilation)}",
            f"g{self.groups} mask={''.join(str(int(wanted)) for wanted in self.output_mask)}",
            f"cube={self.cube_math_type} dtype={_three_text(self.dtypes)}",
        ]
        if self.output_dtypes != _usual_outputs(self.dtypes):
            items.append(f"out={_three_text(self.output_dtypes)}")
        if self.transposed:
            items.append("transposed")
        if self.transposed or self.output_padding != (0,) * dimensions:
            items.append(f"op{_axes_text(self.output_padding, dimensions)}")
        if self.soc is not None:
            items.append(f"soc={self.soc}")
        return " ".join(items)


def _read_items(words: Sequence[str]) -> Dict[str, str]:
    items: Dict[str, str] = {}
    for word in words:
        name, text = _split_item(word)
        if name in items:
            raise ValueError(f"{name} is given twice, the second time as {word!r}")
        items[name] = text
    return items


def _split_item(word: str) -> Tuple[str, str]:
    if word == "transposed":
        return word, ""
    name, equals, text = word.partition("=")
    if equals and name in _WORD_ITEMS:
        return name, text
    match = _LETTERS.fullmatch(word)
    if match and match[1] in _NUMBER_ITEMS + _AXES_ITEMS:
        return match[1], match[2]
    raise ValueError(f"unknown item {word!r}")


def _problem_of(dimensions: int, items: Dict[str, str]) -> Problem:
    def number(name: str, default: str) -> int:
        return _integer(name, items.get(name, default))

    def axes(name: str, default: str = "", pairs: bool = False) -> Axes:
        return _axes(name, items.get(name, default), dimensions, pairs and dimensions == 2)

    transposed = "transposed" in items
    given: Dict[str, Axes] = {
        "input": axes("i"),
        "kernel": axes("k"),
        "stride": axes("s", "1"),
        "padding": axes("p", "0", pairs=True),
        "dilation": axes("d", "1"),
        "output_padding": axes("op", "0", pairs=True),
    }
    output = axes("o") if "o" in items else _expected_output(transposed, **given)
    dtypes = _three("dtype", items.get("dtype", "f32"))
    return Problem(
        batch=number("n", "1"),
        in_channels=number("ci", ""),
        out_channels=number("co", ""),
        output=output,
        groups=number("g", "1"),
        output_mask=_mask(items.get("mask", "111")),
        cube_math_type=number("cube", "0"),
        dtypes=dtypes,
        output_dtypes=_three("out", items["out"]) if "out" in items else _usual_outputs(dtypes),
        transposed=transposed,
        soc=_soc(items["soc"]) if "soc" in items else None,
        **given,
    )


def _expected_output(
    transposed: bool, input: Axes, kernel: Axes, stride: Axes, padding: Axes, dilation: Axes, output_padding: Axes
) -> Axes:
    if 0 in stride:
        raise ValueError("stride 0 gives no output size: write it as o…")
    output = []
    for axis, (size, taps, step, rate) in enumerate(zip(input, kernel, stride, dilation)):
        reach = rate * (taps - 1) + 1
        border = sum(_pair(padding, axis, len(input)))
        if transposed:
            output.append((size - 1) * step - border + reach + _pair(output_padding, axis, len(input))[1])
        else:
            output.append((size + border - reach) // step + 1)
    return tuple(output)


def _pair(values: Axes, axis: int, dimensions: int) -> Axes:
    """Leading and trailing value of an axis."""
    return (values[axis],) * 2 if len(values) == dimensions else values[2 * axis : 2 * axis + 2]


def _quotient(channels: int, groups: int) -> int:
    return channels // groups if groups else channels


def _usual_outputs(dtypes: Three) -> Three:
    """gradInput is like input, gradWeight like weight, gradBias like gradOutput."""
    return dtypes[1], dtypes[2], dtypes[0]


def _integer(name: str, text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"{name}: {text!r} is not an integer")
    if len(text) > _LONGEST or not -(2**63) <= int(text) < 2**63:
        raise ValueError(f"{name}: {text} does not fit into 64 bits")
    return int(text)


def _axes(name: str, text: str, dimensions: int, pairs: bool) -> Axes:
    parts = text.split("x")
    if pairs and ":" in text:
        values = [value for part in parts for value in part.split(":")]
        if any(part.count(":") != 1 for part in parts):
            raise ValueError(f"{name}: {text!r} has a pair for one axis, so both need one")
        expected = 2 * dimensions
    else:
        values = parts * dimensions if len(parts) == 1 else parts
        expected = dimensions
    if len(values) != expected:
        raise ValueError(f"{name}: {text!r} does not give one value for each of {dimensions} axes")
    return tuple(_integer(name, value) for value in values)


def _axes_text(values: Axes, dimensions: Optional[int] = None) -> str:
    if dimensions is not None and len(values) == 2 * dimensions:
        return "x".join(f"{leading}:{trailing}" for leading, trailing in zip(values[::2], values[1::2]))
    return "x".join(map(str, values))


def _mask(text: str) -> Tuple[bool, bool, bool]:
    if not re.fullmatch("[01]{3}", text):
        raise ValueError(f"mask: {text!r} is not three of 0 and 1")
    return text[0] == "1", text[1] == "1", text[2] == "1"


def _three(name: str, text: str) -> Three:
    parts: List[str] = text.split(",")
    unknown = [part for part in parts if part not in BY_NAME]
    if unknown:
        raise ValueError(f"{name}: unknown element type {unknown[0]!r}; known: {', '.join(BY_NAME)}")
    if len(parts) == 1:
        parts *= 3
    if len(parts) != 3:
        raise ValueError(f"{name}: {text!r} is neither one element type nor three")
    return parts[0], parts[1], parts[2]


def _three_text(names: Three) -> str:
    return names[0] if names[0] == names[1] == names[2] else ",".join(names)


def _soc(text: str) -> str:
    if not text:
        raise ValueError("soc: a name is missing")
    return text
