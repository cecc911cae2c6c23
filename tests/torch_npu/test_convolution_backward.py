"""torch.ops.aten.convolution_backward on NPU tensors gives what torch gives on the CPU."""

from itertools import product

import pytest
import torch
from convolutions import MASKS, Convolution, gradients, magnitude, truth

DTYPES = [torch.float32, torch.float16, torch.bfloat16]
GRID = [
    Convolution(dimensions, transposed, groups, stride, dilation, dtype)
    for dimensions, transposed, groups, stride, dilation, dtype in product(
        (1, 2, 3), (False, True), (1, 2), (1, 2), (1, 2), DTYPES
    )
]
EPSILON = 2.0**-24


@pytest.fixture(params=[False, True], ids=["hf32_off", "hf32_on"])
def hf32(request):
    before = torch.npu.conv.allow_hf32
    torch.npu.conv.allow_hf32 = request.param
    yield request.param
    torch.npu.conv.allow_hf32 = before


@pytest.mark.parametrize("convolution", GRID, ids=str)
def test_every_mask_gives_exactly_the_gradients_of_the_cpu(convolution, device, hf32):
    operands = convolution.integers()
    on_device = [operand.to(device) for operand in operands]
    for mask in MASKS:
        got = gradients(convolution, on_device, mask)
        want = truth(convolution, operands, mask)
        for name, mine, right in zip(("input", "weight", "bias"), got, want):
            if right is None:
                assert mine is None
                continue
            assert mine.device == device and mine.dtype == convolution.dtype
            assert torch.equal(mine.cpu(), right.to(convolution.dtype)), f"{name}, mask {mask}"


def hf32_of(operand):
    """The nearest number with 11 explicit bits of mantissa, ties to even."""
    bits = operand.view(torch.int32).long() & 0xFFFFFFFF
    rounded = (bits + (1 << 11) - 1 + (bits >> 12 & 1)) & ~0xFFF & 0xFFFFFFFF
    return torch.where(rounded >= 1 << 31, rounded - (1 << 32), rounded).int().view(torch.float32)


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("transposed", [False, True])
def test_allow_hf32_decides_whether_operands_are_rounded(dimensions, transposed, device, hf32):
    convolution = Convolution(dimensions, transposed)
    operands = convolution.numbers()
    got = gradients(convolution, [operand.to(device) for operand in operands])
    used = [hf32_of(operand) for operand in operands] if hf32 else operands
    wanted = truth(convolution, used)
    unrounded = truth(convolution, operands)
    scale = magnitude(convolution, operands)
    for at, name in enumerate(("input", "weight")):
        error = (got[at].cpu().double() - wanted[at]).abs() / scale[at]
        assert error.max() < 64 * EPSILON, name
        if hf32:
            assert ((got[at].cpu().double() - unrounded[at]).abs() / scale[at]).max() > 64 * EPSILON, name


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_results_of_16_bits_are_rounded_once(dimensions, dtype, device):
    convolution = Convolution(dimensions, dtype=dtype)
    operands = convolution.numbers()
    got = gradients(convolution, [operand.to(device) for operand in operands])
    for mine, right, scale in zip(got, truth(convolution, operands), magnitude(convolution, operands)):
        half_a_step = torch.finfo(dtype).eps / 2
        assert ((mine.cpu().double() - right).abs() <= right.abs() * half_a_step + scale * 64 * EPSILON).all()


# ---- views: torch-npu hands them over as they are ----


def permuted(tensor):
    """Stored with the last dimension first."""
    order = (tensor.dim() - 1, *range(tensor.dim() - 1))
    back = (*range(1, tensor.dim()), 0)
    return tensor.permute(order).contiguous(), lambda base: base.permute(back)


def offset(tensor):
    return torch.cat([torch.full_like(tensor[:1], 9), tensor]), lambda base: base[1:]


def strided(tensor):
    return torch.stack([tensor, torch.full_like(tensor, 9)], -1).flatten(-2), lambda base: base[..., ::2]


def expanded(tensor):
    return tensor[:, :1].contiguous(), lambda base: base.expand(tensor.shape)


def channels_last(tensor):
    last, back = (0, *range(2, tensor.dim()), 1), (0, tensor.dim() - 1, *range(1, tensor.dim() - 1))
    return tensor.permute(last).contiguous(), lambda base: base.permute(back)


VIEWS = [permuted, offset, strided, expanded, channels_last]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
@pytest.mark.parametrize("operand", [0, 1, 2], ids=["grad_output", "input", "weight"])
@pytest.mark.parametrize("transposed", [False, True], ids=["normal", "transposed"])
@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_view_is_read_where_its_elements_are(view, operand, transposed, dimensions, dtype, device):
    convolution = Convolution(dimensions, transposed, groups=2, dtype=dtype)
    operands = convolution.integers()
    base, look = view(operands[operand])
    operands[operand] = look(base)
    on_device = [tensor.to(device) for tensor in operands]
    on_device[operand] = look(base.to(device))
    assert on_device[operand].stride() == operands[operand].stride()
    for mine, right in zip(gradients(convolution, on_device), truth(convolution, operands)):
        assert torch.equal(mine.cpu(), right.to(dtype))


def test_operands_may_all_be_views_of_one_storage(device):
    convolution = Convolution(2, channels_in=6)
    numbers = convolution.integers()
    memory = torch.cat([tensor.flatten() for tensor in numbers])
    on_device = memory.to(device)
    views, at = [], 0
    for tensor in numbers:
        views.append(on_device[at : at + tensor.numel()].view(tensor.shape))
        at += tensor.numel()
    for mine, right in zip(gradients(convolution, views), truth(convolution, numbers)):
        assert torch.equal(mine.cpu(), right.float())


def test_a_larger_convolution_agrees(device):
    convolution = Convolution(2, batch=4, channels_in=32, channels_out=48, groups=4)
    operands = convolution.integers()
    for mine, right in zip(
        gradients(convolution, [tensor.to(device) for tensor in operands]), truth(convolution, operands)
    ):
        assert torch.equal(mine.cpu(), right.float())
