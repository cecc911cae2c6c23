"""What goes wrong is an exception of Python with our sentence in it."""

import pytest
import torch
from convolutions import Convolution


def broken(device, padding):
    convolution = Convolution(2)
    operands = [tensor.to(device) for tensor in convolution.integers()]
    arguments = list(convolution.arguments((True, True, True)))
    arguments[2] = padding
    found = torch.ops.aten.convolution_backward(*operands, *arguments)
    torch.npu.synchronize()
    return found


def test_a_broken_rule_is_an_exception_with_its_sentence(device):
    with pytest.raises(RuntimeError, match="161002(?s:.*)CONVBWD_PADDING_RANGE: padding.0. is -1"):
        broken(device, [-1, 1])


def test_a_call_after_a_refused_one_works(device):
    with pytest.raises(RuntimeError):
        broken(device, [-1, 1])
    assert torch.equal(torch.arange(3).to(device).cpu(), torch.arange(3))


def test_an_operator_that_is_not_there_is_refused_at_once(device):
    one = torch.ones(1).to(device)
    with pytest.raises(RuntimeError, match="Failed to find function"):
        one + one


def test_memory_that_the_device_does_not_have_is_an_exception(device):
    with pytest.raises(RuntimeError, match="out of memory"):
        torch.empty(1 << 36, device=device)
    assert torch.equal(torch.arange(3).to(device).cpu(), torch.arange(3))
