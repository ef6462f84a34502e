# SPDX-License-Identifier: Apache-2.0
"""Balls in an object: how thick it is, and few that it is made of.

The ball around a cell of the object is the cells that are less far from it than the nearest cell
outside. Its radius is the distance to that one, its squared radius the sum of squares of
weight * offset, in whole numbers wherever they fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ._arguments import tables
from ._arguments.checks import to_lengths, to_weights
from ._arguments.options import Unpack, collect, takes
from ._arguments.running import reporter
from ._arguments.warnings import tell_of_colours
from ._kinds.host import Raster, to_raster
from ._verbs.rasters import distance_transform, nearest_site

_Box = tuple[slice, ...]


class MedialAxis(NamedTuple):
    """Balls that together are an object."""

    centres: np.ndarray
    """Boolean, of the shape of the mask."""
    distance: np.ndarray
    """To the nearest cell outside of the object, float64: the radii, as balls without their
    surface; 0 outside."""


@takes(tables.ThicknessOptions)
def local_thickness(mask: Any, **options: Unpack[tables.ThicknessOptions]) -> Any:
    """At each cell of an object, the diameter of the largest ball that fits in and covers it.

    Parameters
    ----------
    mask : array of shape (y, x) or (z, y, x)
        The object: cells that are neither zero nor NaN nor nodata (masked).
    spacing : float or one per axis, optional
        Length of a cell; 1, or what the coordinates of a DataArray say.
    threads, progress : optional
        As of `nearest_site`.

    Returns
    -------
    array of float64 of the shape of the mask
        0 outside of the object; the kind of array that the mask is. A mask without a cell outside
        of the object is infinitely thick.

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    The ball around a cell reaches to the centre of the nearest cell outside of the object. It holds
    all cells that are nearer to its centre than this cell is, so a line one cell wide has the
    thickness 2. The edge of the raster is no end of an object. Sizes of pores are the local
    thickness of the empty space.

    Balls are laid from the largest to the smallest. Balls that larger ones have covered are left
    out, and few are not covered. Time O(cells * log(greatest radius)) for finding the balls, and
    O(cells) for each one that is laid; memory about 64 bytes a cell.

    Source: T. Hildebrand, P. Rüegsegger, "A new method for the model-independent assessment of
    thickness in three-dimensional images" (1997).

    Examples
    --------
    >>> import numpy as np
    >>> from thiessen import metrics
    >>> bar = np.zeros((5, 8), np.uint8)
    >>> bar[1:4, 1:5], bar[2, 5:7] = 1, 1
    >>> metrics.local_thickness(bar).round(2)
    array([[0.  , 0.  , 0.  , 0.  , 0.  , 0.  , 0.  , 0.  ],
           [0.  , 4.  , 4.  , 4.  , 4.  , 0.  , 0.  , 0.  ],
           [0.  , 4.  , 4.  , 4.  , 4.  , 2.83, 2.  , 0.  ],
           [0.  , 4.  , 4.  , 4.  , 4.  , 0.  , 0.  , 0.  ],
           [0.  , 0.  , 0.  , 0.  , 0.  , 0.  , 0.  , 0.  ]])
    """
    tell_of_colours("mask", mask)
    raster, inside = _to_object(mask)
    own = collect(local_thickness, options)
    thickness = np.full(inside.shape, np.inf)
    if not inside.all():
        balls = _Balls.inside_of(inside, raster.spacing_or(own.spacing, False), own.threads)
        with reporter(own.progress) as report:
            _lay_balls(thickness, balls, report)
    units = raster.units_of(own)
    return raster.like_input("distance", thickness, "local thickness", units)


def _to_object(mask: Any) -> tuple[Raster, np.ndarray]:
    """The raster, and which of its cells are the object."""
    raster = to_raster("mask", mask)
    inside = (raster.cells != 0) & (raster.cells == raster.cells)
    if raster.nodata is not None:
        inside &= raster.cells != raster.nodata
    return raster, inside


@dataclass(frozen=True)
class _Balls:
    """The largest balls around the cells of an object."""

    distance: np.ndarray
    """The radii; 0 outside of the object."""
    squared: np.ndarray
    """Their squares, in units of the weights: whole numbers, if they fit 53 bits."""
    weights: list[float]
    """The spacing, as whole numbers if they are not too large."""
    spacing: list[float] | None
    threads: int | None

    @classmethod
    def inside_of(cls, inside: np.ndarray, steps: Any, threads: Any) -> _Balls:
        lengths = to_lengths("spacing", steps, inside.ndim) or None
        found = nearest_site(
            inside,
            values=[False],
            spacing=lengths,
            outputs=("offset", "distance"),
            distance_type="float64",
            threads=threads,
        )
        steps = lengths or [1.0] * inside.ndim
        whole, _ = to_weights(steps)
        fits = sum((each * extent) ** 2 for each, extent in zip(whole, inside.shape)) < 2**53
        weights = [float(each) for each in (whole if fits else steps)]
        squared = np.zeros(inside.shape)
        for weight, offset in zip(weights, found.offset):
            squared += np.square(weight * offset)
        return cls(found.distance, squared, weights, lengths, threads)


_REFRESH = 0.95
"""After the radius of balls has fallen by this factor, those that reach no cell that is left are
looked for anew."""
_MANY = 8
"""How many cells of balls take as long as a cell of a distance transform."""


def _lay_balls(thickness: np.ndarray, balls: _Balls, report: Any) -> None:
    """Writes the diameter of the largest ball that covers each cell, from the largest to the
    smallest."""
    left = balls.distance > 0
    count = int(left.sum())
    thickness[...] = 0
    smallest = np.inf
    while left.any():
        gap = distance_transform(
            left, spacing=balls.spacing, distance_type="float64", threads=balls.threads
        )
        centres = np.flatnonzero((gap < balls.distance) & (balls.distance < smallest))
        radii = balls.distance.reshape(-1)[centres]
        centres, radii = (each[radii >= _REFRESH * radii.max()] for each in (centres, radii))
        for radius in np.unique(radii)[::-1]:
            _lay_radius(thickness, left, balls, centres[radii == radius])
        smallest = radii.min()
        if report is not None:
            report(1 - int(left.sum()) / count)


def _lay_radius(
    thickness: np.ndarray, left: np.ndarray, balls: _Balls, centres: np.ndarray
) -> None:
    """Lays balls of one radius on the cells that are left: one by one, or where they are many by
    the distance to their centres."""
    radius, squared = (each.reshape(-1)[centres[0]] for each in (balls.distance, balls.squared))
    margins = [int(np.sqrt(squared) / weight) + 1 for weight in balls.weights]
    places = np.unravel_index(centres, left.shape)
    first = [int(each.min()) for each in places]
    box = _box_around(first, [int(each.max()) for each in places], margins, left.shape)
    cells = prod(each.stop - each.start for each in box)
    if len(centres) * prod(2 * margin + 1 for margin in margins) > _MANY * cells:
        marks = np.zeros(left.shape, np.bool_)[box]
        marks[tuple(each - side.start for each, side in zip(places, box))] = True
        covered = (
            distance_transform(
                marks,
                spacing=balls.spacing,
                distance_type="float64",
                max_distance=radius,
                threads=balls.threads,
            )
            < radius
        )
        _lay(thickness[box], left[box], covered, radius)
        return
    steps = np.ogrid[tuple(slice(-margin, margin + 1) for margin in margins)]
    away: Any = sum(np.square(weight * step) for weight, step in zip(balls.weights, steps))
    ball = away < squared
    for centre in zip(*(each.tolist() for each in places)):
        box = _box_around(list(centre), list(centre), margins, left.shape)
        part = tuple(
            slice(side.start - at + margin, side.stop - at + margin)
            for side, at, margin in zip(box, centre, margins)
        )
        _lay(thickness[box], left[box], ball[part], radius)


def _lay(thickness: np.ndarray, left: np.ndarray, covered: np.ndarray, radius: float) -> None:
    new = left & covered
    if new.any():
        thickness[new] = 2 * radius
        left ^= new


def _box_around(
    first: list[int], last: list[int], margins: list[int], extents: tuple[int, ...]
) -> _Box:
    return tuple(
        slice(max(low - margin, 0), min(high + margin + 1, extent))
        for low, high, margin, extent in zip(first, last, margins, extents)
    )


@takes(tables.AxisOptions)
def medial_axis(mask: Any, **options: Unpack[tables.AxisOptions]) -> MedialAxis:
    """Find few balls that together are an object: their centres and radii are its medial axis.

    Parameters
    ----------
    mask : array of shape (y, x) or (z, y, x)
        As of `local_thickness`.
    spacing : float or one per axis, optional
        Length of a cell; 1, or what the coordinates of a DataArray say.
    threads : int, optional
        As of `nearest_site`.

    Returns
    -------
    MedialAxis
        Its arrays are of the kind that the mask is.

    Raises
    ------
    ValueError
        Also for a mask without a cell outside of the object.
    TypeError, MemoryError

    Notes
    -----
    A ball is the cells that are less far from its centre than its radius. A centre is kept if its
    ball goes deepest of all at some cell, by squared radius minus squared distance, of equally deep
    ones only one. So the balls that are kept cover the object and nothing else, and none of them
    lies within another one. The centres need not hang together: `skimage.morphology.medial_axis`
    makes a skeleton that does, and is not enough to have the object again.

    Time O(cells), memory about 98 bytes a cell.

    Source: D. Coeurjolly, A. Montanvert, "Optimal separable algorithms to compute the reverse
    Euclidean distance transformation and discrete medial axis in arbitrary dimension" (2007).

    Examples
    --------
    >>> import numpy as np
    >>> from thiessen import metrics
    >>> bar = np.zeros((5, 8), np.uint8)
    >>> bar[1:4, 1:5], bar[2, 5:7] = 1, 1
    >>> metrics.medial_axis(bar).centres.astype(int)
    array([[0, 0, 0, 0, 0, 0, 0, 0],
           [0, 0, 0, 0, 0, 0, 0, 0],
           [0, 0, 1, 1, 0, 1, 1, 0],
           [0, 0, 0, 0, 0, 0, 0, 0],
           [0, 0, 0, 0, 0, 0, 0, 0]])
    """
    tell_of_colours("mask", mask)
    raster, inside = _to_object(mask)
    if inside.all() and inside.size:
        raise ValueError("mask has no cell outside of the object; must have one")
    own = collect(medial_axis, options)
    balls = _Balls.inside_of(inside, raster.spacing_or(own.spacing, False), own.threads)
    centres = np.zeros(inside.shape, np.bool_)
    if inside.any():
        centres.reshape(-1)[np.unique(_deepest(balls)[inside])] = True
    units = raster.units_of(own)
    return MedialAxis(
        raster.like_input("distance", centres, "centres of the balls of an object"),
        raster.like_input("distance", balls.distance, "distance to the outside", units),
    )


def _deepest(balls: _Balls) -> np.ndarray:
    """At each cell of the object the index of the centre whose ball goes deepest there, by squared
    radius minus squared distance. It is separable: along each axis, the deepest of those that are
    deepest along the axes before."""
    depth = balls.squared
    owner = np.arange(depth.size).reshape(depth.shape)
    for axis, weight in enumerate(balls.weights):
        moved = np.moveaxis(depth, axis, -1)
        lines = moved.reshape(-1, moved.shape[-1])
        owners = np.moveaxis(owner, axis, -1).reshape(lines.shape)
        found = _upper_envelope(lines, weight)
        away = np.square(weight * (found - np.arange(lines.shape[1])))
        lines = np.where(found < 0, 0, np.take_along_axis(lines, found, 1) - away)
        owners = np.take_along_axis(owners, found, 1)
        depth, owner = (
            np.moveaxis(each.reshape(moved.shape), -1, axis) for each in (lines, owners)
        )
    return owner


def _upper_envelope(lines: np.ndarray, weight: float) -> np.ndarray:
    """For each row of values, at each column the place k of the greatest value[k] - (weight *
    (column - k))**2; -1 in a row without a value above 0, which alone count. All rows at once go
    through the columns: each keeps the parabolas that are above the others somewhere, and from
    where on."""
    rows, columns = lines.shape
    kept = np.zeros((rows, columns), np.int64)
    begin = np.empty((rows, columns))
    top = np.full(rows, -1)
    for column in range(columns):
        active = np.flatnonzero(lines[:, column] > 0)
        start = np.full(rows, -np.inf)
        waiting = active[top[active] >= 0]
        while waiting.size:
            last = kept[waiting, top[waiting]]
            rise = lines[waiting, last] - lines[waiting, column]
            rise += weight**2 * (column**2 - last**2)
            meet = rise / (2 * weight**2 * (column - last))
            hidden = meet <= begin[waiting, top[waiting]]
            start[waiting[~hidden]] = meet[~hidden]
            waiting = waiting[hidden]
            top[waiting] -= 1
            waiting = waiting[top[waiting] >= 0]
        top[active] += 1
        kept[active, top[active]] = column
        begin[active, top[active]] = start[active]
    return _read_off(kept, begin, top)


def _read_off(kept: np.ndarray, begin: np.ndarray, top: np.ndarray) -> np.ndarray:
    """Which of the parabolas that a row keeps is above the others at each column."""
    found = np.empty(kept.shape, np.int64)
    rows = np.arange(len(kept))
    at = np.minimum(top, 0)
    for column in range(kept.shape[1]):
        behind = np.flatnonzero(at < top)
        while behind.size:
            behind = behind[begin[behind, at[behind] + 1] <= column]
            at[behind] += 1
            behind = behind[at[behind] < top[behind]]
        found[:, column] = np.where(at < 0, -1, kept[rows, at])
    return found
