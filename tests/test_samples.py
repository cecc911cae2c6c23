"""The samples, and programs written in other people's ways, build by the documented lines and print right numbers."""

import os
import re
import shutil

import pytest

from toolchain import ROOT, SAMPLES, c_compiler, cxx_compiler, environment, prefix, run, tool

PROGRAMS = sorted(path.stem for path in SAMPLES.glob("*.c"))
LINK_LINES = {
    "opapi_nn": ["-lascendcl", "-lnnopbase", "-lopapi_nn", "-lopapi_math"],
    "opapi": ["-lascendcl", "-lnnopbase", "-lopapi"],
    "acl_rt": ["-lacl_rt", "-lnnopbase", "-lopapi_nn"],
}
LANGUAGES = {
    "c11": lambda: [c_compiler(), "-std=c11"],
    "c++11": lambda: [cxx_compiler(), "-std=c++11", "-x", "c++"],
}
ALL_ONES = {"gradInput": 2, "gradWeight": 14, "gradBias": 14}  # 1-D, 2 batches of 7 positions, 2 channels


def library_path():
    return environment(LD_LIBRARY_PATH=str(prefix() / "lib64"))


def build(source, output, language="c11", link_line="opapi_nn"):
    run([
        *LANGUAGES[language](), "-Wall", "-Wextra", "-Werror", f"-I{prefix() / 'include'}", source, "-o", output,
        f"-L{prefix() / 'lib64'}", *LINK_LINES[link_line], "-lm",
    ])
    return output


def tensors_of(printed):
    """The lines `name  count elements, the first is value: verdict`, in their order."""
    pattern = r"^(grad\w+) +(\d+) elements, the first is (\S+): (\w+)$"
    return [(name, int(count), float(first), verdict)
            for name, count, first, verdict in re.findall(pattern, printed, re.MULTILINE)]


def check_all_ones(axes, printed):
    positions = 7**axes
    assert tensors_of(printed) == [
        ("gradInput", 2 * 2 * positions, 2, "right"),
        ("gradWeight", 2 * 2, 2 * positions, "right"),
        ("gradBias", 2, 2 * positions, "right"),
    ]


def numbers(count, seed):
    """The sample's generator."""
    for _ in range(count):
        seed = (seed * 1664525 + 1013904223) % 2**32
        yield (seed >> 8) / 2**23 - 1


def gradients_of_the_real_data():
    """gradInput, gradWeight and gradBias of the sample's problem, in plain loops over dictionaries."""
    outputs = [(n, m, h, w) for n in range(2) for m in range(4) for h in range(5) for w in range(6)]
    inputs = [(n, c, h, w) for n in range(2) for c in range(3) for h in range(9) for w in range(11)]
    taps = [(m, c, y, x) for m in range(4) for c in range(3) for y in range(3) for x in range(3)]
    grad_output = dict(zip(outputs, numbers(len(outputs), 1)))
    values = dict(zip(inputs, numbers(len(inputs), 2)))
    weight = dict(zip(taps, numbers(len(taps), 3)))

    grad_input, grad_weight, grad_bias = dict.fromkeys(inputs, 0.0), dict.fromkeys(taps, 0.0), [0.0] * 4
    for (n, m, h, w), gradient in grad_output.items():
        grad_bias[m] += gradient
        for tap in taps:
            place = (n, tap[1], 2 * h - 1 + tap[2], 2 * w - 1 + tap[3])
            if tap[0] == m and place in values:
                grad_input[place] += gradient * weight[tap]
                grad_weight[tap] += gradient * values[place]
    return {"gradInput": list(grad_input.values()), "gradWeight": list(grad_weight.values()), "gradBias": grad_bias}


def check_real_data(printed):
    truth = gradients_of_the_real_data()
    pattern = r"^(grad\w+) +device +(.*) \.\.\.\n +truth +(.*) \.\.\. +(\d+) elements, (.*)$"
    blocks = re.findall(pattern, printed, re.MULTILINE)
    assert [block[0] for block in blocks] == ["gradInput", "gradWeight", "gradBias"]
    for name, device, expected, count, verdict in blocks:
        want = [f"{value:.4f}" for value in truth[name][:4]]
        assert (device.split(), expected.split()) == (want, want), name
        assert (int(count), verdict) == (len(truth[name]), "all agree")


def check_errors(printed):
    """Every mistake is a line with its status; the message below names the culprit and the value."""
    before, *parts = re.split(r"^.*: status (\d+)(.*)\n", printed, flags=re.MULTILINE)
    statuses, surprises, messages = parts[0::3], parts[1::3], parts[2::3]
    assert before == "" and surprises == [""] * 5
    assert statuses == ["161001", "161002", "161002", "161002", "507015"]
    for message, culprits in zip(messages, ["weight", "padding -1", "gradInput 9", "groups 2", "input host"]):
        assert all(culprit in message for culprit in culprits.split()), message
    assert tensors_of(printed) == [("gradInput", 196, 2, "right")]


def check_repeated(printed):
    counts = {"gradInput": 28, "gradWeight": 4, "gradBias": 2}
    assert tensors_of(printed) == [
        (name, counts[name], value * ALL_ONES[name], "right") for value in (1, 2, 3, 4) for name in ALL_ONES
    ]


EXPECTATIONS = {
    "error_handling": check_errors,
    "real_data_2d": check_real_data,
    "repeatable_executor": check_repeated,
    "test_aclnn_conv_backward_1d": lambda printed: check_all_ones(1, printed),
    "test_aclnn_conv_backward_2d": lambda printed: check_all_ones(2, printed),
    "test_aclnn_conv_backward_3d": lambda printed: check_all_ones(3, printed),
}


def test_every_sample_has_an_expectation():
    assert PROGRAMS == sorted(EXPECTATIONS)


@pytest.mark.parametrize("link_line", LINK_LINES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_sample_prints_the_right_numbers(program, language, link_line, tmp_path):
    built = build(SAMPLES / f"{program}.c", tmp_path / program, language, link_line)
    EXPECTATIONS[program](run([built], env=library_path()))


@pytest.mark.parametrize(
    ("program", "right", "wrong", "cry"),
    [
        ("test_aclnn_conv_backward_1d", "&b.grad_weight, 14", "&b.grad_weight, 15", "WRONG"),
        ("test_aclnn_conv_backward_2d", "&b.grad_weight, 98", "&b.grad_weight, 97", "WRONG"),
        ("test_aclnn_conv_backward_3d", "&b.grad_bias, 686", "&b.grad_bias, 685", "WRONG"),
        ("real_data_2d", "w * STRIDE - PADDING", "w * STRIDE + PADDING", "THEY DIFFER"),
        ("repeatable_executor", "other_output, 2 *", "other_output, 3 *", "WRONG"),
        ("error_handling", "161001);", "161002);", "IS A SURPRISE"),
    ],
)
def test_sample_fails_when_its_expectation_is_not_met(program, right, wrong, cry, tmp_path):
    source = (SAMPLES / f"{program}.c").read_text()
    assert right in source
    (tmp_path / f"{program}.c").write_text(source.replace(right, wrong))
    shutil.copy(SAMPLES / "common.h", tmp_path)
    built = build(tmp_path / f"{program}.c", tmp_path / program)
    assert cry in run([built], status=1, env=library_path())


def test_samples_name_nothing_but_the_vendors_api():
    for path in [*SAMPLES.glob("*.[ch]")]:
        assert not re.search(r"aclemu|pyaclnn|\bemu_|ACLEMU", path.read_text()), path.name


@pytest.mark.parametrize("library", ["opapi_nn", "opapi"])
def test_cmake_project_builds_and_runs_against_the_toolkit_root(library, tmp_path):
    cxx_compiler()
    cmake = tool("cmake")
    env = environment(ASCEND_HOME_PATH=str(prefix()))
    run([cmake, "-S", SAMPLES, "-B", tmp_path, f"-DOPERATOR_LIBRARY={library}"], env=env)
    run([cmake, "--build", tmp_path, "-j", os.cpu_count()], env=env)
    for program, check in EXPECTATIONS.items():
        check(run([tmp_path / program], env=environment()))  # cmake's run path finds the libraries


def test_cmake_project_without_a_toolkit_root_says_what_to_set(tmp_path):
    cxx_compiler()
    with pytest.raises(AssertionError, match="export ASCEND_HOME_PATH="):
        run([tool("cmake"), "-S", SAMPLES, "-B", tmp_path], env=environment(ASCEND_HOME_PATH=None))


@pytest.mark.parametrize("standard", ["c++11", "c++17", "c++20"])
def test_program_in_the_manuals_style_computes_all_dimensions(standard, tmp_path):
    built = tmp_path / "manual_style"
    run([
        cxx_compiler(), f"-std={standard}", "-Wall", "-Wextra", "-Werror", f"-I{prefix() / 'include'}",
        ROOT / "tests" / "c" / "manual_style.cpp", "-o", built, f"-L{prefix() / 'lib64'}", *LINK_LINES["opapi_nn"],
    ])
    printed = run([built], env=library_path()).splitlines()

    expected = []
    for axes in (1, 2, 3):
        positions = 7**axes
        for name, count, value in (("gradInput", 4 * positions, 2), ("gradWeight", 4, 2 * positions),
                                   ("gradBias", 2, 2 * positions)):
            expected.append(f"{axes + 2 if name != 'gradBias' else 1}-D {name}:" + f" {value}" * count)
    assert printed == expected


def test_program_that_looks_every_function_up_by_name_runs(tmp_path):
    built = tmp_path / "dlsym"
    run([c_compiler(), "-std=gnu11", "-Wall", "-Wextra", "-Werror", f"-I{prefix() / 'include'}",
         ROOT / "tests" / "c" / "dlsym.c", "-o", built, "-ldl"])
    assert run([built], env=library_path()) == "gradWeight: 14 14 14 14\n"
