# SPDX-License-Identifier: Apache-2.0
"""Statistics of regions that are kept up to date while cells change."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._arguments import tables
from .._arguments.core_options import CoreOptions, core_options
from .._arguments.options import Unpack, collect, takes
from .._kinds.host import is_native, to_array
from .._statistics import Adjacency, SiteStatistics, to_statistics
from ..typing import AreaConnectivity
from .site_solver import to_indices, to_values


class RegionStatistics:
    """Keeps the tables of `site_statistics` and `adjacency` right while cells change.

    After `update` the tables are, bit for bit, what fresh calls would give, if all cells were named
    whose label, field or distance is another one. Those that a solver changed are its
    `changed_cells`; cells of the map are the caller's to name. `changes` tells which regions may
    have other rows, and which pairs of regions touch since then, or no longer.

    Parameters
    ----------
    labels : ndarray of shape (y, x) or (z, y, x)
        Such as the labels of a solver. The array is read again by `update`, so that it must be one
        that needs no copy: native byte order, aligned, a boolean, integer, float32 or float64
        dtype.
    field, distance : ndarray of the same shape, optional
        As of `site_statistics`; read again, too.
    connectivity : {4, 8} in 2-D, {6, 18, 26} in 3-D, optional
        Which cells touch; by default cells that share a face.
    spacing, background, nodata, threads
        As of `site_statistics`.

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    An update takes O(cells named); a table O(rows · log rows), and the cells of the boxes of
    regions that lost a cell at the edge of their box, or one with their greatest distance. Memory:
    4 bytes a cell, the bytes of a cell of the fields, and some hundred bytes for each label and
    pair.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> stiffness = np.ones((3, 6), np.float32)
    >>> solver = thiessen.CostSolver(
    ...     stiffness=stiffness, points=[(1, 0), (1, 5)], connectivity=4
    ... )
    >>> labels = solver.outputs.labels
    >>> regions = thiessen.RegionStatistics(labels, field=stiffness)
    >>> regions.statistics().mass
    array([9., 9.])
    >>> stiffness[:, 3] = 0
    >>> solver.update_box((0, 3), stiffness[:, 3:4])
    >>> changes = solver.solve()
    >>> cut = np.ravel_multi_index((range(3), [3] * 3), labels.shape)
    >>> regions.update(cut)
    >>> regions.update(solver.changed_cells().cell)
    >>> changes = regions.changes()
    >>> changes.labels
    array([2], dtype=int32)
    >>> regions.statistics(changes.labels).mass
    array([6.])
    >>> changes.went_a, changes.went_b
    (array([1], dtype=int32), array([2], dtype=int32))
    """

    __slots__ = ("_distance", "_dtype", "_field", "_rank", "_regions")

    @takes(tables.LiveRegionOptions)
    def __init__(
        self,
        labels: Any,
        *,
        field: Any = None,
        distance: Any = None,
        connectivity: AreaConnectivity | None = None,
        **options: Unpack[tables.LiveRegionOptions],
    ) -> None:
        own = collect(type(self).__init__, options)
        cells = _live("labels", labels)
        self._dtype = cells.dtype
        self._rank = cells.ndim
        self._field = None if field is None else _live("field", field)
        self._distance = None if distance is None else _live("distance", distance)
        own = own.but(connectivity=connectivity)
        settings = core_options("region_statistics", own, cells.ndim, device="cpu")
        arrays = {"labels": cells, "field": self._field, "distance": self._distance}
        self._regions = _core.Solver("region_statistics", arrays, {}, settings)

    def update(self, cells: Any) -> None:
        """Read cells again.

        Parameters
        ----------
        cells : array of integers
            Linear indices. Naming one twice, or one that did not change, does no harm.

        Raises
        ------
        ValueError
            For an index beyond the raster, or a field that is not finite; then nothing has changed.
        """
        self._run("update_regions", cells=to_indices("cells", cells))

    def changes(self) -> RegionChanges:
        """What all updates since the last `changes` have changed. It also forgets what is gone."""
        return RegionChanges(**self._run("region_changes"))

    def statistics(self, labels: Any = None) -> SiteStatistics:
        """The table of all labels, or the rows of some: ascending, only of labels with cells."""
        columns = self._run("region_table", labels=self._wanted(labels))
        return to_statistics(columns, self._rank, self._field, self._distance)

    def adjacency(self, labels: Any = None) -> Adjacency:
        """The table of all pairs, or of the pairs that contain one or two of some labels."""
        return Adjacency(**self._run("region_adjacency", labels=self._wanted(labels)))

    def bytes(self) -> int:
        """Bytes of memory that the object holds."""
        return int(self._run("solver_bytes")["bytes"])

    def _run(self, operation: str, **arrays: Any) -> Any:
        return self._regions.run(operation, arrays, CoreOptions())[0]

    def _wanted(self, labels: Any) -> np.ndarray | None:
        return None if labels is None else np.atleast_1d(to_values("labels", labels, self._dtype))


class RegionChanges(NamedTuple):
    """What updates of a `RegionStatistics` have changed."""

    labels: np.ndarray
    """Labels, ascending, whose row may be another one, or that have no cells any more."""
    came_a: np.ndarray
    """Lesser label of each pair that touches now and did not before, in the order of a table."""
    came_b: np.ndarray
    """Greater label of each such pair."""
    went_a: np.ndarray
    """Lesser label of each pair that touched before and does not now."""
    went_b: np.ndarray
    """Greater label of each such pair."""


def _live(name: str, value: Any) -> np.ndarray:
    """An array that the core reads in place."""
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{name} is a {type(value).__name__}; must be a NumPy array")
    array = to_array(name, value)
    if not is_native(array):
        raise TypeError(
            f"{name} has the dtype {array.dtype.str} and would have to be copied; must be an array "
            "that can be read in place: native byte order, aligned, integers, float32 or float64"
        )
    return array
