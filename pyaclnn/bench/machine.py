"""What the figures were measured on, and when."""

from __future__ import annotations

import datetime
import os
import platform
import re
from pathlib import Path
from typing import Dict


def now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def description() -> Dict[str, str]:
    libc = " ".join(platform.libc_ver())
    return {
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0))),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": f"Linux {platform.release()} {platform.machine()}, {libc}, Python {platform.python_version()}",
    }


def _processor() -> str:
    """Its name; virtual machines often have a general one, so family and model come with it."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.machine()
    fields = dict(re.findall(r"^([^\t:]+?)\s*: (.*)$", text, re.MULTILINE))
    if "model name" not in fields:
        return platform.machine()
    features = [name for name in _TELLING if name in fields.get("flags", "").split()]
    numbers = f"family {fields.get('cpu family', '?')}, model {fields.get('model', '?')}"
    return f"{fields['model name']} ({numbers}; {', '.join(features)})"


_TELLING = ("avx2", "fma", "f16c", "avx512f", "avx512_bf16", "avx512_fp16", "avx512_vnni", "amx_bf16", "amx_fp16")
