# SPDX-License-Identifier: Apache-2.0
"""Lines of equal distance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ._arguments.core_options import core_options, run
from ._arguments.options import Options
from ._kinds.grids import one_grid
from ._kinds.host import to_field
from ._polygons import lines_of, transform_of
from .typing import Number

MOST_LINES = 100
"""Contours at an interval in a picture."""


def require_few_lines(interval: float, distances: np.ndarray, most: int = MOST_LINES) -> None:
    """Raise ValueError for an interval that would paint a picture black."""
    finite = distances[np.isfinite(distances)]
    if finite.size == 0:
        return
    least, greatest = float(finite.min()), float(finite.max())
    lines = (greatest - least) / interval
    if lines > most:
        raise ValueError(
            f"contours = {interval:g}, the interval of lines, gives {lines:.0f} of them from "
            f"{least:g} to {greatest:g}; must give {most} at most"
        )


class Contours(NamedTuple):
    """Lines of equal distance, ascending by level: line i has the level levels[i] and the points
    points[i] to points[i + 1] - 1. Lines that end come first, then closed ones, whose last point is
    their first one. Lesser distances lie on the left where row 0 is drawn on top."""

    levels: np.ndarray
    points: np.ndarray
    coordinates: np.ndarray
    """(n, 2) as (y, x) in cells, as in `Polygons`."""
    transform: tuple[float, ...] | None = None
    """As in `Polygons`."""

    def to_shapely(self, transform: Iterable[float] | None = None) -> np.ndarray:
        """The lines as lines of shapely; see `Polygons.to_shapely`."""
        return lines_of(self, transform)


def contour_lines(
    distance: Any,
    *,
    interval: Number | None = None,
    levels: Number | Iterable[Number] | None = None,
    threads: int | None = None,
    progress: Any = None,
) -> Contours:
    """Find the lines on which distances or costs have these levels, by marching squares.

    Parameters
    ----------
    distance : array of shape (y, x), float32 or float64
        Such as the distances of `nearest_site` or the costs of `cost_distance`. Where one of four
        neighbouring cells is not finite, or masked, there is no line between them.
    interval : number, optional
        Lines at its multiples; greater than 0. At most 100,000 of them lie between the distances.
    levels : number or sequence of numbers, optional
        Lines at these distances, at most 100,000 in any order. Either this or `interval` is given.
    threads, progress
        As of `nearest_site`.

    Returns
    -------
    Contours
        As long lines as there can be: they are closed, or end in the outermost cells or beside one
        that is not finite.

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    Distances are linear between the centres of neighbouring cells. The sites' own level, 0, has no
    line unless distances are signed. Time O(cells + points of the lines), memory up to 66 bytes a
    point, and the result. Source: W. Lorensen and H. Cline, "Marching Cubes" (1987), in two
    dimensions.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> distance = thiessen.distance_transform(np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]]))
    >>> lines = thiessen.contour_lines(distance, interval=0.5)
    >>> lines.levels
    array([0.5, 1. ])
    >>> lines.coordinates[: lines.points[1]].tolist()
    [[0.5, 1.0], [1.0, 0.5], [1.5, 1.0], [1.0, 1.5], [0.5, 1.0]]
    """
    given = Options({"interval": interval, "levels": levels, "threads": threads})
    options = core_options("contour_lines", given, device="cpu")
    cells = to_field("distance", distance)
    found, _ = run("contour_lines", {"distance": cells}, options, progress)
    return Contours(**found, transform=transform_of(one_grid({"distance": distance})))
