# SPDX-License-Identifier: Apache-2.0
"""Warnings of the core for input that is allowed, but hardly meant."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from types import FrameType

__all__ = ["ThiessenWarning"]


class ThiessenWarning(UserWarning):
    """A call has an answer, but hardly the one that was meant: no site at all, points that win no
    cell, sites that are ignored, ... With ``strict=True`` it is a ValueError.

    Attributes
    ----------
    kind : str
        "no_site", "outside_of_grid", "same_place", "unreached_label", "ignored_sites" or
        "no_geometry".
    count : int
        How many sites or points it is about; in a batch, how many rasters have no site.
    """

    def __init__(self, message: str, kind: str = "", count: int = 0) -> None:
        super().__init__(message)
        self.kind = kind
        self.count = count


def tell(found: Iterable[tuple[str, int, str]]) -> None:
    """Warn of what a call found, where the caller of the package is. The facades are as silent as
    what they stand for, and the operators of PyTorch, whose caller may be a compiled graph."""
    for kind, count, message in found:
        level = _level_of_caller()
        if level is not None:
            warnings.warn(ThiessenWarning(message, kind, count), stacklevel=level + 1)


def _level_of_caller() -> int | None:
    """The level of the first frame outside of the package, seen from tell(); None for those that
    are silent."""
    package = __name__.partition(".")[0]
    level = 0
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith((f"{package}.compat", f"{package}._torch")):
            return None
        if module != package and not module.startswith(f"{package}."):
            break
        level += 1
        frame = frame.f_back
    return level
