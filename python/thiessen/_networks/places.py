# SPDX-License-Identifier: Apache-2.0
"""Maps and places of calls for ways, as the core takes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arguments.core_options import CoreOptions
from .._arguments.cost_options import map_of
from .._arguments.earth import open_sides
from .._arguments.options import Options
from .._arguments.running import to_strict
from .._arguments.warnings import tell
from .._kinds import is_geo
from .._kinds.costs import ground_options, masked_with, to_heights
from .._kinds.grids import one_grid
from .._kinds.host import Raster, to_array, to_quantities, to_raster
from .._kinds.points import to_coordinates, to_point_labels
from .._kinds.unread import refuse_unread
from .._kinds.xarray import Frame, is_data_array


@dataclass(frozen=True)
class Ground:
    """A map and an elevation on the host."""

    options: CoreOptions
    arrays: dict[str, Any]
    raster: Raster
    """What results are made like."""
    grid: Frame | None
    name: str
    """The argument that has the extents."""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.raster.shape

    @property
    def system(self) -> Any:
        """The coordinate reference system, for geopandas."""
        if self.grid is None or len(self.grid.dims) != 2:
            return None
        from .._kinds.geography import crs_of, wkt_of

        return crs_of(self.grid.array) or wkt_of(self.grid.array) or None


def ground_of(operation: str, options: Options, places: dict[str, Any]) -> Ground:
    """`places` are other arrays, which must lie on the same grid if they are DataArrays."""
    heights = to_heights(options.elevation, options.elevation_nodata)
    what, cost = map_of(options, needed=heights is None)
    refuse_unread(what, cost)
    if cost is None and heights is not None:
        raster, name = heights, "elevation"
    else:
        raster, name = to_quantities(what, cost, options.map_nodata, "map_nodata"), what
    grid = one_grid({what: cost, "elevation": options.elevation, **places})
    own = ground_options(operation, options, raster, heights, grid)
    tell(open_sides(own.get("longitude"), grid, to_strict(options.strict)))
    arrays = {
        what: None if cost is None else raster.for_core(),
        "elevation": None if heights is None else heights.for_core(),
    }
    return Ground(own, arrays, masked_with(raster, heights), grid, name)


@dataclass(frozen=True)
class Places:
    """Where ways begin or end."""

    raster: Any = None
    points: Any = None
    labels: Any = None
    of_labels: Callable[[np.ndarray], np.ndarray] = np.asarray
    """From the core's labels to the caller's."""


def places_of(
    name: str, given: Any, ground: Ground, options: Options, labels: Any = None
) -> Places:
    """Points, a raster of the map's shape, or features of geopandas."""
    refuse_unread(name, given)
    if is_geo(given):
        return _of_features(name, given, ground, options)
    shape = tuple(getattr(given, "shape", np.shape(given)))
    if shape == ground.shape or is_data_array(given):
        return _of_raster(name, given, ground, labels)
    points = to_array(name, given)
    axes = len(ground.shape)
    if points.ndim != 2 or points.shape[1] != axes:
        raise ValueError(
            f"{name} has the shape {points.shape}; must be (n, {axes}) for points, or that of "
            f"{ground.name}, {ground.shape}"
        )
    own = None if labels is None else to_array("point_labels", labels)
    cells, _ = to_point_labels(own, len(points))
    if cells is None:
        return Places(points=to_coordinates(points, axes), of_labels=_positions)
    return Places(points=to_coordinates(points, axes), labels=cells)


def _positions(labels: np.ndarray) -> np.ndarray:
    """The core numbers points from 1."""
    return labels.astype(np.int64) - 1


def _of_raster(name: str, given: Any, ground: Ground, labels: Any) -> Places:
    if labels is not None:
        raise ValueError("point_labels is given; it is for points, not for a raster")
    raster = to_raster(name, given)
    if raster.shape != ground.shape:
        raise ValueError(
            f"{name} has the shape {raster.shape}; must be that of {ground.name}, {ground.shape}"
        )
    cells = raster.for_core()
    nodata = raster.nodata
    if nodata is not None and nodata == nodata:
        cells = np.where(cells == nodata, 0, cells).astype(cells.dtype)
    return Places(raster=cells)


def _of_features(name: str, given: Any, ground: Ground, options: Options) -> Places:
    from .._kinds.geopandas import CellSites, Features, grid_of

    features = Features.of(name, given)
    features.tell_left_out(options.strict)
    grid = None
    if ground.grid is None:
        features.refuse_world(f"{ground.name} tells")
    else:
        grid = grid_of(ground.name, ground.grid.array)
        features.check_system(grid, options.metric, options.spacing is None)
    sites = features.on(grid, ground.shape, options.but(point_labels=None))
    index = np.asarray(features.frame.index)
    if isinstance(sites, CellSites):
        numbers = np.concatenate([[0], sites.kept + 1]).astype(np.int32)
        return Places(
            raster=numbers[sites.numbers], of_labels=lambda labels: index[labels.astype(int) - 1]
        )
    rows = (sites.kept[sites.owners] + 1).astype(np.int32)
    return Places(
        points=np.ascontiguousarray(sites.places, np.float64),
        labels=rows,
        of_labels=lambda labels: index[labels.astype(int) - 1],
    )
