"""What the tests of the operator share: an open device, and the promise that no error text leaks from test to test."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent

# each in an environment of its own: make test-l0n0lacl test-torch-npu
collect_ignore = ["l0n0lacl", "torch_npu"]


def pytest_collection_modifyitems(items):
    """Groups for `--dist loadgroup`: a file makes what its tests share once; the builds of the C tests are long."""
    for item in items:
        build = item.callspec.params.get("configuration", "") if hasattr(item, "callspec") else ""
        item.add_marker(pytest.mark.xdist_group(f"{item.path.name} {build}".strip()))


@pytest.fixture(scope="module")
def device():
    """Device 0, open for the tests of one file: other files may want to see a process that has none."""
    import two_phase
    from two_phase import acl

    two_phase.check(acl.aclInit(two_phase.NULL))
    two_phase.check(acl.aclrtSetDevice(0))
    yield
    two_phase.check(acl.aclrtResetDevice(0))
    two_phase.check(acl.aclFinalize())


@pytest.fixture
def no_leftovers(device):
    """Around a test: no error text is waiting, and every buffer that the test made is freed."""
    import two_phase

    assert two_phase.take_message() == ""
    yield
    left = len(two_phase.Buffer.live)
    two_phase.Buffer.live.clear()
    assert left == 0
    assert two_phase.take_message() == ""


@pytest.fixture
def stream(device):
    import two_phase
    from two_phase import acl, ffi

    holder = ffi.new("aclrtStream *")
    two_phase.check(acl.aclrtCreateStream(holder))
    yield holder[0]
    two_phase.check(acl.aclrtDestroyStream(holder[0]))


@pytest.fixture
def in_process_of_its_own():
    """Runs Python arguments in a new process: the library reads its environment variables once.

    Returns what it printed; a failure shows it.
    """

    def run(*arguments, **environment):
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=TESTS,
            env=os.environ | environment,
            text=True,
            timeout=300,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert done.returncode == 0, f"{environment}\n{done.stdout}"
        return done.stdout

    return run
