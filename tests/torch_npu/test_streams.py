"""Streams keep their order, events order streams, and times are times."""

import time

import torch
from convolutions import Convolution, gradients, truth

HEAVY = Convolution(3, batch=16, channels_in=64, channels_out=64)


def test_work_of_one_stream_is_seen_by_another_that_waited(device):
    operands = HEAVY.integers()
    right = truth(HEAVY, operands)
    on_device = [tensor.to(device) for tensor in operands]
    torch.npu.synchronize()
    side = torch.npu.Stream(device)
    done = torch.npu.Event()
    with torch.npu.stream(side):
        found = gradients(HEAVY, on_device)
        done.record(side)
    torch.npu.current_stream(device).wait_event(done)
    copies = [gradient.clone() for gradient in found]
    for mine, wanted in zip(copies, right):
        assert torch.equal(mine.cpu(), wanted.float())


def test_an_event_is_passed_after_the_work_before_it(device):
    on_device = [tensor.to(device) for tensor in HEAVY.integers()]
    stream, done = torch.npu.current_stream(device), torch.npu.Event()
    gradients(HEAVY, on_device)
    done.record(stream)
    done.synchronize()
    assert done.query()
    stream.synchronize()
    assert stream.query()


def test_the_time_between_two_events_is_that_of_the_work(device):
    on_device = [tensor.to(device) for tensor in HEAVY.integers()]
    torch.npu.synchronize()
    start, end = torch.npu.Event(enable_timing=True), torch.npu.Event(enable_timing=True)
    began = time.perf_counter()
    start.record()
    gradients(HEAVY, on_device)
    end.record()
    torch.npu.synchronize()
    host = 1000 * (time.perf_counter() - began)
    assert 0 < start.elapsed_time(end) <= host


def test_a_stream_waits_for_another_stream(device):
    one, two = torch.npu.Stream(device), torch.npu.Stream(device)
    here = torch.arange(1 << 20).pin_memory()
    with torch.npu.stream(one):
        there = here.to(device, non_blocking=True)
    two.wait_stream(one)
    with torch.npu.stream(two):
        copy = there.clone()
    two.synchronize()
    assert torch.equal(copy.cpu(), here)
