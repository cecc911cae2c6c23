"""Everything that the documents show is true: code blocks run, outputs are compared, excerpts and paths are looked up.

The convention for writers is in CONTRIBUTING.md, under "Documents".
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from typing import NamedTuple

import pytest
import yaml

import ci_recipe
from toolchain import ROOT, SAMPLES, c_compiler, copy_of_repository, cxx_compiler, environment, flags, run, tool

DOCUMENTS = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^(?:<!-- (?P<directive>file|from|in): (?P<name>\S+) -->\n)?```(?P<language>\w*)\n(?P<body>.*?)^```$",
                   re.MULTILINE | re.DOTALL)
ENVIRONMENTS = ("l0n0lacl", "torch-npu")  # each is a folder of tests, and a target of the Makefile
FOLDERS = ("bench", "docs", "include", "lib", "pyaclnn", "samples", "tests", "tools")


class Block(NamedTuple):
    line: int
    language: str
    body: str
    directive: str
    name: str


def read(document):
    return (ROOT / document).read_text()


def blocks_of(text):
    return [
        Block(text.count("\n", 0, found.start("body")), *found.group("language", "body", "directive", "name"))
        for found in FENCE.finditer(text)
    ]


class Workbench:
    """Runs the blocks of one document in their order, in an empty folder or in a copy of the repository."""

    def __init__(self, folder):
        self.desk = folder / "desk"
        self.clone = folder / "clone"
        self.tools = folder / "tools"
        self.desk.mkdir()
        self.tools.mkdir()
        self.output = None
        for name in ("python", "python3"):
            self.shim(name, f'exec {shlex.quote(sys.executable)} "$@"')
        self.shim("make", f'exec {shlex.quote(sys.executable)} {shlex.quote(__file__)} {shutil.which("make")} "$@"')
        self.shim("pip", '[ "$1" = install ]')  # tests/test_packaging.py installs for real
        self.env = environment(LD_LIBRARY_PATH=None)
        self.env["PATH"] = f"{self.tools}{os.pathsep}{self.env['PATH']}"

    def shim(self, name, script):
        (self.tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.tools / name).chmod(0o755)

    def place_of(self, script):
        """Commands of the project's own development need a clone; users are somewhere else."""
        if script.split()[0] not in ("make", "meson"):
            return self.desk
        if not self.clone.exists():
            copy_of_repository(self.clone)
        return self.clone

    def run(self, block):
        if block.directive == "from":
            return self.look_up(block)
        if block.directive == "in":
            return self.leave(block)
        if block.directive == "file":
            (self.desk / block.name).write_text(block.body)
            return None
        return getattr(self, f"run_{block.language}", self.refuse)(block)

    def refuse(self, block):
        pytest.fail(f"nobody knows how to run a block of {block.language or 'no'} language")

    def run_sh(self, block):
        self.output = run(["bash", "-euo", "pipefail", "-c", block.body], cwd=self.place_of(block.body), env=self.env)

    def run_yaml(self, block):
        """A recipe of a CI service: what its jobs run, without what they fetch."""
        for variables, commands in ci_recipe.jobs(yaml.safe_load(block.body)):
            self.output = run(["bash", "-euo", "pipefail", "-c", "\n".join(commands)], cwd=self.desk,
                              env={**self.env, **variables})

    def run_python(self, block):
        self.output = run([sys.executable, "-c", block.body], cwd=self.desk, env=self.env)

    def run_c(self, block, compiler=c_compiler):
        source = self.desk / f"block.{block.language}"
        source.write_text(block.body)
        run([compiler(), "-Wall", "-Wextra", "-Werror", source, "-o", self.desk / "block", *flags("--cflags"),
             *flags("--libs"), "-lm"])
        self.output = run([self.desk / "block"], cwd=self.desk, env=self.env)

    def run_cpp(self, block):
        self.run_c(block, cxx_compiler)

    def run_text(self, block):
        """The lines are in the output before, as they stand; `...` is any lines, or anything within a line."""
        assert self.output is not None, "there is no output that this could be"
        pattern = "".join(
            r"(?:.*\n)*?" if line == "..." else re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + r"[ \t]*\n"
            for line in block.body.splitlines()
        )
        assert re.search(f"^{pattern}", self.output, re.MULTILINE), f"not found in this output:\n{self.output}"

    def run_problem(self, block):
        """Every line is a problem in its printed form."""
        script = "import sys, pyaclnn\nfor line in sys.argv[1].splitlines(): print(pyaclnn.Problem.parse(line))"
        assert run([sys.executable, "-c", script, block.body], cwd=self.desk) == block.body

    def run_ebnf(self, block):
        """A grammar: nothing to run."""

    def leave(self, block):
        """The tests of another environment run it."""
        assert block.name in ENVIRONMENTS, f"there is no environment {block.name}"

    def look_up(self, block):
        def squeezed(text):
            return re.sub(r"\s+", " ", text).strip()

        assert squeezed(block.body) in squeezed(read(block.name)), f"{block.name} has no such lines"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_code_blocks_of_the_document_work(document, tmp_path):
    cxx_compiler()
    tool("cmake")
    workbench = Workbench(tmp_path)
    text = read(document)
    blocks = blocks_of(text)
    assert 2 * len(blocks) == len(re.findall(r"^\s*```", text, re.MULTILINE)), "a fence that the test does not see"
    for block in blocks:
        try:
            workbench.run(block)
        except AssertionError as broken:
            pytest.fail(f"{document}:{block.line}: {block.language}\n{textwrap.indent(block.body, '    ')}\n{broken}")


@pytest.mark.parametrize("document", [*DOCUMENTS, "CHANGELOG.md"])
def test_paths_and_links_of_the_document_exist(document):
    prose = FENCE.sub("", read(document))
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)]+)\)", prose) if not re.match(r"https?:|#", link)]
    missing = [link for link in links if not ((ROOT / document).parent / link).exists()]
    named = [name for name in re.findall(r"`([\w./-]+)`", prose) if name.split("/")[0] in FOLDERS and "/" in name]
    missing += [name for name in named if not (ROOT / name).exists()]
    assert not missing


def test_quick_start_is_two_commands():
    quick_start = read("README.md").split("## Quick start")[1].split("\n## ")[0]
    assert [block.body for block in blocks_of(quick_start) if block.language == "sh"] == ["make demo\nmake test\n"]


def test_configuration_lists_every_variable_that_the_libraries_read():
    read_ones = set(re.findall(r'"(ACLEMU_[A-Z_]+)"', read("lib/runtime/config.c")))
    rows = re.findall(r"^\| `(ACLEMU_[A-Z_]+)` \|", read("docs/configuration.md"), re.MULTILINE)
    assert len(rows) == len(set(rows)) and set(rows) == read_ones


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("```sh\nfalse\n```", "ended with 1"),
        ("```sh\nmake no-such-target\n```", "No rule to make target"),
        ("```sh\necho one two\n```\n```text\none\n```", "not found in this output"),
        ("```python\nprint(1)\nprint(2)\nprint(3)\n```\n```text\n1\n3\n```", "not found in this output"),
        ("```c\nint main(void) { return 3; }\n```", "ended with 3"),
        ("```cpp\nint main() { return 4; }\n```", "ended with 4"),
        ("<!-- from: LICENSE -->\n```text\nno such sentence\n```", "LICENSE has no such lines"),
    ],
)
def test_a_block_that_is_not_true_is_found(text, complaint, tmp_path):
    cxx_compiler()
    workbench = Workbench(tmp_path)
    with pytest.raises(AssertionError, match=complaint):
        for block in blocks_of(text + "\n"):
            workbench.run(block)


def test_a_block_that_is_true_is_accepted(tmp_path):
    workbench = Workbench(tmp_path)
    saved = "<!-- file: one.py -->\n```python\nprint(1)\nprint(2)\nprint(3)\n```\n"
    for block in blocks_of(saved + "```sh\npython one.py\n```\n```text\n1\n...\n3\n```\n"):
        workbench.run(block)


def stand_in_for_make(make, *arguments):
    """`make` inside a block: proves that the targets exist, and prints what `demo` does; no tests inside the tests."""
    planned = subprocess.run([make, "--dry-run", *arguments], stdout=subprocess.DEVNULL)
    if planned.returncode == 0 and "demo" in arguments:
        source = SAMPLES / "real_data_2d.c"
        run([c_compiler(), source, "-o", "real_data_2d", *flags("--cflags"), *flags("--libs"), "-lm"])
        print(run(["./real_data_2d"]), end="")
        print(run([sys.executable, "-m", "pyaclnn", "demo"], cwd=SAMPLES), end="")
    return planned.returncode


if __name__ == "__main__":
    sys.exit(stand_in_for_make(*sys.argv[1:]))
