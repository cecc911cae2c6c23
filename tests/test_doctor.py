"""pyaclnn doctor: what is in force is told as it is, and mixtures of installations are found."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import decoy
import pyaclnn
from toolchain import SAMPLES, environment, prefix

WELL, WARNED, BROKEN = 0, 1, 2


@pytest.fixture(scope="module")
def toolkit(tmp_path_factory):
    return decoy.toolkit(tmp_path_factory.mktemp("a toolkit"))


def doctor(*options, **variables):
    env = {"LD_LIBRARY_PATH": None, "LD_PRELOAD": None, "PYACLNN_RUNTIME": None, **variables}
    command = [sys.executable, "-m", "pyaclnn", "doctor", *options]
    done = subprocess.run(command, cwd=SAMPLES, env=environment(**env), capture_output=True, text=True)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def diagnosis(**variables):
    status, output, _ = doctor("--json", **variables)
    return status, json.loads(output)


def facts(found):
    return [finding["fact"] for finding in found["findings"]]


def folders(found, key):
    return {str(Path(file).parent) for files in found[key].values() for file in files}


def test_a_machine_without_surprises_is_well():
    status, found = diagnosis()
    assert (status, found["findings"], found["error"]) == (WELL, [], None)
    assert (found["version"], found["runtime"], found["chosenBy"]) == (pyaclnn.__version__, "emulator", "default")
    assert found["settings"]["version"] == pyaclnn.__version__
    assert (found["soc"], found["product"], found["devices"]) == ("Ascend910B3", "A2", 1)
    assert folders(found, "libraries") == {str(prefix() / "lib64")}
    assert found["linker"] == {}


def test_what_the_environment_chose_is_told():
    variables = {"ACLEMU_SOC": "Ascend310P3", "ACLEMU_ISA": "baseline", "ACLEMU_THREADS": "3", "ACLEMU_DEVICES": "2",
                 "ACLEMU_STREAM": "sync"}
    status, found = diagnosis(**variables)
    assert status == WELL
    assert (found["soc"], found["product"], found["devices"]) == ("Ascend310P3", "310P", 2)
    assert {name: found["settings"][name] for name in ("isa", "threads", "stream")} == {
        "isa": "baseline", "threads": "3", "stream": "sync"
    }
    assert {name: found["environment"][name] for name in variables} == variables


def test_the_text_has_the_same_facts():
    status, output, errors = doctor(ACLEMU_THREADS="3")
    assert (status, errors) == (WELL, "")
    lines = [" ".join(line.split()) for line in output.splitlines()]
    for line in (f"folder {prefix()}", "runtime emulator (default)", "chip Ascend910B3", "product A2", "threads 3",
                 f"libopapi_nn.so {prefix()}/lib64/libopapi_nn.so", "ACLEMU_THREADS 3", "Nothing is in the way."):
        assert line in lines
    assert "\x1b" not in output


def test_a_toolkit_before_the_package_on_the_path_is_a_warning(toolkit):
    status, found = diagnosis(LD_LIBRARY_PATH=f"{toolkit}/lib64")
    assert status == WARNED
    (fact,) = facts(found)
    assert fact.startswith("programs that are started here get the libraries of ")
    assert f"of {toolkit}/lib64, pyaclnn those of {prefix()}/lib64" in fact
    assert folders(found, "libraries") == {str(prefix() / "lib64")}
    assert folders(found, "linker") == {str(toolkit / "lib64")}


def test_a_path_that_mixes_installations_is_a_warning(toolkit, tmp_path):
    decoy.library(tmp_path, "libascendcl.so", decoy.RUNTIME)
    status, found = diagnosis(LD_LIBRARY_PATH=f"{tmp_path}:{prefix()}/lib64")
    assert status == WARNED
    (fact, *_) = facts(found)
    assert fact.startswith("programs cannot load what the dynamic linker finds: ") and "undefined symbol: emu_" in fact


def test_a_path_with_parts_of_two_installations_is_a_warning(tmp_path):
    (tmp_path / "libascendcl.so").write_bytes((prefix() / "lib64" / "libascendcl.so").read_bytes())
    status, found = diagnosis(LD_LIBRARY_PATH=f"{tmp_path}:{prefix()}/lib64")
    assert status == WARNED
    (fact,) = facts(found)
    assert fact.startswith("programs get libraries of several installations: ")
    assert str(tmp_path) in fact and str(prefix() / "lib64") in fact


def test_the_package_on_the_path_is_no_warning():
    status, found = diagnosis(LD_LIBRARY_PATH=str(prefix() / "lib64"))
    assert (status, found["findings"]) == (WELL, [])
    assert folders(found, "linker") == {str(prefix() / "lib64")}


def test_a_toolkit_is_told_as_it_is(toolkit):
    status, found = diagnosis(PYACLNN_RUNTIME="system", ASCEND_HOME_PATH=str(toolkit),
                              LD_LIBRARY_PATH=f"{toolkit}/lib64")
    assert (status, found["findings"]) == (WELL, [])
    assert (found["runtime"], found["chosenBy"]) == ("system", "PYACLNN_RUNTIME=system")
    assert (found["soc"], found["product"], found["devices"]) == (decoy.SOC, "A2", decoy.DEVICES)
    assert (found["cann"], found["settings"]) == (decoy.VERSION, {})
    assert folders(found, "libraries") == {str(toolkit / "lib64")}


def test_settings_of_the_emulator_mean_nothing_to_a_toolkit(toolkit):
    status, found = diagnosis(PYACLNN_RUNTIME="system", ASCEND_HOME_PATH=str(toolkit), ACLEMU_SOC="Ascend310P3")
    assert status == WARNED
    assert facts(found) == ["a toolkit does not know ACLEMU_SOC"]


def test_a_toolkit_that_is_the_emulator_is_a_warning():
    status, found = diagnosis(PYACLNN_RUNTIME="system", ASCEND_HOME_PATH=str(prefix()))
    assert status == WARNED
    assert facts(found) == ["PYACLNN_RUNTIME=system, but what was found there is the emulator"]


def test_a_root_that_has_no_toolkit_is_a_warning(tmp_path):
    status, found = diagnosis(ASCEND_TOOLKIT_HOME=str(tmp_path))
    assert status == WARNED
    assert facts(found) == [f"ASCEND_TOOLKIT_HOME is {tmp_path}, which has no lib64/libascendcl.so"]


def test_a_variable_that_does_not_exist_is_a_warning_with_the_nearest():
    status, found = diagnosis(ACLEMU_THREAD="3")
    assert status == WARNED
    (fact,) = facts(found)
    assert "ACLEMU_THREAD is unknown and does nothing; did you mean ACLEMU_THREADS?" in fact


def test_without_a_toolkit_the_system_runtime_is_broken():
    status, found = diagnosis(PYACLNN_RUNTIME="system")
    assert status == BROKEN
    assert "no such file" in found["error"].lower() or "cannot open" in found["error"]
    (finding,) = found["findings"]
    assert finding["fact"].startswith("the libraries cannot be used: PYACLNN_RUNTIME=system, and the toolkit of LD_")
    assert finding["nextStep"].startswith("source the toolkit's set_env.sh, or unset PYACLNN_RUNTIME")


def test_a_library_that_ends_the_process_does_not_end_the_doctor(tmp_path):
    decoy.library(tmp_path / "lib64", "libascendcl.so", decoy.ABORTS)
    status, found = diagnosis(PYACLNN_RUNTIME="system", ASCEND_HOME_PATH=str(tmp_path),
                              LD_LIBRARY_PATH=f"{tmp_path}/lib64")
    assert status == BROKEN
    assert found["error"] == "signal 6 ended the process"
    assert "programs cannot load what the dynamic linker finds: signal 6 ended the process" in facts(found)


def test_a_file_that_is_no_library_is_named(tmp_path):
    (tmp_path / "lib64").mkdir()
    (tmp_path / "lib64" / "libascendcl.so").write_text("a text\n")
    status, found = diagnosis(PYACLNN_RUNTIME="system", ASCEND_HOME_PATH=str(tmp_path))
    assert status == BROKEN
    assert str(tmp_path / "lib64" / "libascendcl.so") in found["error"]


def test_a_runtime_that_does_not_exist_is_refused():
    status, output, errors = doctor(PYACLNN_RUNTIME="device")
    assert (status, output) == (BROKEN, "")
    assert "PYACLNN_RUNTIME: 'device' is no runtime; there are 'emulator' and 'system'" in errors
