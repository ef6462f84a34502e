# SPDX-License-Identifier: Apache-2.0
"""Points, lines and areas in the cells of a grid, by the rules of the command: docs/semantics.md
has them. Lines and areas are burned by GDAL, through rasterio."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

_FREE = np.iinfo(np.int32).max


class Burner:
    """The parts of features, in cells of a grid whose corners are integers, and which feature each
    is of: a number from 0."""

    def __init__(self, parts: np.ndarray, owners: np.ndarray, shape: tuple[int, int]) -> None:
        self._parts, self._owners, self._shape = parts, owners, shape
        kinds = shapely.get_type_id(parts)
        self._is_point = kinds == shapely.GeometryType.POINT
        self._is_area = kinds == shapely.GeometryType.POLYGON
        self._bounds = shapely.bounds(parts)
        self._cells = np.full(shape, _FREE, np.int32)

    def burn(self) -> np.ndarray:
        """The number of the first feature that takes each cell, from 1; 0 where none does."""
        self._take_points(shapely.get_coordinates(self._parts[self._is_point]),
                          self._owners[self._is_point])  # fmt: skip
        self._take_shapes(~self._is_point & ~self._is_area, True)
        self._take_shapes(self._is_area, False)
        lost = self._without_cell()
        if lost.any():
            touched = self._take_shapes(self._is_area & lost[self._owners], True)
            lost[_seen(touched, len(lost))] = False
            ends, of_parts = shapely.get_coordinates(
                self._parts[lost[self._owners]], return_index=True
            )
            self._take_points(ends, self._owners[lost[self._owners]][of_parts])
        self._cells[self._cells == _FREE] = -1
        self._cells += 1
        return self._cells

    def outside(self) -> np.ndarray:
        """The features of which all parts lie outside of the grid."""
        height, width = self._shape
        x0, y0, x1, y1 = self._bounds.T
        inside = (x1 >= 0) & (y1 >= 0) & (x0 <= width) & (y0 <= height)
        return np.setdiff1d(self._owners, self._owners[inside])

    def _take_points(self, places: np.ndarray, owners: np.ndarray) -> None:
        columns, rows = np.floor(places).astype(np.int64).T
        height, width = self._shape
        inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        np.minimum.at(self._cells, (rows[inside], columns[inside]), owners[inside])

    def _take_shapes(self, chosen: np.ndarray, touched: bool) -> np.ndarray:
        """Burn some parts, and return what they would have if they were alone."""
        order = np.flatnonzero(chosen)
        order = order[np.argsort(-self._owners[order], kind="stable")]  # the last one keeps a cell
        burned = _burned(self._parts[order], self._owners[order], self._shape, touched)
        np.minimum(self._cells, burned, out=self._cells)
        return burned

    def _without_cell(self) -> np.ndarray:
        """Which features have no cell, not even one that an earlier feature has."""
        lost = np.zeros(self._owners.max(initial=-1) + 1, np.bool_)
        lost[self._owners] = True
        lost[_seen(self._cells, len(lost))] = False
        margin = np.where(self._is_area, 0.5, 0.0)[:, None]  # from a corner to the centres
        first = np.maximum(np.ceil(self._bounds[:, :2] - margin), 0)
        last = np.minimum(np.floor(self._bounds[:, 2:] - margin), np.array(self._shape)[::-1] - 1)
        for i in np.flatnonzero(lost[self._owners]).tolist():
            if lost[self._owners[i]] and self._has_cell(i, first[i], last[i]):
                lost[self._owners[i]] = False
        return lost

    def _has_cell(self, part: int, first: np.ndarray, last: np.ndarray) -> bool:
        """Whether a part has a cell, from the first to the last one or beside them."""
        if self._is_point[part]:
            place = np.floor(self._bounds[part, :2])
            return bool((place >= 0).all() and (place < self._shape[::-1]).all())
        if self._is_area[part] and (first > last).any():
            return False
        x, y = np.maximum(first - 1, 0).astype(int)
        end_x, end_y = np.minimum(last + 2, self._shape[::-1]).astype(int)
        if x >= end_x or y >= end_y:
            return False
        shape = (end_y - y, end_x - x)
        own = self._parts[part : part + 1]
        cells = _burned(own, np.zeros(1, int), shape, not self._is_area[part], (x, y))
        return bool((cells == 0).any())


def _burned(
    shapes: np.ndarray,
    numbers: np.ndarray,
    shape: tuple[int, int],
    touched: bool,
    corner: tuple[int, int] = (0, 0),
) -> np.ndarray:
    """The number of the last shape that takes each cell of a window."""
    if len(shapes) == 0:
        return np.full(shape, _FREE, np.int32)
    from rasterio import Affine
    from rasterio.features import rasterize

    cells: Any = rasterize(
        zip(shapes, numbers.tolist()), out_shape=shape, fill=_FREE, dtype="int32",
        all_touched=touched, transform=Affine.translation(*corner),
    )  # fmt: skip
    return cells


def _seen(cells: np.ndarray, count: int) -> np.ndarray:
    """The numbers that cells have."""
    return np.flatnonzero(np.bincount(cells[cells != _FREE], minlength=count))
