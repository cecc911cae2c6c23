"""Types: the package is consistent with its hints, and they tell a user's checker what a call gives."""

import importlib.util
import subprocess
import sys

from toolchain import ROOT, absent, environment

PROGRAM = """
import numpy as np
import pyaclnn
from pyaclnn.testing import assert_gradients

with pyaclnn.Device(), pyaclnn.Stream() as stream:
    tensor = pyaclnn.Tensor.from_numpy(np.ones((1, 1, 3), np.float32))
    reveal_type(stream)
    reveal_type(tensor.shape)
    reveal_type(tensor.numpy())
gradients = pyaclnn.convolution_backward(tensor, tensor, tensor, stride=1, padding=(0, 0), dilation=1)
reveal_type(gradients)
reveal_type(pyaclnn.check("2d ci1 co1 i4 k1")["A2"].rule)
assert_gradients(gradients, problem="1d ci1 co1 i3 k1")
pyaclnn.IntArray("1")
pyaclnn.convolution_backward(tensor, tensor, tensor, stride="1", padding=0, dilation=1)
tensor.nonsense
"""


def mypy(*arguments, cwd):
    if not importlib.util.find_spec("mypy"):
        absent("mypy")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(cwd / ".mypy"), *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_package_is_consistent_under_strict_rules(tmp_path):
    status, output = mypy("--config-file", ROOT / "pyproject.toml", ROOT / "pyaclnn", cwd=tmp_path)
    assert status == 0, output


def test_a_program_is_told_what_calls_give_and_what_they_do_not_take(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    status, output = mypy("program.py", cwd=tmp_path)
    assert status == 1
    revealed = [line.split('"')[1] for line in output.splitlines() if "Revealed type is" in line]
    assert revealed[0] == "pyaclnn.device.Stream"
    assert revealed[1].replace("builtins.", "") == "tuple[int, ...]"
    assert revealed[2].startswith("numpy.ndarray[")
    assert "pyaclnn.convolution.Gradients" in revealed[3]
    assert revealed[4].replace("builtins.", "").replace("Union[str, None]", "str | None") == "str | None"
    errors = [line for line in output.splitlines() if ": error:" in line]
    assert len(errors) == 3, output
    assert 'Argument 1 to "IntArray" has incompatible type "str"' in errors[0]
    assert 'Argument "stride" to "convolution_backward" has incompatible type "str"' in errors[1]
    assert '"Tensor" has no attribute "nonsense"' in errors[2]
