# SPDX-License-Identifier: Apache-2.0
"""Nearest sites that are kept up to date while sites come, go and move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .._arguments import tables
from .._arguments.calls import nearest_options
from .._arguments.checks import to_grid
from .._arguments.options import Unpack, collect, described_by, takes
from .._arguments.warnings import tell_of_colours
from .._kinds.outputs import output_names
from .._kinds.points import to_domain
from ..typing import Output
from .site_solver import (
    SiteSolver,
    nodata_of,
    spacing_of_grid,
    to_indices,
    to_kept_points,
    to_site_raster,
    to_values,
)


@described_by(tables.NearestSiteSolverOptions)
class NearestSiteSolver(SiteSolver):
    """Keeps the nearest site of every cell of a raster up to date.

    It is made once, and `outputs` are right from then on. Updates change the sites, any number of
    them before one `solve`. After that every output holds, bit for bit, what a fresh call of
    `nearest_site` (or `voronoi`, for `of_points`) would give, and only the cells whose result
    changed were written.

    Sites are named by their site index: the linear index of a cell (``numpy.ravel_multi_index``),
    or the position in the list of points. Positions never shift: a point that was removed stays in
    the list as an absent one, until `move_sites` brings it back.

    Parameters
    ----------
    sites : array of shape (y, x) or (z, y, x)
        As of `nearest_site`, without a mask; it is copied. Boolean sites have no labels here. A
        DataArray gives spacing and nodata value; outputs are plain arrays.
    outputs, out : optional
        As of `nearest_site`. The arrays belong to the solver: nobody else may write to them.
    options as of `nearest_site`
    device : str, optional
        "cpu", "cuda" or "cuda:1"; arrays lie on the host all the same.

    Attributes
    ----------
    outputs : NearestSite
        Named tuple of the arrays that `solve` keeps right.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`. Updates are checked whole before anything changes.

    Notes
    -----
    A solve of few sites takes time O(log(cells) + cells that can change); where that would be more
    than a fresh call takes, it is a fresh call and one pass over the cells. Memory: 8 bytes a cell
    and a copy of the sites, besides what a fresh call takes. By method "exact". On a CUDA device
    the map stays in its memory, and the outputs are copied to the host after every solve.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> sites = np.zeros((3, 6), np.uint8)
    >>> sites[0, 1], sites[2, 5] = 7, 9
    >>> solver = thiessen.NearestSiteSolver(sites)
    >>> solver.move_sites([1], [0])
    >>> changes = solver.solve()
    >>> solver.outputs.labels
    array([[7, 7, 7, 9, 9, 9],
           [7, 7, 7, 9, 9, 9],
           [7, 7, 7, 9, 9, 9]], dtype=uint8)
    >>> changes.sites
    array([ 0,  1, 17])
    """

    __slots__ = ()

    @takes(tables.NearestSiteSolverOptions)
    def __init__(
        self,
        sites: Any,
        *,
        outputs: Output | Sequence[Output] = ("labels", "distance"),
        **options: Unpack[tables.NearestSiteSolverOptions],
    ) -> None:
        own = collect(type(self).__init__, options, strict=False)
        names = output_names(outputs)
        tell_of_colours("sites", sites)
        cells = to_site_raster(sites, names)
        own = own.but(spacing=spacing_of_grid(own.spacing, names, sites=sites))
        nodata = nodata_of(own.nodata, sites)
        settings = nearest_options("nearest_site", cells.ndim, own.but(nodata=nodata))
        arrays = {"sites": cells}
        self._start("nearest_site", arrays, names, cells.shape, cells.dtype, own, settings)

    @classmethod
    @takes(tables.PointSolverOptions)
    def of_points(
        cls,
        points: Any,
        shape: Iterable[int],
        *,
        outputs: Output | Sequence[Output] = ("labels", "distance"),
        **options: Unpack[tables.PointSolverOptions],
    ) -> NearestSiteSolver:
        """A solver whose sites are points with fractions of a cell.

        Parameters
        ----------
        points : array of shape (n, 2) or (n, 3)
        shape : ints
        outputs : optional
            As of a solver of a raster.
        options as of `voronoi`
            Points and domain are copied.

        Examples
        --------
        >>> import thiessen
        >>> points = [(0.5, 0.25), (1.5, 3.75)]
        >>> solver = thiessen.NearestSiteSolver.of_points(points, (3, 5))
        >>> solver.add_sites([(2, 0)])
        2
        >>> solver.remove_sites([1])
        >>> changes = solver.solve()
        >>> solver.outputs.labels
        array([[1, 1, 1, 1, 1],
               [1, 1, 1, 1, 1],
               [3, 3, 3, 3, 3]], dtype=int32)
        """
        own = collect(cls.of_points, options, strict=False)
        names = output_names(outputs)
        extents = to_grid(shape)
        sites = to_kept_points(points, own.point_labels, len(extents))
        sites.domain = to_domain(own.domain, extents)[1]
        own = own.but(spacing=spacing_of_grid(own.spacing, names, domain=own.domain))
        settings = nearest_options("voronoi", len(extents), own.but(shape=extents))
        self = cls.__new__(cls)
        dtype = sites.label_dtypes[0]
        self._start("voronoi", sites.arrays(), names, extents, dtype, own, settings)
        return self

    def add_sites(self, sites: Any, labels: Any = None) -> int | None:
        """Adds points at the end of the list, or makes cells sites that are none.

        Parameters
        ----------
        sites : array of shape (n, axes), or linear indices of cells
        labels : array of shape (n,)
            For points, if the first ones have labels; for cells always, values that are sites.

        Returns
        -------
        int or None
            The position of the first point.
        """
        own = None if labels is None else to_values("labels", labels, self._label_dtype)
        if not self._is_list and own is None:
            raise TypeError("labels is missing; cells become sites by their values")
        return self._add(sites, own)

    def update_sites(self, cells: Any, values: Any) -> None:
        """Puts new values into cells of a raster, so that sites come, go or get another label."""
        own = to_values("values", values, self._label_dtype)
        self._change("update_sites", cells=to_indices("cells", cells), values=own)

    def update_box(self, first: Iterable[int], values: Any) -> None:
        """The same for the box of cells whose first one is `first`, with the shape of `values`."""
        self._change_box(first, to_values("values", values, self._label_dtype))
