# SPDX-License-Identifier: Apache-2.0
"""Nearest sites by straight-line distance: the functions that most users call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, overload

import numpy as np

from ._arguments.checks import to_switch
from ._arguments.running import to_thread_count
from ._arrays import (
    Raster,
    number_boolean_sites,
    number_components,
    refuse_with_components,
    refuse_zero_for_nodata,
    to_cuda_raster,
    to_raster,
)
from ._attributes import SIGNED_NAME
from ._calls import make_cuda_targets, make_targets, raster_options, run_raster, to_k
from ._cuda import CudaRaster
from ._earth import Earth
from ._method_options import MethodOptions
from ._outputs import CudaTargets, NearestSite, Targets, output_names
from ._unread import is_dask, refuse_for_dask
from ._warnings import tell_of_colours
from .typing import (
    AreaConnectivity,
    FloatDtype,
    MethodName,
    Metric,
    Number,
    Output,
    Several,
    SlabMetric,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._signatures import NearestSiteArguments

One = TypeVar("One", bound=Output)
Own = TypeVar("Own")
Kind = TypeVar("Kind", np.ndarray, np.ma.MaskedArray)
"""An array of NumPy: one with a mask has results with a mask."""

__all__ = ["nearest_site"]


@overload
def nearest_site(
    sites: Kind, **arguments: Unpack[NearestSiteArguments]
) -> NearestSite[Literal["labels", "distance"], Kind]: ...
@overload
def nearest_site(
    sites: Kind, *, outputs: One, **arguments: Unpack[NearestSiteArguments]
) -> NearestSite[One, Kind]: ...
@overload
def nearest_site(
    sites: Kind, *, outputs: Several[Output], **arguments: Unpack[NearestSiteArguments]
) -> NearestSite[Any, Kind]: ...
@overload
def nearest_site(
    sites: Sequence[Any],
    *,
    outputs: Output | Several[Output] = ...,
    **arguments: Unpack[NearestSiteArguments],
) -> NearestSite[Any, np.ndarray]: ...
@overload
def nearest_site(
    sites: Own, **arguments: Unpack[NearestSiteArguments]
) -> NearestSite[Literal["labels", "distance"], Own]: ...
@overload
def nearest_site(
    sites: Own, *, outputs: One, **arguments: Unpack[NearestSiteArguments]
) -> NearestSite[One, Own]: ...
@overload
def nearest_site(
    sites: Own, *, outputs: Several[Output], **arguments: Unpack[NearestSiteArguments]
) -> NearestSite[Any, Own]: ...
def nearest_site(
    sites: Any,
    *,
    spacing: Number | Iterable[Number] | None = None,
    metric: Metric = "euclidean",
    earth: Earth | None = None,
    method: MethodName = "exact",
    method_options: MethodOptions | None = None,
    max_distance: Number | None = None,
    nodata: Number | None = None,
    periodic: bool | Iterable[bool] | None = None,
    values: Number | Iterable[Number] | None = None,
    zero_is_site: bool = False,
    free_nodata: bool = False,
    components: AreaConnectivity | None = None,
    unreached: Number = 0,
    signed: bool = False,
    k: int | None = None,
    distinct_labels: bool = False,
    ties_unreached: bool = False,
    distance_dtype: FloatDtype = "float32",
    outputs: Output | Sequence[Output] = ("labels", "distance"),
    out: Any = None,
    batch_axes: int | str | Iterable[int | str] | None = None,
    device: str | None = None,
    threads: int | None = None,
    progress: Any = None,
    strict: bool | None = None,
) -> NearestSite[Any, Any]:
    """Nearest site of every cell of a raster, by straight-line distance.

    Three axes are a volume, in which distances go along all three: of a stack of pictures say so by
    ``batch_axes=0``.

    Parameters
    ----------
    sites : array of shape (y, x) or (z, y, x), and the axes of a batch
        Any boolean, integer or float dtype, any strides and byte order; a masked array (its mask is
        nodata), an xarray.DataArray, or anything with ``__array__`` that has its cells in memory.
        An array in CUDA memory (CuPy, PyTorch, Numba, JAX, ...) stays there: see the notes. The
        cells that are neither zero nor NaN nor nodata are the sites, and their values the labels;
        many cells may share one. Boolean sites are numbered 1, 2, ... in row-major order.
    batch_axes : int or str, or several, optional
        Axes (names of dimensions, of a DataArray) along which rasters lie beside each other that
        have nothing to do with each other: 0 of (n, y, x), (0, 1) of (n, channel, y, x), (0, -1) of
        (n, y, x, channel). The result is that of a call for each raster: site indices, numbers of
        boolean sites and of components count within it.
    spacing : float or one per axis of a raster, optional
        World length of one cell, in array order (z, y, x); finite and > 0. Default: 1, or the steps
        of a DataArray's coordinates; degrees are refused.
    metric : str
        "euclidean", "manhattan" or "chessboard"; or, in 2-D with a spacing of 1, "octagonal",
        "chamfer-3-4" or "chamfer-5-7-11"; or on the Earth "ellipsoidal" or "great-circle", in
        metres, by "exact" and "brute-force" on the CPU.
    earth : Earth, optional
        For the last two: the latitude of each row and the longitude of each column. Default: the
        coordinates of a DataArray. squared and `signed` do not exist there, and direction is the
        azimuth.
    method : str
        "exact"; with the same results "brute-force", which takes time cells * sites, and for some
        metrics each "raster-gpu", "chamfer", "circle-growing", "dilation" and "expansion"; or one
        of jump flooding, which is not exact: "jfa", "1+jfa", "jfa+1", "jfa+2", "jfa2", "jfa-noise",
        "jfa-plus", "jfa-star"; in 2-D, to the letter of papers, "jfa-coeurjolly", "jfa+1-paper",
        "jfa+-paper", "jfa-star-paper", "jfa-star+1-paper"; and on CUDA "jfa-thrust". "exact" and
        jump flooding have the first three metrics, "chamfer" alone the last two; by octagonal
        distance it is not exact.
    method_options : Flooding, Growing, Scanning or Spreading, optional
        What only one family of methods takes: `Flooding` of the methods of jump flooding,
        `Growing` of "circle-growing", `Scanning` of "raster-gpu" and "brute-force", `Spreading`
        of "dilation" and "expansion". Default: what the method does by itself.
    max_distance : float, optional
        Search limit in units of the spacing, inclusive. Cells farther away are unreached.
    nodata : number, optional
        Cells of this value lie outside the domain: never a site, and nodata in every output. NaN is
        a value here. They do not block straight lines. Default: none, or what the metadata of a
        DataArray say (``rio.nodata``, ``_FillValue``).
    periodic : bool or one per axis of a raster, optional
        Axes on which the raster goes on with its other end, as a torus does.
    values : number or numbers, optional
        Exactly the cells of these values are the sites, zero and NaN too if they are listed; of
        boolean sites True or False.
    zero_is_site : bool
        Every cell that is not nodata is a site.
    free_nodata : bool
        The nodata cells (of a masked array the masked ones) are the free ones, in the domain as
        any, and all others are sites, zero and NaN too: for rasters of sites and nodata alone. Not
        with `values`, nor with `components`.
    components : {4, 8} in 2-D, {6, 18, 26} in 3-D, optional
        The connected areas of equal non-zero value are the sites, numbered 1, 2, ... in the order
        of their first cells.
    unreached : number
        Label of an unreached cell.
    signed : bool
        A site cell gets minus the distance to the nearest cell that is no site.
    k : int, optional
        The k nearest sites of every cell, from 1 to 1024, in place of the nearest one. labels,
        distance, squared and site_index then have one more axis in front, of k, nearest first;
        where there are fewer sites, the rest is unreached. Other outputs do not exist then. By the
        method "exact" on the CPU, of one raster, and without `signed`.
    distinct_labels : bool
        The k nearest labels, each by its nearest site, in place of the k nearest sites.
    ties_unreached : bool
        Cells at equal distance from several labels get the label `unreached`.
    distance_dtype : {"float32", "float64"}
    outputs : names of "labels", "distance", "squared", "site_index", "offset", "direction"
        What is computed, in this order. dtypes: labels as the sites (int32, from 2**31 cells on
        int64, for boolean sites and components); squared and site_index int64; offset int32 of the
        shape (axes of a raster, \\*shape), site minus cell, in cells in the order of the axes;
        direction float32 in degrees, 2-D only: 0 at the site, 90 east, 180 south, 270 west, 360
        north, where row 0 is north (a DataArray has the azimuth on its map). squared is for
        euclidean with a spacing of 1.
        "other_labels", "other_distance" and "other_site_index" are those of the nearest site of
        another label: what the call would find at a cell without the sites of the cell's label;
        by the method "exact" on the CPU, and without `signed`. So is "ties": how many labels have a
        site at exactly the least distance, uint8, up to 255; 1 where there is no tie.
    out : mapping of names to arrays, arrays in the order of outputs, or the array of the only one
        numpy.ndarrays that are written instead of new ones; any strides and byte order, but apart
        from each other and from the sites. A repeated call then allocates nothing.
    device : str, optional
        "auto", "cpu", "cuda", "cuda:1", "opencl" or "opencl:1"; see `devices`. "auto" is the CPU,
        or the device of the sites. "cuda:0,cuda:1" or "cuda:all": a slab of the raster on each,
        for arrays of the host, by the method "exact" and the metrics "euclidean" and "manhattan".
    threads : int, optional
        Threads of the CPU; default: one for each processor.
    progress : optional
        A callable of one float from 0 to 1, True for a bar of tqdm, or such a bar.
    strict : bool, optional
        What is told by a `ThiessenWarning` (no site at all) is an error.

    Returns
    -------
    NearestSite
        Named tuple of the outputs. A masked array gives masked arrays (with its fill_value in the
        labels), a DataArray DataArrays with its coordinates (its CRS among them) and attributes of
        their own: long_name, units where they are known, _FillValue; an array in CUDA memory such
        arrays of its library. Special cells hold:

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
    The nearer of two sites wins; at equal distance the one with the smaller site index wins.
    "Nearer" is decided in integers: the same bits for every method, number of threads and machine.

    Time O(cells) (chessboard in 3-D O(cells * log(axis))), scratch memory 4 bytes a cell
    (chessboard 12, in 3-D 20), which is kept for the next call of this thread
    (`release_scratch`). No copy is made of arrays in native byte order; masked arrays, other byte
    orders, float16 and long double are copied. The GIL is released, and Ctrl-C ends the call.

    Sites in CUDA memory are neither copied to the host nor waited for: the work is put on the
    current stream of their library, and the call returns. What that library does with the results
    is in order; `synchronize` waits, and raises what only the device could find. A library without
    streams (JAX) gets results that are done. `out` must be in CUDA memory too. There 2-D rasters of
    a batch are done all at once, which is what makes hundreds of small ones worth its while.

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

    >>> options = thiessen.Flooding(steps=[4, 2, 1])
    >>> found = thiessen.nearest_site(
    ...     sites, method="jfa", method_options=options, outputs="labels"
    ... )
    >>> found.labels
    array([[7, 7, 7, 7, 9, 9],
           [7, 7, 7, 7, 9, 9],
           [7, 7, 7, 9, 9, 9]], dtype=uint8)

    The two nearest sites, and the cells that are as near to one as to the other:

    >>> wells = np.array([[7, 0, 0, 0, 9]], np.uint8)
    >>> thiessen.nearest_site(wells, k=2).labels
    array([[[7, 7, 7, 9, 9]],
    <BLANKLINE>
           [[9, 9, 9, 7, 7]]], dtype=uint8)
    >>> thiessen.nearest_site(wells, outputs="ties").ties
    array([[1, 1, 2, 1, 1]], dtype=uint8)
    """
    tell_of_colours("sites", sites, strict=strict, batch_axes=batch_axes)
    if is_dask(sites):
        from . import dask

        refuse_for_dask(
            method=(method, "exact"), method_options=(method_options, None), out=(out, None),
            batch_axes=(batch_axes, None), device=(device, None), progress=(progress, None),
            strict=(strict, None), earth=(earth, None), k=(k, None),
            distinct_labels=(distinct_labels, False), ties_unreached=(ties_unreached, False),
        )  # fmt: skip
        return dask.nearest_site(
            sites, spacing=spacing, metric=cast(SlabMetric, metric), max_distance=max_distance,
            nodata=nodata, periodic=periodic, values=values, zero_is_site=zero_is_site,
            free_nodata=free_nodata, components=components, unreached=unreached, signed=signed,
            distance_dtype=distance_dtype, outputs=outputs, threads=threads,
        )  # fmt: skip
    names = output_names(outputs)
    threads = to_thread_count(threads)
    zero_is_site = to_switch("zero_is_site", zero_is_site)
    free_nodata = to_switch("free_nodata", free_nodata)
    if free_nodata and values is not None:
        raise ValueError("free_nodata = True; must be False when values are given")
    raster: Raster | CudaRaster
    targets: Targets | CudaTargets
    on_device = to_cuda_raster("sites", sites, nodata, batch_axes)
    if on_device is not None:
        if components is not None:
            raise ValueError("components is given; areas of sites on a GPU must be found before")
        ranks = to_k(k, on_device=True)
        raster, targets = on_device, make_cuda_targets(on_device, names, out, distance_dtype)
    else:
        raster = to_raster("sites", sites, nodata, batch_axes)
        if values is None and not zero_is_site and not free_nodata:
            refuse_zero_for_nodata(raster, nodata)
        if components is not None:
            refuse_with_components(values, zero_is_site, free_nodata)
            raster = number_components(raster, components, "components", device, threads)
        elif raster.boolean:
            raster = number_boolean_sites(raster, values, zero_is_site or free_nodata)
            values, zero_is_site = None, False
        if free_nodata:
            raster = raster.without_mask()
        ranks = to_k(k, batch=raster.batch)
        targets = make_targets(raster, names, out, distance_dtype, unreached, ranks)
    options = raster_options(
        raster, spacing=spacing, metric=metric, earth=earth, method=method,
        method_options=method_options, max_distance=max_distance, periodic=periodic, values=values,
        zero_is_site=zero_is_site, free_nodata=free_nodata, unreached=unreached, signed=signed,
        device=device, threads=threads, strict=strict, k=ranks, distinct_labels=distinct_labels,
        ties_unreached=ties_unreached,
    )  # fmt: skip
    run_raster(raster, targets, options, progress)
    results = targets.finish()
    if raster.hands_back_plain:
        return targets.result(results)
    raster, units = raster.measured(metric, spacing)
    titles = {"distance": SIGNED_NAME} if signed else {}
    return targets.result(
        {name: raster.like_input(name, results[name], titles.get(name), units) for name in names}
    )
