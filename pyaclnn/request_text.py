"""Calls as people write them down: problem lines and JSON. docs/check.md explains both."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from pyaclnn.native import lib
from pyaclnn.dtypes import ELEMENT_TYPES
from pyaclnn.problem import Problem
from pyaclnn.request import Axes, Request, TensorLayout

_TENSORS = ("gradOutput", "input", "weight")
_OUTPUTS = ("gradInput", "gradWeight", "gradBias")
_ARRAYS = ("biasSizes", "stride", "padding", "dilation", "outputPadding")
_SCALARS = ("transposed", "groups", "outputMask", "cubeMathType")
_CALL_KEYS = ("id", "soc", "format", *_TENSORS, *_ARRAYS, *_SCALARS, *_OUTPUTS)
_TENSOR_KEYS = ("shape", "dtype", "format", "strides", "offset", "storageShape", "range")
_COMMENT = "#"
_PRINTED = "aclemu: "  # before the lines that ACLEMU_VERBOSE=problem prints
_ONLY_LINES = "a call in JSON can be checked, but only problem lines can be computed: docs/problems.md"


class WrittenCall(NamedTuple):
    title: str
    request: Request
    soc: Optional[str]
    place: str = ""
    """Where it stands: ``line 3``."""


def request_of(problem: Union[str, Problem, Mapping[str, Any], Request]) -> Tuple[Request, Optional[str]]:
    """The call, and the chip that it names."""
    if isinstance(problem, Request):
        return problem, None
    if isinstance(problem, Mapping):
        return _request_of_json(problem), _optional_text("soc", problem.get("soc"))
    if isinstance(problem, str):
        problem = Problem.parse(problem)
    return Request.of_problem(problem), problem.soc


def written_call(element: Any) -> WrittenCall:
    """A problem line or a call in JSON, already parsed."""
    if isinstance(element, str):
        problem = read_problem(element)
        return WrittenCall(str(problem), *request_of(problem))
    if not isinstance(element, dict):
        raise ValueError(f"{element!r} is neither a JSON object nor a problem line")
    title = _optional_text("id", element.get("id"))
    request, soc = request_of(element)
    return WrittenCall(f"{title}: {request}" if title else str(request), request, soc)


def read_calls(text: str) -> List[WrittenCall]:
    """All calls of a text: a JSON object, a JSON list, or lines that are problems or JSON objects."""
    if text.lstrip().startswith("["):
        elements: Iterable[Tuple[str, Any]] = _numbered("call", _parsed(text))
    elif text.lstrip().startswith("{") and _is_json(text):
        elements = [("", _parsed(text))]
    else:
        elements = _lines(text)
    calls = [_named(place, written_call, element)._replace(place=place) for place, element in elements]
    if not calls:
        raise ValueError("there is no problem in it")
    return calls


def read_problem(line: str) -> Problem:
    """A problem line, as people write it or as ACLEMU_VERBOSE=problem prints it."""
    return Problem.parse(line[len(_PRINTED) :] if line.startswith(_PRINTED) else line)


def read_problems(text: str) -> List[Tuple[str, Problem]]:
    """All problem lines of a text, and where they stand."""
    if text.lstrip().startswith("["):
        raise ValueError(_ONLY_LINES)
    problems = []
    for place, line in _lines(text):
        if not isinstance(line, str):
            raise ValueError(f"{place}: {_ONLY_LINES}")
        problems.append((place, _named(place, read_problem, line)))
    if not problems:
        raise ValueError("there is no problem in it")
    return problems


def _lines(text: str) -> Iterable[Tuple[str, Any]]:
    for place, line in _numbered("line", text.splitlines()):
        line = line.strip()
        if line and not line.startswith(_COMMENT):
            yield place, _named(place, _parsed, line) if line.startswith("{") else line


def _numbered(what: str, elements: Iterable[Any]) -> Iterable[Tuple[str, Any]]:
    return ((f"{what} {number}", element) for number, element in enumerate(elements, 1))


def _named(place: str, read: Callable[[Any], Any], element: Any) -> Any:
    try:
        return read(element)
    except ValueError as error:
        raise ValueError(f"{place}: {error}" if place else str(error)) from None


# ---- JSON --------------------------------------------------------------------------------------------------------


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_without_repetition)
    except RecursionError:
        raise ValueError("no JSON: nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON: {error}") from None


def _is_json(text: str) -> bool:
    """One object, over however many lines? Several objects on a line each are none."""
    try:
        _parsed(text)
    except ValueError as error:
        return "Extra data" not in str(error)
    return True


def _without_repetition(pairs: Sequence[Tuple[str, Any]]) -> Dict[str, Any]:
    for index, (key, _) in enumerate(pairs):
        if any(key == earlier for earlier, _ in pairs[:index]):
            raise ValueError(f"{key} is given twice")
    return dict(pairs)


def _request_of_json(call: Mapping[str, Any]) -> Request:
    _check_keys("a call", call, _CALL_KEYS)
    missing = [name for name in _TENSORS if name not in call]
    if missing:
        raise ValueError(f"{', '.join(missing)} missing; null stands for a null pointer")
    format = _format("format", call.get("format"))
    grad_output, input, weight = (_layout(name, call[name], format) for name in _TENSORS)
    mask = _mask(call.get("outputMask", [True, True, True]))
    spatial = max([len(tensor.shape) - 2 for tensor in (input, weight, grad_output) if tensor] or [0])
    channels = None if grad_output is None else grad_output.shape[1:2]
    usual_outputs = (input, weight, grad_output and TensorLayout(grad_output.shape[1:2], grad_output.dtype))

    def output(index: int) -> Optional[TensorLayout]:
        name = _OUTPUTS[index]
        if name in call:
            return _layout(name, call[name], None if name == "gradBias" else format)
        wanted = mask is not None and index < len(mask) and mask[index]
        usual = usual_outputs[index]
        return TensorLayout(usual.shape, usual.dtype, usual.format) if wanted and usual else None

    return Request(
        grad_output=grad_output,
        input=input,
        weight=weight,
        bias_sizes=_axes("biasSizes", call.get("biasSizes", channels)),
        stride=_axes("stride", call.get("stride", [1] * spatial)),
        padding=_axes("padding", call.get("padding", [0] * spatial)),
        dilation=_axes("dilation", call.get("dilation", [1] * spatial)),
        transposed=_boolean("transposed", call.get("transposed", False)),
        output_padding=_axes("outputPadding", call.get("outputPadding", [0] * spatial)),
        groups=_integer("groups", call.get("groups", 1)),
        output_mask=mask,
        cube_math_type=_integer("cubeMathType", call.get("cubeMathType", 0)),
        grad_input=output(0),
        grad_weight=output(1),
        grad_bias=output(2),
    )


def _layout(name: str, tensor: Any, format: Optional[int]) -> Optional[TensorLayout]:
    if tensor is None:
        return None
    if not isinstance(tensor, Mapping):
        raise ValueError(f"{name}: {tensor!r} is no object with shape and dtype")
    _check_keys(name, tensor, _TENSOR_KEYS)
    for key in ("shape", "dtype"):
        if tensor.get(key) is None:
            raise ValueError(f"{name}: {key} is missing")
    return TensorLayout(
        shape=_axes(f"{name}.shape", tensor["shape"]) or (),
        dtype=_dtype(f"{name}.dtype", tensor["dtype"]),
        format=_format(f"{name}.format", tensor["format"]) if "format" in tensor else format,
        strides=_axes(f"{name}.strides", tensor.get("strides")),
        offset=_integer(f"{name}.offset", tensor.get("offset", 0)),
        storage_shape=_axes(f"{name}.storageShape", tensor.get("storageShape")),
    )


def _check_keys(what: str, given: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in given:
        if key not in known:
            nearest = get_close_matches(str(key), known, 1, 0.5)
            advice = f"did you mean {nearest[0]}?" if nearest else f"known: {', '.join(known)}"
            raise ValueError(f"{what} has no {key!r}; {advice}")


def _axes(name: str, values: Any) -> Optional[Axes]:
    if values is None:
        return None
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise ValueError(f"{name}: {values!r} is no list of integers")
    return tuple(_integer(f"{name}[{index}]", value) for index, value in enumerate(values))


def _integer(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name}: {value!r} is not an integer")
    return value


def _boolean(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name}: {value!r} is neither true nor false")
    return value


def _mask(values: Any) -> Optional[Tuple[bool, ...]]:
    if values is None:
        return None
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise ValueError(f"outputMask: {values!r} is no list of true and false")
    return tuple(_boolean(f"outputMask[{index}]", value) for index, value in enumerate(values))


def _optional_text(name: str, value: Any) -> Optional[str]:
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name}: {value!r} is no text")
    return value


def _spelled(name: str) -> str:
    """``ACL_FORMAT_NCHW``, ``NCHW`` and ``nchw`` are one, and so are ``DT_FLOAT16`` and ``float16``."""
    name = name.upper()
    for prefix in ("ACL_FORMAT_", "ACL_", "DT_"):
        if name.startswith(prefix):
            return name[len(prefix) :]
    return name


_DTYPES: Dict[str, str] = {}
for _row in ELEMENT_TYPES:
    for _name in (_row.name, _row.constant, _row.numpy.name):
        _DTYPES.setdefault(_spelled(_name), _row.name)
_FORMATS = {_spelled(name): int(getattr(lib, name)) for name in dir(lib) if name.startswith("ACL_FORMAT_")}


def _dtype(name: str, value: Any) -> str:
    if isinstance(value, str) and _spelled(value) in _DTYPES:
        return _DTYPES[_spelled(value)]
    raise ValueError(f"{name}: unknown element type {value!r}; known: {', '.join(row.name for row in ELEMENT_TYPES)}")


def _format(name: str, value: Any) -> Optional[int]:
    if value is None:
        return None
    if isinstance(value, str) and _spelled(value) in _FORMATS:
        return _FORMATS[_spelled(value)]
    raise ValueError(f"{name}: unknown format {value!r}; known: {', '.join(sorted(_FORMATS))}")
