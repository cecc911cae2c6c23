"""The pytest plugin: fixtures for device, stream and tensors, tests for several products, what a test leaves behind.

pytest loads it wherever the package is installed, so it loads nothing itself until a test asks for it.
"""

from __future__ import annotations

import gc
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Callable, Dict, Generator, Iterator, List, Optional, Sequence

import pytest

if TYPE_CHECKING:
    from pyaclnn.device import Device, Stream
    from pyaclnn.tensor import Tensor

ALL = "all"
_SOC = "acl_soc"
_FIXTURES = (_SOC, "acl_device", "acl_stream", "acl_tensor", "acl_empty")
_LEFTOVERS = ("warn", "error", "off")
_SHOWN = 5
"""So many allocations that were not freed are listed."""


class AclLeftoverWarning(UserWarning):
    """A test left device memory or work behind."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pyaclnn")
    group.addoption(
        "--soc",
        metavar="NAME",
        action="append",
        default=[],
        help="run tests with fixtures of pyaclnn for this chip or product, or all; may be repeated; a mark goes first",
    )
    parser.addini("acl_leftovers", "what a test leaves on the device: warn, error or off", default=_LEFTOVERS[0])


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", 'soc(*names): run the test for each of these chips ("Ascend310P3") or products ("310P"), or "all"'
    )
    if config.getini("acl_leftovers") not in _LEFTOVERS:
        raise pytest.UsageError(f"acl_leftovers is {config.getini('acl_leftovers')!r}: one of {', '.join(_LEFTOVERS)}")


# ---- chips ---------------------------------------------------------------------------------------------------------


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    mark = metafunc.definition.get_closest_marker("soc")
    uses_fixtures = any(name in metafunc.fixturenames for name in _FIXTURES)
    names: Sequence[str] = mark.args if mark else metafunc.config.getoption("--soc") if uses_fixtures else ()
    if mark and not names:
        raise pytest.UsageError(f"{metafunc.definition.nodeid}: the mark soc needs the name of a chip or product")
    if names:
        if _SOC not in metafunc.fixturenames:
            metafunc.fixturenames.append(_SOC)
        metafunc.parametrize(_SOC, _spelled_out(names), indirect=True)


def pytest_itemcollected(item: pytest.Item) -> None:
    """A marked test need not ask for the fixture; it comes before others, which may already call the library."""
    names: List[str] = getattr(item, "fixturenames", [])
    if item.get_closest_marker("soc") and _SOC not in names:
        names.insert(0, _SOC)


def _spelled_out(names: Sequence[str]) -> List[str]:
    if ALL not in names:
        return list(dict.fromkeys(names))
    from pyaclnn.chip import PRODUCTS

    return list(dict.fromkeys(name for one in names for name in (PRODUCTS if one == ALL else [one])))


@pytest.fixture
def acl_soc(request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of the chip that the test runs for: that of the mark soc or of --soc, or the one in force."""
    from pyaclnn import chip, libraries

    wanted: Optional[str] = getattr(request, "param", None)
    if not libraries.emulated() and wanted not in (None, chip.current(), chip.product_of(chip.current())):
        pytest.skip(f"the test is for {wanted}, and the device is {chip.current()}")
    with chip.soc(wanted):
        yield chip.current()


# ---- objects -------------------------------------------------------------------------------------------------------


@pytest.fixture
def acl_device(acl_soc: str) -> Iterator[Device]:
    """Device 0, open for the calling thread; all its work has ended before it is closed."""
    from pyaclnn.device import Device

    with Device() as device:
        yield device


@pytest.fixture
def acl_stream(acl_device: Device) -> Iterator[Stream]:
    """A stream of the device; closing it waits for its work."""
    from pyaclnn.device import Stream

    with Stream() as stream:
        yield stream


@pytest.fixture
def acl_tensor(acl_device: Device) -> Iterator[Callable[..., Tensor]]:
    """``acl_tensor(array, dtype=None, format=None)``: a tensor that holds a copy of the array; freed after the test."""
    from pyaclnn.tensor import Tensor

    yield from _freed_after_the_test(acl_device, Tensor.from_numpy)


@pytest.fixture
def acl_empty(acl_device: Device) -> Iterator[Callable[..., Tensor]]:
    """``acl_empty(shape, dtype, format=None)``: a tensor for results; freed after the test."""
    from pyaclnn.tensor import Tensor

    yield from _freed_after_the_test(acl_device, Tensor.empty)


def _freed_after_the_test(device: Device, make: Callable[..., Tensor]) -> Iterator[Callable[..., Tensor]]:
    with ExitStack() as stack:

        def made(*arguments: Any, **options: Any) -> Tensor:
            tensor = make(*arguments, **options)
            stack.callback(tensor.close)
            return tensor

        yield made
        device.synchronize()


# ---- what is left --------------------------------------------------------------------------------------------------

class _Test:
    """The test that runs."""

    def __init__(self) -> None:
        self.not_its_own = set(_allocations())
        """Numbers of allocations that were there before, or belong to fixtures of more than one test."""
        self.others_work = _has_unfinished_work()
        """Has another test, or a fixture of more than one, left work behind? Nobody can tell whose it is at the end."""
        self.raised = False


_TEST = pytest.StashKey[_Test]()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    item.config.stash[_TEST] = _Test()
    _error_text()  # what another test left there is not about this one
    yield


@pytest.hookimpl(hookwrapper=True)
def pytest_fixture_setup(fixturedef: Any, request: pytest.FixtureRequest) -> Generator[None, None, None]:
    if fixturedef.scope == "function":
        yield
        return
    before = set(_allocations())
    yield
    test = request.config.stash[_TEST]
    test.not_its_own.update(set(_allocations()) - before)
    test.others_work = test.others_work or _has_unfinished_work()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    outcome = yield
    report = outcome.get_result()
    if call.excinfo is not None:
        item.config.stash[_TEST].raised = True
    if report.failed:
        text = _error_text()
        if text:
            report.sections.append(("error text of the device", text))


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    yield
    test, reaction = item.config.stash[_TEST], item.config.getini("acl_leftovers")
    # the variables of a test that raised, expected or not, live on in its traceback
    left = "" if reaction == "off" or test.raised else _left_over(test)
    if left and reaction == "error":
        pytest.fail(left, pytrace=False)
    elif left:
        item.warn(AclLeftoverWarning(left))


def _left_over(test: _Test) -> str:
    if set(_allocations()) - test.not_its_own:
        gc.collect()  # what nobody refers to is no leak
    left = [one for number, one in _allocations().items() if number not in test.not_its_own]
    lines = []
    if left:
        lines.append(f"device memory was not freed: {sum(one.bytes for one in left)} bytes")
    lines += [
        f"    allocation {one.number}: {one.bytes} bytes at {one.address:#x}, device {one.device}"
        for one in left[:_SHOWN]
    ]
    if len(left) > _SHOWN:
        lines.append(f"    and {len(left) - _SHOWN} more")
    if _has_unfinished_work() and not test.others_work:
        lines.append("work is queued or runs: synchronise its stream before the test ends")
    return "\n".join(lines)


def _has_unfinished_work() -> bool:
    if not _is_loaded():
        return False
    from pyaclnn.leftovers import has_unfinished_work

    return has_unfinished_work()


def _is_loaded() -> bool:
    """A test that never used the libraries leaves nothing behind in them."""
    return "pyaclnn.native" in sys.modules


def _allocations() -> Dict[int, Any]:
    if not _is_loaded():
        return {}
    from pyaclnn.leftovers import allocations

    return {one.number: one for one in allocations()}


def _error_text() -> str:
    if not _is_loaded():
        return ""
    from pyaclnn.errors import take_message

    return take_message()
