"""The innermost loops of the kernels keep their sums in registers: those in memory cost half the speed."""

import platform
import sys

import pytest

from machine_code import X86, assert_sums_stay_in_registers, functions
from toolchain import ROOT, run, tool

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the code of another processor")

# how many registers are sums, by the function that has the loop and by instruction set
SUMS = {
    "multiply": {"baseline": 12, "avx2": 12, "avx512": 24, "avx512_bf16": 24},
    "multiply_winograd": {"baseline": 12, "avx2": 12, "avx512": 24},
    "correlate": {"baseline": 12, "avx2": 12, "avx512": 24},
    "sum": {"baseline": 8, "avx2": 8, "avx512": 16},
    "sum_pair": {"baseline": 8, "avx2": 8, "avx512": 16},
    "filter": {"baseline": 8, "avx2": 12, "avx512": 14},
    "correlate_channels": {"baseline": 8, "avx2": 8, "avx512": 16},
}


@pytest.fixture(scope="module")
def code(tmp_path_factory):
    """The functions of each instruction set, built as users have them."""
    where = tmp_path_factory.mktemp("release")
    meson = [sys.executable, "-m", "mesonbuild.mesonmain"]
    run([*meson, "setup", where, ROOT])
    run([*meson, "compile", "-C", where, *(f"vector_{isa}" for isa in SUMS["multiply"])])
    archives = {isa: where / "lib" / "kernels" / f"libvector_{isa}.a" for isa in SUMS["multiply"]}
    return {isa: functions(tool("objdump"), archive) for isa, archive in archives.items()}


@pytest.mark.parametrize(("isa", "function"), [(isa, name) for name, sums in SUMS.items() for isa in sums])
def test_the_sums_of_a_tile_stay_in_registers(code, isa, function):
    assert_sums_stay_in_registers(code[isa][function], X86, SUMS[function][isa])
