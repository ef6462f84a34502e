# SPDX-License-Identifier: Apache-2.0
"""Nearest points, or features of geopandas, of every cell of a grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, overload

import numpy as np

from .._arguments.core_options import CoreOptions, run
from .._arguments.options import Unpack, collect, takes
from .._arguments.tables import AllocateOptions, VoronoiOptions
from .._kinds import call, is_geo, module_of
from .._kinds.host import to_array
from .._kinds.outputs import NearestSite, One
from .._kinds.unread import refuse_unread
from .._kinds.xarray import is_data_array
from ..typing import HostArray, Output, Several

Own = TypeVar("Own")


@overload
def voronoi(
    points: HostArray,
    shape: Iterable[int],
    *,
    outputs: One = ...,
    **options: Unpack[VoronoiOptions],
) -> NearestSite[One, np.ndarray]: ...
@overload
def voronoi(
    points: HostArray,
    shape: Iterable[int],
    *,
    outputs: Several[Output],
    **options: Unpack[VoronoiOptions],
) -> NearestSite[Any, np.ndarray]: ...
@overload
def voronoi(
    points: Own, shape: Iterable[int], *, outputs: One = ..., **options: Unpack[VoronoiOptions]
) -> NearestSite[One, Own]: ...
@overload
def voronoi(
    points: Own,
    shape: Iterable[int],
    *,
    outputs: Several[Output],
    **options: Unpack[VoronoiOptions],
) -> NearestSite[Any, Own]: ...
@takes(VoronoiOptions)
def voronoi(
    points: Any,
    shape: Iterable[int],
    *,
    outputs: Output | Sequence[Output] = ("labels", "distance"),
    **options: Unpack[VoronoiOptions],
) -> NearestSite[Any, Any]:
    """Nearest point of every cell of a grid: a raster Voronoi diagram of points.

    Parameters
    ----------
    points : array of shape (n, 2) as (y, x), or (n, 3) as (z, y, x)
        Coordinates in cells, where the centre of the first cell is 0: the point (2, 3) lies at the
        centre of cell [2, 3]. They are rounded half to even to 2**-16 of a cell. Points outside of
        the grid count. Coordinates are finite, and at most 2**31 cells away.
        float32 or float64 in CUDA memory stay there, as the sites of `nearest_site` do, and
        `synchronize` raises errors about them. Tensors of PyTorch give tensors, whose distances
        have a gradient if the points require one. Arrays of Dask, or a domain of Dask, give lazy
        results. `out` with paths gives files. A GeoDataFrame or GeoSeries of geopandas may have
        lines and areas, which stand for cells: see `allocate`.
    shape : sequence of int, or xarray.DataArray
        Extents of the grid, (y, x) or (z, y, x). For features of geopandas give the grid itself, in
        whose coordinates they are. With extents alone, their coordinates are cells, x along
        columns.
    point_labels : array of shape (n,), or str, optional
        Labels of the points, integers or floats, or the column of a frame; default: 1, 2, ... as
        int32.
    weights : array of shape (n,), or str, optional
        Weights of the points, integers or floats, or the column of a frame, also for lines and
        areas. Each number counts as it is typed. For points on the host.
    weighting : str, optional
        How weights enter: each cell goes to the point with the least key. "power": the squared
        distance minus w. "additive": the distance minus w. "multiplicative": the distance divided
        by w > 0. With k and ties_unreached, order and ties go by the key. docs/weights.md has
        pictures.
    metrics : array of shape (n, axes, axes), optional
        A matrix M of each point, which then measures squared distances as dᵀMd, of the way d in
        units of the spacing: symmetric and positive definite, each entry as it is typed. The axes
        of the ellipses dᵀMd = 1 may be at most 50,000 times as long as each other, in cells.
        `ellipse_metrics` makes them. Goes with weights of "power". For points on the host.
    outputs : names of outputs
        As of `nearest_site`, and with weights or metrics weighted_distance, the key. squared and
        offset exist only if all points lie at centres of cells. site_index is the position in the
        list, or in the frame.
    options as of `nearest_site`
    domain : array of the shape of the grid, optional
        Booleans or integers. Cells where it is False or 0 (or masked, or nodata by the metadata of
        a DataArray) are nodata in every output, but points there count. It lies in CUDA memory if
        the points do. Default: all cells. A DataArray gives the spacing, and results are
        DataArrays.
    nodata_label : number, optional
        Label of the cells outside of the domain; default: -1 where the points are numbered.
    strict : bool, optional
        Raise an error instead of a `ThiessenWarning`: no point, all outside of the grid, points at
        one place, labels that are `unreached`. Points in CUDA memory are not checked.

    Returns
    -------
    NearestSite
        Named tuple of the outputs, as `nearest_site` returns it.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`; a coordinate that is not finite is named with its point.

    Notes
    -----
    The nearer of two points wins, and at equal distance or key the point that comes first in the
    list. Distances are exact distances to the rounded points, and keys are compared exactly.

    If all points lie on centres of cells of the grid and have no weights, no axis is periodic and
    the metric is not chessboard, the time is O(cells + n), as of `nearest_site`, with 5 bytes of
    scratch a cell. Otherwise tiles of cells hand lists of candidates down to their halves. This
    takes O(n log(n) + cells) if points are spread out. Points on a circle cost O(n) in the few
    cells near its centre. Scratch: about 70 bytes a point, and 24 more for a weight.

    Source: as of `nearest_site`; docs/methods.md has the proof for candidates.

    Examples
    --------
    >>> import thiessen
    >>> thiessen.voronoi([(0.5, 0.25), (1.5, 3.75)], shape=(3, 5)).labels
    array([[1, 1, 1, 2, 2],
           [1, 1, 1, 2, 2],
           [1, 1, 2, 2, 2]], dtype=int32)
    """
    own = collect(voronoi, options, shape=shape, outputs=outputs)
    return call("voronoi", points, own, points, own.domain)


def ellipse_metrics(
    radii: Any, *, directions: Any = None, azimuths: Any = None
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Metrics for `voronoi` of points that measure by ellipses or ellipsoids: cities that grow
    along a valley, grains of a metal. A point measures 1 on its ellipse.

    Parameters
    ----------
    radii : array of shape (n, axes)
        Half axes of the ellipses, from 1e-9 to 1e9 units of the spacing.
    directions : array of shape (n, axes, axes), optional
        The direction of each half axis, (y, x) or (z, y, x): vectors of the length 1 at right
        angles, to within 1e-6, such as the columns of a rotation. Default: the axes of the grid.
    azimuths : array of shape (n,), optional
        In 2-D, in place of `directions`: where the first half axis points, in degrees clockwise
        from the direction towards row 0.

    Returns
    -------
    array of shape (n, axes, axes)
        Each matrix is rounded once, to 9 digits after the first one of its greatest entry, or more
        where the longest half axis would lose digits.

    Raises
    ------
    ValueError, TypeError

    Notes
    -----
    A half axis of the length r along the unit vector u adds uuᵀ / r² to the matrix. Time O(n).

    Examples
    --------
    >>> import thiessen
    >>> wide = thiessen.ellipse_metrics([(2, 1), (1, 1)], azimuths=[90, 0])
    >>> wide[0]
    array([[1.  , 0.  ],
           [0.  , 0.25]])
    >>> thiessen.voronoi([(0, 0), (0, 6)], (1, 7), metrics=wide).labels
    array([[1, 1, 1, 1, 1, 2, 2]], dtype=int32)
    """
    lengths = _as_typed("radii", radii)
    given = {"radii": lengths}
    if azimuths is not None:
        if directions is not None:
            raise TypeError("azimuths and directions are given; must be one of them")
        turns = np.radians(_as_typed("azimuths", azimuths))
        if lengths.ndim != 2 or lengths.shape[1] != 2 or turns.shape != lengths.shape[:1]:
            raise ValueError(
                f"azimuths has the shape {turns.shape}, and radii {lengths.shape}; must be (n,) "
                "and (n, 2)"
            )
        if not np.isfinite(turns).all():
            first = int(np.argmin(np.isfinite(turns)))
            raise ValueError(f"azimuths[{first}] = {azimuths[first]}; must be finite")
        sines, cosines = np.sin(turns), np.cos(turns)
        given["directions"] = np.stack([-cosines, sines, sines, cosines], -1).reshape(-1, 2, 2)
    elif directions is not None:
        given["directions"] = _as_typed("directions", directions)
    metrics: np.ndarray = run("ellipse_metrics", given, CoreOptions())[0]["metrics"]
    return metrics


def _as_typed(name: str, numbers: Any) -> np.ndarray:
    """float64 numbers, of which narrow floats are read as they are typed."""
    given = to_array(name, numbers)
    if given.dtype.kind == "f" and given.dtype.itemsize < 8:
        given = given.astype(str)
    return np.ascontiguousarray(given, np.float64)


@takes(AllocateOptions)
def allocate(
    points: Any,
    like: Any,
    *,
    point_labels: Any = None,
    outputs: Output | Sequence[Output] = ("labels", "distance"),
    **options: Unpack[AllocateOptions],
) -> NearestSite[Any, Any]:
    """Nearest feature of every cell of a map: `voronoi` of a GeoDataFrame on the grid of a
    DataArray.

    Parameters
    ----------
    points : geopandas.GeoDataFrame or GeoSeries
        Features, in the coordinate reference system of the grid; a third coordinate is ignored.
        Points alone are exact, and points outside of the grid count.
        With lines or areas, sites are the cells that features take; rasterio finds them. A point
        takes the cell in which it lies. A line takes all cells that it touches. An area takes the
        cells whose centres it holds, or if there are none the cells that it touches. The first
        feature has a cell, and wins at equal distance of points.
        Rows without a geometry, or with an empty one, are left out with a `ThiessenWarning`. Beside
        lines and areas, the parts outside of the grid are left out, too.
    like : xarray.DataArray with two dimensions, those of y and x in either order
        The grid: its coordinates are the centres of cells, in even steps. Where it is nodata by its
        metadata (``rio.nodata``, ``_FillValue``), the results are nodata. rioxarray reads it from a
        file: ``open_rasterio(path).squeeze("band", drop=True)``.
    point_labels : str or array of shape (n,), optional
        A column of numbers, or an array of them, none 0 or NaN with lines or areas; default:
        1, 2, ... by row, as int32.
    weights : str or array of shape (n,), optional
        A column of numbers, or an array of them: see `voronoi`. All cells of a line or an area have
        the weight of its row.
    outputs : names of outputs
        As of `voronoi`; site_index is the position in the frame.
    options as of `voronoi`
        Straight lines are in units of the coordinates, and degrees are refused: "ellipsoidal" and
        "great-circle" take them.

    Returns
    -------
    NearestSite
        Named tuple of the outputs, DataArrays with the coordinates and the coordinate reference
        system of the grid.

    Raises
    ------
    TypeError
        If points is no frame of geopandas or like no DataArray, or a column has no numbers.
    ValueError
        With strict, if a geometry is left out; if the grid has other dimensions, no coordinates or
        uneven ones; if the two have different coordinate reference systems; and as `voronoi`.
    ImportError
        If there are lines or areas, but rasterio is missing.
    RuntimeError, MemoryError
        As `voronoi`.

    Notes
    -----
    Points are rounded to 2**-16 of a cell. Time, memory and source as of `voronoi`. Lines and areas
    take 8 bytes a cell more.

    Examples
    --------
    >>> import geopandas, numpy as np, thiessen, xarray
    >>> shops = geopandas.GeoDataFrame(
    ...     {"staff": [3, 5]}, geometry=geopandas.points_from_xy([115, 160], [430, 400])
    ... )
    >>> dem = xarray.DataArray(
    ...     np.zeros((2, 4)), dims=("y", "x"), coords={"y": [425, 405], "x": [110, 130, 150, 170]}
    ... )
    >>> thiessen.allocate(shops, like=dem, point_labels="staff").labels.values
    array([[3, 3, 5, 5],
           [3, 3, 5, 5]])
    """
    if not is_geo(points):
        raise TypeError(
            f"points is a {type(points).__name__}; must be a geopandas.GeoDataFrame or GeoSeries "
            "(thiessen.voronoi takes arrays)"
        )
    if not is_data_array(like):
        refuse_unread("like", like)
        raise TypeError(f"like is a {type(like).__name__}; must be an xarray.DataArray")
    own = collect(allocate, options, shape=like, point_labels=point_labels, outputs=outputs)
    return module_of("geopandas").voronoi_of(points, own, "like")
