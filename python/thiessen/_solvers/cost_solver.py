# SPDX-License-Identifier: Apache-2.0
"""Least costs that are kept up to date while the map and the sites change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .._arguments import tables
from .._arguments.checks import is_held, to_place
from .._arguments.core_options import CoreOptions
from .._arguments.cost_options import (
    check_sites,
    cost_options,
    map_of,
    to_blocked_faces,
    to_cost_map,
    to_costs,
)
from .._arguments.options import Unpack, collect, described_by, takes
from .._arguments.warnings import tell_of_colours
from .._kinds.host import to_array, to_cells
from .._kinds.outputs import COST_OUTPUTS, output_names
from .._kinds.points import Sites
from .._kinds.xarray import is_data_array
from ..typing import CostOutput
from .site_solver import (
    SiteSolver,
    nodata_of,
    to_indices,
    to_kept_points,
    to_site_raster,
    to_values,
)


@described_by(tables.CostSolverOptions)
class CostSolver(SiteSolver):
    """Keeps costs, labels and back links over a map up to date.

    It is made once, and `outputs` are right from then on. Updates change the map and the sites, any
    number of them before one `solve`. After that every output holds, bit for bit, what a fresh call
    of `cost_distance` would give, and only the cells whose result changed were written.

    Sites are named by their site index: the linear index of a cell (``numpy.ravel_multi_index``),
    or the position in the list of points. Positions never shift: a point that was removed stays in
    the list as an absent one, until `move_sites` brings it back.

    Parameters
    ----------
    sites : array of the shape of the map, optional
        As of `cost_distance`; copied. Boolean sites have no labels here.
    cost, stiffness : array of shape (y, x) or (z, y, x)
        One of the two: a map as of `cost_distance`, without a mask; it is copied. A DataArray gives
        spacing, nodata value and scale; outputs are plain arrays.
    points : array of shape (n, 2) or (n, 3), in place of `sites`
    options as of `cost_distance`
    outputs, out : optional
        As of `cost_distance`. The arrays belong to the solver: nobody else may write to them.
    device : str, optional
        "cpu", "cuda" or "cuda:1"; arrays lie on the host all the same.

    Attributes
    ----------
    outputs : NearestSite
        Named tuple of the arrays that `solve` keeps right.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `cost_distance`. Updates are checked whole before anything changes.

    Notes
    -----
    A solve takes some tenths of a microsecond for each cell whose answer changes. Where many
    change it is a fresh call and one pass over the cells. Memory for float32: 17 bytes a cell, 25
    once the answer was made anew; with back links 8 and 16 more. On a CUDA device about 34 bytes a
    cell; with back links, 4 more, answers are made anew there.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> stiffness = np.ones((3, 5), np.float32)
    >>> sites = np.zeros((3, 5), np.uint8)
    >>> sites[1, 0], sites[1, 4] = 7, 9
    >>> solver = thiessen.CostSolver(sites, stiffness=stiffness, connectivity=4)
    >>> solver.update_box((0, 1), np.zeros((3, 1)))
    >>> changes = solver.solve()
    >>> solver.outputs.labels
    array([[7, 0, 9, 9, 9],
           [7, 0, 9, 9, 9],
           [7, 0, 9, 9, 9]], dtype=uint8)
    >>> changes.sites
    array([5, 9])
    """

    __slots__ = ("_map_dtype",)

    @takes(tables.CostSolverOptions)
    def __init__(
        self,
        sites: Any = None,
        *,
        outputs: CostOutput | Sequence[CostOutput] = ("labels", "distance"),
        **options: Unpack[tables.CostSolverOptions],
    ) -> None:
        own = collect(type(self).__init__, options)
        what, map = map_of(own)
        tell_of_colours(what, map)
        if not is_data_array(map):
            own = own.but(**{what: to_array(what, map)})
        costs = own.initial_cost
        own_map, own = to_cost_map(
            own,
            sites=sites,
            initial_cost=None if sites is None else costs,
            blocked_faces=own.blocked_faces,
        )
        cells = own_map.cells
        check_sites(sites, own)
        names = output_names(outputs, COST_OUTPUTS)
        self._map_dtype = cells.dtype
        if sites is None:
            given = to_kept_points(own.points, own.point_labels, cells.ndim)
        else:
            raster = to_site_raster(sites, names)
            given = Sites((raster.dtype, raster.dtype), cells=raster)
            own = own.but(site_nodata=nodata_of(own.site_nodata, sites))
        label_dtype = given.label_dtypes[0]
        costs = None if costs is None else to_costs("initial_cost", costs)
        if own.nodata_label is None and own_map.own_nodata is not None:
            held = is_held(own_map.own_nodata, label_dtype)
            own = own.but(nodata_label=own_map.own_nodata if held else own.unreached)
        settings = cost_options("cost_distance", cells.ndim, own, own_map.nodata)
        blocked = to_blocked_faces(own.blocked_faces, cells.shape)
        arrays = {
            what: cells,
            **given.arrays(),
            "initial_cost": costs,
            "blocked_faces": None if blocked is None else blocked.for_core(),
        }
        self._start("cost_distance", arrays, names, cells.shape, label_dtype, own, settings)

    def update_map(self, cells: Any, values: Any) -> None:
        """Puts new values into cells of the map.

        Parameters
        ----------
        cells : linear indices
        values : array of shape (n,)
            The last value of a cell that is named twice stays.
        """
        changed = to_indices("cells", cells)
        self._change("update_map", cells=changed, values=self._map_values(values))

    def update_box(self, first: Iterable[int], values: Any) -> None:
        """The same for the box of cells whose first one is `first`, with the shape of `values`."""
        self._change_box(first, self._map_values(values))

    def update_blocked_faces(self, first: Iterable[int], blocked_faces: Any) -> None:
        """Puts new blocked faces into the box of cells whose first one is `first`.

        Parameters
        ----------
        first : ints
        blocked_faces : array of uint8 of the shape of the box, or tuple of boolean arrays
            The faces towards the next cells that nothing crosses: 1 along x, 2 along y, 4 along z,
            added up; 0 opens them. A tuple has an array of the shape of the box for each axis in
            array order, or None. On the CPU.
        """
        given = blocked_faces if isinstance(blocked_faces, tuple) else ()
        shape = next((np.shape(each) for each in given if each is not None), ())
        faces = to_blocked_faces(blocked_faces, shape)
        if faces is None:
            raise ValueError("blocked_faces is None; must be new faces of the box")
        options = CoreOptions(first=to_place("first", first))
        self._solver.run("update_blocked_faces", {"blocked_faces": faces.for_core()}, options)

    def add_sites(self, sites: Any, labels: Any = None, initial_cost: Any = None) -> int | None:
        """Adds points at the end of the list, or makes cells sites that are none.

        Parameters
        ----------
        sites : array of shape (n, axes), or linear indices of cells
        labels : array of shape (n,)
            For points, if the first ones have labels; for cells, values that are sites, unless the
            raster is boolean.
        initial_cost : array of shape (n,), optional

        Returns
        -------
        int or None
            The position of the first point.
        """
        own = None if labels is None else to_values("labels", labels, self._label_dtype)
        costs = None if initial_cost is None else to_costs("initial_cost", initial_cost)
        return self._add(sites, own, initial_cost=costs)

    def set_initial_cost(self, sites: Any, costs: Any) -> None:
        """Sets what paths from some sites start with."""
        own = to_costs("costs", costs)
        self._change("set_initial_cost", sites=to_indices("sites", sites), initial_cost=own)

    def _map_values(self, values: Any) -> np.ndarray:
        """Values of the map's dtype; floats are rounded to it."""
        given = to_array("values", values)
        if self._map_dtype.kind == "f" and given.dtype.kind in "biuf":
            return to_cells("values", given.astype(self._map_dtype, copy=False))
        return to_values("values", given, self._map_dtype)
