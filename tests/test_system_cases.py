"""The operator's system test table, row by row: status, values within the published tolerances, untouched outputs."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import oracle
from a2_status import expected_status
from oracle import Dtypes
from system import System
from two_phase import OUTPUTS

pytestmark = pytest.mark.usefixtures("no_leftovers")

TABLE = Path(__file__).parent / "cases" / "system_cases.jsonl"

# rtol and atol by what the operands were rounded to; at least 99 % of the elements must be within.
MIXED_TOLERANCE = {
    "float16": (2**-9, 2**-9),
    "bfloat16": (2**-6, 2**-6),
    "float32": (2**-10, 2**-16),
    "hf32": (2**-9, 2**-10),
}
UNIT = {"float16": 2**-10, "bfloat16": 2**-7, "float32": 2**-23}


ROWS = [System.of_row(json.loads(line)) for line in TABLE.read_text().splitlines()]
BY_ID = {row.id: row for row in ROWS}


def test_every_row_of_the_table_is_a_case():
    assert len(ROWS) == len(BY_ID) == 129


def share_within(got, want, rtol, atol):
    return (np.abs(got - want) <= atol + rtol * np.abs(want)).mean()


def assert_close(got, want, sums_in, stored_in, what):
    """Published tolerance for 99 %; and for all, one unit of the stored type plus the error of an FP32 sum."""
    assert share_within(got, want, *MIXED_TOLERANCE[sums_in]) >= 0.99, what
    largest = np.abs(want).max()
    assert share_within(got, want, UNIT[stored_in], 2e-6 * largest) == 1, what
    if want.size >= 1000 and stored_in != "float32":
        assert (got == want).mean() >= 0.99, what


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_row_has_its_status_and_values(row):
    assert expected_status(row) == 0
    data = row.data()
    with row.call(data) as call:
        call.run()
        want = oracle.emulate(*data, dtypes=row.dtypes, cube_math_type=row.cube_math_type, **row.mathematics())
        number = oracle.operand_number(row.dtypes, row.cube_math_type)
        sums_in = (number, number, row.dtypes.grad_output)
        for index, name in enumerate(OUTPUTS):
            output = call.operands[name]
            if not row.mask[index]:
                assert output.is_untouched(), f"{row.id}: {name} was not asked for"
                continue
            assert_close(output.values(), want[index], sums_in[index], output.dtype, f"{row.id}: {name}")


SMALL_3D = {"grad_output": (1, 3, 4, 6, 6), "input": (1, 2, 4, 5, 5), "weight": (2, 3, 4, 4, 4)}
ALTERED = [
    ("st_015", {"groups": 2}, 161002),
    ("st_028", {"format": "ND"}, 161002),
    ("st_028", {"format": "NHWC"}, 161002),
    ("st_028", {"stride": (0, 1)}, 161002),
    ("st_028", {"padding": (0, -1)}, 161002),
    ("st_028", {"dilation": (0, 1)}, 161002),
    ("st_028", {"output_padding": (1, 0)}, 161002),
    ("st_028", {"cube_math_type": 4}, 161002),
    ("st_028", {"cube_math_type": -1}, 161002),
    ("st_028", {"stride": (1, 1, 1)}, 161002),
    ("st_028", {"padding": (0,)}, 161002),
    ("st_028", {"padding": (0, 0, 0, 0), "output_padding": (0, 0, 0, 0)}, 0),
    ("st_210", {"weight": (2, 2, 3, 3)}, 561103),
    ("st_210", {"weight": (2, 2, 3, 3), "padding": (1, 1)}, 0),
    ("st_210", {"weight": (2, 2, 3, 3), "padding": (2, 0, 1, 1)}, 0),
    ("st_210", {"weight": (2, 2, 3, 3), "padding": (1, 0, 1, 1)}, 561103),
    ("st_210", {"weight": (2, 2, 3, 3), "mask": (False, False, True)}, 0),
    ("st_210", {"weight": (3, 2, 1, 1)}, 161002),
    ("st_210", {"weight": (2, 1, 1, 1)}, 161002),
    ("st_210", {"weight": (2, 1, 1, 1), "groups": 2}, 0),
    ("st_210", {"grad_output": (1, 2, 7, 7)}, 561103),
    ("st_210", {"grad_output": (2, 2, 1, 1), "stride": (300, 300)}, 0),
    ("st_210", {"grad_output": (2, 2, 7 + 512, 7), "padding": (256, 0)}, 561103),
    ("st_210", {"transposed": True, "output_padding": (1, 1)}, 0),
    ("st_213", {"grad_output": (1, 4, 4, 64, 63)}, 161002),
    ("st_213", {"grad_output": (1, 4, 4, 1, 1), "stride": (1, 64, 64)}, 561103),
    ("st_213", {"grad_output": (1, 4, 4, 2, 2), "stride": (1, 63, 63)}, 0),
    ("st_213", {"grad_output": (1, 4, 1, 64, 64), "stride": (256, 1, 1)}, 561103),
    ("st_213", {"grad_output": (1, 4, 1, 64, 64), "stride": (255, 1, 1)}, 0),
    ("st_213", {"dilation": (1, 1, 1000)}, 0),  # one tap has no distance to another
    ("st_213", {"weight": (4, 128, 1, 1, 1), "groups": 2}, 0),
    ("st_212", SMALL_3D | {"output_padding": (0, 1, 0)}, 0),
    ("st_212", SMALL_3D | {"output_padding": (0, 2, 0)}, 161002),
    ("st_138", {"weight": (17, 1, 1, 1, 1), "groups": 17, "dtypes": Dtypes(*["float16"] * 6)}, 0),
    (
        "st_138",
        {"weight": (17, 1, 1, 1, 1), "groups": 17, "dtypes": Dtypes(*["float16"] * 3, *["float32"] * 3)},
        161002,
    ),
]


@pytest.mark.parametrize("row_id, alteration, status", ALTERED, ids=[f"{a}-{b}" for a, b, _ in ALTERED])
def test_an_altered_row_has_the_status_of_the_rule_it_meets(row_id, alteration, status):
    row = replace(BY_ID[row_id], **alteration)
    assert expected_status(row) == status
    with row.call(row.data()) as call:
        assert call.phase_one() == status, call.message
        if status:
            assert call.out_pointers_untouched
            assert call.message
            assert call.outputs_untouched()
        else:
            call.destroy_executor()
