"""The Python face: a complete mirror, statuses as exceptions, objects that give back what they own, right results."""

import gc
import re
import subprocess
import sys
import threading
import weakref
from contextlib import ExitStack
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import oracle
import pyaclnn
from pyaclnn import AclError, BoolArray, Device, DeviceMemory, Event, Executor, IntArray, Problem, Stream, Tensor
from pyaclnn.dtypes import ELEMENT_TYPES
from pyaclnn.handles import Handle
from toolchain import environment, prefix

ffi, lib = pyaclnn.ffi, pyaclnn.lib

PARAM_NULLPTR = 161001
PARAM_INVALID = 161002


@pytest.fixture
def device():
    with Device() as device:
        lib.aclGetRecentErrMsg()
        yield device


def declarations():
    """The text of the public headers without comments and marks."""
    text = "\n".join(path.read_text() for path in sorted((prefix() / "include").rglob("*.h")))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"ACL_DEPRECATED_MESSAGE\([^)]*\)", "", text)


def is_live(handle, kind):
    """Does the library still know what stands behind the handle of an object of ours?"""
    byte = ffi.new("char[1]")
    status = {
        BoolArray: lambda: lib.aclGetBoolArraySize(handle, ffi.new("uint64_t *")),
        DeviceMemory: lambda: lib.aclrtMemcpy(byte, 1, handle, 1, lib.ACL_MEMCPY_DEVICE_TO_HOST),
        Event: lambda: lib.aclrtSynchronizeEvent(handle),
        Executor: lambda: lib.aclSetAclOpExecutorRepeatable(handle),
        IntArray: lambda: lib.aclGetIntArraySize(handle, ffi.new("uint64_t *")),
        Stream: lambda: lib.aclrtSynchronizeStream(handle),
        Tensor: lambda: lib.aclGetFormat(handle, ffi.new("aclFormat *")),
    }[kind]()
    lib.aclGetRecentErrMsg()
    return status == 0


@pytest.fixture
def made(monkeypatch):
    """Collects (handle, kind) of every object made from now on, without keeping the object."""
    made = []
    original = Handle.__init__

    def recording(self, handle, destroy):
        original(self, handle, destroy)
        made.append((handle, type(self)))

    monkeypatch.setattr(Handle, "__init__", recording)
    return made


def still_live(made):
    return [(handle, kind) for handle, kind in made if handle and is_live(handle, kind)]


# ---- the mirror -----------------------------------------------------------------------------------------------------


def test_every_declared_function_can_be_called_by_its_name():
    names = set(re.findall(r"^(?:ACL_FUNC_VISIBILITY|ACLNN_API) [^;(]*?(\w+)\(", declarations(), re.MULTILINE))
    assert {"aclInit", "aclrtMalloc", "aclCreateTensor", "aclnnConvolutionBackwardGetWorkspaceSize"} < names
    assert [name for name in names if not callable(getattr(pyaclnn, name, None))] == []


def test_every_integer_macro_and_enumerator_has_its_value():
    macros = re.findall(r"#define[ \t]+(ACL\w+)[ \t]+(-?\w+)[ \t]*$", declarations(), re.MULTILINE)
    enumerators = re.findall(r"^\s*(ACL\w+)\s*= (-?\w+),?\s*$", declarations(), re.MULTILINE)
    values = [(name, int(text.rstrip("uU"), 0)) for name, text in macros + enumerators if re.match(r"-?\d", text)]
    assert {("ACL_BF16", 27), ("ACL_FORMAT_NCL", 47), ("ACLNN_ERR_PARAM_INVALID", PARAM_INVALID)} < set(values)
    assert [(name, value) for name, value in values if getattr(pyaclnn, name, None) != value] == []
    assert pyaclnn.OK == 0


def test_an_undeclared_name_is_no_attribute():
    with pytest.raises(AttributeError, match="aclnnConvolutionSideways"):
        pyaclnn.aclnnConvolutionSideways


# ---- statuses -------------------------------------------------------------------------------------------------------


def test_an_exception_carries_code_name_function_and_message(device):
    with pytest.raises(AclError) as raised:
        pyaclnn.call(lib.aclrtMalloc, ffi.new("void **"), 0, lib.ACL_MEM_MALLOC_HUGE_FIRST)
    error = raised.value
    assert (error.code, error.name, error.function) == (100000, "ACL_ERROR_INVALID_PARAM", "aclrtMalloc")
    assert "size" in error.message
    for part in ("100000", "ACL_ERROR_INVALID_PARAM", "aclrtMalloc", error.message):
        assert part in str(error)


def test_an_exception_takes_the_error_text_with_it(device):
    with pytest.raises(AclError):
        pyaclnn.call(lib.aclrtFree, ffi.NULL)
    assert not lib.aclGetRecentErrMsg()


def test_a_status_that_no_header_knows_has_no_name():
    with pytest.raises(AclError) as raised:
        pyaclnn.check_status(424242, "somewhere")
    assert (raised.value.code, raised.value.name) == (424242, "")


def test_a_refused_convolution_says_why(device):
    arrays = [np.zeros(shape, np.float32) for shape in ((1, 1, 4), (1, 1, 4), (1, 1, 1))]
    with pytest.raises(AclError) as raised:
        pyaclnn.convolution_backward(*arrays, stride=[0], padding=[0], dilation=[1])
    error = raised.value
    assert (error.code, error.name) == (PARAM_INVALID, "ACLNN_ERR_PARAM_INVALID")
    assert error.function == "aclnnConvolutionBackwardGetWorkspaceSize"
    assert "stride" in error.message


def test_a_mask_of_the_wrong_length_is_left_to_phase_one(device):
    arrays = [np.zeros(shape, np.float32) for shape in ((1, 1, 4), (1, 1, 4), (1, 1, 1))]
    with pytest.raises(AclError) as raised:
        pyaclnn.convolution_backward(*arrays, stride=1, padding=0, dilation=1, output_mask=(True, True))
    assert raised.value.code == PARAM_NULLPTR


# ---- objects --------------------------------------------------------------------------------------------------------


MAKERS = {
    "IntArray": lambda: IntArray([1, 2]),
    "BoolArray": lambda: BoolArray([True, False]),
    "DeviceMemory": lambda: DeviceMemory(64),
    "Event": Event,
    "Stream": Stream,
    "Tensor": lambda: Tensor.from_numpy(np.ones((2, 3), np.float32)),
    "Executor": lambda: executor_of([tensor_of_ones(), tensor_of_ones(), tensor_of_ones()], [None, None, None]),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_closing_gives_an_object_back_once(device, made, kind):
    thing = MAKERS[kind]()
    assert made[-1] in still_live(made) and not thing.closed
    thing.close()
    assert not is_live(*made[-1]) and thing.closed
    thing.close()


@pytest.mark.parametrize("kind", MAKERS)
def test_a_with_block_gives_an_object_back(device, made, kind):
    with MAKERS[kind]():
        assert made[-1] in still_live(made)
    assert not is_live(*made[-1])


@pytest.mark.parametrize("kind", MAKERS)
def test_a_forgotten_object_is_given_back_with_all_that_it_owns(device, made, kind):
    thing = MAKERS[kind]()
    assert made[-1] in still_live(made)
    del thing
    gc.collect()
    assert still_live(made) == []


def test_a_closed_tensor_has_given_its_device_memory_back(device, made):
    tensor = Tensor.from_numpy(np.ones((2, 3), np.float32))
    tensor.close()
    assert [kind for _, kind in made] == [DeviceMemory, Tensor]
    assert still_live(made) == []


def test_a_tensor_leaves_memory_that_it_was_given_alone(device):
    with DeviceMemory(16) as memory:
        memory.write(np.arange(4, dtype=np.int32))
        with Tensor(memory, (2,), np.int32, offset=1, storage_shape=(4,)) as tensor:
            assert tensor.numpy().tolist() == [1, 2]
        target = np.zeros(4, np.int32)
        memory.read(target)
        assert target.tolist() == [0, 1, 2, 3]


def test_a_convolution_gives_everything_back(device, made):
    run(Problem.parse("2d n2 ci4 co6 i9x9 k3 s2 p1"))
    assert {kind for _, kind in made} == {BoolArray, DeviceMemory, Executor, IntArray, Stream, Tensor}
    assert still_live(made) == []


def test_a_refused_convolution_gives_everything_back(device, made):
    with pytest.raises(AclError):
        run(Problem.parse("2d n2 ci4 co6 i9x9 k3 s2 p1 cube=9"))
    assert {kind for _, kind in made} == {BoolArray, DeviceMemory, IntArray, Tensor}
    assert still_live(made) == []


def test_a_closed_executor_has_given_its_workspace_back(device, made):
    with Stream() as stream, Tensor.empty((1, 1, 1), np.float32) as result:
        operands = [tensor_of_ones() for _ in range(3)]
        executor = executor_of(operands, [result, None, None])
        executor.workspace_size += 64  # more than needed is allowed; this problem may need none
        executor.run(stream)
        workspace = made[-1]
        assert workspace[1] is DeviceMemory and workspace in still_live(made)
        stream.synchronize()
        executor.close()
        assert not is_live(*workspace)


def test_closing_what_the_library_does_not_know_any_more_raises(device):
    stream = Stream()
    pyaclnn.call(lib.aclrtDestroyStream, stream.handle)
    with pytest.raises(AclError) as raised:
        stream.close()
    assert (raised.value.code, raised.value.function) == (lib.ACL_ERROR_RT_INVALID_HANDLE, "aclrtDestroyStream")


def test_using_a_closed_stream_raises(device):
    stream = Stream()
    stream.close()
    with pytest.raises(AclError) as raised:
        stream.synchronize()
    assert raised.value.code == lib.ACL_ERROR_RT_INVALID_HANDLE


def test_an_event_shows_how_far_a_stream_is(device):
    gate, passed = threading.Event(), []

    @ffi.callback("void(void *)")
    def hold(_):
        passed.append(gate.wait(60))

    with Event() as start, Event() as end, Stream() as stream, Stream() as other:
        assert end.query()
        start.record(stream)
        pyaclnn.call(lib.aclrtLaunchHostFunc, stream.handle, hold, ffi.NULL)
        end.record(stream)
        end.wait(other)
        start.synchronize()
        assert not end.query()
        with pytest.raises(AclError) as raised:
            start.elapsed(end)
        assert raised.value.code == lib.ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID
        gate.set()
        other.synchronize()
        assert passed == [True] and end.query()
        assert start.elapsed(end) > 0 and end.elapsed(start) == -start.elapsed(end)


def test_using_a_closed_event_raises(device):
    event = Event()
    event.close()
    with pytest.raises(AclError) as raised:
        event.record()
    assert (raised.value.code, raised.value.function) == (lib.ACL_ERROR_RT_INVALID_HANDLE, "aclrtRecordEvent")


def test_an_unknown_device_raises():
    with pytest.raises(AclError) as raised:
        Device(12345)
    assert raised.value.code == lib.ACL_ERROR_RT_INVALID_DEVICEID


def test_objects_say_what_they_are(device):
    with IntArray([1, 2]) as ints, BoolArray([True, False]) as bools:
        assert repr(ints) == "<IntArray [1, 2]>"
        assert repr(bools) == "<BoolArray [True, False]>"
    assert repr(ints) == "<IntArray closed>"
    with Tensor.from_numpy(np.zeros((2, 6), np.float16)[:, ::-2]) as tensor:
        assert re.fullmatch(
            r"<Tensor ACL_FLOAT16 \[2, 3\] ND strides=\[6, -2\] offset=4 in 22 bytes at 0x[0-9a-f]+ of device 0>", repr(tensor)
        )
        assert f"{int(ffi.cast('uintptr_t', tensor.memory.address)):#x} of" in repr(tensor)
    with Tensor(DeviceMemory(0), (1, 0, 2, 2), np.float32) as tensor:
        assert repr(tensor) == "<Tensor ACL_FLOAT [1, 0, 2, 2] NCHW in 0 bytes at 0x0>"


# ---- tensors --------------------------------------------------------------------------------------------------------


def views():
    """Views of one array whose elements are all different."""
    base = np.arange(4 * 6 * 5).reshape(4, 6, 5)
    return {
        "contiguous": base,
        "begins_later": base[1:],
        "every_second": base[:, ::2],
        "backwards": base[::-1, :, ::-2],
        "transposed": base.transpose(2, 0, 1),
        "expanded": np.broadcast_to(base[:1], (3, 6, 5)),
        "one_element": base[3:, 5:, 4:],
        "scalar": base[2, 2, 2],
        "empty": base[:, :0],
        "empty_backwards": base[::-1, 5:0:2],
    }


@pytest.mark.parametrize("name", views())
@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16], ids=["float32", "bfloat16"])
def test_a_view_comes_back_from_the_device_with_its_values(device, name, dtype):
    base = np.asarray(views()[name])
    array = base if base.ndim == 0 else base.view()
    array = array.astype(dtype) if base.ndim == 0 else as_dtype(base, dtype)
    with Tensor.from_numpy(array) as tensor:
        back = tensor.numpy()
    assert back.dtype == array.dtype and back.shape == array.shape
    assert (back == array).all()


def as_dtype(view, dtype):
    """The same view of a base of another type."""
    base = view.base if view.base is not None else view
    offset = (view.__array_interface__["data"][0] - base.__array_interface__["data"][0]) // view.itemsize
    converted = np.ascontiguousarray(base).reshape(-1).astype(dtype)
    size = converted.itemsize
    strides = [stride // view.itemsize * size for stride in view.strides]
    return np.ndarray(view.shape, dtype, converted, offset * size, strides)


def test_a_strided_view_stays_strided_on_the_device(device):
    array = np.zeros((4, 6), np.float32)[::-1, 1::2]
    with Tensor.from_numpy(array) as tensor:
        strides, count, offset = ffi.new("int64_t **"), ffi.new("uint64_t *"), ffi.new("int64_t *")
        pyaclnn.call(lib.aclGetViewStrides, tensor.handle, strides, count)
        pyaclnn.call(lib.aclGetViewOffset, tensor.handle, offset)
        assert ffi.unpack(strides[0], count[0]) == [-6, 2]
        assert offset[0] == 18
        assert tensor.memory.nbytes == (3 * 6 + 2 * 2 + 1) * 4


@pytest.mark.parametrize("row", ELEMENT_TYPES, ids=lambda row: row.name)
def test_every_element_type_reaches_the_library_under_its_number(device, row):
    array = np.ones((2, 3), row.numpy)
    with Tensor.from_numpy(array, dtype=row.name) as tensor:
        number = ffi.new("aclDataType *")
        pyaclnn.call(lib.aclGetDataType, tensor.handle, number)
        assert number[0] == getattr(lib, row.constant)
        assert row.numpy.itemsize == lib.aclDataTypeSize(number[0])
        assert (tensor.numpy() == array).all()


@pytest.mark.parametrize(
    "dtype, number",
    [
        ("float32", 0),
        ("float16", 1),
        ("int8", 2),
        ("int32", 3),
        ("uint8", 4),
        ("int16", 6),
        ("uint16", 7),
        ("uint32", 8),
        ("int64", 9),
        ("uint64", 10),
        ("float64", 11),
        ("bool", 12),
        ("complex64", 16),
        ("complex128", 17),
        (ml_dtypes.bfloat16, 27),
        (ml_dtypes.float8_e5m2, 35),
        (ml_dtypes.float8_e4m3fn, 36),
    ],
)
def test_the_number_of_a_numpy_type(device, dtype, number):
    with Tensor.empty((2,), dtype) as tensor:
        got = ffi.new("aclDataType *")
        pyaclnn.call(lib.aclGetDataType, tensor.handle, got)
        assert got[0] == number


@pytest.mark.parametrize("rank, format", list(enumerate(["ND", "ND", "ND", "NCL", "NCHW", "NCDHW", "ND"])))
def test_the_format_follows_from_the_rank(device, rank, format):
    with Tensor.empty((2,) * rank, np.float32) as tensor:
        number = ffi.new("aclFormat *")
        pyaclnn.call(lib.aclGetFormat, tensor.handle, number)
        assert number[0] == getattr(lib, f"ACL_FORMAT_{format}")


@pytest.mark.parametrize("dtype", ["U4", "datetime64[s]", "O", "longdouble"])
def test_a_numpy_type_without_counterpart_is_refused(device, dtype):
    with pytest.raises(TypeError, match="no aclDataType"):
        Tensor.from_numpy(np.zeros(3, dtype))


def test_elements_of_another_size_are_refused(device):
    with pytest.raises(TypeError, match="float32 elements cannot be taken as ACL_FLOAT16"):
        Tensor.from_numpy(np.zeros(3, np.float32), dtype="f16")


def test_reading_a_tensor_that_leaves_its_memory_is_refused(device):
    with DeviceMemory(16) as memory, Tensor(memory, (4,), np.float32, offset=1) as tensor:
        with pytest.raises((TypeError, ValueError)):
            tensor.numpy()


# ---- both phases ----------------------------------------------------------------------------------------------------


def tensor_of_ones():
    return Tensor.from_numpy(np.ones((1, 1, 1), np.float32))


def executor_of(tensors, outputs):
    one, zero = IntArray([1]), IntArray([0])
    mask = BoolArray([output is not None for output in outputs])
    return Executor("aclnnConvolutionBackward", *tensors, None, one, zero, one, False, zero, 1, mask, 0, *outputs)


def test_an_executor_runs_once_unless_it_is_made_repeatable(device):
    with ExitStack() as stack:
        stream = stack.enter_context(Stream())
        twos = stack.enter_context(Tensor.from_numpy(np.full((1, 1, 4), 2, np.float32)))
        weight = stack.enter_context(Tensor.from_numpy(np.full((1, 1, 1), 3, np.float32)))
        result = stack.enter_context(Tensor.empty((1, 1, 4), np.float32))

        once = executor_of([twos, twos, weight], [result, None, None])
        once.run(stream)
        stream.synchronize()
        assert result.numpy().tolist() == [[[6, 6, 6, 6]]]
        with pytest.raises(AclError):
            once.run(stream)
        once.close()

        often = stack.enter_context(executor_of([twos, twos, weight], [result, None, None]))
        often.make_repeatable()
        for factor in (5, 7):
            weight.memory.write(np.float32([factor]))
            often.run(stream)
            stream.synchronize()
            assert result.numpy().tolist() == [[[2 * factor] * 4]]
        often.close()
        assert not is_live(often.handle, Executor)


@pytest.mark.parametrize("own_stream", [True, False])
def test_a_stream_keeps_what_it_runs_until_it_is_synchronized(device, own_stream):
    stream = Stream() if own_stream else None
    results = []
    for value in range(50):
        result = Tensor.empty((1, 1, 400), np.float32)
        operands = [Tensor.from_numpy(np.full(shape, value, np.float32)) for shape in ((1, 1, 400), (1, 1, 400), (1, 1, 1))]
        executor_of(operands, [result, None, None]).run(stream)
        results.append(result)
        del operands  # and nobody has the executor
    gc.collect()
    (stream or device).synchronize()
    assert [result.numpy()[0, 0, 7] for result in results] == [value * value for value in range(50)]
    gone = weakref.ref(results.pop(0))
    gc.collect()
    assert gone() is None, "after the synchronise nothing is kept"


def test_an_interrupt_in_phase_two_is_not_covered_by_another_error(device, monkeypatch):
    def interrupted(*arguments):
        lib.aclnnConvolutionBackward(*arguments)
        raise KeyboardInterrupt

    class Library:
        def __getattr__(self, name):
            return interrupted if name == "aclnnConvolutionBackward" else getattr(lib, name)

    one = Tensor.from_numpy(np.ones((1, 1, 1), np.float32))
    result = Tensor.empty((1, 1, 1), np.float32)
    monkeypatch.setattr("pyaclnn.executor.lib", Library())
    with pytest.raises(KeyboardInterrupt), executor_of([one, one, one], [result, None, None]) as executor:
        executor.run()
    device.synchronize()


def test_every_name_of_the_headers_can_be_completed():
    names = dir(pyaclnn)
    assert {"aclrtMalloc", "ACL_FLOAT16", "aclnnConvolutionBackward", "convolution_backward", "ffi"} <= set(names)


def test_a_convolution_opens_a_device_only_for_a_thread_that_has_none():
    found = []

    def in_a_new_thread():
        before = Device.is_open()
        run(Problem.parse("1d ci1 co1 i4 k1"))
        found.append((before, Device.is_open()))
        with Device():
            run(Problem.parse("1d ci1 co1 i4 k1"))
            found.append(Device.is_open())

    thread = threading.Thread(target=in_a_new_thread)
    thread.start()
    thread.join()
    assert found == [(False, False), True]


# ---- results --------------------------------------------------------------------------------------------------------


LINES = [
    "1d n2 ci3 co4 i11 k3 s2 p1 d2",
    "2d n2 ci3 co4 i9x8 k3x2 s2x1 p1x0",
    "2d n1 ci2 co2 i7x7 k3 s2 p1:2x0:1",
    "2d n2 ci6 co4 i6x6 k3 p1 g2",
    "3d n1 ci2 co3 i4x5x6 k2x3x2 s1x2x1 p1x0x1",
    "1d n2 ci4 co6 i7 k4 s3 p1 g2 transposed op1",
    "2d n2 ci3 co2 i5x4 k3 s2 p1 transposed op1x0",
    "2d n2 ci3 co2 i5x4 k3 s2 p1:1x0:1 transposed op1:1x0:0",
    "2d n2 ci3 co4 i6x6 k3 p1 dtype=f16",
    "2d n2 ci3 co4 i6x6 k3 p1 dtype=bf16 out=f32",
    "2d n2 ci3 co4 i6x6 k3 p1 dtype=f32,f16,bf16",
]


def small_integers(shape, dtype, random):
    return random.integers(-3, 4, shape).astype(dtype)


def run(problem, **options):
    """The gradients of small integers, and the operands."""
    random = np.random.default_rng(1)
    types = {row.name: row.numpy for row in ELEMENT_TYPES}
    shapes = (problem.grad_output_shape, problem.input_shape, problem.weight_shape)
    operands = [small_integers(shape, types[name], random) for shape, name in zip(shapes, problem.dtypes)]
    got = pyaclnn.convolution_backward(
        *operands,
        stride=problem.stride,
        padding=problem.padding,
        dilation=problem.dilation,
        transposed=problem.transposed,
        output_padding=problem.output_padding,
        groups=problem.groups,
        output_mask=problem.output_mask,
        cube_math_type=problem.cube_math_type,
        output_dtypes=problem.output_dtypes,
        **options,
    )
    return got, operands


def truth(problem, operands):
    return oracle.convolution_backward(
        *(operand.astype(np.float64) for operand in operands),
        stride=problem.stride,
        padding=problem.padding,
        dilation=problem.dilation,
        transposed=problem.transposed,
        groups=problem.groups,
    )


@pytest.mark.parametrize("line", LINES)
def test_gradients_equal_the_definition(device, line):
    problem = Problem.parse(line)
    got, operands = run(problem)
    for gradient, want, name in zip(got, truth(problem, operands), problem.output_dtypes):
        (row,) = [row for row in ELEMENT_TYPES if row.name == name]
        assert gradient.dtype == row.numpy
        assert (gradient == want.astype(row.numpy)).all(), line


@pytest.mark.parametrize("mask", ["000", "100", "010", "001", "110", "101", "011"])
def test_a_masked_off_gradient_is_none_and_the_others_are_right(device, mask):
    problem = Problem.parse(f"2d n2 ci3 co4 i6x6 k3 p1 mask={mask}")
    got, operands = run(problem)
    for gradient, want, wanted in zip(got, truth(problem, operands), mask):
        assert (gradient is not None) == (wanted == "1")
        assert gradient is None or (gradient == want).all()


def test_gradients_have_the_types_of_input_weight_and_grad_output(device):
    types = (np.float32, np.float16, ml_dtypes.bfloat16)
    arrays = [np.ones((1, 1, 1), dtype) for dtype in types]
    got = pyaclnn.convolution_backward(*arrays, stride=1, padding=0, dilation=1)
    assert [gradient.dtype for gradient in got] == [np.float16, ml_dtypes.bfloat16, np.float32]


def test_operands_may_be_views(device):
    problem = Problem.parse("2d n2 ci3 co4 i6x6 k3 p1")
    got, (grad_output, input, weight) = run(problem)
    again = pyaclnn.convolution_backward(
        np.asfortranarray(grad_output),
        np.repeat(input, 2, axis=3)[..., ::2],
        np.ascontiguousarray(weight[::-1])[::-1],
        stride=1,
        padding=1,
        dilation=1,
    )
    for one, other in zip(got, again):
        assert (one == other).all()


def test_bias_sizes_default_to_the_channels_where_they_are_read(device):
    empty = Problem.parse("1d n0 ci2 co3 i4 k1")
    got, _ = run(empty)
    assert got.grad_input.shape == (0, 2, 4)
    assert not got.grad_weight.any() and got.grad_bias.tolist() == [0, 0, 0]
    with pytest.raises(AclError) as raised:
        run(empty, bias_sizes=[2])
    assert raised.value.code == PARAM_INVALID


def test_the_library_prints_a_problem_as_python_does():
    lines = [*LINES, "2d n2 ci3 co4 i6x6 k3 p1 mask=101 cube=1", "1d n0 ci2 co3 i4 k1 dtype=bf16 out=f16,bf16,bf16"]
    code = (
        "import sys, test_python_api as api\n"
        "for line in sys.argv[1:]: api.run(api.Problem.parse(line))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *lines],
        cwd=Path(__file__).parent,
        env=environment(ACLEMU_VERBOSE="problem", ACLEMU_SOC="Ascend910B1"),
        stderr=subprocess.PIPE,
        text=True,
    )
    printed = re.findall(r"^aclemu: (\dd .*)$", done.stderr, re.MULTILINE)
    assert printed == [str(Problem.parse(f"{line} soc=Ascend910B1")) for line in lines], done.stderr
