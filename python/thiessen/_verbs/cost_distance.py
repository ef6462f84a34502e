# SPDX-License-Identifier: Apache-2.0
"""Nearest sites by least cost over a map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, overload

import numpy as np

from .._arguments.options import Unpack, collect, takes
from .._arguments.tables import CostDistanceOptions
from .._kinds import call
from .._kinds.outputs import NearestSite, OneOfCosts
from ..typing import CostOutput, Several

Own = TypeVar("Own")
Kind = TypeVar("Kind", np.ndarray, np.ma.MaskedArray)
"""An array of NumPy: one with a mask has results with a mask."""


@overload
def cost_distance(
    sites: Any = None,
    *,
    cost: None = None,
    stiffness: None = None,
    outputs: CostOutput | Several[CostOutput] = ...,
    **options: Unpack[CostDistanceOptions],
) -> NearestSite[Any, Any]: ...
@overload
def cost_distance(
    sites: Any = None,
    *,
    cost: Kind | None = None,
    stiffness: Kind | None = None,
    outputs: OneOfCosts = ...,
    **options: Unpack[CostDistanceOptions],
) -> NearestSite[OneOfCosts, Kind]: ...
@overload
def cost_distance(
    sites: Any = None,
    *,
    cost: Kind | None = None,
    stiffness: Kind | None = None,
    outputs: Several[CostOutput],
    **options: Unpack[CostDistanceOptions],
) -> NearestSite[Any, Kind]: ...
@overload
def cost_distance(
    sites: Any = None,
    *,
    cost: Sequence[Any] | None = None,
    stiffness: Sequence[Any] | None = None,
    outputs: CostOutput | Several[CostOutput] = ...,
    **options: Unpack[CostDistanceOptions],
) -> NearestSite[Any, np.ndarray]: ...
@overload
def cost_distance(
    sites: Any = None,
    *,
    cost: Own | None = None,
    stiffness: Own | None = None,
    outputs: OneOfCosts = ...,
    **options: Unpack[CostDistanceOptions],
) -> NearestSite[OneOfCosts, Own]: ...
@overload
def cost_distance(
    sites: Any = None,
    *,
    cost: Own | None = None,
    stiffness: Own | None = None,
    outputs: Several[CostOutput],
    **options: Unpack[CostDistanceOptions],
) -> NearestSite[Any, Own]: ...
@takes(CostDistanceOptions, "cost_distance")
def cost_distance(
    sites: Any = None,
    *,
    cost: Any = None,
    stiffness: Any = None,
    outputs: CostOutput | Sequence[CostOutput] = ("labels", "distance"),
    **options: Unpack[CostDistanceOptions],
) -> NearestSite[Any, Any]:
    """Least-cost distance of every cell of a map, and the site from which it is reached.

    Parameters
    ----------
    sites : array of the shape of the map, or geopandas.GeoDataFrame or GeoSeries
        As of `nearest_site`; features as of `allocate`, on the map's grid. Or None, if `points` are
        given.
    cost, stiffness : array of shape (y, x) or (z, y, x)
        The map, by the name of its meaning; one of the two. A step from p to its neighbour q costs
        ``|p-q| * (C_p + C_q) / 2`` by a cost, or ``2 * |p-q| / (W_p + W_q)`` by a stiffness.
        Friction rasters are costs. Barriers are cost inf, stiffness 0, NaN and nodata. With an
        elevation the map may be missing, which means all ones.
        The map holds integers or floats: a masked array (its mask is nodata), an xarray.DataArray,
        or anything with ``__array__``. An array in CUDA memory (CuPy, PyTorch, Numba, JAX, ...)
        stays there: see the notes. DataArrays must lie on one grid. Scale and offset in their
        attributes apply to quantities, and nodata values are compared with the cells before.
    outputs : names of "labels", "distance", "site_index", "back_link", "direction"
        back_link, uint8, is the neighbour that comes next on a least-cost path back, numbered in
        ascending linear index from 1: see `least_cost_path`. It is 0 at the site, 254 unreached and
        255 nodata. It leads to a cell that lies fewer steps from the site, by the shortest step.
        direction, float32, is the compass direction in degrees in which the way back leaves the
        cell, as in `nearest_site`: that of the back link; with method="eikonal" any direction, see
        `least_cost_line`. In 2-D, on the CPU.
        "other_labels", "other_distance" and "other_site_index" describe the nearest site of another
        label, as in `nearest_site`; on the CPU.
    points : array of shape (n, 2) as (y, x), or (n, 3) as (z, y, x), optional
        Sites in the cells in which the points lie, instead of a raster of sites. A cell includes
        its left and upper edge and excludes the other two: (0.5, 0) lies in cell [1, 0].
    point_labels : array of shape (n,), optional
        Labels of the points; default: 1, 2, ... Features have a column, or one a row.
    initial_cost : array of the shape of the sites, or one per point, optional
        Cost with which a path starts; read at sites only. For features it may be a column or one
        number a row, like their labels.
    k : int, optional
        Every cell gets its k nearest sites, from 1 to 1024: those with the least (cost, site
        index), where the cost of a site is that of a call with this site alone. labels, distance
        and site_index then have one more axis in front, of length k; there are no other outputs.
        Places without a site have the unreached values. Method "exact" on the CPU, in O(cells * k *
        log(cells)) time and about 8 * k bytes a cell.
    connectivity : {4, 8, 16} in 2-D, {6, 18, 26} in 3-D, optional
        Neighbours of a cell; default: 8, in 3-D 26. 16 are 8 and the knight's moves.
    spacing : float or one per axis, optional
        World length of one cell, in array order; default: 1, or the steps of a DataArray's
        coordinates.
    map_nodata : number, optional
        Cells of the map with this value lie outside of the domain. Default: none, or the nodata
        value in the metadata of a DataArray.
    nodata_label : number, optional
        Label of the cells outside of the domain. Default: map_nodata if a label can have this
        value, else `unreached`.
    values, zero_is_site
        As of `nearest_site`.
    elevation : array of shape (y, x), optional
        Elevation of every cell in metres, on the host: steps are walked. `walk` gives their
        seconds. The map multiplies them or adds to them (`walk_map`). The spacing is in metres. NaN
        is a barrier. On the CPU.
    elevation_nodata : number, optional
        Cells of this elevation lie outside of the domain. Default: none, or the nodata value in the
        metadata of a DataArray.
    walk : {"tobler", "langmuir", "surface", "table"}, optional
        How fast one walks; ``slope`` is rise over length, and negative downhill. Default: "tobler",
        ``length * 0.6 * exp(3.5 * abs(slope + 0.05))`` seconds. "langmuir" is the rule of GRASS
        r.walk: ``0.72 * length``, 6 s more for each metre up, and 1.9998 s less for each metre
        down, or more where the slope is below -0.2125. "surface" is the length along the ground,
        ``sqrt(length**2 + rise**2)`` metres in the place of seconds. "table" is that length times a
        factor of the slope.
    walk_slopes, walk_factors : sequence of float, optional
        The table of walk="table": slopes in ascending order and the factor of each, >= 0, linear
        in between. A step with a slope beyond the first or last one does not pass.
    walk_direction : {"from-site", "to-site"}, optional
        Whether one walks from the site to the cell, the default, or from the cell to the site.
    walk_map : {"multiplies", "adds"}, optional
        "multiplies", the default: seconds take the place of ``|p-q|``, so the map says how many
        times as long (``cost=``), or as fast (``stiffness=``), one walks. "adds": a step costs its
        seconds, plus its cost by the map without an elevation.
    blocked_faces : array of uint8 of the shape of the map, or tuple of boolean arrays, optional
        Faces between cells that nothing crosses: cuts that cost no cell, and walls thinner than a
        cell. A tuple has an array, or None, for each axis in array order: True at a cell blocks its
        face towards the next cell along that axis. Such an array has the shape of the map, and the
        last cells along the axis are not read, or it is one shorter along the axis. In an array of
        uint8, bit 0 blocks the face along x, bit 1 along y, bit 2 along z. A diagonal or knight's
        step passes if there is a way between its cells across open faces, in the smallest box
        around the two. On the host, on the CPU.
    earth : Earth, optional
        Places of the cells on the Earth, for its metrics; longitudes have even steps. Default: the
        coordinates of a DataArray.
    out : mapping of names to arrays, arrays in the order of outputs, or the array of the only one
        As of `nearest_site`.
    device, threads, progress
        As of `nearest_site`.
    strict : bool, optional
        Every `ThiessenWarning` is an error. One of them is a site on a barrier or a point outside
        of the map, which is otherwise ignored.

    Returns
    -------
    NearestSite
        Named tuple of the outputs, each as the map is: plain, masked, a DataArray, or in CUDA
        memory, of the map's library. Unreached cells have the distance inf and the site index -1,
        nodata cells NaN and -2.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`; an illegal cell of the map is named.

    Notes
    -----
    Labels are decided on the final costs. If a cell is reached from several sites by steps that add
    up to its cost exactly, the first of these sites counts. All methods, devices and numbers of
    threads therefore give the same bits. ``method="eikonal"`` has other costs, the same on any
    number of threads: fronts run in any direction, so that there is no star of 8 directions; on the
    CPU, see docs/eikonal.md.

    Time of "exact" O(cells) on smooth maps with many sites, more where paths wind; scratch memory
    5 to 13 bytes a cell in 2-D and float32, 8 more with back links.

    With a map in CUDA memory the work goes on the current stream of its library, and the results
    lie there. The call waits, because it must report the sites that it ignored. Sites, points with
    their labels and initial costs may lie there or on the host. Points are copied to the host, and
    so are sites that are many or have initial costs. Arrays in CUDA memory must be on the map's
    device and stream. `out` must be in CUDA memory too. With a map on the host everything must be
    there.

    A map of Dask: results are lazy, with slabs for chunks. A path may wind through the slabs, and
    only following it shows how often. This call therefore finds costs and sites itself, in rounds
    of tasks. The known state of the cells stays with the scheduler. docs/dask.md has the details.

    Source: J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled distance planes using
    CUDA" (2013). Walks: W. Tobler, "Three presentations on geographical analysis and modeling"
    (1993); E. Langmuir, "Mountaincraft and leadership" (1984). Eikonal: E. Rouy, A. Tourin, "A
    viscosity solutions approach to shape-from-shading" (1992); J. Sethian, "Fast marching methods"
    (1999).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> stiffness = np.array([[1, 1, 1, 0, 1], [1, 4, 1, 0, 1], [1, 4, 4, 4, 1]], np.float32)
    >>> sites = np.zeros((3, 5), np.uint8)
    >>> sites[0, 0], sites[0, 4] = 7, 9
    >>> result = thiessen.cost_distance(sites, stiffness=stiffness, connectivity=4)
    >>> result.labels
    array([[7, 7, 7, 0, 9],
           [7, 7, 7, 0, 9],
           [7, 7, 7, 7, 9]], dtype=uint8)
    >>> thiessen.cost_distance(sites, stiffness=stiffness, connectivity=4, k=2).labels[1]
    array([[9, 9, 9, 0, 7],
           [9, 9, 9, 0, 7],
           [9, 9, 9, 9, 7]], dtype=uint8)
    >>> result.distance[2]
    array([2.  , 1.65, 1.9 , 2.15, 2.  ], dtype=float32)

    Up a hill of 30 m and down again, by cells of 100 m, in seconds:

    >>> hill = np.array([[0, 10, 30, 20, 0]], np.float32)
    >>> walked = thiessen.cost_distance(
    ...     points=[(0, 0)], elevation=hill, spacing=100, outputs="distance"
    ... )
    >>> walked.distance.round(1)
    array([[  0. , 101.4, 245.4, 316.8, 418.3]], dtype=float32)

    Round a cut between the first two rows:

    >>> cut = np.array([[True, True, False]])
    >>> thiessen.cost_distance(
    ...     points=[(0, 0)],
    ...     cost=np.ones((2, 3)),
    ...     blocked_faces=(cut, None),
    ...     connectivity=4,
    ...     outputs="distance",
    ... ).distance
    array([[0., 1., 2.],
           [5., 4., 3.]], dtype=float32)
    """
    own = collect(cost_distance, options, outputs=outputs, cost=cost, stiffness=stiffness)
    return call("cost_distance", sites, own, cost, stiffness)
