"""One small call that works, for tests of what is done to a call."""

import threading
from contextlib import contextmanager

import numpy as np

import oracle
from geometry import Geometry
from two_phase import INNER, OUTPUTS, PARAM_NULLPTR, SUCCESS, acl, check, of_geometry

PROBLEM = Geometry(2, 4, 6, (7, 8), (3, 3), (1, 1), (1, 1), (1, 1), (0, 0), groups=2)
ARGUMENT_NAMES = {
    "grad_output": "gradOutput",
    "input": "input",
    "weight": "weight",
    "grad_input": "gradInput",
    "grad_weight": "gradWeight",
    "grad_bias": "gradBias",
    "stride": "stride",
    "padding": "padding",
    "dilation": "dilation",
    "output_padding": "outputPadding",
    "output_mask": "outputMask",
}
UNKNOWN_EXECUTOR = (INNER, PARAM_NULLPTR)  # a used-up executor: one of these, never a crash


def integers(seed=0, problem=PROBLEM):
    numbers = np.random.default_rng(seed)
    return [numbers.integers(-4, 5, shape).astype(float) for shape in problem.operand_shapes]


def a_call(data=None, **operands):
    return of_geometry(PROBLEM, integers() if data is None else data, **operands)


def expect_values(call, data):
    want = oracle.convolution_backward(*data, **PROBLEM.mathematics)
    for name, got, right in zip(OUTPUTS, call.values(), want):
        assert np.array_equal(got, right), name


def expect_a_good_call_works():
    data = integers(99)
    with a_call(data) as call:
        expect_values(call.run(), data)


@contextmanager
def planned(**operands):
    with a_call(**operands) as call:
        assert call.phase_one() == SUCCESS, call.message
        yield call


def in_another_thread(function):
    """Runs it on a new thread that has opened the device; its result or its exception comes back here."""
    result = []

    def body():
        try:
            check(acl.aclrtSetDevice(0))
            try:
                result.append(function())
            finally:
                check(acl.aclrtResetDevice(0))
        except BaseException as problem:
            result.append(problem)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    if isinstance(result[0], BaseException):
        raise result[0]
    return result[0]
