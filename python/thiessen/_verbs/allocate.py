# SPDX-License-Identifier: Apache-2.0
"""Nearest features of geopandas on the grid of a DataArray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._arguments.options import Unpack, collect, takes
from .._arguments.tables import AllocateOptions
from .._kinds import is_geo
from .._kinds.geopandas import voronoi_of
from .._kinds.outputs import NearestSite
from .._kinds.unread import refuse_unread
from .._kinds.xarray import is_data_array
from ..typing import Output


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
        Points alone are exact, and those outside of the grid count. Where there are lines or areas,
        sites are the cells that features take: the one in which a point lies, all that a line
        touches, and those whose centres an area holds, or if there are none those that it touches;
        rasterio finds them. The first feature has a cell, and wins at equal distance of points.
        Left out with a `ThiessenWarning` are rows without a geometry, or with an empty one, and
        beside lines and areas what lies outside of the grid.
    like : xarray.DataArray with two dimensions, those of y and x in either order
        The grid: its coordinates are the centres of cells, in even steps. Where it is nodata by
        its metadata (``rio.nodata``, ``_FillValue``), the results are. From a file, by rioxarray:
        ``open_rasterio(path).squeeze("band", drop=True)``.
    point_labels : str or array of shape (n,), optional
        A column of numbers, or an array of them, none 0 or NaN with lines or areas; default:
        1, 2, ... by row, as int32.
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
        If lines or areas come, and rasterio is not there.
    RuntimeError, MemoryError
        As `voronoi`.

    Notes
    -----
    Points are rounded to 2**-16 of a cell. Time, memory and source as of `voronoi`; lines and areas
    take 8 bytes a cell besides.

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
    return voronoi_of(points, own, "like")
