"""Random problems of every kind on small integers: every FP32 sum is exact, so the bits must be the definition's."""

import platform
import random
import re
import zlib
from dataclasses import replace

import numpy as np
import pyaclnn
import pytest

import oracle
from geometry import ALL_FLOAT, MASKS, random_problem
from two_phase import of_geometry

pytestmark = pytest.mark.usefixtures("no_leftovers")


def problems(seed, count):
    for spatial in (1, 2, 3):
        for transposed in (False, True):
            generator = random.Random(f"{seed} {spatial} {transposed}")
            for _ in range(count):
                yield random_problem(generator, spatial, transposed)


PROBLEMS = list(problems("integers", 60))


def integers(problem):
    numbers = np.random.default_rng(zlib.crc32(str(problem).encode()))
    return [numbers.integers(-4, 5, shape).astype(float) for shape in problem.operand_shapes]


def test_the_problems_cover_every_kind():
    kinds = {
        (p.spatial, p.transposed, p.groups > 1, max(p.stride) > 1, max(p.dilation) > 1, max(p.padding) > 0)
        for p in PROBLEMS
    }
    assert len(kinds) >= 60
    assert {p.mask for p in PROBLEMS} == set(MASKS)
    assert {p.cube_math_type for p in PROBLEMS} == {0, 1, 2, 3}
    assert sum(p.groups > 1 and p.in_channels == p.groups for p in PROBLEMS) >= 30
    assert sum(p.spatial == 2 and len(p.padding) == 4 for p in PROBLEMS) >= 30
    assert sum(any(p.output_padding) for p in PROBLEMS) >= 30
    assert sum(len(set(p.dtypes)) > 1 for p in PROBLEMS) >= 100


def test_a_failing_problem_is_printed_as_a_line_that_can_be_run_again():
    for problem in PROBLEMS:
        line = pyaclnn.Problem.parse(str(problem))
        assert str(line) == str(problem)
        assert (line.grad_output_shape, line.input_shape, line.weight_shape) == problem.operand_shapes


@pytest.mark.parametrize("problem", PROBLEMS, ids=str)
def test_gradients_equal_the_definition_bit_for_bit(problem):
    data = integers(problem)
    want = oracle.emulate(*data, dtypes=problem.dtypes, cube_math_type=problem.cube_math_type, **problem.mathematics)
    with of_geometry(problem, data) as call:
        for asked, got, right, output in zip(problem.mask, call.run().values(), want, oracle.Gradients._fields):
            if asked:
                assert np.array_equal(got, right), f"{output} of {problem}"
            else:
                assert call.operands[output].is_untouched(), f"{output} of {problem}"


LOWEST = "neon" if platform.machine() == "aarch64" else "baseline"


@pytest.mark.parametrize("kernel, isa", [("reference", LOWEST), ("gemm", LOWEST), ("gemm", None)])
def test_each_kernel_equals_the_definition_bit_for_bit(kernel, isa, in_process_of_its_own):
    environment = {"ACLEMU_KERNEL": kernel, "ACLEMU_VERBOSE": "plan"} | ({"ACLEMU_ISA": isa} if isa else {})
    report = in_process_of_its_own(
        "-m",
        "pytest",
        "-q",
        "-s",
        "-p",
        "no:cacheprovider",
        __file__,
        "-k",
        "gradients_equal_the_definition",
        **environment,
    )
    assert f"{len(PROBLEMS)} passed" in report
    kernels = ",".join(re.findall(r" kernels=(\S+)", report)).split(",")
    used = {tuple(kernel.split("/")[:2]) for kernel in kernels}
    assert {name for name, _ in used} == {kernel}
    assert isa is None or {instructions for _, instructions in used} == {isa}


ORDINARY = [replace(p, mask=(True, True, True), dtypes=ALL_FLOAT, cube_math_type=0) for p in problems("ordinary", 12)]


@pytest.mark.parametrize("problem", ORDINARY, ids=str)
def test_ordinary_numbers_are_as_near_as_fp32_sums_allow(problem):
    numbers = np.random.default_rng(zlib.crc32(str(problem).encode()))
    data = [numbers.standard_normal(shape).astype(np.float32) for shape in problem.operand_shapes]
    want = oracle.convolution_backward(*data, **problem.mathematics)
    with of_geometry(problem, data) as call:
        for got, right, output in zip(call.run().values(), want, oracle.Gradients._fields):
            assert np.abs(got - right).max() <= 2e-6 * np.abs(right).max(), f"{output} of {problem}"
