"""The life of a call: phase one, phase two, and the executor, rightly and wrongly used."""

import threading

import numpy as np
import pytest

import oracle
from example import (
    ARGUMENT_NAMES,
    PROBLEM,
    UNKNOWN_EXECUTOR,
    a_call,
    expect_a_good_call_works,
    expect_values,
    in_another_thread,
    integers,
    planned,
)
from geometry import Geometry
from two_phase import (
    INNER,
    INNER_NULLPTR,
    NULL,
    OPERANDS,
    OUTPUTS,
    PARAM_INVALID,
    PARAM_NULLPTR,
    SUCCESS,
    Operand,
    acl,
    check,
    ffi,
    of_geometry,
    take_message,
)

pytestmark = pytest.mark.usefixtures("no_leftovers")

ARRAYS = ("stride", "padding", "dilation", "output_padding", "output_mask")


# ---- phase one ------------------------------------------------------------------------------------------------------


def test_phase_one_plans_and_computes_nothing():
    with planned() as call:
        assert not call.out_pointers_untouched
        check(acl.aclrtSynchronizeDevice())
        assert call.outputs_untouched()
        call.destroy_executor()


@pytest.mark.parametrize("name", [*OPERANDS, *ARRAYS])
def test_a_null_argument_is_refused_by_name(name):
    with a_call() as call:
        kept, call.handles[name] = call.handles[name], NULL
        assert call.phase_one() == PARAM_NULLPTR
        assert ARGUMENT_NAMES[name] in call.message
        assert "EZ1001" in call.message
        assert call.out_pointers_untouched
        assert call.outputs_untouched()
        call.handles[name] = kept


@pytest.mark.parametrize("index, name", list(enumerate(OUTPUTS)))
@pytest.mark.parametrize("asked", [False, True])
def test_an_output_may_be_null_only_if_it_is_not_asked_for(index, name, asked):
    mask = [False] * 3
    mask[index] = asked
    with a_call() as call:
        call.handles[name] = NULL
        call.destroy_array("output_mask")
        call.handles["output_mask"] = acl.aclCreateBoolArray(mask, 3)
        if asked:
            assert call.phase_one() == PARAM_NULLPTR
            assert ARGUMENT_NAMES[name] in call.message
            assert call.out_pointers_untouched
        else:
            call.run()
        assert call.outputs_untouched()
        call.handles[name] = call.operands[name].handle


@pytest.mark.parametrize("length", [0, 1, 2, 4])
def test_an_output_mask_of_another_length_than_3_counts_as_null(length):
    with a_call() as call:
        call.destroy_array("output_mask")
        call.handles["output_mask"] = acl.aclCreateBoolArray([True] * length, length)
        assert call.phase_one() == PARAM_NULLPTR
        assert "outputMask" in call.message
        assert call.out_pointers_untouched


def test_null_bias_sizes_are_fine():
    with a_call() as call:
        assert call.handles["bias_sizes"] == NULL
        call.run()


def test_bias_sizes_of_any_length_and_value_are_ignored_when_nothing_is_empty():
    with a_call(bias_sizes=[-5, 7]) as call:
        expect_values(call.run(), integers())


@pytest.mark.parametrize("pointer", ["size_pointer", "executor_pointer"])
def test_a_null_out_pointer_is_refused(pointer):
    with a_call() as call:
        assert call.phase_one(**{pointer: NULL}) == PARAM_NULLPTR
        assert call.message
        assert call.out_pointers_untouched


def test_null_out_pointers_are_found_before_null_tensors():
    with a_call() as call:
        kept, call.handles["grad_output"] = call.handles["grad_output"], NULL
        assert call.phase_one(executor_pointer=NULL) == PARAM_NULLPTR
        assert "gradOutput" not in call.message
        call.handles["grad_output"] = kept


def test_null_arguments_are_found_in_the_order_of_the_signature():
    names = ["grad_output", "input", "weight", "stride", "padding", "dilation", "output_padding", "output_mask"]
    with a_call() as call:
        kept = dict(call.handles)
        for name in names:
            call.handles[name] = NULL
        for name in names:
            assert call.phase_one() == PARAM_NULLPTR
            assert ARGUMENT_NAMES[name] in call.message
            call.handles[name] = kept[name]


def test_nothing_asked_for_computes_nothing_and_succeeds():
    with a_call() as call:
        call.destroy_array("output_mask")
        call.handles["output_mask"] = acl.aclCreateBoolArray([False] * 3, 3)
        call.run()
        assert call.outputs_untouched()


@pytest.mark.parametrize("name", [*OPERANDS, *OUTPUTS])
def test_a_destroyed_tensor_is_refused_by_phase_one(name):
    with a_call() as call:
        check(acl.aclDestroyTensor(call.handles[name]))
        assert call.phase_one() in (PARAM_NULLPTR, PARAM_INVALID)
        assert ARGUMENT_NAMES[name] in call.message
        assert call.out_pointers_untouched
        call.operands[name].handle = NULL  # destroying null is allowed


@pytest.mark.parametrize("name", ARRAYS)
def test_a_destroyed_array_is_refused_by_phase_one(name):
    with a_call() as call:
        destroy = acl.aclDestroyBoolArray if name == "output_mask" else acl.aclDestroyIntArray
        check(destroy(call.handles[name]))
        assert call.phase_one() in (PARAM_NULLPTR, PARAM_INVALID)
        assert ARGUMENT_NAMES[name] in call.message
        assert call.out_pointers_untouched
        call.handles[name] = NULL


# ---- between the phases ---------------------------------------------------------------------------------------------


def test_every_object_may_be_destroyed_between_the_phases():
    with planned() as call:
        for operand in call.operands.values():
            operand.destroy()
        for name in ARRAYS:
            call.destroy_array(name)
        assert call.phase_two() == SUCCESS, call.message
        assert call.synchronise() == SUCCESS, call.message
        expect_values(call, integers())


def test_data_written_between_the_phases_is_what_is_computed():
    data = integers(5)
    with planned() as call:
        for name, values in zip(OPERANDS, data):
            call.operands[name].buffer.write(values.astype(np.float32))
        assert call.phase_two() == SUCCESS, call.message
        assert call.synchronise() == SUCCESS, call.message
        expect_values(call, data)


def test_an_address_set_between_the_phases_is_what_is_used():
    data = integers(6)
    with planned() as call:
        other = Operand(PROBLEM.input_shape, "float32", data[1])
        check(acl.aclSetRawTensorAddr(call.handles["input"], other.buffer.address))
        assert call.phase_two() == SUCCESS, call.message
        assert call.synchronise() == SUCCESS, call.message
        expect_values(call, [integers()[0], data[1], integers()[2]])
        other.close()


def test_the_phases_may_run_on_different_threads():
    with a_call() as call:
        assert in_another_thread(call.phase_one) == SUCCESS, call.message
        assert call.phase_two() == SUCCESS, call.message
        assert call.synchronise() == SUCCESS, call.message
        expect_values(call, integers())


def test_phase_two_may_run_on_another_thread(stream):
    with planned() as call:
        assert in_another_thread(lambda: call.phase_two(stream)) == SUCCESS, call.message
        assert call.synchronise(stream) == SUCCESS, call.message
        expect_values(call, integers())


def test_many_threads_may_each_have_a_call():
    def one(seed):
        data = integers(seed)
        for _ in range(5):
            with a_call(data) as call:
                expect_values(call.run(), data)

    failures = []

    def guarded(seed):
        try:
            in_another_thread(lambda: one(seed))
        except BaseException as problem:
            failures.append(problem)

    threads = [threading.Thread(target=guarded, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_plans_may_be_launched_in_another_order_than_they_were_made():
    first, second = integers(1), integers(2)
    with planned() as one, planned() as two:
        for call, data in ((one, first), (two, second)):
            for name, values in zip(OPERANDS, data):
                call.operands[name].buffer.write(values.astype(np.float32))
        assert two.phase_two() == SUCCESS, two.message
        assert one.phase_two() == SUCCESS, one.message
        assert one.synchronise() == SUCCESS, one.message
        expect_values(one, first)
        expect_values(two, second)


# ---- the executor ---------------------------------------------------------------------------------------------------


def test_a_null_executor_is_refused():
    assert acl.aclnnConvolutionBackward(NULL, 0, NULL, NULL) == PARAM_NULLPTR
    assert "executor" in take_message()
    assert acl.aclSetAclOpExecutorRepeatable(NULL) == INNER_NULLPTR
    assert take_message()
    assert acl.aclDestroyAclOpExecutor(NULL) == INNER_NULLPTR
    assert take_message()


def test_a_one_shot_executor_is_used_up_by_phase_two():
    with a_call() as call:
        call.run()
        for operand in call.operands.values():
            operand.reset()
        assert call.phase_two() in UNKNOWN_EXECUTOR
        assert "executor" in call.message
        assert call.synchronise() == SUCCESS, call.message
        assert call.outputs_untouched()
        assert acl.aclDestroyAclOpExecutor(call.executor) in (SUCCESS, INNER)
        assert acl.aclSetAclOpExecutorRepeatable(call.executor) == INNER
        take_message()
    expect_a_good_call_works()


@pytest.mark.parametrize("wild", [8, 0x7FFF12345678, 0x5EED5EED, 2**64 - 8])
def test_something_that_never_was_an_executor_is_refused(wild):
    executor = ffi.cast("aclOpExecutor *", wild)
    assert acl.aclnnConvolutionBackward(NULL, 0, executor, NULL) in UNKNOWN_EXECUTOR
    assert acl.aclSetAclOpExecutorRepeatable(executor) == INNER
    assert acl.aclDestroyAclOpExecutor(executor) == INNER
    assert "executor" in take_message()
    expect_a_good_call_works()


def test_a_tensor_is_no_executor():
    with a_call() as call:
        assert acl.aclDestroyAclOpExecutor(ffi.cast("aclOpExecutor *", call.handles["input"])) == INNER
        assert take_message()
        expect_values(call.run(), integers())


def test_an_executor_that_never_ran_may_be_destroyed():
    with planned() as call:
        assert acl.aclDestroyAclOpExecutor(call.executor) == SUCCESS
        assert call.phase_two() in UNKNOWN_EXECUTOR
        assert call.outputs_untouched()


def test_a_repeatable_executor_runs_again_and_again():
    with planned() as call:
        assert acl.aclSetAclOpExecutorRepeatable(call.executor) == SUCCESS
        assert acl.aclSetAclOpExecutorRepeatable(call.executor) == SUCCESS
        for seed in range(3):
            data = integers(seed)
            for name, values in zip(OPERANDS, data):
                call.operands[name].buffer.write(values.astype(np.float32))
            assert call.phase_two() == SUCCESS, call.message
            assert call.synchronise() == SUCCESS, call.message
            expect_values(call, data)
        assert acl.aclDestroyAclOpExecutor(call.executor) == SUCCESS
        assert acl.aclDestroyAclOpExecutor(call.executor) in (SUCCESS, INNER)
        assert call.phase_two() in UNKNOWN_EXECUTOR
        take_message()


SETTERS = [
    ("aclSetInputTensorAddr", "aclSetOutputTensorAddr", 0),
    ("AclSetInputTensorAddr", "AclSetOutputTensorAddr", 0),
    ("aclSetTensorAddr", "aclSetTensorAddr", 3),
    ("AclSetTensorAddr", "AclSetTensorAddr", 3),
]


@pytest.mark.parametrize("set_input, set_output, first_output", SETTERS, ids=[s[0] for s in SETTERS])
def test_a_repeatable_executor_follows_new_addresses(set_input, set_output, first_output):
    data = integers(7)
    with planned() as call, a_call(data) as other:
        check(acl.aclSetAclOpExecutorRepeatable(call.executor))
        assert call.phase_two() == SUCCESS, call.message
        for index, name in enumerate(OPERANDS):
            check(
                getattr(acl, set_input)(call.executor, index, call.handles[name], other.operands[name].buffer.address)
            )
        for index, name in enumerate(OUTPUTS, first_output):
            check(
                getattr(acl, set_output)(call.executor, index, call.handles[name], other.operands[name].buffer.address)
            )
        assert call.phase_two() == SUCCESS, call.message
        assert call.synchronise() == SUCCESS, call.message
        expect_values(call, integers())
        expect_values(other, data)
        call.destroy_executor()


def test_a_new_address_for_a_null_executor_still_changes_the_tensor():
    with planned() as call:
        other = Operand(PROBLEM.input_shape, "float32", integers(8)[1])
        assert acl.aclSetInputTensorAddr(NULL, 1, call.handles["input"], other.buffer.address) == INNER_NULLPTR
        holder = ffi.new("void **")
        check(acl.aclGetRawTensorAddr(call.handles["input"], holder))
        assert holder[0] == other.buffer.address
        assert acl.aclSetInputTensorAddr(call.executor, 1, NULL, other.buffer.address) == INNER_NULLPTR
        take_message()
        call.destroy_executor()
        other.close()


def test_an_address_of_another_tensor_object_does_not_reach_the_executor():
    with planned() as call:
        check(acl.aclSetAclOpExecutorRepeatable(call.executor))
        twin = call.operands["input"].create()
        check(acl.aclSetInputTensorAddr(call.executor, 1, twin, NULL))
        assert call.phase_two() == SUCCESS, call.message
        assert call.synchronise() == SUCCESS, call.message
        expect_values(call, integers())
        check(acl.aclDestroyTensor(twin))
        call.destroy_executor()


@pytest.mark.parametrize("executor_first", [False, True])
def test_executor_and_tensors_may_be_destroyed_in_any_order(executor_first):
    with planned() as call:
        check(acl.aclSetAclOpExecutorRepeatable(call.executor))
        assert call.phase_two() == SUCCESS, call.message
        if executor_first:
            call.destroy_executor()
        for operand in call.operands.values():
            operand.destroy()
        if not executor_first:
            call.destroy_executor()
        assert call.synchronise() == SUCCESS, call.message
        expect_values(call, integers())


def test_a_stream_that_was_destroyed_is_refused_and_nothing_is_computed():
    holder = ffi.new("aclrtStream *")
    check(acl.aclrtCreateStream(holder))
    check(acl.aclrtDestroyStream(holder[0]))
    with planned() as call:
        assert call.phase_two(holder[0]) == 361001
        assert call.message
        check(acl.aclrtSynchronizeDevice())
        assert call.outputs_untouched()
        assert call.phase_two() in UNKNOWN_EXECUTOR  # a failed run uses a one-shot executor up as well
    expect_a_good_call_works()


# ---- asynchrony -----------------------------------------------------------------------------------------------------


def test_calls_in_one_stream_run_in_their_order(stream):
    """The second call reads what the first one writes."""
    chain = Geometry(1, 2, 2, (5, 5), (1, 1), (1, 1), (0, 0), (1, 1), (0, 0))
    data = integers(14, chain)
    with of_geometry(chain, data) as first, of_geometry(chain, data) as second:
        link = first.operands["grad_input"].buffer.address
        check(acl.aclSetRawTensorAddr(second.handles["grad_output"], link))
        for call in (first, second):
            assert call.phase_one() == SUCCESS, call.message
        for call in (first, second):
            assert call.phase_two(stream) == SUCCESS, call.message
        assert second.synchronise(stream) == SUCCESS, second.message
        between = oracle.convolution_backward(*data, **chain.mathematics).grad_input
        want = oracle.convolution_backward(between, *data[1:], **chain.mathematics)
        for name, got, right in zip(OUTPUTS, second.values(), want):
            assert np.array_equal(got, right), name
