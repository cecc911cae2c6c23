"""The README's section on torch-npu is true: its program runs as the commands say, and prints what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"
BLOCK = re.compile(r"^<!-- (file|in): (\S+) -->\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_commands_of_the_readme_print_what_it_says(tmp_path):
    section = README.read_text().split("\n## torch-npu\n")[1].split("\n## ")[0]
    blocks = BLOCK.findall(section)
    assert [language for _, _, language, _ in blocks] == ["python", "sh", "text"]
    (_, name, _, program), (_, _, _, commands), (_, _, _, printed) = blocks
    (tmp_path / name).write_text(program)
    (tmp_path / "pip").write_text("#!/bin/sh\n[ \"$1\" = install ]\n")  # the environment of this test has it all
    (tmp_path / "pip").chmod(0o755)
    path = os.pathsep.join([str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"} | {"PATH": path},
        text=True,
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(printed)
