"""PYACLNN_RUNTIME: the same Python code on the emulator and on an installed toolkit, and never on a mixture of them."""

import subprocess
import sys

import pytest

import decoy
from toolchain import SAMPLES, environment, prefix

# A porting test as a user writes it, and the libraries that it ran on.
PORTING_TEST = """
import numpy as np, pyaclnn
from pyaclnn import libraries
x = np.array([[[1, 2, 3, 4]]], np.float32)
with pyaclnn.soc("A2"):
    gradients = pyaclnn.convolution_backward(x, x, x[:, :, :1], stride=1, padding=0, dilation=1, soc="Ascend910B3")
print(gradients.grad_weight.ravel(), {str(path) for paths in libraries.mapped().values() for path in paths})
"""


@pytest.fixture(scope="module")
def toolkit(tmp_path_factory):
    return decoy.toolkit(tmp_path_factory.mktemp("a toolkit"))


@pytest.fixture(scope="module")
def second(tmp_path_factory):
    return decoy.second_installation(tmp_path_factory.mktemp("second"))


def python(code, **variables):
    done = subprocess.run([sys.executable, "-c", code], cwd=SAMPLES, env=environment(**variables), capture_output=True,
                          text=True)
    return done.returncode, done.stdout.strip(), done.stderr


def result(code, **variables):
    status, output, errors = python(code, **variables)
    assert status == 0, errors
    return output


@pytest.mark.parametrize("variable", ["ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "LD_LIBRARY_PATH"])
def test_the_toolkit_is_found_as_its_own_scripts_set_it(toolkit, variable):
    place = toolkit / "lib64" if variable == "LD_LIBRARY_PATH" else toolkit
    code = (
        "import pyaclnn as acl; array = acl.IntArray([1, 2, 3]); size = acl.ffi.new('uint64_t *')\n"
        "print(acl.runtime(), acl.ffi.string(acl.aclrtGetSocName()).decode(), acl.aclrtSetDevice(8),\n"
        "      acl.aclGetIntArraySize(array.handle, size), size[0], acl.ACL_FLOAT16)\n"
        "array.close()"
    )
    answer = result(code, PYACLNN_RUNTIME="system", **{variable: str(place)})
    assert answer == f"system {decoy.SOC} 107001 0 1003 1"


def test_a_root_variable_goes_before_the_library_path(toolkit, second):
    code = "import pyaclnn; print(pyaclnn.ffi.string(pyaclnn.aclrtGetSocName()).decode())"
    variables = {"ASCEND_HOME_PATH": str(toolkit), "LD_LIBRARY_PATH": f"{second}/lib64"}
    assert result(code, PYACLNN_RUNTIME="system", **variables) == decoy.SOC


def test_the_choice_can_be_made_in_the_program(toolkit):
    code = (
        "import pyaclnn; pyaclnn.use_runtime('system')\n"
        "print(pyaclnn.ffi.string(pyaclnn.aclrtGetSocName()).decode())\n"
        "pyaclnn.use_runtime('system')\n"
        "pyaclnn.use_runtime('emulator')"
    )
    status, output, errors = python(code, ASCEND_HOME_PATH=str(toolkit), PYACLNN_RUNTIME=None)
    assert (status, output) == (1, decoy.SOC)
    assert "RuntimeError: the libraries of the runtime 'system' are loaded; call use_runtime('emulator')" in errors


@pytest.mark.parametrize(
    "code, variables, where",
    [
        ("import pyaclnn; pyaclnn.use_runtime('device')", {}, "use_runtime()"),
        ("import pyaclnn; pyaclnn.Device()", {"PYACLNN_RUNTIME": "device"}, "PYACLNN_RUNTIME"),
    ],
)
def test_another_word_is_no_runtime(code, variables, where):
    status, _, errors = python(code, **variables)
    assert status == 1
    assert f"ValueError: {where}: 'device' is no runtime; there are 'emulator' and 'system'" in errors


def test_a_function_that_the_release_lacks_is_an_error_and_not_the_end(toolkit):
    code = (
        "import pyaclnn\n"
        "for name in ('aclrtCreateStream', 'aclemuSetSoc', 'aclNonsense'):\n"
        "    try: getattr(pyaclnn, name)\n"
        "    except AttributeError as error: print(error)\n"
        "print(hasattr(pyaclnn.lib, 'aclrtSetDevice'), hasattr(pyaclnn.lib, 'aclrtMalloc'))"
    )
    lines = result(code, PYACLNN_RUNTIME="system", ASCEND_HOME_PATH=str(toolkit)).splitlines()
    assert "aclrtCreateStream is not in the installed toolkit: its release does not have it" in lines[0]
    assert "aclemuSetSoc is not in the installed toolkit: only the emulator has it" in lines[1]
    assert "'aclNonsense'" in lines[2]
    assert lines[3] == "True False"


def test_a_refused_call_of_a_toolkit_is_an_exception_without_rules(toolkit):
    code = (
        "import pyaclnn\n"
        "try: pyaclnn.call(pyaclnn.lib.aclrtSetDevice, 9)\n"
        "except pyaclnn.AclError as error: print(error.code, error.function, error.violations, repr(error.message))"
    )
    answer = result(code, PYACLNN_RUNTIME="system", ASCEND_HOME_PATH=str(toolkit))
    assert answer == "107001 aclrtSetDevice () ''"


def test_without_a_toolkit_the_next_step_is_said(tmp_path):
    status, _, errors = python("import pyaclnn; pyaclnn.Device()", PYACLNN_RUNTIME="system", LD_LIBRARY_PATH=None)
    assert status == 1
    assert "RuntimeNotFound: PYACLNN_RUNTIME=system, and the toolkit of LD_LIBRARY_PATH cannot be loaded:" in errors
    assert "libascendcl.so" in errors
    assert "Next step: source the toolkit's set_env.sh, or unset PYACLNN_RUNTIME for the emulator" in errors


def test_a_toolkit_without_operators_is_not_usable(toolkit, tmp_path):
    for name in ("libascendcl.so", "libnnopbase.so"):
        decoy.library(tmp_path / "lib64", name, "int nothing;")
    status, _, errors = python("import pyaclnn; pyaclnn.Device()", PYACLNN_RUNTIME="system",
                               ASCEND_HOME_PATH=str(tmp_path))
    assert status == 1
    assert "the toolkit of ASCEND_HOME_PATH cannot be loaded" in errors and "libopapi.so" in errors


@pytest.mark.parametrize("runtime", ["emulator", "system"])
def test_a_porting_test_runs_unchanged(second, runtime):
    """The second installation of the emulator stands for a toolkit that can compute."""
    folder = {"emulator": prefix(), "system": second}[runtime] / "lib64"
    answer = result(PORTING_TEST, PYACLNN_RUNTIME=runtime, ASCEND_HOME_PATH=str(second))
    numbers, files = answer.split("] ", 1)
    assert numbers == "[30."
    assert {path.rsplit("/", 1)[0] for path in eval(files)} == {str(folder)}


def test_a_device_cannot_be_made_another_chip(second):
    code = "import pyaclnn; pyaclnn.set_soc('Ascend910B3'); pyaclnn.set_soc('A2'); pyaclnn.set_soc(None)\n"
    result(code, PYACLNN_RUNTIME="system", ASCEND_HOME_PATH=str(second))
    for choose in ("pyaclnn.set_soc('310P')", "pyaclnn.soc('310P').__enter__()"):
        status, _, errors = python(f"import pyaclnn; {choose}", PYACLNN_RUNTIME="system", ASCEND_HOME_PATH=str(second))
        assert status == 1
        assert "RuntimeError: the device is Ascend910B3, and '310P' cannot be chosen in its place" in errors


def test_check_asks_the_device_that_is_there(second):
    code = (
        "import pyaclnn; report = pyaclnn.check('2d ci4 co4 i8 k3')\n"
        "print([(verdict.soc, verdict.status, verdict.arithmetic) for verdict in report.verdicts])"
    )
    answer = result(code, PYACLNN_RUNTIME="system", ASCEND_HOME_PATH=str(second))
    assert answer == "[('Ascend910B3', 0, None)]"


def test_the_emulator_is_not_disturbed_by_a_toolkit_on_the_path(toolkit):
    answer = result(PORTING_TEST, LD_LIBRARY_PATH=f"{toolkit}/lib64", ASCEND_HOME_PATH=str(toolkit))
    numbers, files = answer.split("] ", 1)
    assert numbers == "[30."
    assert {path.rsplit("/", 1)[0] for path in eval(files)} == {str(prefix() / "lib64")}


def test_a_mixture_with_libraries_of_the_process_is_refused(toolkit):
    code = f"import ctypes; ctypes.CDLL({str(toolkit)!r} + '/lib64/libnnopbase.so'); import pyaclnn; pyaclnn.Device()"
    status, _, errors = python(code)
    assert status == 1
    assert f"RuntimeNotFound: this process already has {toolkit}/lib64/libnnopbase.so, so {prefix()}" in errors
    assert "Next step: " in errors
