"""HIFLOAT8: the format as documented, the codec of the package, and the gradients of the 950."""

import re
from pathlib import Path

import numpy as np
import pyaclnn
import pytest

import hif8
from products import C950

TESTS = Path(__file__).parent
DOCUMENT = TESTS.parent / "docs" / "hifloat8.md"


def test_the_documented_table_is_that_of_the_format():
    assert hif8.table() in DOCUMENT.read_text(encoding="utf-8")


def test_the_format_has_the_published_counts():
    """Seven exponents with 3 mantissa bits, eight with 2, sixteen with 1, seven powers of two below; one zero, one NaN."""
    mantissa_bits = {}
    for code in range(128):
        _, prefix, exponent, mantissa = hif8.fields(code)
        if prefix != "0000":
            mantissa_bits[exponent, prefix] = len(mantissa)
    assert sorted(mantissa_bits.values()) == [1] * 16 + [2] * 8 + [3] * 7
    assert len(set(map(hif8.place, range(8)))) == 8
    finite = [hif8.place(code) for code in range(256) if hif8.is_finite(code)]
    assert len(finite) == len(set(finite)) == 253
    assert max(finite) == 2**15 and min(abs(x) for x in finite if x) * 2**22 == 1


def encoded(values):
    """The bytes of what the package makes."""
    elements = pyaclnn.hifloat8.encode(values)
    assert elements.dtype == pyaclnn.hifloat8.HIFLOAT8
    return elements.view(np.uint8)


def test_python_reads_every_code():
    codes = np.arange(256, dtype=np.uint8)
    assert np.array_equal(pyaclnn.hifloat8.decode(codes), hif8.VALUES, equal_nan=True)
    assert np.array_equal(pyaclnn.hifloat8.decode(codes.view(pyaclnn.hifloat8.HIFLOAT8)), hif8.VALUES, equal_nan=True)
    with pytest.raises(TypeError, match="uint8"):
        pyaclnn.hifloat8.decode(np.arange(256))


def test_python_writes_every_code_back():
    assert encoded(hif8.VALUES).tolist() == list(range(256))


def test_python_sends_ties_away_from_zero_and_their_neighbours_to_their_own_side():
    ties = np.array([float(tie) for tie in hif8.TIES])
    for kind in (np.float32, np.float64):
        for values in (ties, np.nextafter(kind(ties), kind(0)), np.nextafter(kind(ties), kind(np.inf)), -ties):
            assert np.array_equal(encoded(values.astype(kind)), hif8.encode(values))


def test_python_rounds_millions_of_floats_to_the_nearest():
    numbers = np.random.default_rng(8)
    patterns = numbers.integers(0, 2**32, 1_000_000).astype(np.uint32).view(np.float32)
    ordinary = numbers.choice([-1, 1], 1_000_000) * 2.0 ** numbers.uniform(-25, 17, 1_000_000)
    for values in (patterns, ordinary, ordinary.astype(np.float32)):
        assert np.array_equal(encoded(values), hif8.encode(values))


def test_python_takes_numbers_and_lists():
    assert encoded([1.0, -0.0, np.nan, -np.inf, 2**-30]).tolist() == [0x08, 0, 0x80, 0xEF, 0]
    assert pyaclnn.hifloat8.encode(3).shape == () and pyaclnn.hifloat8.encode([[1], [2]]).shape == (2, 1)


@pytest.mark.parametrize(
    "environment",
    [{}, {"ACLEMU_KERNEL": "reference"}, {"ACLEMU_KERNEL": "gemm", "ACLEMU_THREADS": "3"},
     {"ACLEMU_KERNEL": "gemm", "ACLEMU_ISA": "baseline"}, {"ACLEMU_WORKSPACE": "zero"}],
    ids=lambda environment: "-".join(environment.values()) or "plain",
)
def test_the_950_computes_in_it(environment, in_process_of_its_own):
    file = TESTS / "hifloat8_on_950.py"
    options = ("-q", "-p", "no:cacheprovider")
    report = in_process_of_its_own("-m", "pytest", *options, file, ACLEMU_SOC=C950.soc, **environment)
    passed = re.search(r"^(\d+) passed in", report, re.MULTILINE)
    assert passed and int(passed[1]) >= 50, report
