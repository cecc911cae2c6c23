"""pyaclnn compare: what the sides say, and how many elements differ by how much."""

import json
import re

import numpy as np
import pytest
from pyaclnn import comparison, computation
from pyaclnn.command_line import main
from pyaclnn.number_formats import numbers
from pyaclnn.problem import Problem
from pyaclnn.random_operands import random_operands
from pyaclnn.side import SideFailed, compute_with

import decoy
import oracle
from toolchain import prefix

LINE = "2d n2 ci4 co6 g2 i9x8 k3 s2x1 p1:0x2:1 d1x2"
BOTH_RUNTIMES = ("--runtime", "emulator", "--runtime", "system")


@pytest.fixture
def compare(capsys, monkeypatch):
    """Runs the command in this process: exit status, standard output, standard error."""
    monkeypatch.delenv("COLUMNS", raising=False)

    def call(*words):
        status = main(["compare", *words])
        return (status, *capsys.readouterr())

    return call


@pytest.fixture
def installed(monkeypatch):
    """The emulator's own libraries as an installed toolkit."""
    monkeypatch.setenv("ASCEND_HOME_PATH", str(prefix()))


def gradients(line, soc="A2"):
    problem = Problem.parse(line)
    return computation.compute(problem, random_operands(problem, 0), soc).gradients


def ordinals(array):
    patterns = array.view(np.int32).astype(np.int64)
    return np.where(patterns < 0, -(patterns & 0x7FFFFFFF), patterns)


def test_differences_are_those_of_two_computations_element_by_element(compare):
    status, output, _ = compare(LINE, "--cube", "0", "--cube", "1", "--json")
    answer = json.loads(output)
    base, other = answer["sides"]
    assert status == 1 and not answer["agree"] and answer["base"] == "cube=0"
    assert (base["arithmetic"]["operands"], other["arithmetic"]["operands"]) == ("f32", "hf32-11")
    problem = Problem.parse(LINE)
    geometry = {name: getattr(problem, name) for name in ("stride", "padding", "dilation", "transposed", "groups")}
    exact = oracle.convolution_backward(*map(numbers, random_operands(problem, 0)), **geometry)
    for index, (left, right) in enumerate(zip(gradients(LINE), gradients(f"{LINE} cube=1"))):
        assert base["gradients"][index]["difference"] is None
        said = other["gradients"][index]["difference"]
        apart = np.abs(left.astype(float) - right.astype(float))
        assert said["elements"] == left.size and said["differing"] == np.count_nonzero(left != right)
        assert said["max"] == apart.max() and said["ulpMax"] == np.abs(ordinals(left) - ordinals(right)).max()
        assert said["relative"] == pytest.approx(apart.max() / np.abs(exact[index]).max())
        for side, found in ((base, left), (other, right)):
            error = np.abs(found - exact[index]).max()
            assert side["gradients"][index]["errors"]["maxError"] == pytest.approx(error, rel=1e-6)


def test_one_bit_is_found(compare, monkeypatch):
    def compute(problem, operands, soc):
        found = computation.compute(problem, operands, soc)
        if soc == "950":
            found.gradients[1].view(np.int32)[5, 1, 2, 0] ^= 1
        return found

    monkeypatch.setattr(comparison, "compute", compute)
    status, output, _ = compare(LINE, "--soc", "A2", "--soc", "950", "--json")
    told = [gradient["difference"] for gradient in json.loads(output)["sides"][1]["gradients"]]
    assert status == 1 and [difference["differing"] for difference in told] == [0, 1, 0]
    assert told[1]["ulpMax"] == 1
    assert compare(LINE, "--soc", "A2", "--soc", "950")[1].endswith("gradWeight differs.\n")


def test_products_that_compute_alike_agree(compare):
    status, output, _ = compare(LINE, "--soc", "A2", "--soc", "950")
    assert status == 0 and output.endswith("A2 and 950 agree bit for bit.\n")
    rows = [line.split() for line in output.splitlines()]
    assert sum(row[:3] == ["950", "none", row[2] if len(row) > 2 else ""] for row in rows) == 3


def test_a_side_that_refuses_is_shown_with_its_rule(compare):
    status, output, _ = compare(LINE, "--soc", "310P", "--soc", "A2", "--soc", "950")
    assert status == 1
    assert re.search(r"^ 310P +Ascend310P3 +161002 PARAM_INVALID +CONVBWD_CUBE_MATH_TYPE_FLOAT", output, re.MULTILINE)
    assert "not as A2" in output and "hint   pass cubeMathType 1" in output
    assert output.endswith("310P refuses the problem; the others agree bit for bit.\n")


def test_all_sides_may_refuse(compare):
    status, output, _ = compare("1d ci1 co1 i5 k3 dtype=c64", "--soc", "310P", "--soc", "910A")
    assert status == 1 and output.endswith("All sides refuse the problem.\n")


def test_what_is_given_once_counts_for_all_sides(compare):
    _, output, _ = compare(LINE, "--cube", "1", "--soc", "310P", "--soc", "A2", "--json")
    operands = [side["arithmetic"]["operands"] for side in json.loads(output)["sides"]]
    assert operands == ["f16", "hf32-11"]


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_the_emulator_agrees_with_itself_as_a_toolkit(compare, installed, dtype):
    status, output, errors = compare(LINE, f"dtype={dtype}", *BOTH_RUNTIMES, "--json")
    assert status == 0, output + errors
    answer = json.loads(output)
    assert [side["runtime"] for side in answer["sides"]] == ["emulator", "system"]
    assert answer["sides"][0]["plan"] and answer["sides"][1]["plan"] is None


def test_a_process_of_its_own_computes_the_same_as_this_one():
    lines = {"A2": f"{LINE} mask=101 dtype=bf16", "950": "2d ci4 co4 i5 k3 mask=100 dtype=hif8 transposed"}
    for soc, line in lines.items():
        problem = Problem.parse(line)
        operands = random_operands(problem, 0)
        here, there = computation.compute(problem, operands, soc), compute_with("emulator", problem, operands, soc)
        assert there.verdict == here.verdict and there.plan == here.plan
        for left, right in zip(here.gradients, there.gradients):
            assert (left is None and right is None) or (left.dtype, left.tobytes()) == (right.dtype, right.tobytes())


def test_a_process_of_its_own_tells_of_a_refusal():
    problem = Problem.parse(f"{LINE} dtype=bf16")
    operands = random_operands(problem, 0)
    here, there = computation.compute(problem, operands, "310P"), compute_with("emulator", problem, operands, "310P")
    assert there.verdict.status == 161002 and there.verdict.violations == here.verdict.violations
    assert there.gradients == (None, None, None) and "CONVBWD_DTYPE" in there.verdict.message


def test_a_toolkit_that_is_not_there_is_no_side(compare, monkeypatch, tmp_path):
    monkeypatch.setenv("ASCEND_HOME_PATH", str(tmp_path))
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    status, output, errors = compare(LINE, *BOTH_RUNTIMES)
    assert (status, output) == (2, "")
    assert errors.startswith("pyaclnn compare: runtime system: PYACLNN_RUNTIME=system, and the toolkit")
    assert "Next step: source the toolkit's set_env.sh" in errors and "Traceback" not in errors


def test_a_process_that_crashes_takes_nobody_with_it(monkeypatch, tmp_path):
    decoy.library(tmp_path / "lib64", "libascendcl.so", decoy.ABORTS)
    monkeypatch.setenv("ASCEND_HOME_PATH", str(tmp_path))
    problem = Problem.parse("1d ci1 co1 i5 k3")
    with pytest.raises(SideFailed, match="runtime system: the process ended with status -6"):
        compute_with("system", problem, random_operands(problem, 0), None)


@pytest.mark.parametrize(
    "words, complaint",
    [
        ([LINE], "exactly one of --soc, --cube and --runtime is given twice or more, and here it is none"),
        ([LINE, "--soc", "A2"], "here it is none"),
        ([LINE, "--soc", "A2", "--soc", "950", "--cube", "0", "--cube", "1"], "here it is --soc and --cube"),
        ([LINE, "--soc", "A2", "--soc", "A2"], "names the same side twice"),
        ([LINE, "--soc", "A2", "--soc", "Ascend7"], "Ascend7"),
        (["2d ci4", "--cube", "0", "--cube", "1"], "co, i, k missing"),
        (["2d ci-4 co4 i8 k3", "--cube", "0", "--cube", "1"], "a size is negative"),
        (["2d n4096 ci4096 co4096 i512 k3 p1", "--cube", "0", "--cube", "1"], "--force"),
    ],
)
def test_what_cannot_be_compared_is_said_on_standard_error(compare, words, complaint):
    status, output, errors = compare(*words)
    assert (status, output) == (2, "") and complaint in errors and errors.startswith("pyaclnn compare: ")


def test_one_problem_is_compared_at_a_time(compare, tmp_path):
    file = tmp_path / "problems.txt"
    file.write_text(f"{LINE}\n")
    assert compare(str(file), "--soc", "A2", "--soc", "950")[0] == 0
    file.write_text(f"{LINE}\n{LINE}\n")
    assert "has 2 problems; one can be compared at a time" in compare(str(file), "--soc", "A2", "--soc", "950")[2]


@pytest.mark.parametrize("columns", [50, 90, 112, 200])
def test_the_tables_follow_the_width(compare, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    status, output, _ = compare(LINE, "--cube", "0", "--cube", "1", "--cube", "2")
    assert status == 1 and max(map(len, output.splitlines())) <= columns
    assert "gradInput, gradWeight differ." in output
    assert len(re.findall(r"\d\.\d\de[-+]\d\d", output)) >= 2 * 9 + 2 * 4
