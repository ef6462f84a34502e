# SPDX-License-Identifier: Apache-2.0
"""Nearest sites by straight-line distance: the functions that most users call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ._arrays import (
    Raster,
    number_boolean_sites,
    number_components,
    refuse_selection,
    to_cuda_raster,
    to_raster,
)
from ._calls import make_cuda_targets, run_raster
from ._cuda import CudaRaster
from ._options import (
    require_held,
    to_method_options,
    to_number,
    to_switch,
    to_thread_count,
)
from ._outputs import CudaTargets, NearestSite, Targets, output_names

__all__ = ["nearest_site", "nearest_site_batch"]


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
        cuda_targets = make_cuda_targets(on_device, names, out, distance_dtype)
        run_raster(
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
    core_labels = raster.core_label_dtype
    if core_labels is not raster.label_dtype and "labels" in names:
        require_held("unreached", to_number("unreached", unreached), raster.label_dtype)
    targets = Targets(
        names, out, raster.shape, (core_labels, raster.label_dtype), distance_dtype,
        (raster.cells,), raster.unseen,
    )  # fmt: skip
    run_raster(
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
        targets: Targets | CudaTargets = make_cuda_targets(raster, names, out, distance_dtype, True)
    else:
        raster = to_raster("sites", sites, nodata, True)
        if raster.boolean:
            refuse_selection(values, zero_is_site)
            raster = number_boolean_sites(raster, True)
        core_labels = raster.core_label_dtype
        if core_labels is not raster.label_dtype and "labels" in names:
            require_held("unreached", to_number("unreached", unreached), raster.label_dtype)
        targets = Targets(
            names, out, raster.shape, (core_labels, raster.label_dtype), distance_dtype,
            (raster.cells,), raster.unseen, len(raster.shape) - 1,
        )  # fmt: skip
    run_raster(
        raster, targets, spacing, metric, method, max_distance, periodic, values, zero_is_site,
        unreached, signed, False, device, threads, progress, True, options,
    )  # fmt: skip
    results = targets.finish()
    if isinstance(raster, CudaRaster) or raster.mask is None:
        return targets.result(results)
    return targets.result({name: raster.like_input(name, results[name]) for name in names})
