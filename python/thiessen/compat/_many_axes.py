# SPDX-License-Identifier: Apache-2.0
"""Exact nearest sites of rasters of more axes than the library takes: in NumPy, and slower."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._arguments.checks import to_weights
from ._arguments import Array

# Gives the offsets from each cell of a raster of three axes to its nearest site.
Offsets = Callable[[Array, Sequence[float] | None], Array]

_UNREACHED = np.iinfo(np.int32).min
_BLOCK = 1 << 20  # distances that brute force holds at once


class _Weights:
    """Spacings as integers, so that equal distances are equal.

    A distance is the root of a sum of squares (w·δ)², times p over q, or without a unit for other
    metrics. Where p or q is 2**24 or more, p is the float nearest to their quotient, and q is 1.
    The sums are int64, or Python's own integers where that does not hold them.
    """

    def __init__(self, spacing: Sequence[float] | None, shape: Sequence[int]) -> None:
        self.weights, unit = to_weights(spacing or [1.0] * len(shape))
        is_small = max(unit.numerator, unit.denominator) < 2**24
        self.p: float = unit.numerator if is_small else float(unit)
        self.q = unit.denominator if is_small else 1
        steps = zip(self.weights, shape, strict=True)
        self.largest = sum((weight * (extent - 1)) ** 2 for weight, extent in steps)
        self.dtype: Any = np.int64 if 2 * self.largest + 1 < 2**63 else object

    def squares(self, axis: int, steps: Array) -> Array:
        """(w·δ)² for steps δ along an axis."""
        return (steps.astype(self.dtype) * self.weights[axis]) ** 2

    def distances(self, squared: Array) -> Array:
        """The distances for these squares, which are integers."""
        return np.sqrt(squared.astype(np.float64)) * self.p / self.q


def _own(axis: int, shape: Sequence[int]) -> Array:
    """Coordinates along an axis, in the shape that broadcasts to the raster's."""
    return np.arange(shape[axis]).reshape([-1 if k == axis else 1 for k in range(len(shape))])


def fold_euclidean(
    cells: Array,
    spacing: list[float] | None,
    offsets: Offsets,
    distances: Array | None,
    indices: Array | None,
) -> None:
    """Nearest zero cell; at equal distance the first in reversed axis order wins.

    The last three axes go to the library, one slab after the other. Each axis before them is folded
    in: the nearest of a line's slabs is the least of their squared distances plus the square of the
    steps along that axis. That takes extent² additions of slabs per axis.
    """
    shape = cells.shape
    weights = _Weights(spacing, shape)
    squared, order = _slabs(cells, spacing, offsets, weights)
    for axis in range(cells.ndim - 4, -1, -1):
        squared, order = _folded(squared, order, axis, weights)
    reached = squared <= weights.largest
    if distances is not None:
        distances[...] = np.where(reached, weights.distances(squared), np.inf)
    if indices is not None:
        coordinates = np.unravel_index(np.where(reached, order, 0), shape[::-1])
        for axis, values in enumerate(reversed(coordinates)):
            indices[axis] = np.where(reached, values, -1)


def _slabs(
    cells: Array, spacing: list[float] | None, offsets: Offsets, weights: _Weights
) -> tuple[Array, Array]:
    """Squared distance to the nearest site of the same slab, and its place in reversed order.

    More than any distance, yet not so much that adding to it overflows, stands for no site.
    """
    shape = cells.shape
    leading = cells.ndim - 3
    squared = np.empty(shape, weights.dtype)
    order = np.zeros(shape, np.int64)
    strides = [math.prod(shape[:axis]) for axis in range(cells.ndim)]
    for at in np.ndindex(shape[:leading]):
        steps = offsets(cells[at], spacing and spacing[leading:])
        if steps.size and steps.flat[0] == _UNREACHED:
            squared[at] = weights.largest + 1
            continue
        slab = np.zeros(shape[leading:], weights.dtype)
        for k in range(3):
            slab += weights.squares(leading + k, steps[k])
            order[at] += (_own(k, shape[leading:]) + steps[k]) * strides[leading + k]
        squared[at] = slab
        order[at] += sum(i * stride for i, stride in zip(at, strides, strict=False))
    return squared, order


def _folded(squared: Array, order: Array, axis: int, weights: _Weights) -> tuple[Array, Array]:
    """The nearest over all slabs along one more axis."""
    lines, line_order = np.moveaxis(squared, axis, 0), np.moveaxis(order, axis, 0)
    nearest, nearest_order = np.empty_like(lines), np.empty_like(line_order)
    step_squares = weights.squares(axis, np.arange(len(lines)))
    for i in range(len(lines)):
        least, first = lines[0] + step_squares[i], line_order[0]
        for k in range(1, len(lines)):
            other = lines[k] + step_squares[abs(i - k)]
            wins = (other < least) | ((other == least) & (line_order[k] < first))
            least, first = np.where(wins, other, least), np.where(wins, line_order[k], first)
        nearest[i], nearest_order[i] = least, first
    return np.moveaxis(nearest, 0, axis), np.moveaxis(nearest_order, 0, axis)


def brute_force(
    cells: Array,
    metric: str,
    spacing: list[float] | None,
    unreached: float,
    distances: Array | None,
    indices: Array | None,
) -> None:
    """Nearest zero cell by comparing all of them; at equal distance the last wins."""
    sites = np.argwhere(cells == 0)[::-1]  # so that the first least of a block is the last site
    if not len(sites):
        if distances is not None:
            distances.fill(unreached)
        if indices is not None:
            indices.fill(-1)
        return
    weights = _Weights(spacing, cells.shape)
    rows = max(1, _BLOCK // len(sites))
    for start in range(0, cells.size, rows):
        linear = np.arange(start, min(start + rows, cells.size))
        at = np.unravel_index(linear, cells.shape)
        measured = _measured(at, sites, metric, weights)
        nearest = np.argmin(measured, axis=1)
        if distances is not None:
            least = np.take_along_axis(measured, nearest[:, None], axis=1)[:, 0]
            distances[at] = weights.distances(least) if metric == "euclidean" else least
        if indices is not None:
            everywhere: tuple[Any, ...] = (slice(None), *at)
            indices[everywhere] = sites[nearest].T


def _measured(at: Sequence[Array], sites: Array, metric: str, weights: _Weights) -> Array:
    """The keys that order sites, a row for each cell: squares of distances, or distances."""
    is_euclidean = metric == "euclidean"
    dtype = weights.dtype if is_euclidean else np.int64
    measured: Array = np.zeros((len(at[0]), len(sites)), dtype)
    for axis, coordinates in enumerate(at):
        steps = np.abs(coordinates[:, None] - sites[None, :, axis])
        if metric == "chessboard":
            measured = np.maximum(measured, steps)
        else:
            measured += weights.squares(axis, steps) if is_euclidean else steps
    return measured
