"""torch-npu as it comes from PyPI on our libraries. Needs an environment of its own: `make test-torch-npu`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch_npu  # noqa: F401  makes torch.npu

HERE = Path(__file__).resolve().parent


@pytest.fixture
def device():
    return torch.device("npu:0")


@pytest.fixture
def other_device():
    return torch.device("npu:1")


@pytest.fixture
def in_process_of_its_own():
    """Runs Python arguments in a new process that has to succeed; returns what it printed."""

    def run(*arguments, **environment):
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=HERE,
            env=os.environ | environment,
            text=True,
            timeout=600,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert done.returncode == 0, f"{environment}\n{done.stdout}"
        return done.stdout

    return run
