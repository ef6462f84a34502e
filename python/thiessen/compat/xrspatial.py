# SPDX-License-Identifier: Apache-2.0
"""proximity, allocation and direction of xarray-spatial 0.10: exact, and without xarray-spatial.

The targets are the cells that are finite and not zero, or those of given values. Coordinates give
the lengths. The first of targets at equal distance, in row-major order, wins in every function.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arguments.checks import is_held, to_cell_value
from .._arguments.earth import Earth
from .._kinds.host import to_array, to_cells
from .._kinds.outputs import NearestSite, make_result
from .._kinds.unread import is_dask
from .._kinds.xarray import Frame, is_data_array, mirror
from .._verbs.rasters import nearest_site
from ..typing import Metric, Output

__all__ = ["allocation", "direction", "proximity"]


def __dir__() -> list[str]:
    return __all__


Array = np.ndarray[Any, Any]

_METRICS: dict[str, Metric] = {
    "EUCLIDEAN": "euclidean",
    "GREAT_CIRCLE": "great-circle",
    "MANHATTAN": "manhattan",
}

_RADIUS = 6378137
"""Metres: that of the sphere of xarray-spatial."""


def _takes_datasets(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let the function take a Dataset, too: each variable by itself."""

    @functools.wraps(function)
    def apply(raster: Any, *args: Any, **kwargs: Any) -> Any:
        xarray = sys.modules.get("xarray")
        if xarray is None or not isinstance(raster, xarray.Dataset):
            return function(raster, *args, **kwargs)
        results = {name: function(raster[name], *args, **kwargs) for name in raster.data_vars}
        return xarray.Dataset(results, attrs=raster.attrs)

    return apply


@_takes_datasets
def proximity(
    raster: Any,
    x: str = "x",
    y: str = "y",
    target_values: ArrayLike | None = None,
    max_distance: float = np.inf,
    distance_metric: str = "EUCLIDEAN",
) -> Any:
    """Exact distance from each cell to the nearest target.

    Parameters
    ----------
    raster : xarray.DataArray with the dimensions (y, x), or xarray.Dataset of such
        Booleans, integers or floats of any size. NaN and infinite cells are no targets, and get a
        result like any other. The steps of the coordinates, which must be even, are the lengths of
        a cell; 1 without coordinates. Cells on Dask stay there.
    x, y : str
        Names of the dimensions; y comes first.
    target_values : sequence of numbers, optional
        The cells of these values are the targets, compared exactly: finite; a value that no cell
        has does no harm. Without any, the cells that are finite and not zero.
    max_distance : float
        Search limit in units of the distances, inclusive.
    distance_metric : {"EUCLIDEAN", "MANHATTAN", "GREAT_CIRCLE"}
        GREAT_CIRCLE: metres on a sphere of 6378137 m, of which the coordinates are longitudes and
        latitudes in degrees, in steps that may be uneven.

    Returns
    -------
    xarray.DataArray of float32, or xarray.Dataset of such
        With the dimensions, coordinates and attributes of the raster, and no name; in units of the
        coordinates, or in metres, and NaN where no target is in range. Lazy, if the raster is, with
        slabs for chunks and the same bits (`thiessen.dask`).

    Raises
    ------
    TypeError
        If the raster is neither a DataArray nor a Dataset, or its cells or an argument are no
        numbers.
    ValueError
        If the dimensions are others than (y, x), coordinates are unevenly spaced or in degrees (not
        for GREAT_CIRCLE) or are no latitudes and longitudes (for it), target_values are no finite
        numbers, max_distance is negative or NaN, or distance_metric is unknown.
    RuntimeError
        If the cells lie on a GPU.

    Notes
    -----
    Time O(cells), scratch memory 4 bytes a cell, for an instant 1 more. Nothing is copied of a
    raster in native byte order, but for one that has infinite cells. On Dask: memory for a few
    slabs a worker, and every chunk is computed twice; with GREAT_CIRCLE one task has all cells.

    Examples
    --------
    >>> import numpy as np, xarray
    >>> from thiessen.compat.xrspatial import allocation, direction, proximity
    >>> raster = xarray.DataArray(
    ...     np.array([[0, 0, 0, 7], [5, 0, 0, 0]]),
    ...     dims=("y", "x"),
    ...     coords={"y": [20.0, 10.0], "x": [0.0, 10.0, 20.0, 30.0]},
    ... )
    >>> proximity(raster, max_distance=10).values
    array([[10., nan, 10.,  0.],
           [ 0., 10., nan, 10.]], dtype=float32)
    >>> allocation(raster).values
    array([[5., 5., 7., 7.],
           [5., 5., 7., 7.]], dtype=float32)
    >>> direction(raster).values
    array([[360., 315.,  90.,   0.],
           [  0., 270., 135., 180.]], dtype=float32)
    """
    found = _nearest(raster, x, y, target_values, max_distance, distance_metric, ("distance",))
    return _wrapped(raster, _by_cells(_with_nan, found.distance))


@_takes_datasets
def allocation(
    raster: Any,
    x: str = "x",
    y: str = "y",
    target_values: ArrayLike | None = None,
    max_distance: float = np.inf,
    distance_metric: str = "EUCLIDEAN",
) -> Any:
    """Value of the nearest target of each cell.

    Parameters
    ----------
    raster, x, y, target_values, max_distance, distance_metric
        As of `proximity`, which also has an example.

    Returns
    -------
    xarray.DataArray of float32, or xarray.Dataset of such
        As of `proximity`. float32 holds integers up to 2**24; others are rounded
        (`thiessen.nearest_site` gives labels in the type of the raster). The first of targets at
        equal distance, in row-major order, wins.

    Raises
    ------
    TypeError, ValueError, RuntimeError
        As of `proximity`.

    Notes
    -----
    Time and memory as of `proximity`, and a raster of the type of the cells.
    """
    found = _nearest(
        raster, x, y, target_values, max_distance, distance_metric, ("labels", "distance")
    )
    # A label cannot tell whether its cell is reached, for any value may be a target.
    return _wrapped(raster, _by_cells(_values_of, found.distance, found.labels))


@_takes_datasets
def direction(
    raster: Any,
    x: str = "x",
    y: str = "y",
    target_values: ArrayLike | None = None,
    max_distance: float = np.inf,
    distance_metric: str = "EUCLIDEAN",
) -> Any:
    """Direction from each cell to its nearest target, in degrees.

    Parameters
    ----------
    raster, x, y, target_values, max_distance, distance_metric
        As of `proximity`, which also has an example.

    Returns
    -------
    xarray.DataArray of float32, or xarray.Dataset of such
        As of `proximity`. 0 at a target, 90 where the target's x is greater, 180 where its y is
        *greater*, 270 where its x is less, 360 where its y is *less*. So it is in xarray-spatial:
        north is where y is least, as in a picture whose rows count downwards. On a map, whose y
        grows to the north, north and south are swapped; `thiessen.nearest_site` with the output
        "direction" has north where y grows. Within 5e-5 degrees. The first of targets at equal
        distance, in row-major order, wins. With GREAT_CIRCLE it is that in the plane of longitude
        and latitude, as in xarray-spatial, to the target that is nearest on the sphere.

    Raises
    ------
    TypeError, ValueError, RuntimeError
        As of `proximity`.

    Notes
    -----
    Time and memory as of `proximity`; for an instant 2 bytes a cell where a coordinate descends.
    """
    if distance_metric == "GREAT_CIRCLE":
        found = _nearest(
            raster, x, y, target_values, max_distance, distance_metric, ("site_index",)
        )
        longitude, latitude = (_degrees(raster, dim).astype(np.float64) for dim in (x, y))
        towards = functools.partial(_direction_by_degrees, longitude, latitude)
        return _wrapped(raster, _by_cells(towards, found.site_index))
    found = _nearest(raster, x, y, target_values, max_distance, distance_metric, ("direction",))
    frame = Frame("raster", raster)
    mirrors = [total for dim, total in ((y, 180), (x, 360)) if frame.ascends(dim) is False]
    return _wrapped(raster, _by_cells(functools.partial(_mirrored, mirrors), found.direction))


def _nearest(
    raster: Any,
    x: Any,
    y: Any,
    target_values: Any,
    max_distance: Any,
    distance_metric: Any,
    outputs: tuple[Output, ...],
) -> NearestSite[Any, Any]:
    if not is_data_array(raster):
        raise TypeError(
            f"raster is a {type(raster).__name__}; must be an xarray.DataArray or xarray.Dataset"
        )
    if raster.dims != (y, x):
        raise ValueError(f"raster has the dimensions {raster.dims}; must be (y, x) = {(y, x)}")
    metric = _metric(distance_metric)
    on_earth = metric == "great-circle"
    targets = _targets(target_values)
    options = {
        "spacing": None if on_earth else _spacing(raster),
        "metric": metric,
        "max_distance": max_distance,
        "outputs": outputs,
    }
    if on_earth:
        options["earth"] = Earth(_degrees(raster, y), _degrees(raster, x), radius=_RADIUS)
    if is_dask(raster):
        nearest = _nearest_on_earth if on_earth else _nearest_of
        return nearest(raster.data, targets, options)
    return _nearest_of(to_cells("raster", to_array("raster", raster)), targets, options)


def _nearest_of(
    cells: Any, targets: list[int | float], options: dict[str, Any]
) -> NearestSite[Any, Any]:
    """Nearest targets of cells; none on Dask is computed yet."""
    if cells.dtype.kind == "b":  # its sites would be numbered
        cells = cells.view(np.uint8)
    values = _held(targets, cells.dtype)
    if targets and not values:  # a raster without any site
        cells = np.zeros_like(cells, np.uint8)
    elif not targets and is_dask(cells):
        cells = cells.map_blocks(_without_infinity, dtype=cells.dtype)
    elif not targets:
        cells = _without_infinity(cells)
    return nearest_site(cells, values=values or None, **options)


def _nearest_on_earth(
    cells: Any, targets: list[int | float], options: dict[str, Any]
) -> NearestSite[Any, Any]:
    """The same of cells on Dask in one task, which needs all of them."""
    import dask.array

    found = dask.delayed(_nearest_of)(cells, targets, options)
    dtypes = {"labels": cells.dtype, "distance": np.float32, "site_index": np.int64}
    arrays = [
        dask.array.from_delayed(found[i], cells.shape, dtypes[name])
        for i, name in enumerate(options["outputs"])
    ]
    return make_result(options["outputs"], tuple(arrays))


def _by_cells(function: Callable[..., Array], first: Any, *others: Any) -> Any:
    """What a function makes of the cells of results, which may change the first one; of those on
    Dask, a copy of it."""
    if not is_dask(first):
        return function(first, *others)

    def change_copy(chunk: Array, *chunks: Array) -> Array:
        return function(chunk.copy(), *chunks)

    return first.map_blocks(change_copy, *others, dtype=np.float32)


def _with_nan(distance: Array) -> Array:
    distance[np.isinf(distance)] = np.nan
    return distance


def _values_of(distance: Array, labels: Array) -> Array:
    unreached, values = np.isinf(distance), distance
    with np.errstate(over="ignore"):
        np.copyto(values, labels, casting="unsafe")
    values[unreached] = np.nan
    return values


def _mirrored(mirrors: list[int], degrees: Array) -> Array:
    mirror(degrees, *mirrors)
    return degrees


def _targets(target_values: Any) -> list[int | float]:
    given = np.ravel([] if target_values is None else target_values).tolist()
    try:
        values = [to_cell_value("target_values", value) for value in given]
    except TypeError as error:
        raise ValueError(str(error)) from None
    for value in values:
        if value != value or abs(value) == np.inf:
            raise ValueError(f"target_values = {value}; must be finite")
    return values


def _held(targets: list[int | float], dtype: np.dtype) -> list[int | float]:
    """Those that a cell can equal; the others are no error here."""
    kind = float if dtype.kind == "f" else int
    return [kind(value) for value in targets if is_held(value, dtype)]


def _metric(distance_metric: Any) -> Metric:
    if not isinstance(distance_metric, str) or distance_metric not in _METRICS:
        raise ValueError(
            f"distance_metric = {distance_metric!r}; must be 'EUCLIDEAN', 'MANHATTAN' or "
            "'GREAT_CIRCLE'"
        )
    return _METRICS[distance_metric]


def _degrees(raster: Any, dim: str) -> Array:
    if dim not in raster.coords:
        raise ValueError(f"raster has no coordinate {dim!r}; GREAT_CIRCLE needs degrees")
    values: Array = raster.coords[dim].values
    return values


def _direction_by_degrees(longitude: Array, latitude: Array, site_index: Array) -> Array:
    """As xarray-spatial has it, in the plane of the coordinates."""
    reached = site_index >= 0
    row, column = np.divmod(np.where(reached, site_index, 0), site_index.shape[1])
    to_x, to_y = longitude[column] - longitude, latitude[row] - latitude[:, np.newaxis]
    degrees = np.degrees(np.arctan2(to_x, -to_y)) % 360
    degrees[(degrees == 0) & (to_y < 0)] = 360
    degrees[(to_x == 0) & (to_y == 0)] = 0
    return np.where(reached, degrees, np.nan).astype(np.float32)


def _spacing(raster: Any) -> list[float]:
    frame = Frame("raster", raster)
    if frame.geotransform is not None:
        raise ValueError(
            f"raster has a geotransform, but no coordinates {frame.dims[0]!r} and "
            f"{frame.dims[1]!r}, which are the lengths here; thiessen.nearest_site takes it"
        )
    try:
        return frame.spacing('distance_metric="GREAT_CIRCLE"')
    except ValueError as error:
        raise ValueError(f"{error}; thiessen.nearest_site takes one") from None


def _without_infinity(cells: Array) -> Array:
    """The cells with 0 for infinity; no copy where there is none."""
    if cells.dtype.kind != "f" or cells.size == 0:
        return cells
    extremes = np.fmin.reduce(cells, axis=None), np.fmax.reduce(cells, axis=None)
    if not np.isinf(extremes).any():
        return cells
    return np.where(np.isinf(cells), cells.dtype.type(0), cells)


def _wrapped(raster: Any, result: Array) -> Any:
    wrapped = Frame("raster", raster).with_coordinates(None, result, raster.attrs)
    wrapped.name = None  # not that of an array on Dask
    return wrapped
