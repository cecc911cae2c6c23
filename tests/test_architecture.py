"""The house keeps its directions: who may include whom, what the libraries need, and where the environment is read."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIB = ROOT / "lib"

# folder of lib/: the folders of lib/ whose headers it may include
MAY_INCLUDE = {
    "kernels": {"kernels"},
    "runtime": {"runtime"},
    "base": {"base", "runtime"},
    "client_needs": {"client_needs", "runtime"},
    "op": {"op", "base", "runtime", "kernels"},
}
PUBLIC = {"acl", "aclnn", "aclnnop", "aclemu"}


def sources():
    return sorted(path for path in LIB.rglob("*") if path.suffix in (".c", ".h", ".inc", ".def"))


def included(path):
    return re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(LIB)))
def test_includes_go_one_way(path):
    folder = path.relative_to(LIB).parts[0]
    for name in included(path):
        first = name.split("/")[0] if "/" in name else folder
        if first in PUBLIC:
            assert folder != "kernels", f"kernels know nothing of the API, {path.name} includes {name}"
        else:
            assert first in MAY_INCLUDE[folder], f"lib/{folder} must not know {name}"


def test_the_environment_is_read_in_one_file():
    readers = [path.name for path in sources() if re.search(r"\b(secure_)?getenv\(\"ACLEMU_|\benviron\b", path.read_text())]
    assert readers == ["config.c"]


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(LIB)))
def test_files_stay_readable(path):
    lines = path.read_text().splitlines()
    assert len(lines) <= 520, "time to redraw"
    wide = [number for number, line in enumerate(lines, 1) if len(line.expandtabs(4)) > 120]
    assert not wide, f"lines of more than 120 columns: {wide}"
