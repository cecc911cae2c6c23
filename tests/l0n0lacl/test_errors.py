"""What is refused is an exception of l0n0lacl, and it prints our status and our sentence."""

from dataclasses import replace

import pytest
from calls import GUARD, PLAIN, arguments, check, definition, gradients, integers, on_device, results
from l0n0lacl import 开始捕获模型RI, 张量
from l0n0lacl.设备内存 import 设备内存


def refused(operators, problem, written):
    with pytest.raises(Exception, match="^aclnnConvolutionBackwardGetWorkspace$"):
        operators.ConvolutionBackward(*arguments(problem, map(on_device, integers(PLAIN)), written))


def test_a_broken_rule_prints_its_status_and_its_sentence(operators, capsys):
    written = results(PLAIN)
    refused(operators, replace(PLAIN, padding=(-1, 0)), written)
    printed = capsys.readouterr().out
    assert "161002" in printed and "CONVBWD_PADDING_RANGE: padding[0] is -1" in printed
    assert all((tensor.numpy() == GUARD).all() for tensor in written)


def test_a_missing_output_prints_its_status_and_its_name(operators, capsys):
    refused(operators, PLAIN, [张量(), *results(PLAIN)[1:]])
    printed = capsys.readouterr().out
    assert "161001" in printed and "gradInput" in printed


def test_a_format_that_was_never_set_is_named(operators, capsys):
    """张量 alone makes tensors of format ND."""
    with pytest.raises(Exception, match="^aclnnConvolutionBackwardGetWorkspace$"):
        operators.ConvolutionBackward(*arguments(PLAIN, integers(PLAIN), results(PLAIN)))
    printed = capsys.readouterr().out
    assert "161002" in printed and "CONVBWD_FORMAT: gradOutput has rank 4 and format ND" in printed


def test_a_call_after_a_refused_one_works_and_prints_nothing(operators, capsys):
    refused(operators, replace(PLAIN, groups=0), results(PLAIN))
    capsys.readouterr()
    arrays = integers(PLAIN)
    check(PLAIN, gradients(operators, PLAIN, arrays), definition(PLAIN, arrays))
    assert capsys.readouterr().out == ""


def test_memory_that_the_device_does_not_have_is_an_exception(capsys):
    with pytest.raises(Exception, match="^分配内存失败$"):
        设备内存(1 << 50)
    assert "207001" in capsys.readouterr().out


def test_capturing_a_graph_is_refused(capsys):
    with pytest.raises(Exception, match="aclmdlRICaptureBegin"):
        开始捕获模型RI(1)
    printed = capsys.readouterr().out
    assert "207000" in printed and "graphs cannot be captured" in printed
