"""The same call gives the same bits: in every run, on every stream, with any number of threads, kernel by kernel."""

import ast
import hashlib
import zlib
from dataclasses import replace

import numpy as np
import pyaclnn as acl
import pytest

from dtypes import round_to
from geometry import Geometry
from oracle import Dtypes
from products import C950, current
from two_phase import PARAM_INVALID, SUCCESS, Operand, check, ffi, of_geometry

pytestmark = pytest.mark.usefixtures("no_leftovers")

FLOATS = [
    Geometry(3, 10, 12, (17, 19), (3, 3), (1, 2), (1, 1), (1, 1), (0, 0), groups=2),
    Geometry(2, 64, 48, (14, 14), (3, 3), (1, 1), (1, 1), (1, 1), (0, 0)),
    Geometry(2, 32, 32, (20, 20), (5, 5), (1, 1), (2, 2), (1, 1), (0, 0), groups=32),
    Geometry(2, 7, 9, (6, 7, 8), (2, 3, 2), (2, 1, 2), (1, 0, 1), (1, 1, 1), (0, 0, 0), transposed=True),
    Geometry(4, 16, 24, (200,), (7,), (2,), (3,), (1,), (0,), cube_math_type=1),
    Geometry(3, 20, 36, (30, 31), (1, 1), (1, 1), (0, 0), (1, 1), (0, 0)),
    Geometry(2, 24, 8, (9, 9), (3, 3), (2, 2), (1, 1), (1, 1), (1, 1), transposed=True),
]
TYPES = [
    Dtypes(*["float32"] * 6),
    Dtypes(*["float16"] * 6),
    Dtypes(*["bfloat16"] * 6),
    Dtypes("bfloat16", "float16", "float32", "float16", "float32", "bfloat16"),
]


def problems():
    """Enough work for several threads; large enough sums that another order would show."""
    for geometry in FLOATS:
        if current().name == "950":
            types, mask = Dtypes(*["hifloat8"] * 6), (True, False, False)
            yield replace(geometry, transposed=True, dtypes=types, mask=mask, output_padding=geometry.output_padding)
        else:
            for types in TYPES:
                yield replace(geometry, dtypes=types)


def ordinary(problem):
    numbers = np.random.default_rng(zlib.crc32(str(problem.operand_shapes).encode()))
    return [round_to(numbers.standard_normal(s), d) for s, d in zip(problem.operand_shapes, problem.dtypes)]


def left_out(problem):
    names = ("grad_input", "grad_weight", "grad_bias")
    return {name: None for name, asked in zip(names, problem.mask) if not asked}


def digest(stream=ffi.NULL):
    """One line per problem: a fingerprint of the bits of all gradients."""
    lines = []
    for problem in problems():
        with of_geometry(problem, ordinary(problem), **left_out(problem)) as call:
            lines.append(hashlib.sha256(b"".join(call.run(stream).bits())).hexdigest())
    return lines


PRINT_DIGEST = """
import test_determinism, two_phase
two_phase.check(two_phase.acl.aclrtSetDevice(0))
print(*test_determinism.digest(), sep="\\n")
"""
KERNELS = [
    {},
    {"ACLEMU_KERNEL": "direct"},
    {"ACLEMU_KERNEL": "gemm"},
    {"ACLEMU_KERNEL": "gemm", "ACLEMU_ISA": "baseline"},
    {"ACLEMU_KERNEL": "reference"},
    {"ACLEMU_SOC": C950.soc},
    {"ACLEMU_SOC": C950.soc, "ACLEMU_KERNEL": "gemm"},
]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: "-".join(kernel.values()) or "best")
def test_the_number_of_threads_changes_no_bit(kernel, in_process_of_its_own):
    one, two, three = (
        in_process_of_its_own("-c", PRINT_DIGEST, **kernel, ACLEMU_THREADS=threads).split() for threads in "123"
    )
    count = len(FLOATS) if "ACLEMU_SOC" in kernel else len(FLOATS) * len(TYPES)
    assert len(set(one)) == len(one) == count
    assert one == two == three


def test_another_run_and_another_stream_change_no_bit(stream):
    first = digest()
    assert digest() == first
    assert digest(stream) == first


def test_streams_that_run_at_the_same_time_change_no_bit(stream):
    alone = digest()
    for problem, right in zip(problems(), alone):
        data = ordinary(problem)
        with of_geometry(problem, data) as one, of_geometry(problem, data) as two:
            for call in (one, two):
                assert call.phase_one() == SUCCESS, call.message
            assert one.phase_two() == SUCCESS, one.message
            assert two.phase_two(stream) == SUCCESS, two.message
            assert one.synchronise() == SUCCESS, one.message
            assert two.synchronise(stream) == SUCCESS, two.message
            for call in (one, two):
                assert hashlib.sha256(b"".join(call.bits())).hexdigest() == right, problem


# ---- the option ----------------------------------------------------------------------------------------------------


@pytest.fixture
def option():
    """Sets ACL_OPT_DETERMINISTIC, for the process or through the current context; 0 again at the end."""
    yield lambda value, of_context=False: check(
        (acl.aclrtCtxSetSysParamOpt if of_context else acl.aclrtSetSysParamOpt)(acl.ACL_OPT_DETERMINISTIC, value)
    )
    check(acl.aclrtCtxSetSysParamOpt(acl.ACL_OPT_DETERMINISTIC, 0))


@pytest.mark.parametrize("of_context", [False, True])
def test_the_option_changes_no_bit(of_context, option):
    off = digest()
    for value in (1, 2, 3):
        option(value, of_context)
        assert digest() == off


ASK_THE_310P = """
import test_determinism, two_phase
two_phase.check(two_phase.acl.aclrtSetDevice(0))
print(test_determinism.statuses_of_310p())
"""


def statuses_of_310p():
    """A 3-D call without a batch and with groups, for the weight gradient, while the option has different values."""
    problem = Geometry(1, 4, 4, (3, 3, 3), (1, 1, 1), (1, 1, 1), (0, 0, 0), (1, 1, 1), (0, 0, 0), groups=2)
    problem = replace(problem, mask=(False, True, False), cube_math_type=1)
    no_batch = Operand((0, 4, 3, 3, 3), "float32")
    found = {}
    with of_geometry(problem, [np.ones(shape) for shape in problem.operand_shapes], input=no_batch,
                     grad_input=None, grad_bias=None) as call:
        for set_option in (acl.aclrtSetSysParamOpt, acl.aclrtCtxSetSysParamOpt):
            for value in (1, 2, 3, 0):
                check(set_option(acl.ACL_OPT_DETERMINISTIC, value))
                found[set_option is acl.aclrtCtxSetSysParamOpt, value] = call.phase_one()
                if call.status == SUCCESS:
                    call.destroy_executor()
    return found


def test_the_310p_refuses_grouped_3d_weight_gradients_while_the_option_is_1_wherever_it_was_set(in_process_of_its_own):
    """Setting it for a context reaches the process's value, which is the one that is read."""
    found = in_process_of_its_own("-c", ASK_THE_310P, ACLEMU_SOC="Ascend310P3")
    expected = {(of_context, value): PARAM_INVALID if value == 1 else SUCCESS
                for of_context in (False, True) for value in (1, 2, 3, 0)}
    assert ast.literal_eval(found) == expected
