# SPDX-License-Identifier: Apache-2.0
"""Nearest sites by straight-line distance: the functions that most users call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from . import _core
from ._arrays import (
    Raster,
    check_point_shape,
    number_boolean_sites,
    number_components,
    number_dtype,
    refuse_selection,
    to_array,
    to_coordinates,
    to_cuda_raster,
    to_point_labels,
    to_raster,
)
from ._cuda import CudaArray, CudaRaster, find_cuda
from ._options import (
    NO_METHOD_OPTIONS,
    MethodOptions,
    require_held,
    to_extents,
    to_flags,
    to_float,
    to_lengths,
    to_limit,
    to_method_options,
    to_number,
    to_numbers,
    to_switch,
    to_text,
    to_thread_count,
)
from ._outputs import CudaTargets, NearestSite, Targets, output_names
from ._progress import reporter

__all__ = [
    "distance_transform",
    "expand_labels",
    "nearest_site",
    "nearest_site_batch",
    "synchronize",
    "voronoi",
]


def nearest_site(
    sites: Any,
    spacing: float | Iterable[float] | None = None,
    metric: str = "euclidean",
    method: str = "exact",
    max_distance: float | None = None,
    nodata: float | None = None,
    periodic: bool | Iterable[bool] | None = None,
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
    **method_options: Any,
) -> NearestSite:
    """Nearest site of every cell of a raster, by straight-line distance.

    Parameters
    ----------
    sites : array of shape (y, x) or (z, y, x)
        Any boolean, integer or float dtype, any strides and byte order; a masked array (its mask is
        nodata), an xarray.DataArray, or anything with ``__array__``. An array in CUDA memory (CuPy,
        PyTorch, Numba, JAX, ...) stays there: see the notes. The cells that are neither
        zero nor NaN nor nodata are the sites, and their values the labels; many cells may share
        one. Boolean sites are numbered 1, 2, ... in row-major order.
    spacing : float or one per axis, optional
        World length of one cell, in array order (z, y, x); finite and > 0. Default: 1, or the steps
        of a DataArray's coordinates.
    metric : str
        "euclidean", "manhattan" or "chessboard"; or, in 2-D with a spacing of 1, "octagonal",
        "chamfer-3-4" or "chamfer-5-7-11".
    method : str
        "exact"; with the same results "brute-force", which takes time cells * sites, and for some
        metrics each "raster-gpu", "chamfer", "circle-growing", "dilation" and "expansion"; or one
        of jump flooding, which is not exact: "jfa", "1+jfa", "jfa+1", "jfa+2", "jfa2", "jfa-noise",
        "jfa-plus", "jfa-star", and on CUDA "jfa-thrust". "exact" and jump flooding have the first
        three metrics, "chamfer" alone the last two.
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
        site, 90 east, 180 south, 270 west, 360 north, where row 0 is north (of a DataArray: where
        the coordinate y grows). squared is for euclidean with a spacing of 1.
    out : mapping of names to arrays, arrays in the order of outputs, or the array of the only one
        numpy.ndarrays that are written instead of new ones; any strides and byte order, but apart
        from each other and from the sites. A repeated call then allocates nothing.
    device : str
        "auto", "cpu", "cuda", "cuda:1", "opencl" or "opencl:1"; see `devices`. "auto" is the CPU,
        or the device of the sites.
    threads : int, optional
        Threads of the CPU; default: one for each processor.
    progress : optional
        A callable of one float from 0 to 1, True for a bar of tqdm, or such a bar.
    method_options : optional
        For jump flooding, in place of what the method does by itself: steps, jump lengths of the
        passes in cells; pattern, where a cell looks: "square", "circle:N" or "random-circle:N", N
        of 1 to 64 points, circles in 2-D only; noise, random sites for cells that hold none:
        "none", "in-place" or "mask"; seed of noise and random circles, an integer of 0 to
        2**64 - 1. For "raster-gpu" scan_sites: up to so many sites every cell is compared with all
        of them, with more each looks around itself. For "circle-growing" growth_step: by how many
        cells the radius grows from round to round.

    Returns
    -------
    NearestSite
        Named tuple of the outputs. A masked array gives masked arrays (with its fill_value in the
        labels), a DataArray DataArrays with its coordinates and attributes, an array in CUDA memory
        such arrays of its library. Special cells hold:

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
        No backend of this build can do it; an array lies on a GPU that cannot be used; the device
        failed.
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

    Sites in CUDA memory are neither copied to the host nor waited for: the work is put on the
    current stream of their library, and the call returns. What that library does with the results
    is in order; `synchronize` waits, and raises what only the device could find. A library without
    streams (JAX) gets results that are done. `out` must be in CUDA memory too.

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

    Jump flooding with steps of one's own:

    >>> thiessen.nearest_site(sites, method="jfa", steps=[4, 2, 1], outputs="labels").labels
    array([[7, 7, 7, 7, 9, 9],
           [7, 7, 7, 7, 9, 9],
           [7, 7, 7, 9, 9, 9]], dtype=uint8)
    """
    options = to_method_options("nearest_site", method_options)
    names = output_names(outputs)
    threads = to_thread_count(threads)
    zero_is_site = to_switch("zero_is_site", zero_is_site)
    on_device = to_cuda_raster("sites", sites, nodata)
    if on_device is not None:
        if components is not None:
            raise ValueError("components is given; areas of sites on a GPU must be found before")
        cuda_targets = _cuda_targets(on_device, names, out, distance_dtype)
        _run_raster(
            on_device, cuda_targets, spacing, metric, method, max_distance, periodic, values,
            zero_is_site, unreached, signed, False, device, threads, progress, False, options,
        )  # fmt: skip
        return cuda_targets.result(cuda_targets.finish())
    raster = to_raster("sites", sites, nodata)
    if components is not None:
        if values is not None or zero_is_site:
            raise ValueError("components is given; values and zero_is_site must not be")
        raster = number_components(raster, components, "components", device, threads)
    elif raster.boolean:
        refuse_selection(values, zero_is_site)
        raster = number_boolean_sites(raster)
    core_labels = _core_labels(raster)
    if core_labels is not raster.label_dtype and "labels" in names:
        require_held("unreached", to_number("unreached", unreached), raster.label_dtype)
    targets = Targets(
        names, out, raster.shape, (core_labels, raster.label_dtype), distance_dtype,
        (raster.cells,), raster.unseen,
    )  # fmt: skip
    _run_raster(
        raster, targets, spacing, metric, method, max_distance, periodic, values, zero_is_site,
        unreached, signed, False, device, threads, progress, False, options,
    )  # fmt: skip
    results = targets.finish()
    if raster.mask is None and raster.frame is None:
        return targets.result(results)
    return targets.result({name: raster.like_input(name, results[name]) for name in names})


def nearest_site_batch(
    sites: Any,
    spacing: float | Iterable[float] | None = None,
    metric: str = "euclidean",
    method: str = "exact",
    max_distance: float | None = None,
    nodata: float | None = None,
    periodic: bool | Iterable[bool] | None = None,
    values: float | Iterable[float] | None = None,
    zero_is_site: bool = False,
    unreached: float = 0,
    signed: bool = False,
    distance_dtype: Any = "float32",
    outputs: str | Sequence[str] = ("labels", "distance"),
    out: Any = None,
    device: str = "auto",
    threads: int | None = None,
    progress: Any = None,
    **method_options: Any,
) -> NearestSite:
    """Nearest site of every cell of each raster of a batch.

    Parameters
    ----------
    sites : array of shape (n, y, x) or (n, z, y, x)
        n rasters, each as the sites of `nearest_site`; they have nothing to do with each other.
    spacing, metric, method, max_distance, nodata, periodic, values, zero_is_site, unreached, \
signed, distance_dtype, out, device, threads, progress, method_options
        As of `nearest_site`; spacing and periodic are those of a raster.
    outputs : names of outputs
        As of `nearest_site`. Site indices and the numbers of boolean sites count within their own
        raster; offset has the shape (axes of a raster, \\*shape).

    Returns
    -------
    NearestSite
        Named tuple of the outputs, as `nearest_site` returns it; of a DataArray plain arrays.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`.

    Notes
    -----
    The same as a call for each raster. A CUDA device does 2-D rasters all at once, which is what
    makes hundreds of small ones worth its while.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> masks = np.array([[[1, 0, 0, 0]], [[0, 0, 0, 1]]], bool)
    >>> thiessen.nearest_site_batch(masks, outputs="site_index").site_index
    array([[[0, 0, 0, 0]],
    <BLANKLINE>
           [[3, 3, 3, 3]]])
    """
    options = to_method_options("nearest_site_batch", method_options)
    names = output_names(outputs)
    threads = to_thread_count(threads)
    zero_is_site = to_switch("zero_is_site", zero_is_site)
    raster: Raster | CudaRaster | None = to_cuda_raster("sites", sites, nodata, True)
    if isinstance(raster, CudaRaster):
        targets: Targets | CudaTargets = _cuda_targets(raster, names, out, distance_dtype, True)
    else:
        raster = to_raster("sites", sites, nodata, True)
        if raster.boolean:
            refuse_selection(values, zero_is_site)
            raster = number_boolean_sites(raster, True)
        core_labels = _core_labels(raster)
        if core_labels is not raster.label_dtype and "labels" in names:
            require_held("unreached", to_number("unreached", unreached), raster.label_dtype)
        targets = Targets(
            names, out, raster.shape, (core_labels, raster.label_dtype), distance_dtype,
            (raster.cells,), raster.unseen, len(raster.shape) - 1,
        )  # fmt: skip
    _run_raster(
        raster, targets, spacing, metric, method, max_distance, periodic, values, zero_is_site,
        unreached, signed, False, device, threads, progress, True, options,
    )  # fmt: skip
    results = targets.finish()
    if isinstance(raster, CudaRaster) or raster.mask is None:
        return targets.result(results)
    return targets.result({name: raster.like_input(name, results[name]) for name in names})


def voronoi(
    points: Any,
    shape: Iterable[int],
    labels: Any = None,
    spacing: float | Iterable[float] | None = None,
    metric: str = "euclidean",
    method: str = "exact",
    max_distance: float | None = None,
    periodic: bool | Iterable[bool] | None = None,
    unreached: float = 0,
    distance_dtype: Any = "float32",
    outputs: str | Sequence[str] = ("labels", "distance"),
    out: Any = None,
    device: str = "auto",
    threads: int | None = None,
    progress: Any = None,
    **method_options: Any,
) -> NearestSite:
    """Nearest point of every cell of a grid: a raster Voronoi diagram of points.

    Parameters
    ----------
    points : array of shape (n, 2) as (y, x), or (n, 3) as (z, y, x)
        In cells, where the centre of the first cell is 0: the point (2, 3) lies on the cell [2, 3].
        Rounded half to even to 2**-16 of a cell. Points outside of the grid count. Finite, at most
        2**31 cells away. float32 or float64 in CUDA memory stay there, as the sites of
        `nearest_site` do; what is wrong with them is raised by `synchronize`.
    shape : sequence of int
        Extents of the grid, (y, x) or (z, y, x).
    labels : array of shape (n,), optional
        Labels of the points, integers or floats; default: 1, 2, ... as int32.
    spacing, metric, method, max_distance, periodic, unreached, distance_dtype, outputs, out, \
device, threads, progress, method_options
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

    If all points lie in cells of the grid, no axis is periodic and the metric is not chessboard:
    time O(cells + n), as of `nearest_site`, and 5 bytes of scratch a cell. Otherwise
    time O(n log n) for a tree of the points and some searches in it for each row and region;
    points on a circle cost O(n) in the few cells near its centre. Scratch: about 80 bytes a point.

    Source: as of `nearest_site`; J. L. Bentley, "Multidimensional binary search trees used for
    associative searching" (1975).

    Examples
    --------
    >>> import thiessen
    >>> thiessen.voronoi([(0.5, 0.25), (1.5, 3.75)], shape=(3, 5)).labels
    array([[1, 1, 1, 2, 2],
           [1, 1, 1, 2, 2],
           [1, 1, 2, 2, 2]], dtype=int32)
    """
    options = to_method_options("voronoi", method_options)
    names = output_names(outputs)
    threads = to_thread_count(threads)
    extents = to_extents(shape)
    if len(extents) not in (2, 3):
        raise ValueError(f"shape = {tuple(extents)}; must have 2 or 3 axes")
    on_device = find_cuda("points", points)
    if on_device is not None:
        return _voronoi_on_device(
            on_device, extents, labels, spacing, metric, method, max_distance, periodic, unreached,
            distance_dtype, names, out, device, threads, progress, options,
        )  # fmt: skip
    given = to_array("points", points)
    coordinates = to_coordinates(given, len(extents))
    given_labels = None if labels is None else to_array("labels", labels)
    point_labels, label_dtypes = to_point_labels(given_labels, len(coordinates))
    if label_dtypes[0] != label_dtypes[1] and "labels" in names:
        require_held("unreached", to_number("unreached", unreached), label_dtypes[1])
    read = tuple(each for each in (coordinates, point_labels) if each is not None)
    unseen = tuple(each for each in (given, given_labels) if each is not None)
    unseen = tuple(each for each in unseen if each is not coordinates and each is not point_labels)
    targets = Targets(names, out, tuple(extents), label_dtypes, distance_dtype, read, unseen)
    with reporter(progress) as report:
        _core.nearest_site_of_points(
            coordinates,
            point_labels,
            extents,
            targets.arrays(),
            to_text("method", method),
            to_text("metric", metric),
            to_lengths("spacing", spacing, len(extents)),
            to_flags("periodic", periodic, len(extents)),
            to_limit(max_distance),
            to_number("unreached", unreached),
            to_text("device", device),
            threads,
            report,
            0,
            False,
            options,
        )
    return targets.result(targets.finish())


def _voronoi_on_device(
    points: CudaArray,
    extents: list[int],
    labels: Any,
    spacing: Any,
    metric: str,
    method: str,
    max_distance: float | None,
    periodic: Any,
    unreached: Any,
    distance_dtype: Any,
    names: tuple[str, ...],
    out: Any,
    device: str,
    threads: int,
    progress: Any,
    options: MethodOptions,
) -> NearestSite:
    rank = len(extents)
    check_point_shape(points, rank)
    if points.dtype.char not in "fd":
        raise TypeError(f"points has the dtype {points.dtype}; must be float32 or float64")
    count = points.shape[0]
    label_dtype = number_dtype(count)
    point_labels = None
    if labels is not None:
        point_labels = find_cuda("labels", labels)
        if point_labels is None:
            raise TypeError("labels are on the host; must be in CUDA memory, as the points are")
        if point_labels.shape != (count,):
            raise ValueError(f"labels has the shape {point_labels.shape}; must be ({count},)")
        label_dtype = point_labels.dtype
    targets = CudaTargets(names, out, tuple(extents), label_dtype, distance_dtype, points, rank)
    with reporter(progress) as report:
        _core.nearest_site_of_points(
            points.memory,
            None if point_labels is None else point_labels.memory,
            extents,
            targets.arrays(),
            to_text("method", method),
            to_text("metric", metric),
            to_lengths("spacing", spacing, rank),
            to_flags("periodic", periodic, rank),
            to_limit(max_distance),
            to_number("unreached", unreached),
            points.device_name(device),
            threads,
            report,
            points.stream,
            points.wait,
            options,
        )
    return targets.result(targets.finish())


def distance_transform(
    sites: Any,
    to: str = "site",
    signed: bool = False,
    spacing: float | Iterable[float] | None = None,
    metric: str = "euclidean",
    method: str = "exact",
    max_distance: float | None = None,
    nodata: float | None = None,
    periodic: bool | Iterable[bool] | None = None,
    values: float | Iterable[float] | None = None,
    zero_is_site: bool = False,
    distance_dtype: Any = "float32",
    out: Any = None,
    device: str = "auto",
    threads: int | None = None,
    progress: Any = None,
    **method_options: Any,
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
        any other, and the edge of the raster no boundary. By the method "exact" only.
    signed : bool
        Site cells get minus the distance to the nearest cell that is no site (-inf if there is
        none in range). Not with to="boundary".
    spacing, metric, method, max_distance, nodata, periodic, values, zero_is_site, distance_dtype, \
device, threads, progress, method_options
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
    if signed is not False and to == "boundary":
        raise ValueError("signed = True; must be False when the distance is to the boundary")
    options = to_method_options("distance_transform", method_options)
    threads = to_thread_count(threads)
    zero_is_site = to_switch("zero_is_site", zero_is_site)
    on_device = to_cuda_raster("sites", sites, nodata)
    if on_device is not None:
        cuda_targets = _cuda_targets(on_device, ("distance",), out, distance_dtype)
        _run_raster(
            on_device, cuda_targets, spacing, metric, method, max_distance, periodic, values,
            zero_is_site, 0, signed, to == "boundary", device, threads, progress, False, options,
        )  # fmt: skip
        return cuda_targets.finish()["distance"]
    raster = to_raster("sites", sites, nodata)
    if raster.boolean:
        refuse_selection(values, zero_is_site)
    targets = Targets(
        ("distance",), out, raster.shape, None, distance_dtype, (raster.cells,),
        raster.unseen,
    )  # fmt: skip
    _run_raster(
        raster, targets, spacing, metric, method, max_distance, periodic, values, zero_is_site,
        0, signed, to == "boundary", device, threads, progress, False, options,
    )  # fmt: skip
    return raster.like_input("distance", targets.finish()["distance"])


def expand_labels(
    labels: Any,
    distance: float = 1,
    spacing: float | Iterable[float] | None = None,
    metric: str = "euclidean",
    nodata: float | None = None,
    periodic: bool | Iterable[bool] | None = None,
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
    threads = to_thread_count(threads)
    limit = to_float("distance", distance)
    if not limit >= 0:
        raise ValueError(f"distance = {distance}; must be >= 0")
    on_device = to_cuda_raster("labels", labels, nodata)
    if on_device is not None:
        return _expand_on_device(
            on_device, limit, spacing, metric, periodic, out, device, threads, progress
        )
    raster = to_raster("labels", labels, nodata)
    boolean = raster.boolean or raster.cells.dtype.kind == "b"
    if boolean:  # one label, not numbers
        cells = raster.cells.view(np.uint8)
        raster = replace(raster, cells=cells, label_dtype=cells.dtype, boolean=False)
        if isinstance(out, np.ndarray) and out.dtype.kind == "b":
            out = out.view(np.uint8)
    targets = Targets(
        ("labels",), out, raster.shape, (_core_labels(raster), raster.label_dtype), "float32",
        (raster.cells,), raster.unseen,
    )  # fmt: skip
    _run_raster(
        raster, targets, spacing, metric, "exact", limit, periodic, None, False,
        0, False, False, device, threads, progress,
    )  # fmt: skip
    grown = targets.finish()["labels"]
    if boolean:
        if raster.mask is not None:
            grown[raster.mask] = 0
        grown = grown.view(np.bool_)
    return raster.like_input("labels", grown)


def _expand_on_device(
    raster: CudaRaster,
    limit: float,
    spacing: Any,
    metric: str,
    periodic: Any,
    out: Any,
    device: str,
    threads: int,
    progress: Any,
) -> Any:
    dtype = raster.cells.dtype
    targets = CudaTargets(
        ("labels",), out, raster.shape, dtype, "float32", raster.cells, raster.cells.ndim
    )
    if dtype.kind == "b":  # one label, not numbers
        byte = np.dtype(np.uint8)
        raster = replace(raster, cells=raster.cells.as_bytes(), label_dtype=byte)
        targets.core["labels"] = targets.core["labels"].as_bytes()
    _run_raster(
        raster, targets, spacing, metric, "exact", limit, periodic, None, False,
        0, False, False, device, threads, progress,
    )  # fmt: skip
    return targets.finish()["labels"]


def _cuda_targets(
    raster: CudaRaster,
    names: tuple[str, ...],
    out: Any,
    distance_dtype: Any,
    batch: bool = False,
) -> CudaTargets:
    axes = len(raster.shape) - batch
    return CudaTargets(
        names, out, raster.shape, raster.label_dtype, distance_dtype, raster.cells, axes
    )


def synchronize() -> None:
    """Wait for what this thread has called on CUDA devices.

    Calls on arrays in CUDA memory return at once; their results are in order on the stream of the
    arrays' library, so nobody has to wait for them. What only the device can find out, such as
    points that are not finite, is raised here.

    Raises
    ------
    ValueError
        A point in CUDA memory is not as it must be; the message has its number. The outputs of its
        call hold anything.
    RuntimeError
        The device failed.

    Examples
    --------
    >>> import thiessen
    >>> thiessen.synchronize()
    """
    _core.synchronize()


def _run_raster(
    raster: Raster | CudaRaster,
    targets: Targets | CudaTargets,
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
    batch: bool = False,
    options: MethodOptions = NO_METHOD_OPTIONS,
) -> None:
    rank = raster.cells.ndim - batch
    if isinstance(raster, CudaRaster):
        cells: Any = raster.cells.memory
        device, stream, wait = (
            raster.cells.device_name(device), raster.cells.stream, raster.cells.wait,
        )  # fmt: skip
    else:
        cells, stream, wait = raster.cells, 0, False
        if spacing is None and raster.frame is not None:
            spacing = raster.frame.spacing()
    if values is None:
        numbers = []
    else:
        numbers = to_numbers("values", values)
        if raster.cells.dtype not in (raster.label_dtype, np.bool_):
            for number in numbers:
                require_held("values", number, raster.label_dtype)
    with reporter(progress) as report:
        _core.nearest_site_of_raster(
            cells,
            targets.arrays(),
            to_text("method", method),
            to_text("metric", metric),
            to_lengths("spacing", spacing, rank),
            to_flags("periodic", periodic, rank),
            numbers,
            zero_is_site,
            to_limit(max_distance),
            raster.nodata,
            to_number("unreached", unreached),
            to_switch("signed", signed),
            to_boundary,
            to_text("device", device),
            threads,
            report,
            batch,
            stream,
            wait,
            options,
        )


def _core_labels(raster: Raster) -> np.dtype:
    """The dtype in which the core writes labels: that of the sites, a number for boolean ones."""
    return raster.label_dtype if raster.cells.dtype.kind == "b" else raster.cells.dtype
