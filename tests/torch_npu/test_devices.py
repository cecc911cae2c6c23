"""torch-npu finds the devices, and what it says of them is what the documents say of the chip."""

import torch

GIB = 1 << 30


def test_the_device_is_available():
    assert torch.npu.is_available()


def test_there_are_as_many_devices_as_were_asked_for():
    assert torch.npu.device_count() == 2


def test_properties_are_those_of_the_chip():
    properties = torch.npu.get_device_properties(0)
    assert properties.name == torch.npu.get_device_name(0) == "Ascend910B3"
    assert properties.cube_core_num == 20 and properties.vector_core_num == 40
    assert properties.L2_cache_size == 192 << 20
    assert 32 * GIB < properties.total_memory <= 64 * GIB


def test_another_chip_can_be_chosen(in_process_of_its_own):
    script = "import torch, torch_npu; p = torch.npu.get_device_properties(0); print(p.name, p.cube_core_num)"
    assert in_process_of_its_own("-c", script, ACLEMU_SOC="Ascend910B1").splitlines()[-1] == "Ascend910B1 24"


def test_memory_that_is_taken_is_no_longer_free(device):
    torch.npu.empty_cache()
    free, total = torch.npu.mem_get_info(0)
    held = torch.empty(GIB // 4, device=device)
    taken = torch.npu.mem_get_info(0)
    assert torch.npu.memory_allocated(0) >= GIB
    assert GIB <= free - taken[0] < GIB + GIB // 64 and taken[1] == total
    del held
    torch.npu.empty_cache()
    assert torch.npu.mem_get_info(0) == (free, total)


def test_the_current_device_can_be_changed(other_device):
    assert torch.npu.current_device() == 0
    with torch.npu.device(other_device):
        assert torch.npu.current_device() == 1
        assert torch.empty(1, device="npu").device == other_device
    assert torch.npu.current_device() == 0


def test_a_process_that_used_the_device_ends_well(in_process_of_its_own):
    script = "import torch, torch_npu; print(torch.arange(5).npu().cpu().tolist())"
    assert in_process_of_its_own("-c", script).splitlines()[-1] == "[0, 1, 2, 3, 4]"


def test_expandable_segments_hold_tensors(in_process_of_its_own):
    script = """
import torch, torch_npu
from convolutions import Convolution, gradients, truth
convolution = Convolution(2, batch=8, channels_in=32, channels_out=32)
operands = convolution.integers()
for size in (1 << 20, 1 << 24):
    held = torch.arange(size).npu()
    assert torch.equal(held.cpu(), torch.arange(size))
found = gradients(convolution, [tensor.npu() for tensor in operands])
print(all(torch.equal(mine.cpu(), right.float()) for mine, right in zip(found, truth(convolution, operands))))
del held
torch.npu.empty_cache()
"""
    printed = in_process_of_its_own("-c", script, PYTORCH_NPU_ALLOC_CONF="expandable_segments:True")
    assert printed.splitlines()[-1] == "True"
