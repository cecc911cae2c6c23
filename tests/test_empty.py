"""Empty tensors: what the A2 series accepts, and the zeros that it writes."""

import numpy as np
import pytest

from two_phase import INNER_NULLPTR, OUTPUTS, PARAM_INVALID, SUCCESS, Convolution, Operand

pytestmark = pytest.mark.usefixtures("no_leftovers")


def a_call(
    grad_output, input, weight, /, *, bias_sizes=None, transposed=False, groups=1, mask=(True, True, True), **changes
):
    """A call on the given shapes; outputs have the documented shapes unless `changes` holds an Operand."""
    n = len(input) - 2
    values = {"grad_output": grad_output, "input": input, "weight": weight}
    operands = {
        name: Operand(shape, "float32", np.ones(shape)) for name, shape in values.items() if name not in changes
    }
    outputs = {"grad_input": input, "grad_weight": weight, "grad_bias": (grad_output[1],)}
    operands |= {name: Operand(shape, "float32") for name, shape in outputs.items() if name not in changes}
    arguments = {"stride": [1] * n, "padding": [0] * n, "dilation": [1] * n, "output_padding": [0] * n}
    return Convolution(
        bias_sizes=bias_sizes,
        transposed=transposed,
        groups=groups,
        output_mask=mask,
        **(arguments | operands | changes),
    )


def expect_zeros(call, *names):
    call.run()
    for name in OUTPUTS:
        if name in names:
            assert call.operands[name].values().size > 0
            assert (call.operands[name].values() == 0).all(), name
            assert not call.operands[name].raw().tobytes().strip(b"\0"), f"{name} is +0"
        else:
            assert call.operands[name].is_untouched(), name


def expect_refused(call, status=PARAM_INVALID, word=""):
    assert call.phase_one() == status, call.message
    assert word in call.message
    assert call.out_pointers_untouched
    assert call.outputs_untouched()


NO_BATCH = [
    ((0, 4, 6), (0, 3, 8), (4, 3, 3), False),
    ((0, 4, 6, 6), (0, 3, 8, 8), (4, 3, 3, 3), False),
    ((0, 4, 6, 6, 6), (0, 3, 8, 8, 8), (4, 3, 3, 3, 3), False),
    ((0, 4, 10), (0, 3, 8), (3, 4, 3), True),
    ((0, 4, 10, 10), (0, 3, 8, 8), (3, 4, 3, 3), True),
    ((0, 4, 10, 10, 10), (0, 3, 8, 8, 8), (3, 4, 3, 3, 3), True),
]


@pytest.mark.parametrize("grad_output, input, weight, transposed", NO_BATCH)
def test_a_batch_of_none_gives_zero_weight_and_bias_gradients(grad_output, input, weight, transposed):
    with a_call(grad_output, input, weight, transposed=transposed, bias_sizes=[4]) as call:
        expect_zeros(call, "grad_weight", "grad_bias")


@pytest.mark.parametrize(
    "mask", [(True, False, False), (False, True, False), (False, False, True), (False, False, False)]
)
def test_only_what_the_mask_asks_for_is_zeroed(mask):
    asked = [name for name, m in zip(OUTPUTS, mask) if m and name != "grad_input"]
    with a_call(*NO_BATCH[1][:3], mask=mask, bias_sizes=[4]) as call:
        expect_zeros(call, *asked)


def test_no_input_channels_and_none_in_the_weight_give_a_zero_bias_gradient_whatever_grad_output_holds():
    with a_call((2, 4, 6, 6), (2, 0, 8, 8), (4, 0, 3, 3), bias_sizes=[4]) as call:
        expect_zeros(call, "grad_bias")


def test_zeros_fill_the_elements_of_an_output_view_only():
    spread = Operand((4, 3, 3, 3), "float32", strides=[60, 20, 6, 2], offset=1)
    with a_call(*NO_BATCH[1][:3], bias_sizes=[4], grad_weight=spread) as call:
        call.run()
        assert (spread.values() == 0).all()
        assert spread.is_untouched_between()


def test_spatial_axes_may_be_0_when_the_batch_is():
    with a_call((0, 4, 6, 6), (0, 3, 0, 0), (4, 3, 0, 0), padding=[1, 1], mask=(True, True, False)) as call:
        expect_zeros(call)


def test_without_a_batch_the_sizes_of_grad_output_do_not_matter():
    with a_call((0, 4, 1, 9), (0, 3, 8, 8), (4, 3, 3, 3), bias_sizes=[4]) as call:
        expect_zeros(call, "grad_weight", "grad_bias")


def test_emptiness_is_decided_on_the_storage_shape():
    """A storage shape with a zero makes a full view an empty tensor."""
    told_empty = Operand((1, 3, 8, 8), "float32", np.ones((1, 3, 8, 8)), storage=(0,))
    with a_call(
        (1, 4, 6, 6), (1, 3, 8, 8), (4, 3, 3, 3), input=told_empty, bias_sizes=[4], mask=(False, True, True)
    ) as call:
        expect_zeros(call, "grad_weight", "grad_bias")


def test_only_grad_output_empty_is_refused():
    with a_call((0, 4, 6, 6), (2, 3, 8, 8), (4, 3, 3, 3), bias_sizes=[4]) as call:
        expect_refused(call, word="gradOutput")


@pytest.mark.parametrize("bias_sizes", [None, [], [4, 4], [3]], ids=str)
def test_a_bias_gradient_needs_the_right_bias_sizes(bias_sizes):
    with a_call(*NO_BATCH[1][:3], bias_sizes=bias_sizes) as call:
        expect_refused(call, word="biasSizes")


def test_bias_sizes_do_not_matter_without_a_bias_gradient():
    with a_call(*NO_BATCH[1][:3], bias_sizes=None, mask=(True, True, False)) as call:
        expect_zeros(call, "grad_weight")


def test_bias_sizes_of_a_transposed_call_are_weight_channels_times_groups():
    shapes = ((0, 6, 10, 10), (0, 4, 8, 8), (4, 3, 3, 3))
    with a_call(*shapes, transposed=True, groups=2, bias_sizes=[6]) as call:
        expect_zeros(call, "grad_weight", "grad_bias")
    with a_call(*shapes, transposed=True, groups=2, bias_sizes=[3]) as call:
        expect_refused(call, word="biasSizes")


def test_an_input_gradient_needs_an_empty_batch_or_no_channels():
    shapes = ((2, 4, 6, 6), (2, 3, 0, 8), (4, 3, 3, 3))
    with a_call(*shapes, padding=[2, 0], bias_sizes=[4]) as call:
        expect_refused(call, word="input")
    with a_call(*shapes, padding=[2, 0], bias_sizes=[4], mask=(False, True, True)) as call:
        expect_zeros(call, "grad_weight", "grad_bias")


@pytest.mark.parametrize("name", ["stride", "dilation", "padding", "output_padding"])
def test_arrays_of_a_wrong_length_are_refused(name):
    wrong = [0, 0, 0] if "padding" in name else [1, 1, 1]
    with a_call(*NO_BATCH[1][:3], bias_sizes=[4], **{name: wrong}) as call:
        expect_refused(call)


def test_padding_and_output_padding_of_four_values_are_fine():
    with a_call(*NO_BATCH[1][:3], bias_sizes=[4], padding=[1, 0, 0, 2], output_padding=[0] * 4) as call:
        expect_zeros(call, "grad_weight", "grad_bias")


REFUSED = {
    "output channels that groups do not divide": ((0, 4, 6, 6), (0, 9, 8, 8), (4, 3, 3, 3), {"groups": 3}),
    "another number of groups than the channels say": ((0, 4, 6, 6), (0, 3, 8, 8), (4, 3, 3, 3), {"groups": 2}),
    "weight channels that do not divide the input's": ((0, 4, 6, 6), (0, 3, 8, 8), (4, 2, 3, 3), {}),
    "no weight channels for input channels": ((0, 4, 6, 6), (0, 3, 8, 8), (4, 0, 3, 3), {}),
    "weight channels for no input channels": ((2, 4, 6, 6), (2, 0, 8, 8), (4, 3, 3, 3), {}),
    "a kernel larger than the padded input": ((0, 4, 6, 6), (0, 3, 8, 8), (4, 3, 11, 3), {"padding": [1, 0]}),
    "a dilated kernel larger than the padded input": ((0, 4, 6, 6), (0, 3, 8, 8), (4, 3, 3, 3), {"dilation": [4, 1]}),
    "transposed, weight and input channels differ": ((0, 4, 10, 10), (0, 3, 8, 8), (2, 4, 3, 3), {"transposed": True}),
    "transposed, no input channels": ((2, 4, 10, 10), (2, 0, 8, 8), (0, 4, 3, 3), {"transposed": True}),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_shapes_that_do_not_fit_are_refused(case):
    *shapes, changes = case
    with a_call(*shapes, bias_sizes=[4], **changes) as call:
        expect_refused(call)


def test_channels_of_a_transposed_call_without_a_batch_are_not_compared_with_groups():
    shapes = ((0, 5, 10, 10), (0, 3, 8, 8), (3, 4, 3, 3))
    with a_call(*shapes, transposed=True, bias_sizes=[4], grad_bias=Operand((4,), "float32")) as call:
        expect_zeros(call, "grad_weight", "grad_bias")


def test_a_dilated_kernel_may_be_as_large_as_the_padded_input():
    with a_call((0, 4, 6, 6), (0, 3, 8, 8), (4, 3, 3, 3), dilation=[4, 1], padding=[1, 0], bias_sizes=[4]) as call:
        expect_zeros(call, "grad_weight", "grad_bias")


MISMATCHES = [
    ("grad_weight", "dtype", (4, 3, 3, 3), "float16"),
    ("grad_weight", "shape", (4, 3, 3, 2), "float32"),
    ("grad_bias", "dtype", (4,), "float16"),
    ("grad_bias", "shape", (5,), "float32"),
]


@pytest.mark.parametrize("name, differs, dims, dtype", MISMATCHES, ids=[f"{m[0]}-{m[1]}" for m in MISMATCHES])
def test_zeros_need_an_output_like_the_weight(name, differs, dims, dtype):
    with a_call(*NO_BATCH[1][:3], bias_sizes=[4], **{name: Operand(dims, dtype)}) as call:
        expect_refused(call, INNER_NULLPTR, {"grad_weight": "gradWeight", "grad_bias": "gradBias"}[name])


def test_the_zero_bias_gradient_has_the_dtype_of_the_weight_not_of_grad_output():
    grad_output = Operand((0, 4, 6, 6), "float16")
    with a_call(*NO_BATCH[1][:3], bias_sizes=[4], grad_output=grad_output) as call:
        expect_zeros(call, "grad_weight", "grad_bias")


def test_an_empty_output_is_not_written_and_needs_no_memory():
    with a_call((2, 4, 6, 6), (2, 0, 8, 8), (4, 0, 3, 3), mask=(True, True, False)) as call:
        assert call.phase_one() == SUCCESS, call.message
        assert call.phase_two() == SUCCESS, call.message
        assert call.synchronise() == SUCCESS, call.message
