"""Tensors travel between host and devices unharmed, whatever their type and strides."""

import pytest
import torch

DTYPES = [
    torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64,
    torch.bool,
]
REALS = [torch.float32, torch.float16, torch.bfloat16]


def numbers(dtype, shape=(3, 4, 5)):
    generator = torch.Generator().manual_seed(1)
    return torch.randint(0, 100, shape, generator=generator).to(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_tensor_comes_back_as_it_went(dtype, device):
    here = numbers(dtype)
    there = here.to(device)
    assert there.device == device and there.dtype == dtype
    assert torch.equal(there.cpu(), here)


@pytest.mark.parametrize("shape", [(0,), (), (1,), (3, 0, 2), (1 << 20,)], ids=str)
def test_any_number_of_elements_is_copied(shape, device):
    here = numbers(torch.float32, shape)
    assert torch.equal(here.to(device).cpu(), here)


VIEWS = {
    "permuted": lambda tensor: tensor.permute(2, 0, 1),
    "offset": lambda tensor: tensor[1:, 2:],
    "strided": lambda tensor: tensor[:, ::2, 1::3],
    "expanded": lambda tensor: tensor[:, :1].expand(3, 7, 5),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_view_on_the_device_is_copied_to_the_host(view, dtype, device):
    here = numbers(dtype)
    assert torch.equal(VIEWS[view](here.to(device)).cpu(), VIEWS[view](here))


@pytest.mark.parametrize("view", ["permuted", "offset", "strided"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_view_on_the_device_is_written_and_nothing_beside_it(view, dtype, device):
    here = numbers(dtype)
    there = here.to(device)
    new = numbers(dtype, (5, 4, 3)).flatten()[: VIEWS[view](here).numel()].view(VIEWS[view](here).shape)
    VIEWS[view](here).copy_(new)
    VIEWS[view](there).copy_(new)
    assert torch.equal(there.cpu(), here)


@pytest.mark.parametrize("to", DTYPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_type_is_converted_on_the_device(dtype, to, device):
    here = numbers(dtype)
    assert torch.equal(here.to(device).to(to).cpu(), here.to(to))


@pytest.mark.parametrize("to", REALS)
def test_numbers_are_rounded_to_nearest(to, device):
    here = torch.randn(1000, generator=torch.Generator().manual_seed(2))
    assert torch.equal(here.to(device).to(to).cpu(), here.to(to))


def test_a_broadcast_copy_repeats_its_source(device):
    there = torch.empty(4, 3, device=device)
    there.copy_(torch.tensor([1.0, 2.0, 3.0]).to(device))
    assert torch.equal(there.cpu(), torch.tensor([[1.0, 2.0, 3.0]]).expand(4, 3))


def test_a_clone_is_a_tensor_of_its_own(device):
    there = numbers(torch.float32).to(device)
    clone = there.clone()
    there.copy_(torch.full((3, 4, 5), 7.0).to(device))
    assert torch.equal(clone.cpu(), numbers(torch.float32))


def test_pinned_memory_is_copied_in_stream_order(device):
    here = numbers(torch.float32, (1 << 18,)).pin_memory()
    assert here.is_pinned() and not numbers(torch.float32).is_pinned()
    there = here.to(device, non_blocking=True)
    back = torch.empty_like(here).pin_memory()
    back.copy_(there, non_blocking=True)
    torch.npu.synchronize()
    assert torch.equal(back, here)


def test_two_devices_exchange_tensors(device, other_device):
    here = numbers(torch.float32)
    there = here.to(device)
    over = there.to(other_device)
    assert over.device == other_device
    assert torch.equal(over.cpu(), here) and torch.equal(over.to(device).cpu(), here)


def test_each_device_has_its_own_memory(device, other_device):
    one, two = numbers(torch.int32).to(device), (numbers(torch.int32) + 1).to(other_device)
    assert torch.equal(one.cpu() + 1, two.cpu())


def test_a_convolution_runs_where_its_tensors_are(device, other_device):
    from convolutions import Convolution, gradients, truth

    convolution = Convolution(2)
    operands = convolution.integers()
    for mine, right in zip(
        gradients(convolution, [tensor.to(other_device) for tensor in operands]), truth(convolution, operands)
    ):
        assert mine.device == other_device and torch.equal(mine.cpu(), right.float())
