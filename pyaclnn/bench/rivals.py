"""The rivals that can be asked for by name."""

from __future__ import annotations

from typing import Callable, Dict

from pyaclnn.bench.contestant import Library
from pyaclnn.bench.onednn import OneDnn
from pyaclnn.bench.torch import Torch

RIVALS: Dict[str, Callable[[int], Library]] = {"torch": Torch, "onednn": OneDnn}
"""By name: what opens the library for a number of threads, or raises Unavailable."""
