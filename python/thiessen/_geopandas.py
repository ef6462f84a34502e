# SPDX-License-Identifier: Apache-2.0
"""Points of geopandas: their polygons as geometries beside their attributes, and what of a raster
is nearest to them. geopandas is imported only if the caller uses it."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ._arguments import earth as _earth
from ._arguments.checks import to_number
from ._arguments.options import collect, takes
from ._arguments.running import to_strict
from ._arguments.tables import AllocateOptions
from ._arguments.warnings import tell
from ._kinds import geography as _geography
from ._kinds.attributes import declared_nodata
from ._kinds.host import to_array
from ._kinds.outputs import NearestSite, make_result
from ._kinds.unread import refuse_unread
from ._kinds.xarray import Frame, is_data_array
from ._verbs.voronoi import voronoi
from .typing import Output

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["allocate"]

_FINEST = 65535
"""Cells across all points: with their 16 bits of fraction these fit the integers of diagrams."""
_LARGEST = 1 << 28
"""Cells across the points and the grid, whose axes may have four times as many."""

# Finds the polygons of points (y, x) in cells of a grid: what has labels and to_shapely().
Diagram = Callable[[np.ndarray, tuple[int, int]], Any]


def is_geo(value: Any) -> bool:
    """Whether it is a GeoDataFrame or a GeoSeries."""
    geopandas = sys.modules.get("geopandas")
    return geopandas is not None and isinstance(
        value, (geopandas.GeoDataFrame, geopandas.GeoSeries)
    )


def polygons_of(points: Any, mask: Any, diagram: Diagram) -> Any:
    """The points' own frame or series, with polygons for points."""
    import geopandas
    import shapely

    kept, coordinates = _places_of(points)
    _refuse_degrees(points)
    area = None if mask is None else _mask_of(mask, points)
    box = x0, y0, x1, y1 = _box_around(coordinates) if area is None else shapely.bounds(area)
    cell = _cell(coordinates, box)
    left, top = math.floor(x0 / cell) * cell, math.ceil(y1 / cell) * cell
    shape = (math.ceil((top - y0) / cell), math.ceil((x1 - left) / cell))
    in_cells = np.column_stack([top - coordinates[:, 1], coordinates[:, 0] - left]) / cell - 0.5
    found = diagram(in_cells, shape)
    polygons = np.full(len(points), shapely.Polygon(), object)
    geometries = found.to_shapely((left, cell, 0, top, 0, -cell))
    polygons[kept[found.labels]] = shapely.get_geometry(geometries, 0)  # each has one part
    if area is not None:
        polygons = _inside(polygons, area)
    _tell_left_out(points, kept)
    _tell_same_places(in_cells)
    series = geopandas.GeoSeries(polygons, index=points.index, crs=points.crs)
    if isinstance(points, geopandas.GeoSeries):
        return series.rename(points.name)
    frame = points.copy()
    frame[points.geometry.name] = series
    return frame


@takes(AllocateOptions)
def allocate(
    points: Any,
    like: Any,
    *,
    point_labels: Any = None,
    outputs: Output | Sequence[Output] = ("labels", "distance"),
    **options: Unpack[AllocateOptions],
) -> NearestSite[Any, Any]:
    """Nearest point of every cell of a map: `voronoi` of a GeoDataFrame on the grid of a DataArray.

    Parameters
    ----------
    points : geopandas.GeoDataFrame or GeoSeries
        Points, in the coordinate reference system of the grid; a third coordinate is ignored.
        Those outside of the grid count. At equal distance the first one wins. Rows without a
        geometry, or with an empty one, are left out, with a `ThiessenWarning`.
    like : xarray.DataArray with two dimensions, those of y and x in either order
        The grid: its coordinates are the centres of cells, in even steps. Where it is nodata by
        its metadata (``rio.nodata``, ``_FillValue``), the results are. From a file, by rioxarray:
        ``open_rasterio(path).squeeze("band", drop=True)``.
    point_labels : str or array of shape (n,), optional
        A column of numbers, or an array of them; default: 1, 2, ... by row, as int32.
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
        If a geometry is no point; with strict, if one is missing or empty; if the grid has other
        dimensions, no coordinates or uneven ones; if the two have different coordinate reference
        systems; and as `voronoi`.
    RuntimeError, MemoryError
        As `voronoi`.

    Notes
    -----
    Points are rounded to 2**-16 of a cell. Time, memory and source as of `voronoi`.

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
    own = collect(allocate, options)
    frame = _grid_of(like)
    kept, coordinates = _places_of(points)
    _tell_left_out(points, kept, strict=own.strict)
    _require_same_crs(points.crs, _crs_of_grid(like), "like")
    on_earth = own.metric in _earth.METRICS
    if not on_earth:
        _refuse_degrees(points, 'metric="ellipsoidal" measures on the Earth, or it ')
    spacing = None if on_earth else frame.spacing()
    nodata = declared_nodata(like)
    found = voronoi(
        frame.in_cells(coordinates), like.shape, spacing=spacing,
        point_labels=_labels_of(points, point_labels, kept),
        earth=_earth.earth_of(frame) if on_earth else None,
        domain=None if nodata is None else _is_data(like, nodata), outputs=cast(Any, outputs),
        **options,
    )  # fmt: skip
    frame = Frame("like", like, on_earth=on_earth)
    units = _earth.UNIT if on_earth else frame.units()
    outside = (
        None
        if nodata is None
        else to_number("nodata_label", -1 if own.nodata_label is None else own.nodata_label)
    )
    return make_result(
        found._fields,
        tuple(
            frame.wrap(
                name,
                _in_rows(result, kept) if name.endswith("site_index") else result,
                outside,
                units=units,
            )
            for name, result in zip(found._fields, found)
        ),
    )


def _places_of(points: Any) -> tuple[np.ndarray, np.ndarray]:
    """The rows that have a place, and their coordinates, (n, 2) as (x, y)."""
    import shapely

    geometries = np.asarray(points.geometry.array)
    missing = shapely.is_missing(geometries) | shapely.is_empty(geometries)
    other = ~missing & (shapely.get_type_id(geometries) != shapely.GeometryType.POINT)
    if other.any():
        first = int(np.argmax(other))
        raise ValueError(
            f"points has a {geometries[first].geom_type} in row {first} (index "
            f"{points.index[first]!r}); must be points"
        )
    kept = np.flatnonzero(~missing)
    coordinates: np.ndarray = shapely.get_coordinates(geometries[kept])
    finite = np.isfinite(coordinates).all(axis=1)
    if not finite.all():
        first = int(np.argmin(finite))
        raise ValueError(
            f"points has the coordinates {tuple(coordinates[first].tolist())} in row {kept[first]};"
            " must be finite"
        )
    return kept, coordinates


def _tell_left_out(points: Any, kept: np.ndarray, *, strict: bool | None = None) -> None:
    count = len(points) - len(kept)
    if count == 0:
        return
    message = f"{count} of {len(points)} points have no geometry, or an empty one, and are left out"
    if to_strict(strict):
        raise ValueError(message)
    tell([("no_geometry", count, message)])


def _refuse_degrees(points: Any, way: str = "") -> None:
    if points.crs is not None and points.crs.is_geographic:
        raise ValueError(
            f"points has the coordinate reference system {_name_of(points.crs)} in degrees, of "
            f"which straight lines have no length; {way}must be projected: "
            "points.to_crs(points.estimate_utm_crs())"
        )


def _mask_of(mask: Any, points: Any) -> Any:
    """The area of a mask as one geometry."""
    import shapely

    if is_geo(mask):
        _require_same_crs(points.crs, mask.crs, "mask")
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
    among = np.ptp(coordinates, axis=0).max() if len(coordinates) else 0.0
    corners = np.reshape([*box], (2, 2))
    across = np.ptp(np.concatenate([coordinates, corners]), axis=0).max()
    return 2.0 ** math.ceil(math.log2(max(among / _FINEST, across / _LARGEST)))


def _inside(polygons: np.ndarray, area: Any) -> np.ndarray:
    """What of polygons lies in an area; those inside as they are."""
    import shapely

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


def _in_rows(site_index: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Rows of the frame for places among those that are kept."""
    if len(kept) == 0:
        return site_index
    return np.where(site_index < 0, site_index, kept[np.maximum(site_index, 0)])


def _labels_of(points: Any, labels: Any, kept: np.ndarray) -> Any:
    """Labels of the rows that are kept."""
    given = _labels_of_rows(points, labels)
    if len(kept) == len(points):
        return given
    if given is None:
        return (kept + 1).astype(np.int32)
    all_labels = np.asarray(given)
    if all_labels.shape != (len(points),):
        raise ValueError(
            f"point_labels has the shape {all_labels.shape}; must be ({len(points)},), one for "
            "each row"
        )
    return all_labels[kept]


def _labels_of_rows(points: Any, labels: Any) -> Any:
    if not isinstance(labels, str):
        return labels
    if labels not in getattr(points, "columns", ()):
        raise ValueError(f"point_labels = {labels!r}; must be a column of points")
    column = np.asarray(points[labels])
    if column.dtype.kind not in "iuf":
        raise TypeError(
            f"point_labels = {labels!r}, a column of the dtype {points[labels].dtype}; must be "
            "numbers: "
            "pandas.factorize() makes them"
        )
    return column


def _grid_of(like: Any) -> Frame:
    if not is_data_array(like):
        refuse_unread("like", like)
        raise TypeError(f"like is a {type(like).__name__}; must be an xarray.DataArray")
    frame = Frame("like", like)
    frame.refuse_other_axes(False)
    if len(frame.dims) != 2:
        raise ValueError(f"like has the dimensions {frame.dims}; must have two, of y and x")
    return frame


def _is_data(like: Any, nodata: float) -> np.ndarray:
    cells = to_array("like", like)
    return ~np.isnan(cells) if nodata != nodata else cells != nodata


def _crs_of_grid(like: Any) -> Any:
    """The coordinate reference system of a DataArray, if it tells one."""
    import pyproj

    crs = _geography.crs_of(like)
    text = crs.to_wkt() if crs is not None else _geography.wkt_of(like)
    return pyproj.CRS.from_user_input(text) if text else None


def _require_same_crs(own: Any, other: Any, name: str) -> None:
    if own is None or other is None or own.equals(other, ignore_axis_order=True):
        return
    code = own.to_epsg()
    if code is not None and code == other.to_epsg():
        return
    raise ValueError(
        f"points has the coordinate reference system {_name_of(own)}, {name} has "
        f"{_name_of(other)}; must be the same: points.to_crs(...)"
    )


def _name_of(crs: Any) -> str:
    code = crs.to_authority()
    return ":".join(code) if code else str(crs.name)
