"""The Python API as pages for mkdocstrings: the names that the package exports, by the module that has them."""

import ast

GROUPS = {
    "One call": ["convolution"],
    "Objects": ["device", "event", "tensor", "arrays", "executor"],
    "Tests": ["testing"],
    "Problems and products": ["problem", "report", "request", "violation", "chip"],
    "Statuses": ["errors"],
    "Element types": ["hifloat8"],
    "Libraries": ["libraries"],
}
INTRODUCTION = """\
Every function and constant of the [C API](c/index.md) is there too, under its own name; `ffi` and `lib` are cffi's.
[From Python](../python.md) shows how all of this is used."""
MODULES_OF_THEIR_OWN = ("hifloat8", "testing")
"""Users name these; of the others they see what the package exports."""


def pages(package):
    exported = exported_names(package)
    lines = ["# Python API", "", INTRODUCTION, ""]
    for title, modules in GROUPS.items():
        lines += [f"## {title}", ""]
        for module in modules:
            names = [name for name, place in exported.items() if place == module]
            lines += _entry(module) if module in MODULES_OF_THEIR_OWN else _parts(module, names)
    return {"python.md": "\n".join(lines)}


def exported_names(package):
    """Name and module, as pyaclnn/__init__.py has them."""
    tree = ast.parse((package / "__init__.py").read_text())
    (table,) = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_MODULES"
    ]
    return {key: place for key, place in ast.literal_eval(table).items() if place != "native"}


def _parts(module, names):
    return [line for name in names for line in _entry(f"{module}.{name}")]


def _entry(name):
    return [f"::: pyaclnn.{name}", "    options:", "      heading_level: 3", ""]
