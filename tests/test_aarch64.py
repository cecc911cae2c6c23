"""The kernels on AArch64: compiled for it, and run by an emulator on fewer problems than elsewhere."""

import re
import sys
from pathlib import Path

import pytest

from machine_code import AARCH64, assert_sums_stay_in_registers, functions
from toolchain import ROOT, absent, run, tool

SYSROOT = Path("/usr/aarch64-linux-gnu")
CROSS_FILE = """\
[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-ar'

[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
"""
# with what makes them brief: the number of random problems and the products of the largest one; a fraction of the
# numbers; the number of floats
PROGRAMS = {"kernels_conv": [20, 1000000], "kernels_numbers": [10], "kernels_hifloat8": [50000]}


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    tool("aarch64-linux-gnu-gcc")
    if not (SYSROOT / "include" / "stdio.h").exists():
        absent(f"the C library in {SYSROOT}")
    where = tmp_path_factory.mktemp("aarch64")
    (where / "cross.ini").write_text(CROSS_FILE)
    meson = [sys.executable, "-m", "mesonbuild.mesonmain"]
    run([*meson, "setup", where / "build", ROOT, "--cross-file", where / "cross.ini", "-Dtests=true", "-Dwerror=true"])
    run([*meson, "compile", "-C", where / "build", "vector_baseline", *PROGRAMS])
    return where / "build"


@pytest.mark.parametrize("program", PROGRAMS)
def test_kernels_pass_their_tests_on_an_emulated_processor(build, program):
    report = run([tool("qemu-aarch64"), "-L", SYSROOT, build / "tests" / "c" / program, *PROGRAMS[program]])
    counted = re.search(r"^(\d+) checks, 0 failed$", report, re.MULTILINE)
    assert counted and int(counted[1]) > 0


@pytest.mark.parametrize(
    ("function", "tile"),
    [("multiply", 24), ("multiply_winograd", 24), ("correlate", 24), ("sum", 16), ("sum_pair", 16)],
)
def test_the_sums_of_a_tile_stay_in_registers(build, function, tile):
    library = build / "lib" / "kernels" / "libvector_baseline.a"
    code = functions(tool("aarch64-linux-gnu-objdump"), library)
    assert_sums_stay_in_registers(code[function], AARCH64, tile)
