"""python -m pyaclnn: what a build system asks for, and the demonstration."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pyaclnn as package
from toolchain import c_compiler, environment, flags, prefix, pyaclnn, run

PROGRAM = """
#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"

#include <stdio.h>

int main(void)
{
	uint64_t size = 7;
	aclOpExecutor *executor = NULL;
	aclIntArray *array = aclCreateIntArray(NULL, 0);

	aclDestroyIntArray(array);
	printf("%s %d\\n", aclrtGetSocName(), aclnnConvolutionBackwardGetWorkspaceSize(NULL, NULL, NULL, NULL, NULL, NULL,
	       NULL, false, NULL, 1, NULL, 0, NULL, NULL, NULL, &size, &executor));
	return size != 7;
}
"""


@pytest.fixture
def program(tmp_path):
    (tmp_path / "program.c").write_text(PROGRAM)
    return tmp_path / "program"


def test_the_prefix_holds_headers_and_libraries():
    assert (prefix() / "include" / "aclnnop" / "aclnn_convolution_backward.h").is_file()
    assert (prefix() / "lib64" / "libopapi_nn.so").is_file()


def test_the_printed_flags_compile_link_and_run_a_program(program):
    run([c_compiler(), f"{program}.c", *flags("--cflags"), *flags("--libs"), "-o", program])
    output = run([program], env=environment(ACLEMU_SOC="Ascend910B1", LD_LIBRARY_PATH=None))
    assert output == "Ascend910B1 161001\n"


def test_the_other_name_of_the_runtime_has_the_same_state():
    code = (
        "import ctypes, pyaclnn, sys; runtime = ctypes.CDLL(sys.argv[1]); number = ctypes.c_int(-1)\n"
        "pyaclnn.call(pyaclnn.lib.aclrtSetDevice, 0)\n"
        "print(runtime.aclrtGetDevice(ctypes.byref(number)), number.value)"
    )
    output = run([sys.executable, "-c", code, prefix() / "lib64" / "libacl_rt.so"], cwd=Path(__file__).parent)
    assert output == "0 0\n"


def test_flags_can_be_asked_for_together():
    assert pyaclnn("--cflags", "--libs") == pyaclnn("--cflags") + " " + pyaclnn("--libs")


def test_the_version_is_that_of_the_distribution():
    assert pyaclnn("--version") == f"pyaclnn {package.__version__}"
    assert re.fullmatch(r"\d+\.\d+\.\d+", package.__version__)


def test_the_console_script_is_the_same_command():
    script = Path(sys.executable).parent / "pyaclnn"
    assert run([script, "--prefix"]).strip() == str(prefix())


def test_nothing_to_do_prints_the_usage_and_fails():
    done = subprocess.run([sys.executable, "-m", "pyaclnn"], cwd=Path(__file__).parent, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == "" and "--cflags" in done.stderr


@pytest.fixture
def package_without_libraries(tmp_path):
    """The environment in which the package is a copy whose libraries and whose folder's blanks make trouble."""
    folder = tmp_path / "a folder"
    shutil.copytree(prefix(), folder / "pyaclnn", ignore=shutil.ignore_patterns("lib64"))
    (folder / "pyaclnn" / "lib64").mkdir()
    return folder, environment(PYTHONPATH=str(folder))


def test_flags_do_not_need_libraries_that_load(package_without_libraries):
    folder, env = package_without_libraries
    cflags = run([sys.executable, "-m", "pyaclnn", "--cflags"], env=env, cwd=folder)
    assert cflags == f"-I'{folder}/pyaclnn/include'\n"
    run([sys.executable, "-m", "pyaclnn", "demo"], env=env, cwd=folder, status=1)


def test_importing_loads_neither_the_libraries_nor_numpy():
    code = "import pyaclnn, sys; print(sorted({'numpy', 'cffi', 'pyaclnn._native'} & set(sys.modules)))"
    assert run([sys.executable, "-c", code], cwd=Path(__file__).parent) == "[]\n"


def test_the_demonstration_agrees_with_the_definition():
    output = pyaclnn("demo")
    for name in ("gradInput [2, 3, 9, 9]", "gradWeight [4, 3, 3, 3]", "gradBias [4]"):
        assert name in output
    assert output.endswith("The library and the definition agree.")
    errors = [float(text) for text in re.findall(r"largest error (\S+)", output)]
    assert len(errors) == 3 and max(errors) < 1e-4
    # gradBias is printed in full, and both lines are the same numbers
    library, definition = (line.split()[1:] for line in output.splitlines()[-4:-2])
    assert len(library) == 4 and np_close(library, definition)


def np_close(left, right):
    return all(abs(float(one) - float(other)) < 1e-4 for one, other in zip(left, right))


def test_the_demonstration_fails_if_the_results_are_wrong():
    code = (
        "import pyaclnn, sys; from pyaclnn import demo; real = pyaclnn.convolution_backward\n"
        "def wrong(*a, **k):\n"
        "    got = real(*a, **k); got.grad_weight[3, 2, 1, 0] += 0.01; return got\n"
        "pyaclnn.convolution_backward = wrong; sys.exit(demo.main())"
    )
    output = run([sys.executable, "-c", code], cwd=Path(__file__).parent, status=1)
    assert "DISAGREE" in output


def test_the_demonstration_reports_a_status_in_words():
    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn", "demo"],
        cwd=Path(__file__).parent,
        env=environment(ACLEMU_SOC="Ascend310P3"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "161002 (ACLNN_ERR_PARAM_INVALID)" in done.stderr and "cubeMathType" in done.stderr


# ---- flags and shells ----------------------------------------------------------------------------------------------


def test_flags_of_the_subcommand_are_those_of_the_top_level():
    assert pyaclnn("flags", "--cflags", "--libs") == pyaclnn("--cflags", "--libs")
    assert pyaclnn("flags", "--prefix") == pyaclnn("--prefix")
    directory = Path(pyaclnn("flags", "--pkg-config"))
    assert (directory / "aclemu.pc").is_file()


def test_flags_want_to_be_told_which():
    done = subprocess.run([sys.executable, "-m", "pyaclnn", "flags"], cwd=Path(__file__).parent, capture_output=True,
                          text=True)
    assert (done.returncode, done.stdout) == (2, "") and "--cflags" in done.stderr


SHELLS = ["bash", "sh"]
SHOW = 'printf "%s|%s|%s" "$ASCEND_HOME_PATH" "$ASCEND_TOOLKIT_HOME" "$LD_LIBRARY_PATH"'


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("before", [None, "/other one"])
def test_a_shell_gets_its_variables_once_however_often_it_asks(shell, before):
    lines = f'eval "$({sys.executable} -m pyaclnn flags --env)"\n' * 2 + SHOW
    output = run([shell, "-euc", lines], env=environment(LD_LIBRARY_PATH=before), cwd=Path(__file__).parent)
    path = f"{prefix()}/lib64" + (f":{before}" if before else "")
    assert output == f"{prefix()}|{prefix()}|{path}"


def tree_with_a_blank(folder):
    """A second place for the script, so that it cannot know where it is but by looking."""
    shutil.copytree(prefix(), folder / "a tree", ignore=shutil.ignore_patterns("include", "*.py"))
    return folder / "a tree"


@pytest.mark.parametrize("before", [None, "/other one"])
def test_the_script_of_the_tree_sets_the_variables_of_its_own_place(before, tmp_path):
    tree = tree_with_a_blank(tmp_path)
    lines = f'source "{tree}/set_env.sh"\nsource "{tree}/set_env.sh"\n{SHOW}'
    output = run(["bash", "-euc", lines], env=environment(LD_LIBRARY_PATH=before))
    path = f"{tree}/lib64" + (f":{before}" if before else "")
    assert output == f"{tree}|{tree}|{path}"


def test_the_script_of_the_tree_says_when_a_shell_cannot_use_it(tmp_path):
    tree = tree_with_a_blank(tmp_path)
    done = subprocess.run(["sh", "-c", f'. "{tree}/set_env.sh"\n{SHOW}'], env=environment(LD_LIBRARY_PATH=None),
                          capture_output=True, text=True)
    if "bash" in Path(shutil.which("sh")).resolve().name:
        pytest.skip("sh is bash here")
    assert done.stdout == "||"
    assert "use bash, or set ASCEND_HOME_PATH" in done.stderr


def test_a_program_learns_the_version_of_the_tree_that_it_was_pointed_to(tmp_path):
    code = (
        "import pyaclnn as acl; found = acl.ffi.new('aclCANNPackageVersion *')\n"
        "names = 'CANN RUNTIME COMPILER HCCL TOOLKIT OPP OPP_KERNEL'.split()\n"
        "for name in names: print(acl.aclsysGetCANNVersion(getattr(acl, 'ACL_PKG_NAME_' + name), found),\n"
        "                         acl.ffi.string(found.version).decode())"
    )
    output = run([sys.executable, "-c", code], env=environment(ASCEND_HOME_PATH=str(prefix())), cwd=Path(__file__).parent)
    assert output.splitlines() == ["0 9.1.0"] * 7


def completions(*words):
    """What bash offers after these words, the last of which is being typed."""
    script = (
        'eval "$(python -m pyaclnn completion bash)"\n'
        f"COMP_WORDS=(pyaclnn {' '.join(map(repr, words))}); COMP_CWORD={len(words)}\n"
        "$(complete -p pyaclnn | sed 's/.*-F \\([^ ]*\\).*/\\1/') pyaclnn\n"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    return run(["bash", "-c", script], cwd=Path(__file__).parent).split()


def test_bash_completes_commands_and_options():
    assert set(completions("")) >= {"check", "run", "compare", "demo", "bench", "doctor", "flags", "completion"}
    assert completions("ch") == ["check"]
    assert completions("doctor", "--j") == ["--json"]
    assert set(completions("completion", "")) >= {"bash", "zsh"}


def test_zsh_gets_a_script_that_is_for_it():
    assert pyaclnn("completion", "zsh").startswith("#compdef pyaclnn")
