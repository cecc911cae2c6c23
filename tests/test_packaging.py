"""A clean clone becomes a wheel or a C-only installation; both are what clients' loaders and build systems expect."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

import toolchain
from toolchain import SAMPLES, absent, c_compiler, cxx_compiler, environment, pyaclnn, run, tool

LIBRARIES = {  # file: what it needs of ours
    "libacl_op_compiler.so": {"libascendcl.so"},
    "libacl_rt.so": {"libascendcl.so"},
    "libacl_tdt_channel.so": {"libascendcl.so"},
    "libascendcl.so": set(),
    "libge_runner.so": {"libascendcl.so", "libprofapi.so", "libruntime.so"},
    "libgraph.so": {"libascendcl.so"},
    "libhccl.so": {"libascendcl.so"},
    "libnnopbase.so": {"libascendcl.so"},
    "libopapi.so": {"libascendcl.so", "libnnopbase.so", "libopapi_math.so", "libopapi_nn.so"},
    "libopapi_math.so": {"libascendcl.so", "libnnopbase.so"},
    "libopapi_nn.so": {"libascendcl.so", "libnnopbase.so"},
    "libprofapi.so": set(),
    "libruntime.so": {"libascendcl.so"},
}
SYSTEM_LIBRARIES = r"(libc|libm|libpthread)\.so\.\d+|ld-linux.*\.so\.\d+"
HEADERS = ["acl/acl.h", "aclnn/acl_meta.h", "aclnn/aclnn_base.h", "aclnnop/aclnn_convolution_backward.h",
           "aclnnop/level2/aclnn_convolution_backward.h"]
OPERATORS = {  # exported function: the library of its group
    "aclnnConvolutionBackward": "libopapi_nn.so",
    "aclnnInplaceCopy": "libopapi_math.so",
}
# A framework that finds one of these expects what is not emulated.
HOOKS = set("""
    Init AddTensorAddrToCachedList CanUsePTACache InitHugeMemThreadLocal InitPTACacheThreadLocal PTAFindExecCache
    PTAGetExecCache ReleaseHugeMem SetPTACacheHashKey SetPTAHashKey UnInitHugeMemThreadLocal UnInitPTACacheThreadLocal
    aclSetCompileopt
""".split())
NAMES = {  # library: how its exported names begin, if not like those of the others
    "libhccl.so": r"Hccl",
    "libprofapi.so": r"Msprof",
    "libruntime.so": r"rt[A-Z]",
}


class Installed(NamedTuple):
    python: Path
    wheel: Path

    @property
    def prefix(self):
        return toolchain.prefix(self.python)

    def flags(self, kind):
        return toolchain.flags(kind, self.python)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A clean clone."""
    return toolchain.copy_of_repository(tmp_path_factory.mktemp("clone") / "pyaclnn")


@pytest.fixture(scope="module")
def installed(checkout, tmp_path_factory):
    """A fresh environment with the wheel of the clean clone."""
    folder = tmp_path_factory.mktemp("installed")
    pip = ["-m", "pip", "--quiet", "--disable-pip-version-check"]
    run([sys.executable, *pip, "wheel", "--no-deps", "--wheel-dir", folder, checkout], timeout=600)
    (wheel,) = folder.glob("*.whl")
    if subprocess.run([sys.executable, "-m", "venv", folder / "venv"], capture_output=True).returncode != 0:
        absent("the venv module with ensurepip")
    python = folder / "venv" / "bin" / "python"
    run([python, *pip, "install", wheel], timeout=600)
    return Installed(python, wheel)


@pytest.fixture(scope="module")
def c_only(checkout, tmp_path_factory):
    """The C-only installation, staged: the folder that stands for the root of the file system, and the prefix in it."""
    folder = tmp_path_factory.mktemp("c_only")
    meson = [sys.executable, "-m", "mesonbuild.mesonmain"]
    run([*meson, "setup", folder / "build", checkout, "-Dpython=false", "--prefix=/opt/aclemu"])
    run([*meson, "install", "-C", folder / "build", "--destdir", folder / "root"])
    return folder / "root", Path("/opt/aclemu")


def dynamic_section(library, tag):
    entries = run([tool("readelf"), "--dynamic", "--wide", library])
    return re.findall(rf"\({tag}\).*\[(.*)\]", entries)


def exported(library):
    """The names that a library defines for others."""
    table = run([tool("readelf"), "--dyn-syms", "--wide", library])
    rows = (line.split() for line in table.splitlines() if re.match(r"\s*\d+:", line))
    return {row[7].split("@")[0] for row in rows if row[4] in ("GLOBAL", "WEAK") and row[6] != "UND"}


def check_libraries(folder):
    """Real files under their own names, which need each other, the C library, and nothing else."""
    assert sorted(path.name for path in folder.glob("*.so*")) == sorted(LIBRARIES)
    for name, ours in LIBRARIES.items():
        library = folder / name
        assert library.is_file() and not library.is_symlink(), name
        assert dynamic_section(library, "SONAME") == [name]
        needed = set(dynamic_section(library, "NEEDED")) | set(dynamic_section(library, "FILTER"))
        system = {other for other in needed if re.fullmatch(SYSTEM_LIBRARIES, other)}
        assert needed - system == ours, name


def check_real_data(program, env):
    printed = run([program], env=env)
    assert printed.count("all agree") == 3 and "DIFFER" not in printed


def test_wheel_holds_headers_and_libraries_as_plain_files(installed):
    with zipfile.ZipFile(installed.wheel) as wheel:
        entries = {entry.filename: entry for entry in wheel.infolist()}
    for path in [*(f"include/{header}" for header in HEADERS), *(f"lib64/{name}" for name in LIBRARIES)]:
        assert f"pyaclnn/{path}" in entries
    assert not [name for name, entry in entries.items() if (entry.external_attr >> 28) == 0o12], "symbolic links"


def test_installed_package_runs_its_demo(installed):
    printed = pyaclnn("demo", python=installed.python)
    assert len(printed.splitlines()) > 1 and "Traceback" not in printed


def test_prefix_is_a_toolkit_root_in_the_environment(installed):
    assert Path(sys.prefix) not in installed.prefix.parents
    assert installed.python.parent.parent in installed.prefix.parents
    for header in HEADERS:
        assert (installed.prefix / "include" / header).is_file()


def test_installed_libraries_depend_on_each_other_as_clients_expect(installed):
    check_libraries(installed.prefix / "lib64")


def test_an_operator_is_defined_by_the_library_of_its_group_and_by_the_one_of_all(installed):
    for operator, group in OPERATORS.items():
        for name in (group, "libopapi.so"):
            found = exported(installed.prefix / "lib64" / name)
            assert found >= {operator, f"{operator}GetWorkspaceSize"}, name


def test_no_library_exports_a_name_that_clients_take_for_something_else(installed):
    for name in LIBRARIES:
        names = exported(installed.prefix / "lib64" / name)
        assert not names & HOOKS, name
        ours = NAMES.get(name, r"(Acl|acl|emu_)|InitSystemConfig$")
        foreign = [symbol for symbol in names if not re.match(ours, symbol)]
        assert not foreign, name


@pytest.mark.parametrize("language", ["c", "c++"])
def test_flags_of_the_command_line_are_all_that_a_program_needs(installed, language, tmp_path):
    compiler = c_compiler() if language == "c" else cxx_compiler()
    run([compiler, "-x", language, SAMPLES / "real_data_2d.c", "-o", tmp_path / "program", *installed.flags("--cflags"),
         *installed.flags("--libs"), "-lm"])
    check_real_data(tmp_path / "program", environment(LD_LIBRARY_PATH=None))


def test_cmake_project_of_the_samples_builds_against_the_installed_package(installed, tmp_path):
    cxx_compiler()
    cmake = tool("cmake")
    env = environment(ASCEND_HOME_PATH=str(installed.prefix))
    run([cmake, "-S", SAMPLES, "-B", tmp_path], env=env)
    run([cmake, "--build", tmp_path, "-j", os.cpu_count(), "--target", "real_data_2d"], env=env)
    check_real_data(tmp_path / "real_data_2d", environment())


def test_the_wheel_is_for_every_python_and_for_systems_with_the_c_library_that_it_needs(installed):
    """Symbols of the C library are its contract with older systems: none may be newer than the tag promises."""
    tag = re.fullmatch(r"pyaclnn-[\d.]+-cp39-abi3-manylinux_2_(\d+)_\w+\.whl", installed.wheel.name)
    assert tag, installed.wheel.name
    needed = {
        int(minor)
        for library in [*installed.prefix.glob("lib64/*.so"), *installed.prefix.glob("*.so")]
        for minor in re.findall(r"\bGLIBC_2\.(\d+)", run([tool("objdump"), "-T", library]))
    }
    assert max(needed) == int(tag[1])
    metadata = zipfile.ZipFile(installed.wheel).read(f"pyaclnn-{installed.wheel.name.split('-')[1]}.dist-info/WHEEL")
    assert f"Tag: cp39-abi3-manylinux_2_{tag[1]}_" in metadata.decode()


def test_the_version_is_said_in_one_place_and_agrees_everywhere(installed):
    version = re.search(r"^    version: '(.*)',$", (toolchain.ROOT / "meson.build").read_text(), re.MULTILINE)[1]
    assert pyaclnn("--version", python=installed.python) == f"pyaclnn {version}"
    assert installed.wheel.name.split("-")[1] == version
    assert f"\nVersion: {version}\n" in (installed.prefix / "lib64" / "pkgconfig" / "aclemu.pc").read_text()
    package = (installed.prefix / "share" / "cmake" / "aclemu" / "aclemuConfigVersion.cmake").read_text()
    assert f'set(PACKAGE_VERSION "{version}")' in package


def test_the_wheel_runs_where_there_is_no_compiler(installed, tmp_path):
    env = environment(PATH=str(installed.python.parent), LD_LIBRARY_PATH=None)
    assert "The library and the definition agree." in run([installed.python, "-m", "pyaclnn", "demo"], cwd=tmp_path, env=env)


def test_a_wheel_of_the_source_distribution_has_the_same_files(installed, tmp_path):
    """What pip gets from an index that has no wheel for a machine."""
    clone = toolchain.copy_of_repository(tmp_path / "clone")
    run([tool("git"), "init", "-q"], cwd=clone)
    run([tool("git"), "add", "-A"], cwd=clone)
    run([tool("git"), "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"], cwd=clone)
    code = "import os, sys; sys.path.insert(0, 'tools'); import build_backend; print(build_backend.build_sdist(sys.argv[1]))"
    run([sys.executable, "-m", "pip", "install", "-q", "--target", tmp_path / "builders", "meson-python", "wheel", "auditwheel"])
    run([sys.executable, "-c", code, tmp_path], cwd=clone, env=environment(PYTHONPATH=str(tmp_path / "builders")))
    (archive,) = tmp_path.glob("*.tar.gz")
    run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path / "wheel", archive])
    (again,) = (tmp_path / "wheel").glob("*.whl")
    assert again.name == installed.wheel.name
    assert sorted(zipfile.ZipFile(again).namelist()) == sorted(zipfile.ZipFile(installed.wheel).namelist())


def test_c_only_installation_has_the_same_libraries_and_no_python(c_only):
    root, prefix = c_only
    installed_at = root / prefix.relative_to("/")
    check_libraries(installed_at / "lib64")
    for header in HEADERS:
        assert (installed_at / "include" / header).is_file()
    files = [path for path in root.rglob("*") if not path.is_dir()]
    assert not [path for path in files if path.is_symlink()]
    assert {path.suffix for path in files} == {".cmake", ".h", ".info", ".pc", ".sh", ".so"}


def test_pkg_config_file_of_the_c_only_installation_builds_a_program(c_only, tmp_path):
    root, prefix = c_only
    libraries = root / prefix.relative_to("/") / "lib64"
    env = environment(PKG_CONFIG_PATH=str(libraries / "pkgconfig"), PKG_CONFIG_SYSROOT_DIR=str(root))
    flags = run([tool("pkg-config"), "--cflags", "--libs", "aclemu"], env=env).split()
    run([c_compiler(), SAMPLES / "real_data_2d.c", "-o", tmp_path / "program", *flags, "-lm"])
    check_real_data(tmp_path / "program", environment(LD_LIBRARY_PATH=str(libraries)))


PROJECT = """\
cmake_minimum_required(VERSION 3.16)
project(program LANGUAGES C)
find_package(aclemu {version} REQUIRED)
add_executable(program {source})
target_link_libraries(program aclemu::aclemu m)
"""


def configure(folder, prefix, version):
    """Configures a project that asks for a version of the package that is installed at `prefix`."""
    (folder / "CMakeLists.txt").write_text(PROJECT.format(version=version, source=SAMPLES / "real_data_2d.c"))
    command = [tool("cmake"), "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}"]
    return subprocess.run(command, env=environment(), capture_output=True, text=True)


def check_cmake_package(folder, prefix, version):
    done = configure(folder, prefix, version)
    assert done.returncode == 0, done.stdout + done.stderr
    run([tool("cmake"), "--build", folder / "build"])
    check_real_data(folder / "build" / "program", environment(LD_LIBRARY_PATH=None))


def test_cmake_finds_the_installed_package(installed, tmp_path):
    version = pyaclnn("--version", python=installed.python).split()[1]
    check_cmake_package(tmp_path, installed.prefix, version)


def test_cmake_finds_the_c_only_installation_wherever_it_was_moved_to(c_only, tmp_path):
    root, prefix = c_only
    check_cmake_package(tmp_path, root / prefix.relative_to("/"), "")


@pytest.mark.parametrize("wanted", ["99.0", "1.0", "0.999"])
def test_cmake_does_not_take_another_version_for_the_one_that_is_asked_for(installed, wanted, tmp_path):
    done = configure(tmp_path, installed.prefix, wanted)
    assert done.returncode != 0
    assert f'compatible with requested version "{wanted}"' in " ".join(done.stderr.split())
