"""l0n0lacl's parser reads our headers: there is a wrapper for every operator, with its parameters and their C types."""

import ctypes
import inspect
import sys

import numpy as np
from l0n0lacl import 张量

CONVOLUTION_BACKWARD = {
    "gradOutput": ctypes.c_void_p,
    "input": ctypes.c_void_p,
    "weight": ctypes.c_void_p,
    "biasSizes": ctypes.c_void_p,
    "stride": ctypes.c_void_p,
    "padding": ctypes.c_void_p,
    "dilation": ctypes.c_void_p,
    "transposed": ctypes.c_bool,
    "outputPadding": ctypes.c_void_p,
    "groups": ctypes.c_int,
    "outputMask": ctypes.c_void_p,
    "cubeMathType": ctypes.c_int8,
    "gradInput": ctypes.c_void_p,
    "gradWeight": ctypes.c_void_p,
    "gradBias": ctypes.c_void_p,
}
INPLACE_COPY = {"selfRef": ctypes.c_void_p, "src": ctypes.c_void_p}
SIZE_AND_EXECUTOR = [ctypes.c_void_p, ctypes.c_void_p]


def check(wrapper, parameters):
    assert list(inspect.signature(wrapper).parameters) == [f"{name}_" for name in parameters]
    phase_one = sys.modules[wrapper.__module__].算子.获取workspace大小函数
    assert list(phase_one.argtypes) == [*parameters.values(), *SIZE_AND_EXECUTOR]


def test_there_is_a_wrapper_for_every_operator_of_the_headers(operators):
    functions = {name for name, _ in inspect.getmembers(operators, inspect.isfunction)}
    assert functions == {"ConvolutionBackward", "InplaceCopy"}


def test_convolution_backward_has_the_parameters_of_the_reference(operators):
    check(operators.ConvolutionBackward, CONVOLUTION_BACKWARD)


def test_inplace_copy_has_the_parameters_of_the_reference(operators):
    check(operators.InplaceCopy, INPLACE_COPY)


def test_annotations_say_what_python_passes(operators):
    annotations = inspect.get_annotations(operators.ConvolutionBackward)
    assert [annotations[name] for name in ("transposed_", "groups_", "cubeMathType_")] == [bool, int, int]


def test_inplace_copy_converts_and_broadcasts(operators):
    destination = 张量(np.zeros((2, 3), np.float16))
    operators.InplaceCopy(destination, np.array([0.5, -2, 2049], np.float32))
    assert destination.numpy().tolist() == [[0.5, -2, 2048]] * 2
