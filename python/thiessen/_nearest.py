# SPDX-License-Identifier: Apache-2.0
"""Nearest sites by straight-line distance: the functions that most users call."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import index
from typing import Any

import numpy as np

from . import _core
from ._arrays import (
    Raster,
    is_native,
    number_components,
    number_dtype,
    result_dtype,
    to_array,
    to_cells,
    to_number,
    to_raster,
)
from ._outputs import NearestSite, Targets, output_names
from ._progress import reporter

__all__ = ["distance_transform", "expand_labels", "nearest_site", "voronoi"]


def nearest_site(
    sites: Any,
    spacing: float | Sequence[float] | None = None,
    metric: str = "euclidean",
    method: str = "exact",
    max_distance: float | None = None,
    nodata: float | None = None,
    periodic: bool | Sequence[bool] | None = None,
    values: float | Iterable[float] | None = None,
    zero_is_site: bool = False,
    components: int | None = None,
    unreached: float = 0,
    signed: bool = False,
    distance_dtype: Any = "float32",
    outputs: str | Sequence[str] = ("labels", "distance"),
    out: Any = None,
    device: str = "auto",
    threads: int | None = None,
    progress: Any = None,
) -> NearestSite:
    """Nearest site of every cell of a raster, by straight-line distance.

    Parameters
    ----------
    sites : array of shape (y, x) or (z, y, x)
        Any boolean, integer or float dtype, any strides and byte order; a masked array (its mask is
        nodata), an xarray.DataArray, or anything with ``__array__``. The cells that are neither
        zero nor NaN nor nodata are the sites, and their values the labels; many cells may share
        one. Boolean sites are numbered 1, 2, ... in row-major order.
    spacing : float or one per axis, optional
        World length of one cell, in array order (z, y, x); finite and > 0. Default: 1, or the steps
        of a DataArray's coordinates.
    metric : {"euclidean", "manhattan", "chessboard"}
    method : {"exact", "brute-force"}
        The same results; "brute-force" takes time cells * sites.
    max_distance : float, optional
        Search limit in units of the spacing, inclusive. Cells farther away are unreached.
    nodata : number, optional
        Cells of this value lie outside the domain: never a site, and nodata in every output. NaN is
        a value here. They do not block straight lines.
    periodic : bool or one per axis, optional
        Axes on which the raster goes on with its other end, as a torus does.
    values : number or numbers, optional
        Exactly the cells of these values are the sites, zero and NaN too if they are listed.
    zero_is_site : bool
        Every cell that is not nodata is a site.
    components : {4, 8} in 2-D, {6, 26} in 3-D, optional
        The connected areas of equal non-zero value are the sites, numbered 1, 2, ... in the order
        of their first cells.
    unreached : number
        Label of an unreached cell.
    signed : bool
        A site cell gets minus the distance to the nearest cell that is no site.
    distance_dtype : {"float32", "float64"}
    outputs : names of "labels", "distance", "squared", "site_index", "offset", "direction"
        What is computed, in this order. dtypes: labels as the sites (int32, from 2**31 cells on
        int64, for boolean sites and components); squared and site_index int64; offset int32 of the
        shape (axes, \\*shape), site minus cell; direction float32 in degrees, 2-D only: 0 at the
        site, 90 east, 180 south, 270 west, 360 north, where row 0 is north. squared is for
        euclidean with a spacing of 1.
    out : mapping of names to arrays, arrays in the order of outputs, or the array of the only one
        numpy.ndarrays that are written instead of new ones; any strides and byte order, but apart
        from each other and from the sites. A repeated call then allocates nothing.
    device : str
        "auto" or "cpu"; see `devices`.
    threads : int, optional
        Threads of the CPU; default: one for each processor.
    progress : optional
        A callable of one float from 0 to 1, True for a bar of tqdm, or such a bar.

    Returns
    -------
    NearestSite
        Named tuple of the outputs. Masked arrays in give masked arrays out, a DataArray gives
        DataArrays with its coordinates and attributes. Special cells hold:

        =========  =========  ========  =======  ==========  ======  =========
        cell       labels     distance  squared  site_index  offset  direction
        =========  =========  ========  =======  ==========  ======  =========
        unreached  unreached  inf       -1       -1          -2**31  NaN
        nodata     nodata     NaN       -2       -2          -2**31  NaN
        =========  =========  ========  =======  ==========  ======  =========

    Raises
    ------
    ValueError, TypeError
        An argument breaks a rule; the message has its name, its value and the rule.
    RuntimeError
        No backend of this build can do it; an array lies on a GPU and there is no CUDA backend.
    MemoryError
        With the number of bytes asked for.

    Notes
    -----
    Of two sites the nearer wins, and at equal distance the one with the smaller site index.
    "Nearer" is decided in integers: the same bits for every method, number of threads and machine.

    Time O(cells) (chessboard in 3-D O(cells * log(axis))), scratch memory 4 bytes a cell
    (chessboard 12, in 3-D 20), which is kept for the next call of this thread
    (`release_scratch`). No copy is made of arrays in native byte order; masked arrays, other byte
    orders, float16 and long double are copied. The GIL is released, and Ctrl-C ends the call.

    Source: A. Meijster, J. B. T. M. Roerdink, W. H. Hesselink, "A general algorithm for computing
    distance transforms in linear time" (2000).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> sites = np.zeros((3, 6), np.uint8)
    >>> sites[0, 1], sites[2, 5] = 7, 9
    >>> labels, distance = thiessen.nearest_site(sites)
    >>> labels
    array([[7, 7, 7, 7, 9, 9],
           [7, 7, 7, 7, 9, 9],
           [7, 7, 7, 9, 9, 9]], dtype=uint8)
    >>> distance[1]
    array([1.4142135, 1.       , 1.4142135, 2.236068 , 1.4142135, 1.       ],
          dtype=float32)

    Only what is asked for is computed:

    >>> thiessen.nearest_site(sites, outputs="site_index", max_distance=1).site_index
    array([[ 1,  1,  1, -1, -1, -1],
           [-1,  1, -1, -1, -1, 17],
           [-1, -1, -1, -1, 17, 17]])
    """
    names = output_names(outputs)
    threads = _thread_count(threads)
    raster = to_raster("sites", sites, nodata)
    if components is not None:
        if values is not None or zero_is_site:
            raise ValueError("components is given; values and zero_is_site must not be")
        raster = number_components(raster, components, "components", device, threads)
    targets = Targets(
        names, out, raster.shape, (_core_labels(raster), raster.label_dtype), distance_dtype
    )
    _run_raster(
        raster, targets, spacing, metric, method, max_distance, periodic, values, zero_is_site,
        unreached, signed, False, device, threads, progress,
    )  # fmt: skip
    results = targets.finish()
    if raster.mask is None and raster.frame is None:
        return targets.result(results)
    return targets.result({name: raster.like_input(name, results[name]) for name in names})


def voronoi(
    points: Any,
    shape: Sequence[int],
    labels: Any = None,
    spacing: float | Sequence[float] | None = None,
    metric: str = "euclidean",
    method: str = "exact",
    max_distance: float | None = None,
    periodic: bool | Sequence[bool] | None = None,
    unreached: float = 0,
    distance_dtype: Any = "float32",
    outputs: str | Sequence[str] = ("labels", "distance"),
    out: Any = None,
    device: str = "auto",
    threads: int | None = None,
    progress: Any = None,
) -> NearestSite:
    """Nearest point of every cell of a grid: a raster Voronoi diagram of points.

    Parameters
    ----------
    points : array of shape (n, 2) as (y, x), or (n, 3) as (z, y, x)
        In cells, where the centre of the first cell is 0: the point (2, 3) lies on the cell [2, 3].
        Rounded half to even to 2**-16 of a cell. Points outside of the grid count. Finite, at most
        2**31 cells away.
    shape : sequence of int
        Extents of the grid, (y, x) or (z, y, x).
    labels : array of shape (n,), optional
        Labels of the points, integers or floats; default: 1, 2, ... as int32.
    spacing, metric, method, max_distance, periodic, unreached, distance_dtype, outputs, out, \
device, threads, progress
        As of `nearest_site`. squared and offset exist only if all points lie on centres of cells;
        site_index is the position in the list.

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
    Of two points the nearer wins, and at equal distance the one that comes first in the list.
    Distances are to the rounded points, exactly.

    Time O(n log n) for a tree of the points and some searches in it for each row and region; points
    on a circle cost O(n) in the few cells near its centre. Scratch: about 80 bytes a point.

    Source: J. L. Bentley, "Multidimensional binary search trees used for associative searching"
    (1975).

    Examples
    --------
    >>> import thiessen
    >>> thiessen.voronoi([(0.5, 0.25), (1.5, 3.75)], shape=(3, 5)).labels
    array([[1, 1, 1, 2, 2],
           [1, 1, 1, 2, 2],
           [1, 1, 2, 2, 2]], dtype=int32)
    """
    names = output_names(outputs)
    threads = _thread_count(threads)
    extents = [_extent(axis, size) for axis, size in enumerate(shape)]
    if len(extents) not in (2, 3):
        raise ValueError(f"shape = {tuple(extents)}; must have 2 or 3 axes")
    coordinates = _coordinates(points, len(extents))
    point_labels, label_dtypes = _point_labels(labels, len(coordinates))
    targets = Targets(names, out, tuple(extents), label_dtypes, distance_dtype)
    with reporter(progress) as report:
        _core.nearest_site_of_points(
            coordinates,
            point_labels,
            extents,
            targets.arrays(),
            _text("method", method),
            _text("metric", metric),
            _per_axis("spacing", spacing, len(extents)),
            _flags("periodic", periodic, len(extents)),
            _limit(max_distance),
            to_number("unreached", unreached),
            _text("device", device),
            threads,
            report,
        )
    return targets.result(targets.finish())


def distance_transform(
    sites: Any,
    to: str = "site",
    signed: bool = False,
    spacing: float | Sequence[float] | None = None,
    metric: str = "euclidean",
    method: str = "exact",
    max_distance: float | None = None,
    nodata: float | None = None,
    periodic: bool | Sequence[bool] | None = None,
    values: float | Iterable[float] | None = None,
    zero_is_site: bool = False,
    distance_dtype: Any = "float32",
    out: Any = None,
    device: str = "auto",
    threads: int | None = None,
    progress: Any = None,
) -> Any:
    """Distance of every cell to the nearest site, or to the boundary of its own label.

    Mind the polarity: distances are *to* the non-zero cells, where SciPy's and OpenCV's are to the
    zero cells (`thiessen.compat` has those).

    Parameters
    ----------
    sites : array of shape (y, x) or (z, y, x)
        As of `nearest_site`.
    to : {"site", "boundary"}
        "boundary": the nearest cell that does not hold the same value, where zero is a value like
        any other, and the edge of the raster no boundary.
    signed : bool
        Site cells get minus the distance to the nearest cell that is no site (-inf if there is
        none in range). Not with to="boundary".
    spacing, metric, method, max_distance, nodata, periodic, values, zero_is_site, distance_dtype, \
device, threads, progress
        As of `nearest_site`.
    out : numpy.ndarray, optional
        Of the shape of the sites, float32 or float64; written instead of a new array.

    Returns
    -------
    array of the shape of the sites
        inf where nothing is in range, NaN at nodata cells; the kind of array that the sites are.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`.

    Notes
    -----
    Time O(cells), scratch memory 4 bytes a cell and more, as `nearest_site`, which has the source.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> thiessen.distance_transform(np.array([[0, 0, 1, 1, 0]]))
    array([[2., 1., 0., 0., 1.]], dtype=float32)
    >>> thiessen.distance_transform(np.array([[0, 0, 1, 1, 0]]), signed=True)
    array([[ 2.,  1., -1., -1.,  1.]], dtype=float32)
    >>> thiessen.distance_transform(np.array([[5, 5, 5, 8, 8]]), to="boundary")
    array([[3., 2., 1., 1., 2.]], dtype=float32)
    """
    if to not in ("site", "boundary"):
        raise ValueError(f"to = {to!r}; must be 'site' or 'boundary'")
    if signed and to == "boundary":
        raise ValueError("signed = True; must be False when the distance is to the boundary")
    threads = _thread_count(threads)
    raster = to_raster("sites", sites, nodata)
    targets = Targets(("distance",), out, raster.shape, None, distance_dtype)
    _run_raster(
        raster, targets, spacing, metric, method, max_distance, periodic, values, zero_is_site,
        0, signed, to == "boundary", device, threads, progress,
    )  # fmt: skip
    return raster.like_input("distance", targets.finish()["distance"])


def expand_labels(
    labels: Any,
    distance: float = 1,
    spacing: float | Sequence[float] | None = None,
    metric: str = "euclidean",
    nodata: float | None = None,
    periodic: bool | Sequence[bool] | None = None,
    out: Any = None,
    device: str = "auto",
    threads: int | None = None,
    progress: Any = None,
) -> Any:
    """Grow every label by a distance, without overlaps: each free cell in range takes the label of
    the nearest labelled one.

    Parameters
    ----------
    labels : array of shape (y, x) or (z, y, x)
        As the sites of `nearest_site`: zero (or NaN) is free. A boolean array is grown as one
        label.
    distance : float
        How far to grow, in units of the spacing, inclusive; math.inf fills the raster.
    spacing, metric, nodata, periodic, device, threads, progress
        As of `nearest_site`.
    out : numpy.ndarray, optional
        Of the shape and dtype of the labels; written instead of a new array.

    Returns
    -------
    array of the shape and dtype of the labels

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`.

    Notes
    -----
    Between labels at equal distance, that of the cell with the smaller site index wins.
    Time O(cells), scratch memory 4 bytes a cell and more, as `nearest_site`, which has the source.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> thiessen.expand_labels(np.array([[0, 0, 0, 3, 0, 0, 8, 0]]), distance=2)
    array([[0, 3, 3, 3, 3, 8, 8, 8]])
    """
    threads = _thread_count(threads)
    boolean = type(labels) is np.ndarray and labels.dtype.kind == "b"
    raster = to_raster("labels", labels.view(np.uint8) if boolean else labels, nodata)
    if isinstance(out, np.ndarray) and boolean and out.dtype.kind == "b":
        out = out.view(np.uint8)
    targets = Targets(
        ("labels",), out, raster.shape, (_core_labels(raster), raster.label_dtype), "float32"
    )
    _run_raster(
        raster, targets, spacing, metric, "exact", distance, periodic, None, False,
        0, False, False, device, threads, progress,
    )  # fmt: skip
    grown = raster.like_input("labels", targets.finish()["labels"])
    return grown.view(np.bool_) if boolean else grown


def _run_raster(
    raster: Raster,
    targets: Targets,
    spacing: Any,
    metric: str,
    method: str,
    max_distance: float | None,
    periodic: Any,
    values: Any,
    zero_is_site: bool,
    unreached: Any,
    signed: bool,
    to_boundary: bool,
    device: str,
    threads: int,
    progress: Any,
) -> None:
    rank = raster.cells.ndim
    if spacing is None and raster.frame is not None:
        spacing = raster.frame.spacing()
    if values is None:
        numbers = []
    else:
        listed = values if np.iterable(values) else (values,)
        numbers = [to_number("values", value) for value in listed]
        if not numbers:
            raise ValueError("values is empty; must have one number or more")
    with reporter(progress) as report:
        _core.nearest_site_of_raster(
            raster.cells,
            targets.arrays(),
            _text("method", method),
            _text("metric", metric),
            _per_axis("spacing", spacing, rank),
            _flags("periodic", periodic, rank),
            numbers,
            bool(zero_is_site),
            _limit(max_distance),
            raster.nodata,
            to_number("unreached", unreached),
            bool(signed),
            to_boundary,
            _text("device", device),
            threads,
            report,
        )


def _core_labels(raster: Raster) -> np.dtype:
    """The dtype in which the core writes labels: that of the sites, a number for boolean ones."""
    return raster.label_dtype if raster.cells.dtype.kind == "b" else raster.cells.dtype


def _coordinates(points: Any, axes: int) -> np.ndarray:
    array = to_array("points", points)
    if array.ndim == 1 and array.size == 0:
        array = np.empty((0, axes))
    if array.ndim != 2 or array.shape[1] != axes:
        raise ValueError(f"points has the shape {array.shape}; must be (n, {axes}) for this grid")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"points has the dtype {array.dtype}; must be numbers")
    if array.dtype.char in "fd" and is_native(array):
        return array
    return array.astype(np.float64)


def _point_labels(labels: Any, count: int) -> tuple[np.ndarray | None, tuple[np.dtype, np.dtype]]:
    """The points' labels as the core takes them, and the dtypes of the output."""
    if labels is None:
        dtype = number_dtype(count)
        return None, (dtype, dtype)
    array = to_array("labels", labels)
    if array.shape != (count,):
        raise ValueError(f"labels has the shape {array.shape}; must be ({count},), one for a point")
    cells = to_cells("labels", array)
    if cells.dtype.kind == "b":
        raise TypeError("labels has the dtype bool; must be an integer or float dtype")
    return cells, (cells.dtype, result_dtype(array.dtype))


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} = {value!r}; must be a string")
    return value


def _thread_count(threads: Any) -> int:
    if threads is None:
        return 0
    try:
        count = index(threads)
    except TypeError:
        raise TypeError(f"threads = {threads!r}; must be an integer") from None
    if not 1 <= count <= 1024:
        raise ValueError(f"threads = {count}; must be 1 to 1024")
    return count


def _extent(axis: int, size: Any) -> int:
    try:
        extent = index(size)
    except TypeError:
        raise TypeError(f"shape[{axis}] = {size!r}; must be an integer") from None
    if not 0 <= extent <= 2**30:
        raise ValueError(f"shape[{axis}] = {extent}; must be 0 to 2**30")
    return extent


def _limit(max_distance: Any) -> float:
    if max_distance is None:
        return math.inf
    return float(to_number("max_distance", max_distance))


def _per_axis(name: str, value: Any, rank: int) -> list[float]:
    """A number for each axis; the empty list where none is given."""
    if value is None:
        return []
    if not np.iterable(value):
        return [float(to_number(name, value))] * rank
    numbers = [float(to_number(f"{name}[{i}]", number)) for i, number in enumerate(value)]
    if len(numbers) != rank:
        raise ValueError(f"{name} has {len(numbers)} values; must have one for each of {rank} axes")
    return numbers


def _flags(name: str, value: Any, rank: int) -> list[bool]:
    if value is None:
        return []
    if not np.iterable(value) or isinstance(value, str):
        value = [value] * rank
    for flag in value:
        if not isinstance(flag, (bool, np.bool_)):
            raise TypeError(f"{name} = {value!r}; must be True or False, or one of them per axis")
    flags = [bool(flag) for flag in value]
    if len(flags) != rank:
        raise ValueError(f"{name} has {len(flags)} values; must have one for each of {rank} axes")
    return flags
