"""The innermost loops of the kernels keep their sums in registers: those in memory cost half the speed."""

import platform
import sys

import pytest

from machine_code import X86, assert_sums_stay_in_registers, functions
from toolchain import ROOT, run, tool

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the code of another processor")

# registers that vectors fit into, by instruction set
REGISTERS = {"baseline": 16, "avx2": 16, "avx512": 32, "avx512_bf16": 32}
# and how many of them are sums, by the function that has the loop: three quarters or half
SUMS = {
    "multiply": {16: 12, 32: 24},
    "multiply_winograd": {16: 12, 32: 24},
    "correlate": {16: 12, 32: 24},
    "sum": {16: 8, 32: 16},
    "sum_pair": {16: 8, 32: 16},
}
ONLY_MULTIPLY = {"avx512_bf16"}


@pytest.fixture(scope="module")
def code(tmp_path_factory):
    """The functions of each instruction set, built as users have them."""
    where = tmp_path_factory.mktemp("release")
    meson = [sys.executable, "-m", "mesonbuild.mesonmain"]
    run([*meson, "setup", where, ROOT])
    run([*meson, "compile", "-C", where, *(f"vector_{isa}" for isa in REGISTERS)])
    return {isa: functions(tool("objdump"), where / "lib" / "kernels" / f"libvector_{isa}.a") for isa in REGISTERS}


@pytest.mark.parametrize(
    ("isa", "function"),
    [(isa, name) for isa in REGISTERS for name in SUMS if name == "multiply" or isa not in ONLY_MULTIPLY],
)
def test_the_sums_of_a_tile_stay_in_registers(code, isa, function):
    assert_sums_stay_in_registers(code[isa][function], X86, SUMS[function][REGISTERS[isa]])
