"""soc=, soc() and set_soc(): another chip for a call, for a block of a thread, for the process."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyaclnn
import pytest
from pyaclnn.chip import PRODUCTS, current

from toolchain import ROOT, environment, run

INVALID = 161002
ONES = np.ones((1, 1, 4), np.float32)


def gradients(**options):
    return pyaclnn.convolution_backward(ONES, ONES, ONES[:, :, :1], stride=1, padding=0, dilation=1, **options)


@pytest.fixture(autouse=True)
def chip_of_the_process():
    before = current()
    yield before
    pyaclnn.set_soc(None)
    assert current() == before


def test_soc_of_a_call_decides_and_lasts_for_the_call(chip_of_the_process):
    assert gradients().grad_weight == 4  # A2 computes FLOAT, 310P does not
    with pytest.raises(pyaclnn.AclError) as raised:
        gradients(soc="Ascend310P3")
    assert raised.value.code == INVALID
    assert current() == chip_of_the_process
    assert gradients(soc="310P", cube_math_type=1).grad_weight == 4
    assert current() == chip_of_the_process


def test_the_chip_of_phase_one_computes():
    """1 + 2^-11 is an HF32 of A2, and one of 11 bits too many for the 950."""
    x = np.full((1, 1, 1), 1 + 2**-11, np.float32)
    weight = np.ones((1, 1, 1), np.float32)
    for soc, result in [("A2", 1 + 2**-11), ("950", 1), ("310P", 1)]:
        call = {"stride": 1, "padding": 0, "dilation": 1, "cube_math_type": 1, "output_mask": (True, False, False)}
        assert pyaclnn.convolution_backward(x, x, weight, soc=soc, **call).grad_input == result


def test_a_refused_call_carries_all_its_violations():
    with pytest.raises(pyaclnn.AclError) as raised:
        pyaclnn.convolution_backward(ONES, ONES, ONES[:, :, :1], stride=0, padding=-1, dilation=1, soc="310P")
    violations = raised.value.violations
    rules = ["CONVBWD_STRIDE_RANGE", "CONVBWD_PADDING_RANGE", "CONVBWD_CUBE_MATH_TYPE_FLOAT"]
    assert [violation.rule for violation in violations] == rules
    assert violations[1] == pyaclnn.Violation(
        rule="CONVBWD_PADDING_RANGE",
        stage="VALUES",
        status=INVALID,
        sentence="no element of padding is negative",
        hint="use 0 where there is no padding, and slice the tensor to crop",
        values="padding[0] is -1",
    )


def test_an_error_of_another_function_has_no_violations():
    test_a_refused_call_carries_all_its_violations()  # its violations are still what the library remembers
    with pytest.raises(pyaclnn.AclError) as raised:
        pyaclnn.call(pyaclnn.lib.aclrtFree, pyaclnn.ffi.NULL)
    assert raised.value.violations == ()


def test_blocks_lie_in_each_other_and_give_back_what_was_before(chip_of_the_process):
    with pyaclnn.soc("910A"):
        with pyaclnn.soc("Ascend950DT_1"):
            assert current() == "Ascend950DT_1"
            with pyaclnn.soc(None):
                assert current() == chip_of_the_process
        assert current() == "Ascend910A"
        with pytest.raises(ZeroDivisionError), pyaclnn.soc("310P"):
            1 / 0
        assert current() == "Ascend910A"
    assert current() == chip_of_the_process


def test_a_chip_that_does_not_exist_changes_nothing(chip_of_the_process):
    for choose in (pyaclnn.set_soc, lambda name: pyaclnn.soc(name).__enter__(), lambda name: gradients(soc=name)):
        with pytest.raises(pyaclnn.AclError, match='"Ascend910C"'):
            choose("Ascend910C")
        assert current() == chip_of_the_process


def test_the_choice_of_the_process_is_for_all_threads_that_have_none():
    pyaclnn.set_soc("310P")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(current).result() == PRODUCTS["310P"]
        with pyaclnn.soc("950"):
            assert pool.submit(current).result() == PRODUCTS["310P"]
            assert current() == PRODUCTS["950"]
    pyaclnn.set_soc(None)
    assert current() != PRODUCTS["310P"]


def test_two_threads_call_for_two_chips_at_once():
    start = threading.Barrier(2)

    def calls(soc, expected):
        start.wait()
        answers = set()
        for _ in range(200):
            try:
                gradients(soc=soc)
                answers.add(0)
            except pyaclnn.AclError as error:
                answers.add((error.code, error.violations[0].values.count(f"product {soc}")))
        return answers == expected

    with pyaclnn.Device(), ThreadPoolExecutor(2) as pool:
        ran = [pool.submit(calls, "A2", {0}), pool.submit(calls, "310P", {(INVALID, 1)})]
        assert [one.result() for one in ran] == [True, True]


def test_the_environment_still_names_the_first_chip():
    code = "import pyaclnn; from pyaclnn.chip import current\nfor name in (None, '950', None):\n"
    code += "    pyaclnn.set_soc(name); print(current())"
    printed = run([sys.executable, "-c", code], cwd=ROOT / "tests", env=environment(ACLEMU_SOC="Ascend910B1"))
    assert printed.split() == ["Ascend910B1", PRODUCTS["950"], "Ascend910B1"]
