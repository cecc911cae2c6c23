"""CPU tensors of torch go into the Python package and out of it without a copy on the host."""

import pytest
import torch

import pyaclnn
from pyaclnn.host import host_array

DTYPES = [torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.int16, torch.int32, torch.int64,
          torch.uint8, torch.bool, torch.complex64]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_a_tensor_is_seen_in_its_own_memory(dtype):
    tensor = torch.tensor([[0, 1, 1], [1, 0, 1]]).to(dtype)
    seen = host_array(tensor.t()[1:])
    assert seen.__array_interface__["data"][0] == tensor.data_ptr() + tensor.element_size()
    assert str(seen.dtype) == str(dtype).replace("torch.", "")
    assert seen.tolist() == tensor.t()[1:].tolist()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
def test_gradients_are_those_of_torch(dtype):
    generator = torch.Generator().manual_seed(5)

    def integers(*shape):
        return torch.randint(-2, 3, shape, generator=generator).to(dtype)

    x, weight, grad_output = integers(2, 3, 6, 6), integers(4, 3, 3, 3), integers(2, 4, 6, 6)
    out = (torch.empty_like(x), torch.empty_like(weight), torch.empty(4, dtype=dtype))
    found = pyaclnn.convolution_backward(grad_output, x, weight, stride=1, padding=1, dilation=1, out=out)
    expected = torch.ops.aten.convolution_backward(
        grad_output.double(), x.double(), weight.double(), [4], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True] * 3
    )
    for mine, target, right in zip(found, out, expected):
        assert mine is target and torch.equal(target, right.to(dtype))


def test_a_tensor_that_records_gradients_is_refused_by_torch():
    x = torch.ones(1, 1, 4, requires_grad=True)
    with pytest.raises(BufferError):
        host_array(x)
