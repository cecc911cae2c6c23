"""Memory of the host goes in and out without a copy of its own: DLPack tensors, numpy's array protocol, targets."""

import ctypes
import gc

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import pyaclnn
from pyaclnn import Device, Tensor
from pyaclnn.host import host_array

CPU, CUDA = 1, 2
BFLOAT16 = (4, 16)
NUMPYS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float16, np.float32,
          np.float64, np.complex64, np.complex128]


class FromNumpy:
    """A tensor of a framework: it offers DLPack and nothing else; numpy makes the capsule."""

    def __init__(self, array, device=CPU):
        self.array, self.device = array, device

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, **options):
        assert not options
        return self.array.__dlpack__()


class Handmade:
    """A capsule after the text of the DLPack standard, for types that numpy cannot offer."""

    def __init__(self, array, kind, bits, lanes=1):
        rank = array.ndim
        self.array = array
        self.lengths = (ctypes.c_int64 * rank)(*array.shape)
        self.steps = (ctypes.c_int64 * rank)(*(stride // array.itemsize for stride in array.strides))
        self.struct = bytearray(64)
        view = memoryview(self.struct)
        view[0:8] = array.ctypes.data.to_bytes(8, "little")
        view[8:12], view[12:16] = CPU.to_bytes(4, "little"), bytes(4)
        view[16:20] = rank.to_bytes(4, "little")
        view[20:21], view[21:22], view[22:24] = bytes([kind]), bytes([bits]), lanes.to_bytes(2, "little")
        view[24:32] = ctypes.addressof(self.lengths).to_bytes(8, "little")
        view[32:40] = ctypes.addressof(self.steps).to_bytes(8, "little")

    def __dlpack_device__(self):
        return CPU, 0

    def __dlpack__(self):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.memory = (ctypes.c_char * 64).from_buffer(self.struct)
        return new(ctypes.addressof(self.memory), b"dltensor", None)


@pytest.fixture
def device():
    with Device() as device:
        yield device


@pytest.mark.parametrize("dtype", NUMPYS, ids=lambda dtype: np.dtype(dtype).name)
def test_a_tensor_is_seen_without_a_copy(dtype):
    array = np.arange(24).reshape(2, 3, 4).astype(dtype)
    seen = host_array(FromNumpy(array))
    assert seen.dtype == dtype and np.shares_memory(seen, array) and (seen == array).all()
    array[1, 2, 3] = 99
    assert seen[1, 2, 3] == 99


@settings(deadline=None)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.data())
def test_any_view_is_seen_as_it_is(shape, data):
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    slices = tuple(
        slice(data.draw(st.integers(0, length - 1)), None, data.draw(st.integers(1, 2))) for length in shape
    )
    view = np.transpose(array[slices], data.draw(st.permutations(range(len(shape)))))
    seen = host_array(FromNumpy(view))
    assert seen.shape == view.shape and np.shares_memory(seen, array) and (seen == view).all()


def test_a_scalar_and_an_empty_tensor_are_seen():
    assert host_array(FromNumpy(np.array(7.5))) == 7.5
    assert host_array(FromNumpy(np.empty((3, 0, 2), np.float16))).shape == (3, 0, 2)


def test_bfloat16_comes_through_dlpack():
    array = np.array([[1.5, -2], [0.25, 3]], ml_dtypes.bfloat16)
    seen = host_array(Handmade(array, *BFLOAT16))
    assert seen.dtype == ml_dtypes.bfloat16 and np.shares_memory(seen.view(np.uint16), array.view(np.uint16))
    assert (seen.view(np.uint16) == array.view(np.uint16)).all()


def test_the_memory_lives_as_long_as_the_array_that_shows_it():
    array = np.arange(100000, dtype=np.float32)
    seen = host_array(FromNumpy(array))[5:]
    del array
    gc.collect()
    assert (seen == np.arange(5, 100000)).all()


def test_a_list_is_copied_and_an_array_is_itself():
    array = np.ones(3)
    assert host_array(array) is array
    assert host_array([[1.0, 2.0]]).tolist() == [[1, 2]]


def test_a_tensor_on_a_device_is_refused():
    with pytest.raises(TypeError, match="the FromNumpy is on DLPack device 2:0; copy it to the CPU first"):
        host_array(FromNumpy(np.ones(3), CUDA))


@pytest.mark.parametrize("kind, bits, lanes", [(9, 8, 1), (2, 32, 4), (4, 32, 1)])
def test_an_element_type_that_has_no_name_here_is_refused(kind, bits, lanes):
    with pytest.raises(TypeError, match=f"no element type corresponds to DLPack type {kind} of {bits} bits"):
        host_array(Handmade(np.zeros(8, np.uint8), kind, bits, lanes))


# ---- tensors ----


def test_a_dlpack_view_stays_a_view_on_the_device(device):
    array = np.arange(24, dtype=np.float32).reshape(4, 6)
    tensor = Tensor.from_numpy(FromNumpy(array[1:, ::2]))
    assert (tensor.shape, tensor.strides) == ((3, 3), (6, 2))
    assert (tensor.numpy() == array[1:, ::2]).all()


def test_numpy_takes_a_tensor_as_an_array(device):
    tensor = Tensor.from_numpy(np.array([[1, 2], [3, 4]], np.float16))
    assert np.add(tensor, 1).tolist() == [[2, 3], [4, 5]]
    assert np.asarray(tensor, np.float64).dtype == np.float64
    with pytest.raises(ValueError, match="without a copy"):
        tensor.__array__(copy=False)


@pytest.mark.parametrize("take", [lambda array: array, lambda array: array[:, ::2], lambda array: array.T],
                         ids=["whole", "columns", "transposed"])
def test_elements_are_copied_to_where_they_are_wanted(device, take):
    target = take(np.full((4, 4), -1, np.float32))
    numbers = np.arange(target.size, dtype=np.float32).reshape(target.shape)
    for tensor in (Tensor.from_numpy(numbers), Tensor.from_numpy(np.ascontiguousarray(numbers.T).T)):
        target[...] = -1
        tensor.copy_to(target)
        assert (target == numbers).all()
    target[...] = -1
    tensor.copy_to(FromNumpy(target))
    assert (target == numbers).all()


@pytest.mark.parametrize(
    "target, words",
    [
        (np.zeros((2, 3), np.float32), "cannot be copied to float32 elements of shape"),
        (np.zeros((2, 2), np.float64), "cannot be copied to float64 elements of shape"),
        (np.broadcast_to(np.float32(0), (2, 2)), "the ndarray cannot be written to"),
        ([[np.float32(0), np.float32(0)]] * 2, "the list cannot be written to"),
    ],
)
def test_what_cannot_take_the_elements_is_refused(device, target, words):
    with pytest.raises(ValueError, match=words):
        Tensor.from_numpy(np.ones((2, 2), np.float32)).copy_to(target)


def test_empty_tensors_are_copied(device):
    Tensor.empty((2, 0), np.float32).copy_to(np.empty((2, 0), np.float32))


# ---- gradients ----


def test_gradients_are_written_where_they_are_wanted():
    x, weight = np.array([[[1, 2, 3, 4]]], np.float32), np.array([[[10]]], np.float32)
    grad_input, grad_bias = np.zeros((1, 1, 8), np.float32)[..., ::2], np.zeros(1, np.float32)
    tensor = FromNumpy(grad_input)
    found = pyaclnn.convolution_backward(FromNumpy(x), x, FromNumpy(weight), stride=1, padding=0, dilation=1,
                                         output_mask=(True, False, True), out=(tensor, None, grad_bias))
    assert found.grad_input is tensor and found.grad_weight is None and found.grad_bias is grad_bias
    assert grad_input.tolist() == [[[10, 20, 30, 40]]] and grad_bias.tolist() == [10]


def test_the_targets_decide_the_element_types():
    x, weight = np.array([[[1, 2, 3, 4]]], np.float16), np.array([[[10]]], np.float16)
    target = np.zeros((1, 1, 1), np.float32)
    pyaclnn.convolution_backward(x, x, weight, stride=1, padding=0, dilation=1, output_mask=(False, True, False),
                                 out=(None, target, None))
    assert target.tolist() == [[[30]]]


def test_targets_and_mask_have_to_agree():
    ones = np.ones((1, 1, 1), np.float32)
    with pytest.raises(ValueError, match="an array for each gradient that output_mask asks for"):
        pyaclnn.convolution_backward(ones, ones, ones, stride=1, padding=0, dilation=1, out=(ones, None, None))
