"""torch-npu calls the operators from its own thread or from ours: both ways give the same."""

import re

import pytest


WORK = ["test_convolution_backward.py", "test_copies.py", "test_streams.py"]
PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]


@pytest.mark.parametrize("mode", ["0", "1", "2"])
@pytest.mark.parametrize("file", WORK)
def test_every_mode_of_the_task_queue_does_the_work(file, mode, in_process_of_its_own):
    assert " passed" in in_process_of_its_own(*PYTEST, file, TASK_QUEUE_ENABLE=mode).splitlines()[-1]


@pytest.mark.parametrize("setting", [{"TASK_QUEUE_ENABLE": "0"}, {"ASCEND_LAUNCH_BLOCKING": "1"}], ids=str)
def test_without_a_queue_errors_are_exceptions_with_their_sentence(setting, in_process_of_its_own):
    assert " passed" in in_process_of_its_own(*PYTEST, "test_errors.py", **setting).splitlines()[-1]


def test_mode_2_prints_the_sentence_and_names_the_operator(in_process_of_its_own):
    """There phase one is called by the queue's own thread: torch-npu prints what it said, and raises later."""
    script = """
import torch, torch_npu
from test_errors import broken
try:
    broken(torch.device("npu:0"), [-1, 1])
except RuntimeError as error:
    print("raised:", str(error).replace("\\n", " "))
"""
    printed = in_process_of_its_own("-c", script, TASK_QUEUE_ENABLE="2")
    assert re.search("^raised: .*aclnnConvolutionBackward", printed, re.MULTILINE)
    assert "CONVBWD_PADDING_RANGE: padding[0] is -1" in printed
