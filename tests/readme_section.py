"""A section of the README whose commands need an environment of their own: `<!-- in: ... -->`."""

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"
BLOCK = re.compile(r"^<!-- (file|in): (\S+) -->\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SET_BY_THE_TESTS = ("ASCEND_HOME_PATH", "ASCEND_OPP_PATH", "LD_LIBRARY_PATH", "PYTHONPATH")


def run(title, folder, **variables):
    """Saves the section's program in the folder and runs its commands there.

    Returns what they print, and what the section says that they do.
    """
    section = README.read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]
    blocks = BLOCK.findall(section)
    assert [language for _, _, language, _ in blocks] == ["python", "sh", "text"]
    (_, name, _, program), (_, _, _, commands), (_, _, _, promised) = blocks
    (folder / name).write_text(program)
    tools = folder / "tools"
    tools.mkdir()
    (tools / "pip").write_text('#!/bin/sh\n[ "$1" = install ]\n')  # the environment of this test has it all
    (tools / "pip").chmod(0o755)
    env = {name: value for name, value in os.environ.items() if name not in SET_BY_THE_TESTS}
    env.update(variables)
    env["PATH"] = os.pathsep.join([str(tools), str(Path(sys.executable).parent), env["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env=env, text=True, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, promised
