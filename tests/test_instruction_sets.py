"""ACLEMU_ISA is the highest instruction set that computes; a name that cannot be obeyed is warned of, once."""

import ctypes
import platform
import re
from pathlib import Path

import numpy as np
import pytest

import oracle
from geometry import ALL_FLOAT, Geometry
from oracle import Dtypes

# in rising order, with what the processor must have
NEEDS = {
    "x86_64": {
        "baseline": set(),
        "avx2": {"avx2", "fma", "f16c"},
        "avx512": {"avx512f", "avx512bw", "avx512dq", "avx512vl"},
        "avx512_bf16": {"avx512_bf16"},
        "amx": {"amx_tile", "amx_bf16"},
    },
    "aarch64": {"neon": set()},
}.get(platform.machine(), {"baseline": set()})
NAMES = list(NEEDS)
PROBLEMS = [
    Geometry(2, 40, 36, (9, 8), (3, 3), (1, 1), (1, 1), (1, 1), (0, 0), dtypes=dtypes)
    for dtypes in (ALL_FLOAT, Dtypes(*["bfloat16"] * 6))
]


def available():
    """What this processor has, in rising order."""
    flags = set(re.search(r"^(?:flags|Features)\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1].split())
    return [name for at, name in enumerate(NAMES) if all(NEEDS[lower] <= flags for lower in NAMES[: at + 1])]


# ---- in the child ----


def gradients_are_exact():
    import two_phase
    from two_phase import NULL, acl, check, of_geometry

    check(acl.aclInit(NULL))
    check(acl.aclrtSetDevice(0))
    for problem in PROBLEMS:
        numbers = np.random.default_rng(1)
        data = [numbers.integers(-1, 2, shape).astype(float) for shape in problem.operand_shapes]
        want = oracle.emulate(*data, dtypes=problem.dtypes, cube_math_type=0, **problem.mathematics)
        with of_geometry(problem, data) as call:
            for got, right, output in zip(call.run().values(), want, oracle.Gradients._fields):
                assert np.array_equal(got, right), f"{output} of {problem}"
    assert two_phase.take_message() == ""


class SignalStack(ctypes.Structure):
    _fields_ = [("memory", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t)]


def take_a_small_signal_stack():
    """Linux refuses the registers of AMX to a process in which a signal could not save them."""
    size = 4096
    memory = ctypes.create_string_buffer(size)
    take_a_small_signal_stack.memory = memory
    assert ctypes.CDLL(None).sigaltstack(ctypes.byref(SignalStack(ctypes.addressof(memory), 0, size)), None) == 0


# ---- the tests ----


@pytest.fixture
def run(in_process_of_its_own):
    """Runs the problems in a process of their own: the warnings, and the instruction sets of the plans."""

    def run(before="pass", **environment):
        script = f"import test_instruction_sets as here; {before}; here.gradients_are_exact()"
        report = in_process_of_its_own("-c", script, ACLEMU_VERBOSE="plan", **environment)
        plans = re.findall(r" kernels=(\S+)", report)
        assert len(plans) == len(PROBLEMS)
        used = {kernel.split("/")[1] for plan in plans for kernel in plan.split(",")}
        return re.findall(r"^aclemu: (ACLEMU_.*)$", report, re.MULTILINE), used

    return run


@pytest.mark.parametrize("name", available())
def test_no_kernel_goes_beyond_what_is_forced(name, run):
    warnings, used = run(ACLEMU_ISA=name)
    assert warnings == []
    assert used <= set(NAMES[: NAMES.index(name) + 1])


@pytest.mark.parametrize("name", available())
def test_the_matrix_multiply_of_each_set_is_exact(name, run):
    warnings, used = run(ACLEMU_ISA=name, ACLEMU_KERNEL="gemm")
    assert warnings == []
    # pairs of BF16 are for BF16 only
    assert used == ({name, "avx512"} if name in ("avx512_bf16", "amx") else {name})


def test_baseline_is_the_lowest_set_everywhere(run):
    assert run(ACLEMU_ISA="baseline") == ([], {NAMES[0]})


def test_an_unknown_name_is_warned_of_once(run):
    warnings, used = run(ACLEMU_ISA="sse9")
    (warning,) = warnings
    assert warning.startswith("ACLEMU_ISA=sse9 is not known; valid: ")
    assert set(NAMES) <= set(warning.split())
    assert used == run()[1]


def test_a_name_beyond_the_processor_is_warned_of_once(run):
    best = [name for name in available() if name != "amx"][-1]
    warnings, used = run("here.take_a_small_signal_stack()", ACLEMU_ISA="amx")
    assert warnings == [f"ACLEMU_ISA=amx is beyond this processor; using {best}"]
    assert used <= set(NAMES[: NAMES.index(best) + 1])
