"""Memory that a call must not use: the fault shows at the synchronise, names the argument, and nothing is written."""

from contextlib import contextmanager

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
    integers,
    planned,
)
from two_phase import (
    AICORE_EXCEPTION,
    INNER,
    NULL,
    OPERANDS,
    OUTPUTS,
    PARAM_NULLPTR,
    SUCCESS,
    Buffer,
    acl,
    address_of,
    check,
    ffi,
    take_message,
)

pytestmark = pytest.mark.usefixtures("no_leftovers")

# ---- the workspace --------------------------------------------------------------------------------------------------


@contextmanager
def planned_with_workspace():
    with planned() as call:
        assert call.workspace_size > 0
        yield call


def test_a_missing_workspace_is_refused_and_uses_the_executor_up():
    with planned_with_workspace() as call:
        assert call.phase_two(workspace=NULL) == PARAM_NULLPTR
        assert "workspace" in call.message
        assert call.phase_two() in UNKNOWN_EXECUTOR
        assert call.outputs_untouched()
    expect_a_good_call_works()


def test_a_missing_workspace_uses_even_a_repeatable_executor_up():
    with planned_with_workspace() as call:
        check(acl.aclSetAclOpExecutorRepeatable(call.executor))
        assert call.phase_two(workspace=NULL) == PARAM_NULLPTR
        assert call.phase_two() in UNKNOWN_EXECUTOR
        assert acl.aclDestroyAclOpExecutor(call.executor) in (SUCCESS, INNER)
        take_message()


def expect_device_error(call, *names):
    """Phase two took the call; the synchronise tells, once, and no output was written."""
    assert call.phase_two_status == SUCCESS, call.message
    assert call.synchronise() == AICORE_EXCEPTION
    for name in names:
        assert name in call.message
    assert call.synchronise() == SUCCESS


def launch(call, **arguments):
    call.phase_two_status = call.phase_two(**arguments)
    return call


def test_a_workspace_that_is_told_too_small_is_a_device_error():
    with planned_with_workspace() as call:
        expect_device_error(launch(call, workspace_size=call.workspace_size - 1), "workspace")
        assert call.outputs_untouched()
    expect_a_good_call_works()


def test_a_workspace_allocation_that_is_too_small_is_a_device_error():
    with planned_with_workspace() as call:
        small = Buffer(max(call.workspace_size // 2, 1))
        expect_device_error(launch(call, workspace=small.address), "workspace")
        assert call.outputs_untouched()
        small.free()
    expect_a_good_call_works()


def test_a_freed_workspace_is_a_device_error():
    with planned_with_workspace() as call:
        address = call.make_workspace()
        call.workspace.free()
        expect_device_error(launch(call, workspace=address), "workspace", "freed")
        assert call.outputs_untouched()
    expect_a_good_call_works()


def test_a_workspace_in_host_memory_is_a_device_error():
    with planned_with_workspace() as call:
        host = ffi.new("char[]", call.workspace_size)
        expect_device_error(launch(call, workspace=ffi.cast("void *", host)), "workspace", "host")
        assert call.outputs_untouched()
        assert not any(bytes(ffi.buffer(host)))
    expect_a_good_call_works()


def test_a_workspace_may_lie_inside_a_larger_allocation():
    with planned_with_workspace() as call:
        pool = Buffer(call.workspace_size + 1024)
        inside = ffi.cast("char *", pool.address) + 512
        assert call.phase_two(workspace=inside) == SUCCESS, call.message
        assert call.synchronise() == SUCCESS, call.message
        expect_values(call, integers())
        pool.free()


# ---- the operands' memory -------------------------------------------------------------------------------------------


def untouched_but(call, name):
    return all(call.operands[o].is_untouched() for o in OUTPUTS if o != name)


@pytest.mark.parametrize("name", [*OPERANDS, *OUTPUTS])
def test_a_null_address_is_accepted_by_phase_one_and_a_device_error_later(name):
    with a_call() as call:
        check(acl.aclSetRawTensorAddr(call.handles[name], NULL))
        assert call.phase_one() == SUCCESS, call.message
        expect_device_error(launch(call), ARGUMENT_NAMES[name])
        assert call.outputs_untouched()
    expect_a_good_call_works()


@pytest.mark.parametrize("name", [*OPERANDS, *OUTPUTS])
def test_host_memory_in_the_place_of_device_memory_is_a_device_error(name):
    with a_call() as call:
        host = np.full(call.operands[name].buffer.size, 0x5A, np.uint8)
        check(acl.aclSetRawTensorAddr(call.handles[name], ffi.from_buffer(host)))
        assert call.phase_one() == SUCCESS, call.message
        expect_device_error(launch(call), ARGUMENT_NAMES[name], "host")
        assert call.outputs_untouched()
        assert (host == 0x5A).all()
    expect_a_good_call_works()


@pytest.mark.parametrize("name", [*OPERANDS, *OUTPUTS])
def test_memory_freed_before_phase_two_is_a_device_error(name):
    with planned() as call:
        call.operands[name].buffer.free()
        expect_device_error(launch(call), ARGUMENT_NAMES[name], "freed")
        assert untouched_but(call, name)
    expect_a_good_call_works()


@pytest.mark.parametrize("name", [*OPERANDS, *OUTPUTS])
def test_an_allocation_that_ends_too_early_is_a_device_error(name):
    with a_call() as call:
        short = Buffer(64)  # the device adds 32 bytes to it
        short.write(np.full(short.size, 0x5A, np.uint8))
        check(acl.aclSetRawTensorAddr(call.handles[name], ffi.cast("char *", short.address) + 92))
        assert call.phase_one() == SUCCESS, call.message
        expect_device_error(launch(call), ARGUMENT_NAMES[name])
        assert call.outputs_untouched()
        assert (short.read() == 0x5A).all()
        short.free()
    expect_a_good_call_works()


def test_the_address_of_an_output_that_is_not_asked_for_does_not_matter():
    with a_call() as call:
        call.destroy_array("output_mask")
        call.handles["output_mask"] = acl.aclCreateBoolArray([False, True, True], 3)
        check(acl.aclSetRawTensorAddr(call.handles["grad_input"], NULL))
        call.run()


def test_the_weight_is_not_read_for_the_weight_gradient():
    with a_call() as call:
        call.destroy_array("output_mask")
        call.handles["output_mask"] = acl.aclCreateBoolArray([False, True, False], 3)
        call.operands["weight"].buffer.write(np.full(call.operands["weight"].buffer.size // 4, np.nan, np.float32))
        want = oracle.convolution_backward(*integers(), **PROBLEM.mathematics)
        assert np.array_equal(call.run().values()[1], want.grad_weight)


def test_a_failed_call_does_not_stop_the_next_one_in_the_stream():
    data = integers(11)
    with planned() as bad, a_call(data) as good:
        bad.operands["input"].buffer.free()
        assert bad.phase_two() == SUCCESS, bad.message
        assert good.phase_one() == SUCCESS, good.message
        assert good.phase_two() == SUCCESS, good.message
        assert good.synchronise() == AICORE_EXCEPTION
        assert "input" in good.message
        expect_values(good, data)


def test_streams_fail_on_their_own(stream):
    data = integers(12)
    with planned() as bad, a_call(data) as good:
        bad.operands["weight"].buffer.free()
        assert bad.phase_two(stream) == SUCCESS, bad.message
        expect_values(good.run(), data)
        assert bad.synchronise(stream) == AICORE_EXCEPTION
        assert "weight" in bad.message


def test_interior_addresses_of_one_allocation_are_operands():
    data = integers(13)
    with a_call(data) as call:
        pool = Buffer(32768)
        places = {name: 64 + 4096 * index for index, name in enumerate((*OPERANDS, *OUTPUTS))}
        content = np.zeros(pool.size, np.uint8)
        for name, values in zip(OPERANDS, data):
            raw = values.astype(np.float32).reshape(-1).view(np.uint8)
            content[places[name] : places[name] + raw.size] = raw
        pool.write(content)
        base = ffi.cast("char *", pool.address)
        for name, place in places.items():
            check(acl.aclSetRawTensorAddr(call.handles[name], base + place))
        call.run()
        after = pool.read()
        want = oracle.convolution_backward(*data, **PROBLEM.mathematics)
        for name, right in zip(OUTPUTS, want):
            got = after[places[name] : places[name] + 4 * right.size].view(np.float32)
            assert np.array_equal(got.reshape(right.shape), right), name
        assert address_of(pool.address) % 64 == 0
        pool.free()
