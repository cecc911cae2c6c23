"""Phase one's answer to thousands of calls that are a few steps away from right ones."""

import random
from dataclasses import replace

import numpy as np
import pytest

from a2_status import expected_status
from geometry import random_problem
from system import System

pytestmark = pytest.mark.usefixtures("no_leftovers")

SHAPES = ("grad_output", "input", "weight")
ARRAYS = ("stride", "padding", "dilation", "output_padding")
ODD_VALUES = (-1, 0, 1, 2, 3, 63, 64, 255, 256, 511, 512, 10**6)


def changed(generator, values, *choices):
    """One element replaced."""
    at = generator.randrange(len(values))
    return (*values[:at], generator.choice(choices), *values[at + 1 :])


def altered(generator, call):
    """The call with one argument changed, to something that may or may not be allowed."""
    name = generator.choice(SHAPES + ARRAYS + ("groups", "transposed", "cube_math_type", "format", "length"))
    if name == "length":
        name = generator.choice(ARRAYS)
        values = getattr(call, name)
        return replace(call, **{name: generator.choice([values[:-1] or values, (*values, values[-1]), values * 2])})
    old = getattr(call, name)
    if name in SHAPES:
        return replace(call, **{name: changed(generator, old, 1, 2, 3, 4, 6, 12)})
    if name in ARRAYS:
        return replace(call, **{name: changed(generator, old, *ODD_VALUES)})
    choices = {
        "groups": (-1, 0, 1, 2, 3, 4, call.groups + 1, 65535, 65536),
        "transposed": (not call.transposed,),
        "cube_math_type": (-128, -1, 0, 1, 2, 3, 4, 127),
        "format": ("ND", "NCL", "NCHW", "NHWC", "NCDHW", "NDHWC"),
    }
    return replace(call, **{name: generator.choice(choices[name])})


def calls(seed, count):
    generator = random.Random(seed)
    for _ in range(count):
        problem = random_problem(generator, generator.choice([1, 2, 3]), generator.random() < 0.5)
        call = System.of_geometry(problem)
        for _ in range(generator.choice([1, 1, 1, 2, 3])):
            call = altered(generator, call)
        yield call


@pytest.mark.parametrize("seed", range(8))
def test_altered_calls_have_the_status_of_the_rules(seed):
    seen = set()
    for system in calls(seed, 250):
        with system.call([np.zeros(getattr(system, name)) for name in SHAPES]) as call:
            status = call.phase_one()
            assert status == expected_status(system), f"{system!r}\n{call.message}"
            seen.add(status)
            if status:
                assert call.out_pointers_untouched, repr(system)
                assert "EZ" in call.message, repr(system)
            else:
                call.destroy_executor()
    assert seen == {0, 161002, 561103}
