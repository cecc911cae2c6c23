"""Formats of tensors: their numbers in C and their names."""

from __future__ import annotations

from functools import lru_cache
from typing import Dict

from pyaclnn.native import lib

_PREFIX = "ACL_FORMAT_"
_OF_RANK = {3: "NCL", 4: "NCHW", 5: "NCDHW"}


def default_format(rank: int) -> int:
    """The one that operators expect of tensors of this rank."""
    return int(getattr(lib, _PREFIX + _OF_RANK.get(rank, "ND")))


def format_name(number: int) -> str:
    """``NCHW``; the number itself if no header names it."""
    return _names().get(number, str(number))


@lru_cache(maxsize=None)
def _names() -> Dict[int, str]:
    return {getattr(lib, name): name[len(_PREFIX) :] for name in dir(lib) if name.startswith(_PREFIX)}
