"""The pytest plugin: chips, fixtures, what a failure says, and what a test leaves behind."""

import re

import numpy as np
import pytest

import oracle
import pyaclnn
from pyaclnn import Problem
from pyaclnn.chip import PRODUCTS
from pyaclnn.operand_format import operand_format
from pyaclnn.testing import HF32, TOLERANCES, Tolerance, assert_gradients, definition, random_operands

pytest_plugins = ["pytester"]

LINE = "2d n2 ci3 co4 i6 k3 p1"
FULL = str(Problem.parse(LINE))


@pytest.fixture
def run(pytester, monkeypatch):
    """Runs tests in a pytest of their own, with the plugin as a user has it."""
    monkeypatch.delenv("ACLEMU_SOC", raising=False)

    def run(source, *options, ini="", **variables):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        pytester.makeini(f"[pytest]\n{ini}")
        pytester.makepyfile(test_them="import numpy as np, pytest, sys\nimport pyaclnn\n" + source)
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *options)

    return run


def outcomes(result):
    return re.findall(r"^test_them\.py::(\S+) (PASSED|FAILED|ERROR|SKIPPED)", result.stdout.str(), re.MULTILINE)


# ---- chips ---------------------------------------------------------------------------------------------------------

CHIPS = """
def chip():
    return pyaclnn.ffi.string(pyaclnn.aclrtGetSocName()).decode()

@pytest.mark.soc("310P", "Ascend910A")
def test_marked(acl_soc):
    assert chip() == acl_soc and acl_soc in ("Ascend310P3", "Ascend910A")

@pytest.mark.soc("all")
def test_all():
    print("chip", chip())

def test_fixture(acl_device):
    print("chip", chip())

def test_plain():
    assert chip() == "Ascend910B3"

def test_the_chip_is_back():
    assert chip() == "Ascend910B3"
"""


def test_a_mark_runs_a_test_for_every_chip_that_it_names(run):
    result = run(CHIPS, "-v", "--strict-markers")
    assert [name for name, outcome in outcomes(result) if outcome == "PASSED"] == [
        "test_marked[310P]", "test_marked[Ascend910A]",
        "test_all[A2]", "test_all[950]", "test_all[310P]", "test_all[910A]",
        "test_fixture", "test_plain", "test_the_chip_is_back",
    ]


def test_the_option_runs_tests_with_fixtures_for_other_chips_but_marks_go_first(run):
    result = run(CHIPS, "-v", "-s", "--soc", "950", "--soc", "910A")
    names = re.findall(r"^test_them\.py::(\S+) ", result.stdout.str(), re.MULTILINE)
    assert names == [
        "test_marked[310P]", "test_marked[Ascend910A]",
        "test_all[A2]", "test_all[950]", "test_all[310P]", "test_all[910A]",
        "test_fixture[950]", "test_fixture[910A]", "test_plain", "test_the_chip_is_back",
    ]
    result.assert_outcomes(passed=10)
    assert re.findall(r"chip (\w+)", result.stdout.str())[-2:] == ["Ascend950PR_9589", "Ascend910A"]


def test_a_chip_that_does_not_exist_is_an_error_with_the_nearest(run):
    result = run("@pytest.mark.soc('Ascend310P33')\ndef test_it(): pass\n")
    result.assert_outcomes(errors=1)
    assert "Ascend310P33" in result.stdout.str() and "the nearest: Ascend310P3" in result.stdout.str()


def test_a_mark_without_a_name_is_refused(run):
    result = run("@pytest.mark.soc\ndef test_it(): pass\n")
    assert "the mark soc needs the name of a chip or product" in result.stdout.str() + result.stderr.str()


def test_on_a_device_only_tests_for_its_chip_run(run, tmp_path_factory):
    import decoy

    toolkit = decoy.second_installation(tmp_path_factory.mktemp("toolkit"))
    source = "@pytest.mark.soc('A2', 'Ascend910B3', '310P')\ndef test_it(acl_device): pass\n"
    result = run(source, "-v", "-rs", PYACLNN_RUNTIME="system", ASCEND_HOME_PATH=str(toolkit))
    assert outcomes(result) == [
        ("test_it[A2]", "PASSED"), ("test_it[Ascend910B3]", "PASSED"), ("test_it[310P]", "SKIPPED")
    ]
    assert "the test is for 310P, and the device is Ascend910B3" in result.stdout.str()


# ---- fixtures and leftovers ----------------------------------------------------------------------------------------

CLEAN = """
from pyaclnn import BoolArray, Executor, IntArray, Tensor

@pytest.fixture(scope="module")
def weight():
    with pyaclnn.Device():
        yield Tensor.from_numpy(np.full((1, 1, 1), 10, np.float32))

def test_objects(acl_stream, acl_tensor, acl_empty, weight):
    x, result = acl_tensor(np.array([[[1, 2, 3]]], np.float32)), acl_empty((1, 1, 3), np.float32)
    one, zero, mask = IntArray([1]), IntArray([0]), BoolArray([True, False, False])
    executor = Executor("aclnnConvolutionBackward", x, x, weight, None, one, zero, one, False, zero, 1, mask, 0,
                        result, None, None)
    executor.run(acl_stream)
    acl_stream.synchronize()
    assert result.numpy().tolist() == [[[10, 20, 30]]]

def test_again(weight):
    assert weight.numpy() == 10

def test_work_that_is_not_waited_for_ends_with_the_fixtures(acl_stream, acl_tensor, weight):
    x = acl_tensor(np.ones((1, 1, 3), np.float32))
    one, zero, mask = IntArray([1]), IntArray([0]), BoolArray([False, False, True])
    bias = Tensor.empty((1,), np.float32)
    Executor("aclnnConvolutionBackward", x, x, weight, one, one, zero, one, False, zero, 1, mask, 0,
             None, None, bias).run(acl_stream)

def test_forgotten_in_a_circle(acl_device):
    circle = [Tensor.empty((5,), np.float32)]
    circle.append(circle)

@pytest.mark.xfail
def test_whose_failure_is_expected(acl_device):
    tensor = Tensor.empty((7,), np.float32)
    assert tensor is None

@pyaclnn.ffi.callback("void(void *)")
def rest(argument):
    import time
    time.sleep(0.3)

@pytest.fixture(scope="module")
def background():
    with pyaclnn.Device(), pyaclnn.Stream() as stream:
        assert pyaclnn.aclrtLaunchHostFunc(stream.handle, rest, pyaclnn.ffi.NULL) == 0
        yield stream

def test_while_work_of_the_module_runs(background):
    pass

def test_after_it(background):
    background.synchronize()
"""

LEFT = """
kept = []

def test_memory(acl_device):
    memory = pyaclnn.ffi.new("void **")
    for size in (100, 200, 300, 400, 500, 600):
        assert pyaclnn.aclrtMalloc(memory, size, 0) == 0

def test_object(acl_device):
    kept.append(pyaclnn.Tensor.empty((7,), np.float16))

def test_neither(acl_device):
    pass

@pyaclnn.ffi.callback("void(void *)")
def sleep(argument):
    import time
    time.sleep(0.5)

@pytest.fixture(scope="module")
def stream():
    with pyaclnn.Device(), pyaclnn.Stream() as stream:
        yield stream

def test_work(stream):
    assert pyaclnn.aclrtLaunchHostFunc(stream.handle, sleep, pyaclnn.ffi.NULL) == 0

def test_while_the_work_of_another_runs(stream):
    pass

def test_failing(acl_device):
    kept.append(pyaclnn.Tensor.empty((7,), np.float16))
    assert not kept
"""


def test_a_test_that_cleans_up_is_silent(run):
    result = run(CLEAN, "-W", "error", ini="acl_leftovers = error")
    result.assert_outcomes(passed=6, xfailed=1)


def test_what_is_left_behind_is_a_warning(run):
    result = run(LEFT)
    result.assert_outcomes(passed=5, failed=1, warnings=3)
    text = result.stdout.str()
    assert "AclLeftoverWarning: device memory was not freed: 2100 bytes" in text
    assert re.search(r"    allocation \d+: 100 bytes at 0x[0-9a-f]+, device 0\n", text) and "    and 1 more" in text
    assert "AclLeftoverWarning: device memory was not freed: 14 bytes" in text
    assert text.count("not freed") == 2
    assert "AclLeftoverWarning: work is queued or runs: synchronise its stream before the test ends" in text


def test_what_is_left_behind_can_be_an_error(run):
    result = run(LEFT, "-v", ini="acl_leftovers = error")
    result.assert_outcomes(passed=5, failed=1, errors=3)
    wrong = {name for name, outcome in outcomes(result) if outcome == "ERROR"}
    assert wrong == {"test_memory", "test_object", "test_work"}


def test_what_is_left_behind_can_be_ignored(run):
    run(LEFT, ini="acl_leftovers = off").assert_outcomes(passed=5, failed=1, warnings=0)


def test_another_word_is_refused(run):
    result = run("def test_it(): pass", ini="acl_leftovers = maybe")
    assert "acl_leftovers is 'maybe': one of warn, error, off" in result.stderr.str()


def test_a_failure_shows_the_error_text_of_its_own_test(run):
    result = run(
        "def test_first(acl_device): assert pyaclnn.aclrtFree(pyaclnn.ffi.NULL) != 0\n"
        "def test_second(acl_device): assert pyaclnn.aclrtSetDevice(77) == 0\n"
    )
    text = result.stdout.str()
    assert "error text of the device" in text and "aclrtSetDevice failed because deviceId is 77" in text
    assert "aclrtFree failed" not in text


HARMLESS = """
def test_it():
    assert not {name for name in sys.modules if name.startswith("pyaclnn.native")} and "cffi" not in sys.modules
"""


def test_who_does_not_use_it_notices_nothing(run, pytester):
    pytester.makepyfile(test_them="import sys\n" + HARMLESS + "    assert 'numpy' not in sys.modules\n")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-W", "error", "--strict-markers")
    result.assert_outcomes(passed=1)
    assert "pyaclnn" not in result.stdout.str().split("collected")[1]


def test_it_can_be_switched_off(run):
    result = run("def test_it(acl_device): pass", "-p", "no:pyaclnn")
    result.assert_outcomes(errors=1)
    assert "fixture 'acl_device' not found" in result.stdout.str()


def test_it_works_in_several_processes(run):
    pytest.importorskip("xdist")
    result = run(CLEAN + LEFT.replace("test_failing", "failing"), "-n", "2", "--dist", "loadfile")
    result.assert_outcomes(passed=11, xfailed=1, warnings=3)


def test_every_fixture_says_what_it_is(pytester):
    text = pytester.runpytest_subprocess("--fixtures").stdout.str()
    for name in ("acl_soc", "acl_device", "acl_stream", "acl_tensor", "acl_empty"):
        assert re.search(rf"^{name} -- .*pytest_plugin.py:\d+\n    \S", text, re.MULTILINE), name


# ---- gradients -----------------------------------------------------------------------------------------------------


def right():
    return definition(LINE, random_operands(LINE, 3))


@pytest.mark.parametrize(
    "line",
    [LINE, "1d ci4 co6 i9 k3 s2 p1 d2 g2", "3d n2 ci2 co3 i4x5x6 k2x3x1 s1x2x1", "2d ci4 co2 i5 k3 s2 transposed op1",
     "2d ci2 co2 i6 k3 p1:0x2:1 mask=101"],
)
def test_the_definition_is_that_of_the_oracle(line):
    problem = Problem.parse(line)
    operands = random_operands(line, 5)
    found = definition(line, operands)
    padding = problem.padding
    if len(padding) == 2 * len(problem.input):
        pairs = list(zip(padding[::2], padding[1::2]))
        operands = (operands[0], np.pad(operands[1], [(0, 0), (0, 0), *pairs]), operands[2])
        padding = (0,) * len(pairs)
    expected = list(oracle.convolution_backward(
        *(array.astype(np.float64) for array in operands), stride=problem.stride, padding=padding,
        dilation=problem.dilation, transposed=problem.transposed, groups=problem.groups))
    if len(problem.padding) == 2 * len(problem.input):
        cut = tuple(slice(one, one + size) for (one, _), size in zip(pairs, problem.input))
        expected[0] = expected[0][(..., *cut)]
    for mine, theirs, wanted in zip(found, expected, problem.output_mask):
        assert (mine is None) == (not wanted)
        if wanted:
            assert np.allclose(mine, theirs, rtol=1e-12, atol=1e-12)


def test_what_the_emulator_computes_is_right():
    grad_output, x, weight = random_operands(LINE, 3)
    found = pyaclnn.convolution_backward(grad_output, x, weight, stride=1, padding=1, dilation=1)
    assert_gradients(found, problem=LINE, seed=3)
    assert_gradients(found, problem=LINE, operands=(grad_output, x, weight))
    assert_gradients(found, right())


def test_a_wrong_element_is_told_with_everything_that_one_wants_to_know():
    found = [array.astype(np.float32) for array in right()]
    found[1][2, 1, 0, 2] += 0.25
    found[1][3, 0, 1, 1] -= 0.125
    value, expected = found[1][2, 1, 0, 2], right()[1][2, 1, 0, 2]
    limit = 2.0**-16 + 2.0**-10 * abs(expected)
    with pytest.raises(AssertionError) as raised:
        assert_gradients(found, problem=LINE, seed=3)
    assert str(raised.value).splitlines() == [
        "the gradients are not as expected",
        "gradWeight float32 [4, 3, 3, 3]: 2 of 108 elements are too far away",
        "    worst      [2, 1, 0, 2]",
        f"    found      {value:.9g}",
        f"    expected   {expected:.9g}",
        f"    difference {0.25:.3g}, allowed {limit:.3g}",
        f"problem: {FULL}, operands of seed 3",
        f'what the emulator computes: pyaclnn run "{FULL}" --seed 3',
    ]


def test_a_seed_that_nobody_named_is_not_claimed():
    found = [array.astype(np.float32) for array in right()]
    found[2][1] += 1
    for how in ({"expected": right()}, {"operands": random_operands(LINE, 3)}):
        with pytest.raises(AssertionError) as raised:
            assert_gradients(found, problem=LINE, **how)
        assert str(raised.value).splitlines()[-3:] == [
            f"problem: {FULL}",
            'to keep these operands: numpy.savez("operands.npz", grad_output, input, weight)',
            f'again with other numbers: pyaclnn run "{FULL}" --seed 0',
        ]
        with pytest.raises(AssertionError, match="operands of seed 3\nwhat .* --seed 3$"):
            assert_gradients(found, problem=LINE, seed=3, **how)


def test_a_failure_is_seen_again_on_its_own_chip():
    found = [array.astype(np.float32) for array in right()]
    found[2][1] += 1
    with pyaclnn.soc("950"), pytest.raises(AssertionError, match=r'" --seed 3 --soc 950$'):
        assert_gradients(found, problem=LINE, seed=3)
    with pyaclnn.soc("950"), pytest.raises(AssertionError, match=r'soc=Ascend310P3" --seed 3$'):
        assert_gradients(found, problem=LINE + " soc=Ascend310P3", seed=3)


TYPES = ("f32", "f16", "bf16", "f32,f16,bf16", "f16,f16,bf16", "bf16,f32,f32")


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("cube", range(4))
@pytest.mark.parametrize("product", PRODUCTS)
def test_what_a_chip_computes_is_right_by_its_own_arithmetic(product, cube, dtype):
    line = f"2d n2 ci16 co32 i8 k3 p1 cube={cube} dtype={dtype}"
    problem = Problem.parse(line)
    verdict = pyaclnn.check(line, [product])[product]
    if not verdict.accepted:
        assert product in ("310P", "910A") and (cube in (0, 3) or "bf16" in dtype)
        return
    assert operand_format(problem, product) == verdict.arithmetic.operands
    with pyaclnn.soc(product):
        found = pyaclnn.convolution_backward(
            *random_operands(line, 1), stride=1, padding=1, dilation=1, cube_math_type=cube
        )
        assert_gradients(found, problem=line, seed=1)


def test_what_another_chip_computes_is_not():
    """HF32 has 10 bits of mantissa on the 950, and 11 on A2."""
    line = "2d n2 ci16 co32 i8 k3 p1 cube=1"
    operands = random_operands(line, 1)
    found = pyaclnn.convolution_backward(
        *operands, stride=1, padding=1, dilation=1, cube_math_type=1, soc="950"
    )
    assert_gradients(found, problem=line + " soc=Ascend950PR_9589", operands=operands)
    with pytest.raises(AssertionError, match="gradWeight float32"):
        assert_gradients(found, problem=line, operands=operands)


def test_operands_of_hifloat8_stay_hifloat8():
    line = "2d ci4 co2 i5 k3 s2 transposed op1 mask=100 dtype=hif8"
    assert operand_format(Problem.parse(line), "950") == pyaclnn.check(line, ["950"])["950"].arithmetic.operands


def test_float_gradients_of_coarser_arithmetic_have_its_tolerance():
    expected = np.ones((1, 3, 4, 4))
    found = (expected + HF32.relative + HF32.absolute + 2.0**-12).astype(np.float32)
    assert_gradients((found, None, None), (expected, None, None), problem=LINE + " cube=2")
    for cube in (0, 1):
        with pytest.raises(AssertionError, match="gradInput"):
            assert_gradients((found, None, None), (expected, None, None), problem=f"{LINE} cube={cube}")


@pytest.mark.parametrize("dtype, limits", TOLERANCES.items())
def test_the_tolerance_is_that_of_the_element_type(dtype, limits):
    if dtype == "hif8":
        exact, off = (pyaclnn.hifloat8.encode(x) for x in (np.full((1, 1, 1), 4.0), np.full((1, 1, 1), 8.0)))
    else:
        kind = pyaclnn.dtypes.element_type({"bfloat16": "bf16"}.get(dtype, dtype)).numpy
        exact = np.ones((1, 1, 1), kind)
        off = (exact.astype(np.float64) + 2.1 * (limits.relative + limits.absolute)).astype(kind)
    rest = (None, None)
    assert_gradients((exact, *rest), (exact, *rest))
    with pytest.raises(AssertionError, match="gradInput"):
        assert_gradients((off, *rest), (exact, *rest))
    assert_gradients((off, *rest), (exact, *rest), tolerance=Tolerance(2.0, 0.0))


def test_the_limit_itself_is_near_enough_and_the_next_number_is_not():
    expected = np.array([[[1.0]]])
    limit = HF32.relative + HF32.absolute
    assert_gradients((expected + limit, None, None), (expected, None, None), tolerance=HF32)
    with pytest.raises(AssertionError):
        assert_gradients((np.nextafter(expected + limit, 2), None, None), (expected, None, None), tolerance=HF32)


def test_a_share_may_be_outside_if_that_is_allowed():
    expected = np.ones((1, 1, 100))
    found = expected.copy()
    found[0, 0, :3] = 2
    assert_gradients((found, None, None), (expected, None, None), outside=0.03)
    with pytest.raises(AssertionError, match="3 of 100 elements"):
        assert_gradients((found, None, None), (expected, None, None), outside=0.029)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_has_to_be_expected(value):
    special, plain = np.full((1, 1, 1), value, np.float32), np.ones((1, 1, 1), np.float32)
    assert_gradients((special, None, None), (special, None, None))
    for found, expected in ((special, plain), (plain, special), (special, -special if value == value else plain)):
        with pytest.raises(AssertionError, match="1 of 1 elements"):
            assert_gradients((found, None, None), (expected, None, None))


@pytest.mark.parametrize(
    "found, expected, words",
    [
        ((None, None, None), (np.ones(1), None, None), "gradInput is missing"),
        ((None, np.ones(1), None), (None, None, None), "gradWeight is there, but not expected"),
        ((None, None, np.ones(2)), (None, None, np.ones(3)), r"gradBias has the shape \[2\], expected \[3\]"),
    ],
)
def test_gradients_that_are_missing_or_misshapen_are_named(found, expected, words):
    with pytest.raises(AssertionError, match=words):
        assert_gradients(found, expected)


def test_misuse_is_no_failed_assertion():
    with pytest.raises(TypeError, match="needs what is expected, or a problem"):
        assert_gradients((None, None, None))
    with pytest.raises(TypeError, match="2 found and 3 expected"):
        assert_gradients((None, None), (None, None, None))
    with pytest.raises(TypeError, match="no tolerance for int32"):
        assert_gradients((np.ones(1, np.int32), None, None), (np.ones(1), None, None))
