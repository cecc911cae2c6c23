"""Errors that were put in are found again: how large, how many, where; and what counts as within the bounds."""

import numpy as np
import pytest
from pyaclnn.bounds import judge, judge_device
from pyaclnn.error_statistics import Errors, histogram
from pyaclnn.problem import Problem

EXACT = np.array([[1.0, -2.0, 0.5], [4.0, 0.0, 3.0]])


def errors(found, exact=EXACT, dtype=np.float32, name="f32", through=None):
    return Errors.of(np.asarray(found, dtype), np.asarray(exact, float), name, through or (name,))


def moved(place, ulps, dtype=np.float32):
    """The exact numbers, one of them so many numbers of the type too large."""
    found = EXACT.astype(dtype)
    for _ in range(ulps):
        found[place] = np.nextafter(found[place], dtype(np.inf))
    return found


def test_exact_results_have_no_error():
    found = errors(EXACT).statistics
    assert (found.largest, found.relative, found.ulp_largest, found.ulp_mean) == (0, 0, 0, 0)
    assert found.correctly_rounded == 1 and found.elements == 6 and found.reference == 4


def test_an_error_is_found_with_its_place_and_size():
    found = errors(moved((1, 2), 7)).statistics
    assert found.worst.index == (1, 2)
    assert found.worst.expected == 3 and found.worst.found == 3 + 7 * 2.0**-22
    assert found.largest == 7 * 2.0**-22 and found.relative == 7 * 2.0**-24
    assert (found.ulp_largest, found.ulp_mean, found.correctly_rounded) == (7, 7 / 6, 5 / 6)


def test_a_result_that_is_correctly_rounded_still_has_an_error():
    found = errors([1.0], [1 + 2.0**-26]).statistics
    assert found.correctly_rounded == 1 and found.largest == 2.0**-26


def test_rounding_twice_can_be_what_is_right():
    exact = [1 + 2.0**-11 + 2.0**-20]
    assert errors([1 + 2.0**-10], exact, through=("f16", "f32")).statistics.ulp_largest == 0
    assert errors([1.0], exact, through=("f16", "f32")).statistics.ulp_largest == 2**13


def test_an_overflow_that_the_definition_has_too_is_no_error():
    found = errors([np.inf, np.nan], [1e6, np.nan], np.float16, "f16").statistics
    assert (found.largest, found.ulp_largest) == (0, 0)


def test_an_overflow_that_the_definition_does_not_have_is_infinitely_wrong():
    found = errors([np.inf, 1.0, np.nan], [1.0, 1.0, 1.0], np.float16, "f16").statistics
    assert found.largest == found.relative == np.inf and found.worst.index in ((0,), (2,))


def test_no_elements_have_no_errors():
    found = errors(np.zeros((0, 3)), np.zeros((0, 3))).statistics
    assert found.elements == 0 and found.worst is None and found.correctly_rounded == 1


def test_the_histogram_counts_every_element_once():
    distances = np.array([0, 0, 1, 2, 3, 4, 5, 8, 9, np.inf])
    expected = (("0", 2), ("1", 1), ("2", 1), ("3-4", 2), ("5-8", 2), ("9-16", 1), ("NaN", 1))
    assert histogram(distances) == expected
    assert histogram(np.zeros(0)) == (("0", 0),)


@pytest.mark.parametrize("part, within", [(0.4, True), (0.98, True), (1.02, False), (30, False)])
def test_a_float_may_be_two_millionths_of_the_largest_number_away(part, within):
    judgement = judge(errors([[4.0, part * 2e-6 * 4]], [[4.0, 0.0]]), ("f32",))
    assert judgement.within == within and judgement.used == pytest.approx(part, 1e-3)


@pytest.mark.parametrize("ulps, within", [(0, True), (1, True), (2, False)])
def test_a_half_may_be_one_ulp_away(ulps, within):
    judgement = judge(errors(moved((0, 0), ulps, np.float16), EXACT, np.float16, "f16"), ("f16",))
    assert (judgement.within, judgement.used, judgement.bound) == (within, ulps, "1 ulp of f16")


def test_numbers_near_zero_may_be_an_ulp_of_a_larger_one_away():
    """Sums of many numbers leave more than the last place of a result that happens to be small."""
    unit = 4 * 2.0**-8 * 2.0**-10
    assert judge(errors([4.0, unit], [4.0, 0.0], np.float16, "f16"), ("f16",)).used == 1
    assert not judge(errors([4.0, 2 * unit], [4.0, 0.0], np.float16, "f16"), ("f16",)).within


def test_a_float_that_was_a_half_may_be_an_ulp_of_the_half_away():
    assert judge(errors([1 + 2.0**-10], [1.0], through=("f16", "f32")), ("f16", "f32")).used == 1


def test_nan_is_outside_every_bound():
    for name, dtype in (("f32", np.float32), ("f16", np.float16)):
        assert not judge(errors([np.nan], [1.0], dtype, name), (name,)).within
        assert not judge(errors([np.inf], [1.0], dtype, name), (name,)).within


@pytest.mark.parametrize("wrong, within", [(0, True), (1, True), (2, False)])
def test_of_a_device_one_element_in_a_hundred_may_be_far(wrong, within):
    found = np.ones(100)
    found[:wrong] += 0.01
    judgement = judge_device(errors(found, np.ones(100)), Problem.parse("1d ci1 co1 i3 k1"))
    assert judgement.within == within and judgement.used == pytest.approx(wrong)


@pytest.mark.parametrize(
    "items, number",
    [("", "f32"), ("cube=3", "hf32"), ("cube=2", "f16"), ("dtype=bf16", "bf16"), ("dtype=hif8", "8-bit")],
)
def test_the_tolerance_of_a_device_follows_the_coarsest_type(items, number):
    judgement = judge_device(errors([1.0], [1.0]), Problem.parse(f"1d ci1 co1 i3 k1 {items}"))
    assert judgement.bound.endswith(f"({number})")
