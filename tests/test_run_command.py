"""pyaclnn run: the numbers are right, whatever their form, and the exit status says how it went."""

import base64
import html.parser
import json
import re
import shlex
import struct
import subprocess
import sys

import numpy as np
import pytest
from pyaclnn import computation, number_formats
from pyaclnn.command_line import main
from pyaclnn.commands import error_chart, run_result
from pyaclnn.problem import Problem
from pyaclnn.random_operands import random_operands

import oracle
from dtypes import round_to
from toolchain import ROOT, environment, prefix

LINE = "2d n2 ci4 co6 g2 i9x8 k3 s2x1 p1:0x2:1 d1x2"
ESCAPE = "\x1b"
ULPS = 2**16  # of an error that is put in: far more than adding up leaves, wherever it is


@pytest.fixture
def run(capsys, monkeypatch):
    """Runs the command in this process: exit status, standard output, standard error."""
    monkeypatch.delenv("COLUMNS", raising=False)

    def call(*words):
        status = main(["run", *words])
        return (status, *capsys.readouterr())

    return call


@pytest.fixture
def results(run):
    def call(*words, status=0):
        found, output, errors = run(*words, "--json")
        assert found == status, output + errors
        return json.loads(output)

    return call


def truth(line, seed=0, operand="float32"):
    """The gradients of the command's own operands by the oracle, with operands rounded as the device rounds them."""
    problem = Problem.parse(line)
    operands = [number_formats.numbers(array) for array in random_operands(problem, seed)]
    geometry = {name: getattr(problem, name) for name in ("stride", "padding", "dilation", "transposed", "groups")}
    with_bias = oracle.convolution_backward(*operands, **geometry)
    rounded = oracle.convolution_backward(*(round_to(array, operand) for array in operands), **geometry)
    return [rounded.grad_input, rounded.grad_weight, with_bias.grad_bias]


def computed(line, seed=0, soc="A2"):
    problem = Problem.parse(line)
    return computation.compute(problem, random_operands(problem, seed), soc).gradients


def distance(left, right):
    """Of two FLOATs, by their patterns."""
    first, second = (struct.unpack("<i", struct.pack("<f", value))[0] for value in (left, right))
    first, second = (-(number & 0x7FFFFFFF) if number < 0 else number for number in (first, second))
    return abs(first - second)


def check_against(said, found, exact):
    """The errors that were told, against one element after the other."""
    worst = np.unravel_index(np.abs(found - exact).argmax(), exact.shape)
    distances = [distance(*pair) for pair in zip(found.ravel().tolist(), exact.astype(np.float32).ravel().tolist())]
    assert said["maxError"] == np.abs(found - exact).max()
    assert said["maxReference"] == pytest.approx(np.abs(exact).max(), 1e-12)
    assert said["worst"]["index"] == [int(index) for index in worst]
    assert (said["worst"]["found"], said["worst"]["expected"]) == pytest.approx((found[worst], exact[worst]), 1e-14)
    assert said["ulpMax"] == max(distances) and said["ulpMean"] == pytest.approx(np.mean(distances))
    assert said["correctlyRounded"] == pytest.approx(distances.count(0) / len(distances))
    assert sum(row["elements"] for row in said["histogram"]) == len(distances)
    assert said["histogram"][0] == {"ulps": "0", "elements": distances.count(0)}


# ---- the numbers ---------------------------------------------------------------------------------------------------


def test_errors_are_those_of_a_computation_element_by_element(results):
    (answer,) = results(LINE, "--seed", "5")["runs"]
    assert answer["within"] and answer["accepted"] and answer["soc"] == "Ascend910B3" and answer["seed"] == 5
    for gradient, found, exact in zip(answer["gradients"], computed(LINE, 5), truth(LINE, 5)):
        assert gradient["shape"] == list(exact.shape) and gradient["dtype"] == "f32"
        # sums of the same numbers in another order: a few units of float64 apart
        said = gradient["givenOperands"]
        assert said["maxError"] == pytest.approx(np.abs(found - exact).max(), rel=1e-6)
        pairs = zip(found.ravel().tolist(), exact.astype(np.float32).ravel().tolist())
        assert said["ulpMax"] == pytest.approx(max(distance(*pair) for pair in pairs), abs=1)
        assert gradient["roundedOperands"] == said


def test_what_the_number_format_costs_is_told_beside_what_adding_up_costs(results):
    (answer,) = results(LINE, "--cube", "1")["runs"]
    assert answer["arithmetic"]["operands"] == "hf32-11" and "operands=hf32-11" in answer["plan"]
    whole, summed, found = truth(LINE), truth(LINE, operand="hf32"), computed(f"{LINE} cube=1")
    for index in (0, 1):
        gradient = answer["gradients"][index]
        for key, exact in (("givenOperands", whole[index]), ("roundedOperands", summed[index])):
            assert gradient[key]["maxError"] == pytest.approx(np.abs(found[index] - exact).max(), rel=1e-6)
        assert gradient["givenOperands"]["maxError"] > 20 * gradient["roundedOperands"]["maxError"]
    assert answer["gradients"][2]["givenOperands"] == answer["gradients"][2]["roundedOperands"]


@pytest.fixture
def spoilt(monkeypatch):
    """Lets the command see gradients that are correctly rounded, but for one error that the test puts in."""

    def spoil(index, place, ulps):
        def compute(problem, operands, soc, calls):
            honest = computation.compute(problem, operands, soc, calls)
            gradients = [exact.astype(np.float32) for exact in truth(str(problem))]
            gradients[index].view(np.int32)[place] += ulps
            compute.gradients = gradients
            return computation.Computation(honest.verdict, honest.plan, tuple(gradients), honest.seconds)

        monkeypatch.setattr(run_result, "compute", compute)
        return compute

    return spoil


@pytest.mark.parametrize("index, place", [(0, (1, 3, 7, 5)), (1, (5, 1, 2, 0)), (2, (4,))])
def test_an_error_that_was_put_in_is_found(results, spoilt, index, place):
    fake = spoilt(index, place, ULPS)
    (answer,) = results(LINE, status=1)["runs"]
    assert [gradient["within"] for gradient in answer["gradients"]] == [number != index for number in range(3)]
    assert answer["gradients"][index]["used"] > 1
    check_against(answer["gradients"][index]["givenOperands"], fake.gradients[index], truth(LINE)[index])
    assert answer["gradients"][index]["givenOperands"]["worst"]["index"] == list(place)
    others = [gradient["givenOperands"] for number, gradient in enumerate(answer["gradients"]) if number != index]
    assert all(said["ulpMax"] <= 1 for said in others)


def test_errors_outside_the_bounds_are_said_in_words(run, spoilt):
    spoilt(1, (0, 0, 0, 0), ULPS)
    status, output, _ = run(LINE)
    assert status == 1 and "gradWeight OUTSIDE the bounds." in output
    assert re.search(r"worst +\[0, 0, 0, 0\] is ", output) and re.search(r"bound +OUTSIDE: ", output)


@pytest.mark.parametrize(
    "line, soc",
    [
        ("1d n2 ci4 co4 i30 k3 dtype=bf16 transposed", "A2"),
        ("2d n2 ci4 co4 i9 k3 p1 g2 dtype=f16 out=f32", "A2"),
        ("2d n2 ci4 co4 i9 k3 p1 cube=1", "310P"),
        ("3d n2 ci4 co4 i6 k3 p1 cube=2 dtype=f32,f16,bf16 out=bf16", "A2"),
        ("3d n2 ci4 co4 i6 k3 p1 cube=3", "950"),
        ("2d n2 ci4 co4 i9 k3 mask=100 dtype=hif8 transposed", "950"),
        ("2d n0 ci4 co4 i9 k3", "A2"),
        ("2d n0 ci4 co4 i9 k3 mask=100 dtype=e4m3", "950"),
        ("2d ci4 co4 i9 k3 mask=000", "A2"),
    ],
)
def test_every_type_and_rank_is_within_its_bounds(run, line, soc):
    status, output, errors = run(line, "--soc", soc)
    assert status == 0, output + errors
    assert "within their bounds." in output or "No gradient is asked for." in output


def test_the_same_seed_gives_the_same_operands(results):
    def worst(seed):
        return results(LINE, "--seed", seed)["runs"][0]["gradients"][0]["givenOperands"]["worst"]

    assert worst("1") == worst("1") != worst("2")


# ---- what can be asked ---------------------------------------------------------------------------------------------


def test_a_refused_problem_is_explained_as_check_does(run):
    status, output, errors = run("2d ci4 co4 i8 k3 dtype=bf16", "--soc", "310P")
    assert (status, errors) == (1, "")
    assert "310P refuses it with 161002 ACLNN_ERR_PARAM_INVALID" in output and "hint   convert" in output


def test_several_problems_come_from_a_file_and_are_counted(run, results, tmp_path):
    file = tmp_path / "problems.txt"
    file.write_text("# two\n1d ci1 co1 i5 k3\naclemu: 1d ci1 co1 i5 k3 dtype=bf16 soc=Ascend310P3\n")
    status, output, _ = run(str(file))
    assert status == 1 and output.endswith("2 problems: 1 within their bounds, 0 outside, 1 refused\n")
    assert [answer["soc"] for answer in results(str(file), status=1)["runs"]] == ["Ascend910B3", "Ascend310P3"]


@pytest.mark.parametrize(
    "words, complaint",
    [
        (["2d", "ci4"], "co, i, k missing"),
        (["2d ci4 co4 i8 k3 x"], "unknown item 'x'"),
        (["no-such-file"], "'no-such-file' is neither a file nor a problem"),
        (["1d ci1 co1 i5 k3", "--soc", "Ascend7"], "Ascend7"),
        (["1d ci1 co1 i5 k3", "--cube", str(2**40)], "cubeMathType"),
        (["2d n4096 ci4096 co4096 i512 k3 p1"], "--force"),
        (["2d n512 ci1024 co1024 i64 k5 p2 mask=111"], "--force"),
        (["1d ci1 co1 i5 k3", "--plot", "no/such/folder.png"], "there is no such folder"),
        (["1d ci1 co1 i5 k3 mask=000", "--plot", "empty.png"], "nothing to draw"),
    ],
)
def test_what_cannot_be_run_is_said_on_standard_error(run, words, complaint):
    status, output, errors = run(*words)
    assert (status, output) == (2, "") and complaint in errors and errors.startswith("pyaclnn run: ")


def test_a_line_of_a_file_is_named(run, tmp_path):
    (tmp_path / "problems.txt").write_text("1d ci1 co1 i5 k3\n\n1d ci1 co1 i5\n")
    (tmp_path / "call.json").write_text('{"gradOutput": null, "input": null, "weight": null}\n')
    assert "problems.txt: line 3: k missing" in run(str(tmp_path / "problems.txt"))[2]
    assert "call.json: line 1: a call in JSON can be checked" in run(str(tmp_path / "call.json"))[2]


@pytest.mark.parametrize("seed", ["-1", "x", str(2**63)])
def test_a_seed_is_a_whole_number(run, capsys, seed):
    with pytest.raises(SystemExit, match="2"):
        run("1d ci1 co1 i5 k3", f"--seed={seed}")
    assert "is no whole number" in capsys.readouterr().err


def test_problems_come_from_standard_input_and_go_to_a_pipe_as_plain_text():
    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn", "run", "-"],
        input="aclemu: 1d ci1 co1 i5 k3\n",
        cwd=ROOT / "tests",
        env=environment(COLUMNS=None, FORCE_COLOR=None),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and done.stderr == "" and ESCAPE not in done.stdout
    assert not re.search(r"[ \t]$", done.stdout, re.MULTILINE)


def test_output_that_cannot_be_written_is_said():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pyaclnn", "run", "1d", "ci1", "co1", "i5", "k3"],
            cwd=ROOT / "tests",
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 2 and done.stderr == "pyaclnn run: standard output: No space left on device\n"


def test_the_saturating_chips_are_within_their_bounds(in_process_of_its_own):
    """310P and 910A as they are: what is too large becomes the largest number, in the definition as well."""
    words = ["run", "2d n2 ci4 co4 i9 k3 p1 dtype=f16 out=f32", "--soc", "310P"]
    assert "All gradients are within" in in_process_of_its_own("-m", "pyaclnn", *words, ACLEMU_OVERFLOW="device")


@pytest.mark.parametrize("columns", [50, 89, 90, 200])
def test_the_table_follows_the_width(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    _, output, _ = run(LINE, "--cube", "1")
    assert max(map(len, output.splitlines())) <= columns
    for text in ("operands rounded", "correctly", "gradWeight", "All gradients are within their bounds."):
        assert text in output


# ---- pictures and pages --------------------------------------------------------------------------------------------


def test_the_plot_is_a_picture_with_content(run, tmp_path):
    status, _, errors = run(LINE, "--plot", str(tmp_path / "plot.png"))
    assert status == 0, errors
    pixels = pixels_of((tmp_path / "plot.png").read_bytes())
    assert min(pixels.shape[:2]) > 500 and len(np.unique(pixels.reshape(-1, pixels.shape[-1]), axis=0)) > 50


def pixels_of(png):
    from io import BytesIO

    from matplotlib.image import imread

    return imread(BytesIO(png), format="png")


def appraised(index, place, spoilt):
    spoilt(index, place, ULPS)
    return run_result.run_problem(Problem.parse(LINE), "A2", 0, None)


@pytest.mark.parametrize(
    "index, place, cell", [(0, (1, 3, 7, 5), (7, 5)), (1, (5, 1, 2, 0), (5, 15)), (2, (4,), (0, 4))]
)
def test_the_map_has_the_error_in_its_place(spoilt, index, place, cell):
    result = appraised(index, place, spoilt)
    shown = error_chart.error_map(result.appraisals[index])
    errors = np.abs(result.computation.gradients[index] - truth(LINE)[index]) / np.abs(truth(LINE)[index]).max()
    assert np.unravel_index(shown.cells.argmax(), shown.cells.shape) == cell
    assert shown.cells.max() == pytest.approx(errors.max())


def test_the_bars_are_the_histogram(spoilt):
    result = appraised(0, (1, 3, 7, 5), spoilt)
    left = [panel for part in error_chart.figure([result]).subfigs for panel in part.axes if panel.patches]
    for panel, appraisal in zip(left, result.appraisals):
        assert sum(bar.get_height() for bar in panel.patches) == appraisal.main.found.size
        assert appraisal.name in panel.get_title() and panel.get_xlabel() and panel.get_ylabel()
    assert len(left) == 3


def test_a_map_of_many_elements_is_shrunk_without_losing_the_largest():
    cells = np.zeros((1000, 777))
    cells[613, 42] = 7
    shrunk = error_chart._shrunk(cells)
    assert shrunk.shape == (192, 192) and shrunk.max() == 7


class Page(html.parser.HTMLParser):
    """The tags that are open must be closed in order; collects text and what is referred to."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.references, self.tags = [], "", [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.references += [value for name, value in attributes if name in ("src", "href", "srcset", "action")]
        if tag not in ("meta", "img", "source", "br", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.text += data


def test_the_page_has_everything_and_needs_nothing(run, tmp_path):
    status, output, errors = run(LINE, "--cube", "1", "--report", str(tmp_path / "report.html"))
    assert status == 0, errors
    source = (tmp_path / "report.html").read_text(encoding="utf-8")
    page = Page(source)
    assert page.open == [] and "script" not in page.tags and "link" not in page.tags
    assert not re.search(r"https?:|url\(|@import", source)
    assert "prefers-color-scheme: dark" in source and 'name="viewport"' in source
    assert len(page.references) == 2
    for reference in page.references:
        assert reference.startswith("data:image/png;base64,")
        assert len(np.unique(pixels_of(base64.b64decode(reference.split(",")[1])))) > 50
    problem = str(Problem.parse(f"{LINE} cube=1"))
    command = f"pyaclnn run '{problem}' --soc Ascend910B3 --seed 0"
    for text in (problem, "operands=hf32-11", "All gradients are within", command):
        assert text in page.text
    for number in re.findall(r"\d\.\d\de-\d\d", output):
        assert number in page.text


def test_the_command_of_the_page_computes_the_same(results):
    (first,) = results(LINE, "--seed", "3", "--cube", "1")["runs"]
    program, command, *words = shlex.split(first["command"])
    assert (program, command) == ("pyaclnn", "run")
    (second,) = results(*words)["runs"]
    assert second["gradients"] == first["gradients"]


def test_the_page_of_a_refused_problem_says_why(run, tmp_path):
    status, _, _ = run("1d ci1 co1 i5 k3 dtype=bf16", "--soc", "310P", "--report", str(tmp_path / "report.html"))
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert status == 1 and "CONVBWD_DTYPE" in page.text and "Refused with 161002" in page.text and page.references == []


def test_without_matplotlib_the_package_to_install_is_named(run, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "pip install 'pyaclnn[plot]'" in run("1d ci1 co1 i5 k3", "--plot", "plot.png")[2]


# ---- a toolkit -----------------------------------------------------------------------------------------------------


def test_the_libraries_of_a_toolkit_are_judged_by_the_tolerances_of_a_device():
    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn", "run", *LINE.split(), "--json"],
        cwd=ROOT / "tests",
        env=environment(PYACLNN_RUNTIME="system", ASCEND_HOME_PATH=str(prefix())),
        capture_output=True,
        text=True,
    )
    (answer,) = json.loads(done.stdout)["runs"]
    assert answer["runtime"] == "system" and answer["plan"] is None
    assert answer["command"].startswith("PYACLNN_RUNTIME=system ")
    assert [gradient["bound"].endswith("(f32)") for gradient in answer["gradients"]] == [True] * 3
    assert all(gradient["within"] and gradient["roundedOperands"] is None for gradient in answer["gradients"])
