"""The benchmark's stopwatch, with a clock that the test moves."""

import threading

import pytest
from pyaclnn.bench.scheduling import SystemClock
from pyaclnn.bench.timing import Budget, Timing, alternate

MILLISECOND = 0.001


class Watch:
    """A clock on which time passes and threads wait only when a call says so."""

    def __init__(self):
        self.time = 0.0
        self.delay = 0.0
        self.log = []
        self.rests = 0

    def now(self):
        return self.time

    def delays(self):
        return {"worker": self.delay, "main": 1.0}

    def rest(self):
        self.rests += 1

    def contestant(self, name, milliseconds, delays=()):
        """A call that takes the next of the times, the last for ever; `delays` likewise."""
        times, waits = list(milliseconds), list(delays) or [0]

        def run():
            self.log.append(name)
            self.time += MILLISECOND * (times.pop(0) if len(times) > 1 else times[0])
            self.delay += MILLISECOND * (waits.pop(0) if len(waits) > 1 else waits[0])

        return run


@pytest.fixture
def watch():
    return Watch()


def budget(calls=3, seconds=1000.0, tolerance=0.04):
    return Budget(calls, seconds, tolerance)


def test_contestants_take_turns_and_every_second_round_is_the_other_way_round(watch):
    run = {name: watch.contestant(name, [100]) for name in "ABC"}
    alternate(run, watch, budget(calls=4))
    # one call of each to calibrate, and one before the first that is timed, since nothing is known yet
    assert "".join(watch.log) == "ABC" + "AABBCC" + "CBA" + "ABC" + "CBA"


def test_the_median_of_the_kept_calls_counts(watch):
    # calibration, the call before the first timed one, then the timed ones
    timings = alternate({"A": watch.contestant("A", [100, 100, 70, 90, 500])}, watch, budget(calls=3))
    assert timings["A"].kept == pytest.approx([0.07, 0.09, 0.5])
    assert timings["A"].median == pytest.approx(0.09)


def test_a_call_is_discarded_when_its_threads_waited_for_more_than_the_tolerance(watch):
    # 3.9 of 100 ms are within 4 %, 4.2 are not
    timings = alternate({"A": watch.contestant("A", [100], [0, 0, 3.9, 4.2, 50, 0])}, watch, budget(calls=3))
    assert (len(timings["A"].kept), timings["A"].discarded) == (3, 2)


def test_a_greater_tolerance_keeps_more(watch):
    timings = alternate({"A": watch.contestant("A", [100], [0, 0, 3.9, 4.2, 50, 0])}, watch, budget(3, tolerance=0.1))
    assert (len(timings["A"].kept), timings["A"].discarded) == (3, 1)


def test_threads_that_waited_before_the_call_do_not_count(watch):
    watch.delay = 100.0
    timings = alternate({"A": watch.contestant("A", [100])}, watch, budget(calls=3))
    assert (len(timings["A"].kept), timings["A"].discarded) == (3, 0)


def test_short_calls_are_repeated_to_two_milliseconds_and_count_with_their_mean(watch):
    timings = alternate({"A": watch.contestant("A", [0.3])}, watch, budget(calls=2))
    assert timings["A"].kept == pytest.approx([0.0003, 0.0003])
    repetitions = 8  # 0.3, 0.6, 1.2, 2.4 ms
    # the first call, the rounds of the calibration, and two samples with a call before each
    assert len(watch.log) == 1 + (1 + 2 + 4 + 8) + 2 * (1 + repetitions)


def test_a_slow_contestant_stops_at_its_time_limit_and_the_others_go_on(watch):
    run = {"slow": watch.contestant("slow", [900]), "fast": watch.contestant("fast", [60])}
    timings = alternate(run, watch, budget(calls=10, seconds=1.0))
    assert len(timings["fast"].kept) == 10
    assert len(timings["slow"].kept) == 1  # with the call before it 1.8 s


def test_a_call_that_takes_all_the_time_is_made_once(watch):
    run = {"slow": watch.contestant("slow", [1500]), "fast": watch.contestant("fast", [60])}
    timings = alternate(run, watch, budget(calls=10, seconds=1.0))
    assert watch.log.count("slow") == 1
    assert timings["slow"].kept == pytest.approx([1.5])
    assert len(timings["fast"].kept) == 10


def test_a_disturbed_call_that_takes_all_the_time_is_made_again(watch):
    timings = alternate({"slow": watch.contestant("slow", [1500, 1600], [100, 0])}, watch, budget(seconds=1.0))
    assert (timings["slow"].kept, timings["slow"].discarded) == (pytest.approx([1.6]), 1)


def test_time_is_extended_while_disturbances_leave_too_few_calls(watch):
    timings = alternate({"A": watch.contestant("A", [100], [50])}, watch, budget(calls=10, seconds=1.0))
    assert timings["A"].median is None and timings["A"].kept == []
    assert timings["A"].discarded == 15  # each with a call before it, 3 seconds in all


def test_other_threads_come_to_rest_before_every_timed_call(watch):
    alternate({"A": watch.contestant("A", [100])}, watch, budget(calls=5))
    assert watch.rests == 5


def test_nothing_was_measured_without_calls():
    assert Timing().median is None


def test_the_system_tells_the_delays_of_every_thread_of_the_process():
    started, finish = threading.Event(), threading.Event()

    def body():
        started.set()
        finish.wait()

    thread = threading.Thread(target=body)
    thread.start()
    started.wait()
    delays = SystemClock().delays()
    finish.set()
    thread.join()
    assert {str(threading.get_native_id()), str(thread.native_id)} <= set(delays)
    assert all(delay >= 0 for delay in delays.values())
