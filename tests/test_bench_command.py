"""pyaclnn bench: it measures, says what is missing, and ends with the status that the help promises."""

import json
import math
import re
import subprocess
import sys

import numpy as np
import pytest
from pyaclnn.bench import onednn, ours, peak, session, worker
from pyaclnn.bench.contestant import Unavailable
from pyaclnn.bench.operands import difference, operands
from pyaclnn.bench.timing import Budget
from pyaclnn.bench.torch import Torch
from pyaclnn.bench.workloads import Case, Row, select

from oracle import convolution_backward
from toolchain import ROOT, c_compiler, environment, pyaclnn

QUICK = ("--filter", "official", "--dtype", "float32", "--threads", "1", "--calls", "2", "--tolerance", "100")


@pytest.fixture
def without_rivals(tmp_path):
    """The environment in which neither torch nor oneDNN can be found."""
    for name in ("torch", "onednn_cpu_gomp-0.dist-info"):
        (tmp_path / "hidden" / name).mkdir(parents=True)
    (tmp_path / "hidden" / "torch" / "__init__.py").write_text("raise ImportError('no torch here')")
    metadata = "Metadata-Version: 2.1\nName: onednn-cpu-gomp\nVersion: 0\n"
    (tmp_path / "hidden" / "onednn_cpu_gomp-0.dist-info" / "METADATA").write_text(metadata)
    return environment(PYTHONPATH=str(tmp_path / "hidden"), COLUMNS=None, FORCE_COLOR=None)


def bench(*words, env=None, status=0):
    """Runs the command in a pipe; returns what it printed to standard output and to standard error."""
    command = [sys.executable, "-m", "pyaclnn", "bench", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "tests", env=env or environment())
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def test_without_rivals_it_measures_ours_and_says_what_to_install(without_rivals, tmp_path):
    output, progress = bench(*QUICK, "--json", tmp_path / "bench.json", env=without_rivals)
    assert re.search(r"^ official_1x1_tiny +[\d.]+ +- +- +- +- +[\d.]+ +\d+$", output, re.MULTILINE)
    assert "torch does not take part" in output and "pip install torch==2.13.0, or make bench" in output
    assert "onednn does not take part" in output and "onednn-cpu-gomp==2023.2.0" in output
    assert re.search(r"^\[1/1\] official_1x1_tiny float32 1T: pyaclnn [\d.]+ ms$", progress, re.MULTILINE)

    document = json.loads((tmp_path / "bench.json").read_text())
    assert document["version"] == 1 and set(document) == {
        "version", "date", "machine", "settings", "versions", "peaks", "notes", "results", "small_calls"
    }
    assert set(document["machine"]) == {"processor", "cores", "memory", "system"}
    assert document["settings"]["tolerance"] == "100%"
    (row,) = document["results"]
    assert (row["row"], row["dtype"], row["threads"], row["faults"]) == ("official_1x1_tiny", "float32", 1, [])
    assert row["flops"] == 784 + 784 + 196
    assert row["figures"]["pyaclnn"]["kept"] == 2 and row["figures"]["pyaclnn"]["milliseconds"] > 0


def test_the_parts_of_a_small_call_are_the_whole(without_rivals, tmp_path):
    output, _ = bench(*QUICK, "--json", tmp_path / "bench.json", env=without_rivals)
    small_calls = json.loads((tmp_path / "bench.json").read_text())["small_calls"]
    assert set(small_calls) == {"sync", "async"}
    for way, parts in small_calls.items():
        assert list(parts) == ["phase one", "phase two", "synchronise", "together"]
        *single, together = parts.values()
        assert all(time > 0 for time in single)
        assert sum(single) == pytest.approx(together, rel=0.5)  # medians do not add up as sums do
        assert f"ACLEMU_STREAM={way}, in microseconds: together {together:.3g}"[:-2] in output


def test_what_was_measured_before_can_be_shown_again(without_rivals, tmp_path):
    file = tmp_path / "bench.json"
    first, _ = bench(*QUICK, "--json", file, env=without_rivals)
    again, progress = bench("--from", file, env=without_rivals)
    assert again == first and progress == ""
    _, complaint = bench("--from", file, "--filter", "lenet", status=2)
    assert "has no such results" in complaint


def test_every_number_of_threads_gets_a_process_with_that_many(without_rivals, tmp_path):
    bench(*QUICK, "--threads", "2,1", "--json", tmp_path / "bench.json", env=without_rivals)
    document = json.loads((tmp_path / "bench.json").read_text())
    assert [row["threads"] for row in document["results"]] == [1, 2]


def test_a_process_learns_its_number_of_threads_and_keeps_freed_memory(monkeypatch):
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.check=0")
    environment = session.environment_of(3)
    assert (environment["ACLEMU_THREADS"], environment["OMP_NUM_THREADS"]) == ("3", "3")
    first, *ours = environment["GLIBC_TUNABLES"].split(":")
    assert first == "glibc.malloc.check=0"
    assert [item.split("=")[0] for item in ours] == ["glibc.malloc.mmap_threshold", "glibc.malloc.trim_threshold"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--filter", "no_such_row"], "no row matches 'no_such_row'; there are official_1x1_tiny, cifar"),
        (["--filter", "("], "'(' is no regular expression"),
        (["--dtype", "float64"], "'float64' is none of float32, bfloat16, float16"),
        (["--rivals", "torch,cuda"], "'cuda' is none of torch, onednn"),
        (["--threads", "0"], "'0' is no whole number from 1 to 1024"),
        (["--calls", "-1"], "'-1' is no whole number"),
        (["--seconds", "nan"], "'nan' is no number above 0"),
        (["--tolerance", "no"], "'no' is no number above 0"),
        (["--patience", "0"], "'0' is no number above 0"),
        (["--json", "/no/such/folder/bench.json"], "there is no such folder"),
        (["--markdown", str(ROOT / "LICENSE")], "has no place for results"),
        (["--from", "/no/such/file"], "/no/such/file: No such file or directory"),
        (["--from", str(ROOT / "LICENSE")], "LICENSE: "),
    ],
    ids=lambda value: " ".join(value[:1]) if isinstance(value, list) else "",
)
def test_a_wrong_command_line_ends_with_2_before_anything_is_measured(words, complaint):
    output, errors = bench(*words, status=2)
    assert output == "" and complaint in errors


def test_a_worker_that_dies_ends_with_2(without_rivals, tmp_path):
    (tmp_path / "hidden" / "torch" / "__init__.py").write_text("import os; os._exit(3)")
    _, errors = bench(*QUICK, env=without_rivals, status=2)
    assert "the worker process with 1 thread ended with status 3" in errors


NEVER_READY = """
import time, types
float32 = float16 = None
__version__ = "0"
__config__ = types.SimpleNamespace(show=lambda: "")
set_num_threads = lambda threads: None
from_numpy = lambda array: types.SimpleNamespace(view=lambda dtype: array)
forever = types.SimpleNamespace(default=lambda *arguments: time.sleep(3600))
ops = types.SimpleNamespace(aten=types.SimpleNamespace(convolution_backward=forever))
"""


def test_a_rival_that_takes_too_long_is_given_up(without_rivals, tmp_path):
    (tmp_path / "hidden" / "torch" / "__init__.py").write_text(NEVER_READY)
    words = [word if word != "float32" else "float32,float16" for word in QUICK]
    output, progress = bench(*words, "--patience", "0.5", "--json", tmp_path / "bench.json", env=without_rivals)
    rows = json.loads((tmp_path / "bench.json").read_text())["results"]
    assert [row["dtype"] for row in rows] == ["float32", "float16"]
    for row in rows:
        assert row["figures"]["torch"] == {"milliseconds": None, "kept": 0, "discarded": 0, "at_least": 500.0}
        ours = row["figures"]["pyaclnn"]["milliseconds"]
        assert re.search(rf"^ official_1x1_tiny +{ours:.3g} +>500 +>{500 / ours:.2f} ", output, re.MULTILINE)
        assert f"torch/ours: geometric mean at least {500 / ours:.2f} of 1 row, worst official_1x1_tiny" in output
    assert progress.count("torch given up after 500 ms") == 2
    assert "try again on a machine that is idle" not in output


def test_the_help_has_examples_and_the_statuses():
    text = pyaclnn("bench", "--help")
    for word in ("--filter REGEX", "--rivals", "Exit status:", "docs/performance.md"):
        assert word in text
    assert re.search(r"^ +bench +time the gradients", pyaclnn("--help"), re.MULTILINE)


# ---- the contestants -----------------------------------------------------------------------------------------------


def row(name, input_shape, weight_shape, grad_output_shape, **changes):
    axes = len(input_shape) - 2
    usual = {"stride": (1,) * axes, "padding": (0,) * axes, "dilation": (1,) * axes, "output_padding": (0,) * axes}
    options = {"groups": 1, "transposed": False, **usual, **changes}
    return Row(name, "", input_shape, weight_shape, grad_output_shape, flops=1, **options)


ROWS = [
    row("plain", (2, 5, 7, 8), (6, 5, 3, 2), (2, 6, 5, 7)),
    row("1d", (2, 4, 11), (6, 2, 3), (2, 6, 6), stride=(2,), padding=(2,), dilation=(2,), groups=2),
    row("3d", (1, 2, 4, 5, 6), (3, 2, 2, 3, 1), (1, 3, 3, 5, 3), stride=(1, 1, 2), padding=(0, 1, 0)),
    row("depthwise", (2, 4, 6, 6), (4, 1, 3, 3), (2, 4, 6, 6), padding=(1, 1), groups=4),
    row("unused border", (1, 3, 6, 7), (2, 3, 1, 1), (1, 2, 3, 3), stride=(2, 3)),
    row("transposed", (2, 4, 5, 4), (4, 6, 3, 2), (2, 6, 9, 11), stride=(2, 3), padding=(1, 0), transposed=True),
    row("transposed groups", (1, 4, 5), (4, 3, 4), (1, 6, 13), stride=(2,), padding=(0,), groups=2, transposed=True,
        output_padding=(1,)),
]


def libraries():
    yield ours.Ours()
    for library in (Torch, onednn.OneDnn):
        try:
            yield library(1)
        except Unavailable:
            pass  # tests run without rivals, too


@pytest.mark.parametrize("case", [Case(row, "float32") for row in ROWS], ids=lambda case: case.row.name)
def test_every_contestant_computes_the_gradients_of_the_definition(case):
    numbers = operands(case)
    geometry = {name: getattr(case.row, name) for name in ("stride", "padding", "dilation", "transposed", "groups")}
    right = convolution_backward(*(array.astype(np.float64) for array in numbers), **geometry)
    for library in libraries():
        for name, contestant in library.contestants(case, numbers).items():
            for found, expected in zip(contestant.gradients(), right):
                assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max(), name
            contestant.close()


class Doubled:
    """A library that is fast and wrong."""

    def versions(self):
        return {}

    def contestants(self, case, operands):
        right = ours.Ours().open(case, operands)

        class Wrong:
            run = staticmethod(right.run)
            close = staticmethod(right.close)

            def gradients(self):
                grad_input, grad_weight, grad_bias = right.gradients()
                return grad_input, 2 * grad_weight, grad_bias

        return {"wrong": Wrong()}


def measured(libraries, dtype="float32"):
    (case,) = select("official", [dtype])
    task = worker.Task(1, [], [], Budget(1, 0.1, 1.0), [])
    return worker._measure_case(case, libraries, [], task, lambda answer: None)


def test_a_contestant_with_other_results_is_a_fault_and_is_not_timed():
    result = measured([ours.Ours(), Doubled()])
    (fault,) = result.faults
    assert fault.startswith("pyaclnn and wrong disagree: gradWeight is off by")
    assert "pyaclnn" not in result.figures


@pytest.mark.parametrize("name", ["gradInput", "gradWeight", "gradBias"])
def test_a_wrong_number_in_any_gradient_is_a_difference(name):
    right = [np.full((2, 3), 8, np.float32) for _ in range(3)]
    wrong = [array.copy() for array in right]
    place = ["gradInput", "gradWeight", "gradBias"].index(name)
    wrong[place][1, 2] = 8.01
    assert difference(tuple(wrong), tuple(right), "float32").startswith(f"{name} is off by 0.01")
    wrong[place][1, 2] = np.nan
    assert difference(tuple(wrong), tuple(right), "float32").startswith(f"{name} is off by nan")
    assert difference(tuple(right), tuple(right), "float32") == ""


def test_the_peak_is_one_that_a_processor_can_have():
    c_compiler()
    one, two = peak.measure(1), peak.measure(2)
    # an addition and a multiplication of one number a nanosecond, at least; 64 lanes at 8 GHz, at most
    assert 2e8 < one < 2 * 64 * 8e9
    assert math.isfinite(two) and two < 2 * (2 * 64 * 8e9)


def test_without_a_compiler_it_ends_with_2_and_a_reason(without_rivals):
    without_rivals["CC"] = "no-such-compiler -O2"
    _, errors = bench(*QUICK, env=without_rivals, status=2)
    assert "there is no C compiler no-such-compiler; install one, or name it with CC=" in errors
