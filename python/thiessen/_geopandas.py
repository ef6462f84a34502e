# SPDX-License-Identifier: Apache-2.0
"""Polygons of points of geopandas, as geometries beside their attributes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import geopandas
import numpy as np
import shapely

from ._arguments.options import Options
from ._arguments.warnings import tell
from ._kinds import is_geo
from ._kinds.geopandas import Features

_LARGEST = 1 << 28
"""Cells across the points and the grid, whose axes may have four times as many."""

# Finds the polygons of points (y, x) in cells of a grid: what has labels and to_shapely().
Diagram = Callable[[np.ndarray, tuple[int, int], Options], Any]


def polygons_of(points: Any, mask: Any, options: Options, diagram: Diagram) -> Any:
    """The points' own frame or series, with polygons for points."""
    features = Features.of("points", points)
    kept, coordinates = features.kept, features.require_points()
    features.refuse_degrees()
    area = None if mask is None else _mask_of(mask, features)
    box = x0, y0, x1, y1 = _box_around(coordinates) if area is None else shapely.bounds(area)
    cell = _cell(coordinates, box)
    left, top = math.floor(x0 / cell) * cell, math.ceil(y1 / cell) * cell
    shape = (math.ceil((top - y0) / cell), math.ceil((x1 - left) / cell))
    in_cells = np.column_stack([top - coordinates[:, 1], coordinates[:, 0] - left]) / cell - 0.5
    weights = features.of_rows("weights", options.weights)
    if weights is not None:
        features.check_weights(weights, options.weighting)
        options = options.but(weights=np.rint(weights.astype(np.float64) / cell**2))
    found = diagram(in_cells, shape, options)
    polygons = np.full(len(points), shapely.Polygon(), object)
    geometries = found.to_shapely((left, cell, 0, top, 0, -cell))
    polygons[kept[found.labels]] = shapely.get_geometry(geometries, 0)  # each has one part
    if area is not None:
        polygons = _inside(polygons, area)
    features.tell_left_out()
    _tell_same_places(in_cells)
    series = geopandas.GeoSeries(polygons, index=points.index, crs=points.crs)
    if isinstance(points, geopandas.GeoSeries):
        return series.rename(points.name)
    frame = points.copy()
    frame[points.geometry.name] = series
    return frame


def _mask_of(mask: Any, points: Features) -> Any:
    """The area of a mask as one geometry."""
    if is_geo(mask):
        points.require_system(mask.crs, "mask")
        mask = mask.geometry.union_all()
    if not isinstance(mask, shapely.Geometry):
        raise TypeError(
            f"mask is a {type(mask).__name__}; must be a polygon of shapely, a "
            "geopandas.GeoDataFrame or GeoSeries"
        )
    if mask.geom_type not in ("Polygon", "MultiPolygon") or mask.is_empty:
        what = "is empty" if mask.is_empty else f"has a {mask.geom_type}"
        raise ValueError(f"mask {what}; must be polygons with an area")
    if not mask.is_valid:
        raise ValueError(
            f"mask is invalid ({shapely.is_valid_reason(mask)}); shapely.make_valid(mask) mends it"
        )
    return mask


def _box_around(coordinates: np.ndarray) -> tuple[float, ...]:
    """The box of all points, wider on each side by its longer side."""
    if len(coordinates) == 0:
        return (0.0, 0.0, 1.0, 1.0)
    low, high = coordinates.min(axis=0), coordinates.max(axis=0)
    margin = (high - low).max()
    if margin == 0:
        raise ValueError("points has one place only, around which there is no box; mask must tell")
    return (*(low - margin).tolist(), *(high + margin).tolist())


def _cell(coordinates: np.ndarray, box: Iterable[float]) -> float:
    """The length of cells in which the points are told apart: a power of two, so that coordinates
    keep their digits, as fine as the diagram can have it."""
    corners = np.reshape([*box], (2, 2))
    across = np.ptp(np.concatenate([coordinates, corners]), axis=0).max()
    return 2.0 ** math.ceil(math.log2(across / _LARGEST))


def _inside(polygons: np.ndarray, area: Any) -> np.ndarray:
    """What of polygons lies in an area; those inside as they are."""
    shapely.prepare(area)
    cut = ~shapely.contains_properly(area, polygons) & ~shapely.is_empty(polygons)
    polygons[cut] = shapely.intersection(polygons[cut], area)
    for i in np.flatnonzero(shapely.get_type_id(polygons) > shapely.GeometryType.POLYGON):
        parts = shapely.get_parts(polygons[i])  # with lines and points where they only touch
        areas = parts[shapely.get_type_id(parts) == shapely.GeometryType.POLYGON]
        several = len(areas) > 1
        polygons[i] = shapely.MultiPolygon(list(areas)) if several else shapely.Polygon(*areas)
    thin = shapely.get_type_id(polygons) < shapely.GeometryType.POLYGON
    polygons[thin] = shapely.Polygon()
    return polygons


def _tell_same_places(in_cells: np.ndarray) -> None:
    rounded = np.rint(np.ldexp(in_cells, 16))
    again = len(rounded) - len(np.unique(rounded[:, 0] + 1j * rounded[:, 1]))
    if again:
        message = f"{again} of {len(rounded)} points lie where an earlier one does: no polygon"
        tell([("same_place", again, message)])
