"""l0n0lacl as it comes from PyPI on our libraries. Needs an environment of its own: `make test-l0n0lacl`.

l0n0lacl reads its variables when it is imported, which the tests do after this file.
"""

import importlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent

workbench = tempfile.TemporaryDirectory()
(Path(workbench.name) / "opp" / "vendors").mkdir(parents=True)
os.environ["ASCEND_OPP_PATH"] = f"{workbench.name}/opp"
prefix = [sys.executable, "-m", "pyaclnn", "--prefix"]
os.environ["ASCEND_HOME_PATH"] = subprocess.check_output(prefix, text=True).strip()


@pytest.fixture(scope="session")
def operators():
    """The module of wrappers that l0n0lacl's own command generates from the installed headers."""
    command = [Path(sys.executable).parent / "createopp", f"{workbench.name}/operators"]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": str(HERE)}, timeout=300)
    sys.path.append(workbench.name)
    return importlib.import_module("operators")
