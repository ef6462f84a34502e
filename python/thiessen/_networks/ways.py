# SPDX-License-Identifier: Apache-2.0
"""Ways as lines, and the tables and networks that are made of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from .._polygons import to_world


class LeastCostPaths(NamedTuple):
    """Ways as lines through the centres of their cells: way i has the cells points[i] to
    points[i + 1] - 1. A way that there is not has no cells."""

    lengths: np.ndarray
    """In units of spacing; in metres on the Earth."""
    points: np.ndarray
    cells: np.ndarray
    """(n, axes): the cells from the beginning to the end."""
    cell_costs: np.ndarray
    """(n,): cost of the way from its beginning to each cell."""
    transform: tuple[float, ...] | None = None
    """That of `to_shapely`, of a DataArray with coordinates."""
    crs: Any = None
    """The coordinate reference system of such a DataArray."""

    def to_shapely(self, transform: Iterable[float] | None = None) -> np.ndarray:
        """The ways as lines of shapely, which must be installed, with x before y; empty lines
        where there is no way, and lines of length 0 within one cell. See
        `Polygons.to_shapely`."""
        import shapely

        starts, counts = self.points[:-1], np.diff(self.points)
        rows = np.arange(len(self.cells))
        rows = np.insert(rows, starts[counts == 1], starts[counts == 1])  # a line has two points
        ends = np.concatenate([[0], np.cumsum(np.where(counts == 1, 2, counts))])
        place = _world_of(self.cells[rows], self.transform if transform is None else transform)
        lines = np.full(len(counts), shapely.LineString(), object)
        lines[counts > 0] = shapely.from_ragged_array(
            shapely.GeometryType.LINESTRING, place, (np.unique(ends),)
        )
        return lines


def _world_of(cells: np.ndarray, transform: Any) -> np.ndarray:
    if cells.shape[1] == 2:
        return to_world(cells, transform)
    return cells[:, ::-1].astype(np.float64)


class CostTable(NamedTuple):
    """The costs of ways from origins to destinations."""

    origins: np.ndarray
    """Labels of a raster, ascending; of points their positions; of a frame its index."""
    destinations: np.ndarray
    """The same."""
    costs: np.ndarray
    """(origins, destinations); with `pairs` one for each of them. inf where there is no way."""
    paths: LeastCostPaths | None = None
    """The ways, row by row of the table, if they were asked for."""

    def to_pandas(self) -> Any:
        """A table of pandas, which must be installed, with origins for rows and destinations for
        columns; of pairs NumPy's arrays are enough."""
        import pandas

        if self.costs.ndim != 2:
            raise ValueError("costs are those of pairs; must be those of all origins")
        return pandas.DataFrame(self.costs, index=self.origins, columns=self.destinations)


class LeastCostNetwork(NamedTuple):
    """The edges between neighbouring places, ascending by a, then by b."""

    labels: np.ndarray
    """The nodes, which are all places. Labels are as in `CostTable`."""
    a: np.ndarray
    """The place where the edge begins, the one with the lesser label."""
    b: np.ndarray
    costs: np.ndarray
    in_tree: np.ndarray
    """bool: whether it is in the minimum spanning tree."""
    paths: LeastCostPaths

    def to_shapely(self, transform: Iterable[float] | None = None) -> np.ndarray:
        """The edges as lines of shapely; see `LeastCostPaths.to_shapely`."""
        return self.paths.to_shapely(transform)

    def to_geopandas(self) -> Any:
        """The edges as a geopandas.GeoDataFrame with the columns a, b, cost, length, in_tree."""
        import geopandas

        columns = {
            "a": self.a,
            "b": self.b,
            "cost": self.costs,
            "length": self.paths.lengths,
            "in_tree": self.in_tree,
        }
        return geopandas.GeoDataFrame(columns, geometry=self.to_shapely(), crs=self.paths.crs)


class Corridor(NamedTuple):
    """How good the ways over each cell are."""

    excess_cost: Any
    """What the best way over the cell costs more than the best way of all: 0 on that way, inf in
    cells that are not reached, NaN in nodata cells. As the map is: plain, masked or a DataArray."""
    inside: Any
    """uint8, 1 in the cells that within or within_percent allow; None if neither is given."""
    least_cost: float
    """The cost of the best way; inf if there is none."""
