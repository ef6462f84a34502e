# SPDX-License-Identifier: Apache-2.0
"""Warnings of the core for input that is allowed, but hardly meant."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from types import FrameType
from typing import Any

from .running import to_strict


class ThiessenWarning(UserWarning):
    """A call has an answer, but hardly the one that was meant: no site at all, points that win no
    cell, sites that are ignored, a picture with colours taken for a volume, ... With
    ``strict=True`` it is a ValueError.

    Attributes
    ----------
    kind : str
        "no_site", "no_free_cell", "no_geometry", "outside_of_grid", "same_place",
        "unreached_label", "ignored_sites", "colours" or "open_sides".
    count : int
        How many sites, points or colours it is about; in a batch, how many rasters have no site, or
        no free cell.
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


def tell_of_colours(name: str, array: Any, *, strict: Any = None, batch_axes: Any = None) -> None:
    """Warn of a volume that is hardly one: a picture whose last axis holds 3 or 4 colours. Where
    the package itself calls the public function that this is called by, nobody is warned."""
    shape = tuple(getattr(array, "shape", ()))
    if len(shape) != 3 or shape[2] not in (3, 4) or min(shape[:2]) <= 4:
        return
    has_names = hasattr(array, "dims")  # of its axes, as a DataArray
    if batch_axes is not None or has_names or _is_own(_frame_behind_verbs()):
        return
    message = (
        f"{name} has the shape {shape}, which is a volume; a picture with colours must have one "
        f"value a cell, such as {name}[..., 0]"
    )
    if to_strict(strict):
        raise ValueError(message)
    tell([("colours", shape[2], message)])


def _frame_behind_verbs() -> FrameType | None:
    """The caller of the function that calls tell_of_colours(), or of the verb that this is of."""
    package = __name__.partition(".")[0]
    frame: FrameType | None = sys._getframe(3)
    while frame is not None and str(frame.f_globals.get("__name__", "")).startswith(
        (f"{package}._verbs", f"{package}._kinds")
    ):
        frame = frame.f_back
    return frame


def _is_own(frame: FrameType | None) -> bool:
    """Whether a frame is the package's."""
    module = "" if frame is None else str(frame.f_globals.get("__name__", ""))
    package = __name__.partition(".")[0]
    return module == package or module.startswith(f"{package}.")


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
        if not _is_own(frame):
            break
        level += 1
        frame = frame.f_back
    return level
