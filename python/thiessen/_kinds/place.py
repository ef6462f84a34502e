# SPDX-License-Identifier: Apache-2.0
"""Where the cells of a DataArray lie on a map: which dimension is x and which is y, and what a
geotransform says where the dimensions have no coordinates, as on a rotated grid."""

from __future__ import annotations

import math
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import geography as _geography

_NAMES = {
    "x": re.compile(r"(x|xc|x_?coord\w*|(r|nav_)?lon\w*|east\w*|west_east\w*)([_\d].*)?"),
    "y": re.compile(r"(y|yc|y_?coord\w*|(r|nav_)?lat\w*|north\w*|south_north\w*)([_\d].*)?"),
    "z": re.compile(r"(z|zc|depth|height|altitude|elevation|lev|level)([_\d].*)?"),
}
_STANDARD_NAMES = {
    "x": ("x_coordinate", "longitude", "x_angular_coordinate"),
    "y": ("y_coordinate", "latitude", "y_angular_coordinate"),
}
_NO_GEOREFERENCE = (0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
"""What GDAL has for the geotransform of a file that has none."""
_UNEVEN = 1e-6
"""The part of a step by which coordinates may be off."""


@dataclass(frozen=True)
class Place:
    """Coordinates of cells, in the order of the dimensions: those of the centre of the first cell,
    and what coordinate i grows by along dimension j, steps[i][j]."""

    origin: tuple[float, ...]
    steps: tuple[tuple[float, ...], ...]

    def of_cells(self, cells: np.ndarray) -> np.ndarray:
        """Coordinates of places (n, axes) in cells."""
        columns = []
        for first, steps in zip(self.origin, self.steps):
            column = np.full(len(cells), first)
            for along, step in enumerate(steps):
                if step:
                    column = column + step * cells[:, along]
            columns.append(column)
        return np.stack(columns, axis=1)

    def to_cells(self, coordinates: np.ndarray) -> np.ndarray:
        """The way back."""
        apart = coordinates - np.array(self.origin)
        steps = np.array(self.steps)
        if not (steps - np.diag(steps.diagonal())).any():
            return np.asarray(apart / steps.diagonal())
        return np.linalg.solve(steps, apart.T).T


def mirrors_of(down: tuple[float, float], along: tuple[float, float]) -> tuple[float, ...]:
    """What mirror() must do, one after the other, to directions as the core has them, with row 0 in
    the north and column 0 in the west, so that they are azimuths; the ways go east and north, to
    the next row and to the next column."""
    of_rows, of_columns = (math.degrees(math.atan2(*way)) % 360 for way in (down, along))
    if 0 < (of_rows - of_columns) % 360 < 180:
        turned = (of_columns - 90) % 360
        return (360, turned) if turned else ()
    return ((of_columns + 90) % 360 or 360,)


def axes_of(array: Any, dims: tuple[Any, ...]) -> tuple[str, ...]:
    """The axes of the world, of "zyx", that dimensions are: by metadata and names of their
    coordinates, and what these do not tell in the order z, y, x."""
    letters = "zyx"[-len(dims) :]
    known = [axis_of(array, dim) for dim in dims]
    known = [
        axis if axis and axis in letters and known.count(axis) == 1 else None for axis in known
    ]
    rest = iter([letter for letter in letters if letter not in known])
    return tuple(axis or next(rest) for axis in known)


def axis_of(array: Any, name: Any) -> str | None:
    """The axis of the world that a dimension or a coordinate tells, "x", "y" or "z"."""
    attributes = array.coords[name].attrs if name in array.coords else {}
    named = str(attributes.get("axis", "")).lower()
    if named in _NAMES:
        return named
    standard = str(attributes.get("standard_name", ""))
    for axis, ends in _STANDARD_NAMES.items():
        if standard.endswith(ends):
            return axis
    units = str(attributes.get("units", ""))
    if _geography.is_in_degrees(array, name) and units.endswith(("east", "_E", "north", "_N")):
        return "x" if units.endswith(("east", "_E")) else "y"
    for axis, pattern in _NAMES.items():
        if pattern.fullmatch(str(name).lower()):
            return axis
    if "rioxarray" in sys.modules:
        with suppress(RuntimeError):  # of arrays whose dimensions are none of space
            return {array.rio.x_dim: "x", array.rio.y_dim: "y"}.get(name)
    return None


def geotransform_of(array: Any, y: Any, x: Any) -> tuple[float, ...] | None:
    """That of GDAL, of dimensions without coordinates of their own: by coordinates of every cell,
    as rioxarray has them on rotated grids, or else by metadata."""
    if y in array.coords or x in array.coords:
        return None
    centres = centres_of(array, y, x)
    if centres is not None:
        return _even(array, *centres, y, x)
    mapping = _geography.grid_mapping_of(array)
    attributes = array.coords[mapping].attrs if mapping in array.coords else {}
    numbers: Any = None
    with suppress(ValueError, TypeError):
        if "GeoTransform" in attributes:
            numbers = tuple(float(number) for number in str(attributes["GeoTransform"]).split())
        elif "transform" in array.attrs:
            a, b, c, d, e, f = (float(number) for number in array.attrs["transform"][:6])
            numbers = (c, a, b, f, d, e)
    usable = numbers is not None and len(numbers) == 6 and numbers != _NO_GEOREFERENCE
    return numbers if usable else None


def centres_of(array: Any, y: Any, x: Any) -> tuple[Any, Any] | None:
    """The names of the coordinates x and y of two dimensions; None without them."""
    found = {
        axis_of(array, name): name
        for name, coordinate in array.coords.items()
        if set(coordinate.dims) == {y, x} and coordinate.ndim == 2
    }
    return (found["x"], found["y"]) if {"x", "y"} <= found.keys() else None


def _even(array: Any, of_x: Any, of_y: Any, y: Any, x: Any) -> tuple[float, ...] | None:
    """The geotransform of coordinates in even steps; None of others."""
    rows, columns = array.sizes[y], array.sizes[x]
    if min(rows, columns) < 2:
        return None
    at = {y: sorted({0, rows // 2, rows - 1}), x: sorted({0, columns // 2, columns - 1})}
    found = []
    for name in (of_x, of_y):
        given = np.asarray(array.coords[name].transpose(y, x).isel(at).values)
        if given.dtype.kind not in "iuf":
            return None
        cells = given.astype(np.float64)
        along = (cells[0, -1] - cells[0, 0]) / (columns - 1)
        down = (cells[-1, 0] - cells[0, 0]) / (rows - 1)
        plane = cells[0, 0] + along * np.array(at[x]) + down * np.array(at[y])[:, np.newaxis]
        rounding = np.finfo(given.dtype).eps if given.dtype.kind == "f" else 0.0
        allowed = _UNEVEN * max(abs(along), abs(down)) + 4 * rounding * np.abs(cells).max()
        if not (np.abs(cells - plane) <= allowed).all():
            return None
        found.append((cells[0, 0] - along / 2 - down / 2, along, down))
    return tuple(float(number) for each in found for number in each)
