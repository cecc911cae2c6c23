"""A call that breaks a rule, through the libraries: status, a message that names rule and value, and nothing touched.

Every single rule is broken in tests/c/validate_*.c; here it is seen that the exported function passes their answers on.
"""

from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from geometry import Geometry
from oracle import Dtypes
from two_phase import (
    INNER_NULLPTR, NULL, OPERANDS, OUTPUTS, PARAM_INVALID, PARAM_NULLPTR, SUCCESS, Convolution, Operand, acl, ffi,
)

pytestmark = pytest.mark.usefixtures("no_leftovers")

PROBLEM = Geometry(2, 4, 6, (7, 8), (3, 3), (1, 1), (1, 1), (1, 1), (0, 0))
PROBLEM_3D = Geometry(2, 4, 6, (5, 6, 7), (3, 3, 3), (1, 1, 1), (1, 1, 1), (1, 1, 1), (0, 0, 0))


@contextmanager
def call_of(problem, shapes=None, formats=None, **arguments):
    """The call of a Geometry with other shapes, formats or arguments than it has."""
    dims = dict(zip(OPERANDS + OUTPUTS, problem.operand_shapes + problem.output_shapes)) | (shapes or {})
    dtypes = dict(zip(OPERANDS + OUTPUTS, problem.dtypes))
    operands = {
        name: Operand(dims[name], dtypes[name], np.ones(dims[name]), format=(formats or {}).get(name))
        for name in dims
    }
    given = dict(
        stride=problem.stride, padding=problem.padding, dilation=problem.dilation, transposed=problem.transposed,
        output_padding=problem.output_padding, groups=problem.groups, output_mask=problem.mask,
        cube_math_type=problem.cube_math_type,
    )
    with Convolution(**(given | operands | arguments)) as call:
        yield call


def both(name, output, shape):
    """The shapes of an input and of the output that follows it."""
    return {name: shape, output: shape}


# rule, status, words of the message, the problem, and what is wrong with it
BROKEN = [
    ("OUTPUT_MASK_LENGTH", PARAM_NULLPTR, "length 2", PROBLEM, dict(output_mask=(True, True))),
    ("ARGUMENT_NULL", PARAM_NULLPTR, "stride", PROBLEM, dict(stride=None)),
    ("FORMAT", PARAM_INVALID, "NHWC", PROBLEM, dict(formats={"input": "NHWC"})),
    ("FORMAT", PARAM_INVALID, "format ND", PROBLEM, dict(formats={"weight": "ND"})),
    ("GRAD_BIAS_FORMAT", PARAM_INVALID, "NCL", PROBLEM, dict(formats={"grad_bias": "NCL"})),
    ("RANK", PARAM_INVALID, "[2, 4]", PROBLEM, dict(shapes={"input": (2, 4)})),
    ("STRIDE_RANGE", PARAM_INVALID, "stride[1] is 0", PROBLEM, dict(stride=(1, 0))),
    ("PADDING_RANGE", PARAM_INVALID, "padding[0] is -1", PROBLEM, dict(padding=(-1, 1))),
    ("DILATION_RANGE", PARAM_INVALID, "dilation[0] is -3", PROBLEM, dict(dilation=(-3, 1))),
    ("OUTPUT_PADDING_ZERO", PARAM_INVALID, "outputPadding[1] is 1", PROBLEM, dict(output_padding=(0, 1))),
    ("GROUPS_RANGE", PARAM_INVALID, "groups is 0", PROBLEM, dict(groups=0)),
    ("CUBE_MATH_TYPE_RANGE", PARAM_INVALID, "cubeMathType is 4", PROBLEM, dict(cube_math_type=4)),
    ("STRIDE_LENGTH", PARAM_INVALID, "stride has length 3", PROBLEM, dict(stride=(1, 1, 1))),
    ("OUTPUT_PADDING_LENGTH", PARAM_INVALID, "outputPadding has length 1", PROBLEM, dict(output_padding=(0,))),
    ("GRAD_BIAS_LENGTH", PARAM_INVALID, "length 5", PROBLEM, dict(shapes={"grad_bias": (5,)})),
    ("CHANNELS_PER_GROUP", PARAM_INVALID, "groups is 2", PROBLEM, dict(groups=2)),
    ("SIZE_3D", PARAM_INVALID, "gradOutput has W 6", PROBLEM_3D, dict(shapes={"grad_output": (2, 6, 5, 6, 6)})),
    ("SIZE", INNER_NULLPTR, "gradOutput has W 7", PROBLEM, dict(shapes={"grad_output": (2, 6, 7, 7)})),
    ("BATCH", INNER_NULLPTR, "batch 3", PROBLEM, dict(shapes=both("input", "grad_input", (3, 4, 7, 8)))),
    ("NOT_EMPTY", PARAM_INVALID, "gradOutput", PROBLEM, dict(shapes={"grad_output": (2, 6, 0, 8)})),
    ("BIAS_SIZES_GIVEN", PARAM_INVALID, "biasSizes", PROBLEM, dict(shapes=both("input", "grad_input", (0, 4, 7, 8)))),
]


@pytest.mark.parametrize("rule, status, words, problem, wrong", BROKEN, ids=[f"{b[0]}-{b[2]}" for b in BROKEN])
def test_a_broken_rule_is_named_and_nothing_is_touched(rule, status, words, problem, wrong):
    with call_of(problem, **wrong) as call:
        assert call.phase_one() == status
        assert f"CONVBWD_{rule}: " in call.message and words in call.message
        assert ("AclNN_Parameter_Error(EZ1001)" if status < 200000 else "EZ9999") in call.message
        assert call.out_pointers_untouched and call.outputs_untouched()


@pytest.mark.parametrize("problem", [PROBLEM, PROBLEM_3D], ids=str)
def test_the_same_problem_unbroken_is_accepted(problem):
    with call_of(problem) as call:
        assert call.phase_one() == SUCCESS and call.message == ""
        call.destroy_executor()


def test_every_null_out_pointer_is_named():
    with call_of(PROBLEM) as call:
        assert call.phase_one(size_pointer=NULL) == PARAM_NULLPTR
        assert "CONVBWD_OUT_POINTER: workspaceSize" in call.message
        assert call.phase_one(executor_pointer=NULL) == PARAM_NULLPTR
        assert "CONVBWD_OUT_POINTER: executor" in call.message
        assert call.out_pointers_untouched


def test_a_masked_off_output_of_a_wrong_shape_gets_a_hint():
    with call_of(replace(PROBLEM, mask=(True, True, False)), shapes={"grad_bias": (4,)}) as call:
        assert call.phase_one() == PARAM_INVALID
        assert "pass NULL if outputMask[2] is false" in call.message


def violations():
    holder = ffi.new("struct aclemuViolation **")
    count = acl.aclemuGetViolations(holder)
    return [(ffi.string(holder[0][i].rule).decode(), holder[0][i].status) for i in range(count)]


def test_all_broken_rules_are_told_and_the_first_decides():
    wrong = dict(shapes={"grad_bias": (5,)}, stride=(1, 0), cube_math_type=7, formats={"weight": "NHWC"})
    with call_of(PROBLEM, **wrong) as call:
        assert call.phase_one() == PARAM_INVALID
        assert "CONVBWD_FORMAT: " in call.message and call.message.count("CONVBWD_") == 1
        assert violations() == [
            ("CONVBWD_FORMAT", PARAM_INVALID),
            ("CONVBWD_STRIDE_RANGE", PARAM_INVALID),
            ("CONVBWD_CUBE_MATH_TYPE_RANGE", PARAM_INVALID),
            ("CONVBWD_GRAD_BIAS_LENGTH", PARAM_INVALID),
        ]
        assert call.out_pointers_untouched and call.outputs_untouched()
    with call_of(PROBLEM) as call:
        assert call.phase_one() == SUCCESS and violations() == []
        call.destroy_executor()


def test_a_later_rule_keeps_its_status_and_does_not_change_the_first():
    with call_of(PROBLEM, shapes=both("input", "grad_input", (3, 4, 7, 8)), stride=None) as call:
        assert call.phase_one() == PARAM_NULLPTR
        assert violations() == [("CONVBWD_ARGUMENT_NULL", PARAM_NULLPTR)]
    with call_of(PROBLEM, shapes=both("input", "grad_input", (3, 4, 7, 8)) | {"grad_bias": (5,)}) as call:
        assert call.phase_one() == PARAM_INVALID
        assert violations() == [("CONVBWD_GRAD_BIAS_LENGTH", PARAM_INVALID), ("CONVBWD_BATCH", INNER_NULLPTR)]


# The library reads its environment once, so every product is asked in a process of its own.
IN_A_PROCESS = """
import two_phase
from test_rejects import statuses_on_this_product
two_phase.check(two_phase.acl.aclInit(two_phase.NULL))
two_phase.check(two_phase.acl.aclrtSetDevice(0))
print(statuses_on_this_product())
"""


def status_of(problem, **arguments):
    with call_of(problem, **arguments) as call:
        if call.phase_one() == SUCCESS:
            call.destroy_executor()
        return call.status


def statuses_on_this_product():
    def status(problem, dtype, cube_math_type=1, **arguments):
        dtypes = Dtypes(*[dtype] * 6)
        return status_of(replace(problem, dtypes=dtypes, cube_math_type=cube_math_type), **arguments)

    return [
        status(PROBLEM, "float16"),
        status(PROBLEM, "bfloat16"),
        status(PROBLEM, "float32", 0),
        status(PROBLEM, "float32", 2),
        status(PROBLEM_3D, "float16"),
        status(PROBLEM, "float16", formats={"grad_bias": "NCL"}),
        status_of(replace(PROBLEM, dtypes=Dtypes(*["float16"] * 5, "float32"))),
    ]


@pytest.mark.parametrize("soc, statuses", [
    ("Ascend910B3", [SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS, PARAM_INVALID, SUCCESS]),
    ("Ascend950", [SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS, PARAM_INVALID, PARAM_INVALID]),
    ("Ascend310P3", [SUCCESS, PARAM_INVALID, PARAM_INVALID, SUCCESS, PARAM_INVALID, INNER_NULLPTR, SUCCESS]),
    ("Ascend910A", [SUCCESS, PARAM_INVALID, PARAM_INVALID, SUCCESS, PARAM_INVALID, INNER_NULLPTR, SUCCESS]),
])
def test_products_differ(soc, statuses, in_process_of_its_own):
    assert in_process_of_its_own("-c", IN_A_PROCESS, ACLEMU_SOC=soc).strip() == str(statuses)


def test_limits_can_be_turned_off(in_process_of_its_own):
    code = IN_A_PROCESS.replace("statuses_on_this_product", "status_of_a_long_stride")
    assert in_process_of_its_own("-c", code, ACLEMU_LIMITS="device").strip() == str(INNER_NULLPTR)
    assert in_process_of_its_own("-c", code, ACLEMU_LIMITS="off").strip() == str(SUCCESS)


def status_of_a_long_stride():
    return status_of(replace(PROBLEM_3D, stride=(1, 1, 64)))


ABSURD = [0, -1, -7, 2**31, 2**48, 2**56, 2**63 - 1, -(2**63)]


def descriptions_with(number):
    """input's dims, strides, offset and storage with one number replaced, each in turn."""
    dims = list(PROBLEM.input_shape)
    for axis in range(4):
        for member in range(3):
            lists = [list(dims), [224, 56, 8, 1], list(dims)]
            lists[member][axis] = number
            yield lists[0], lists[1], 0, lists[2]
    yield dims, [224, 56, 8, 1], number, dims


@pytest.mark.parametrize("number", ABSURD)
def test_absurd_numbers_get_a_status_and_a_sentence(number):
    for dims, strides, offset, storage in descriptions_with(number):
        with call_of(PROBLEM) as call:
            tensor = acl.aclCreateTensor(dims, 4, 0, strides, offset, 0, storage, 4, NULL)
            call.handles["input"] = tensor
            if call.phase_one() == SUCCESS:
                call.destroy_executor()
            else:
                assert call.status in (PARAM_INVALID, INNER_NULLPTR)
                assert "CONVBWD_" in call.message
                assert call.out_pointers_untouched
            assert acl.aclDestroyTensor(tensor) == SUCCESS
