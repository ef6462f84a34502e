# SPDX-License-Identifier: Apache-2.0
"""Functions with one output of nearest sites: distances alone, and labels that grow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

import numpy as np

from ._arguments.checks import to_length, to_switch
from ._arguments.running import to_thread_count
from ._arrays import Raster, label_of_unreached, refuse_zero_for_nodata, to_cuda_raster, to_raster
from ._attributes import BOUNDARY_NAME, SIGNED_NAME
from ._calls import make_cuda_targets, raster_options, run_raster
from ._coverage import coverage_distance, refuse_with_coverage
from ._cuda import CudaRaster
from ._earth import Earth
from ._method_options import MethodOptions
from ._outputs import CudaTargets, Targets
from ._unread import is_dask, refuse_for_dask
from ._warnings import tell_of_colours
from .typing import DistanceTo, FloatDtype, MethodName, Metric, Number, SlabMetric

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._signatures import DistanceTransformArguments, ExpandLabelsArguments

Own = TypeVar("Own")
Kind = TypeVar("Kind", np.ndarray, np.ma.MaskedArray)
"""An array of NumPy: one with a mask has results with a mask."""

__all__ = ["distance_transform", "expand_labels"]


@overload
def distance_transform(sites: Kind, **arguments: Unpack[DistanceTransformArguments]) -> Kind: ...
@overload
def distance_transform(
    sites: Sequence[Any], **arguments: Unpack[DistanceTransformArguments]
) -> np.ndarray: ...
@overload
def distance_transform(sites: Own, **arguments: Unpack[DistanceTransformArguments]) -> Own: ...
def distance_transform(
    sites: Any,
    *,
    to: DistanceTo = "site",
    signed: bool = False,
    coverage: bool = False,
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
    distance_dtype: FloatDtype = "float32",
    out: Any = None,
    batch_axes: int | str | Iterable[int | str] | None = None,
    device: str | None = None,
    threads: int | None = None,
    progress: Any = None,
    strict: bool | None = None,
) -> Any:
    """Distance of every cell to the nearest site, or to the boundary of its own label.

    Mind the polarity: distances are *to* the non-zero cells, where SciPy's and OpenCV's are to the
    zero cells (`thiessen.compat` has those). Three axes are a volume: of a stack of pictures say so
    by ``batch_axes=0``.

    Parameters
    ----------
    sites : array of shape (y, x) or (z, y, x), and the axes of a batch
        As of `nearest_site`.
    batch_axes : int or str, or several, optional
        As of `nearest_site`: axes that are none of a raster.
    to : {"site", "boundary"}
        "boundary": the nearest cell that does not hold the same value, where zero is a value like
        any other, and the edge of the raster no boundary. By the method "exact" only.
    signed : bool
        Site cells get minus the distance to the nearest cell that is no site (-inf if there is
        none in range). Not with to="boundary".
    coverage : bool
        With signed=True: the cells tell how much of each the shape covers, as an antialiased mask
        does: uint8 from 0 to 255, uint16 from 0 to 65535, floats from 0 to 1, or booleans.
        Distances are approximate, and to the edge of the shape, which lies within cells; below 0
        inside. On the host, and with no other argument than `spacing`, `max_distance`,
        `distance_dtype`, `out`, `batch_axes`, `threads` and `progress`.
    spacing, metric, earth, method, method_options, max_distance, nodata, periodic, values, \
zero_is_site, free_nodata, distance_dtype, device, threads, progress, strict
        As of `nearest_site`.
    out : numpy.ndarray, optional
        Has the shape of the sites, float32 or float64; written instead of a new array.

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
    With coverage, scratch memory is 12 bytes a cell and some hundred a cell with an edge; the
    same bits on every machine, and with any number of threads. Sources: S. Gustavson and R. Strand,
    "Anti-aliased Euclidean distance transform" (2011); J. E. Pilliod and E. G. Puckett,
    "Second-order accurate volume-of-fluid algorithms for tracking material interfaces" (2004).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> thiessen.distance_transform(np.array([[0, 0, 1, 1, 0]]))
    array([[2., 1., 0., 0., 1.]], dtype=float32)
    >>> thiessen.distance_transform(np.array([[0, 0, 1, 1, 0]]), signed=True)
    array([[ 2.,  1., -1., -1.,  1.]], dtype=float32)
    >>> thiessen.distance_transform(np.array([[5, 5, 5, 8, 8]]), to="boundary")
    array([[3., 2., 1., 1., 2.]], dtype=float32)
    >>> mask = np.array([[0, 0.25, 1, 1, 0.5]])
    >>> thiessen.distance_transform(mask, signed=True, coverage=True)
    array([[ 1.25,  0.25, -0.75, -1.  ,  0.  ]], dtype=float32)
    """
    tell_of_colours("sites", sites, strict=strict, batch_axes=batch_axes)
    if to not in ("site", "boundary"):
        raise ValueError(f"to = {to!r}; must be 'site' or 'boundary'")
    if signed is not False and to == "boundary":
        raise ValueError("signed = True; must be False when the distance is to the boundary")
    if to_switch("coverage", coverage):
        if not to_switch("signed", signed):
            raise ValueError("signed = False; must be True with coverage=True")
        refuse_with_coverage(
            to=(to, "site"), metric=(metric, "euclidean"), earth=(earth, None),
            method=(method, "exact"), method_options=(method_options, None), nodata=(nodata, None),
            periodic=(periodic, None), values=(values, None), zero_is_site=(zero_is_site, False),
            free_nodata=(free_nodata, False), strict=(strict, None),
            device=(None if device in ("auto", "cpu") else device, None),
        )  # fmt: skip
        return coverage_distance(
            sites, spacing=spacing, max_distance=max_distance, distance_dtype=distance_dtype,
            out=out, batch_axes=batch_axes, threads=to_thread_count(threads), progress=progress,
        )  # fmt: skip
    if is_dask(sites):
        from . import dask

        refuse_for_dask(
            method=(method, "exact"), method_options=(method_options, None), out=(out, None),
            batch_axes=(batch_axes, None), device=(device, None), progress=(progress, None),
            strict=(strict, None), earth=(earth, None),
        )  # fmt: skip
        return dask.distance_transform(
            sites, to=to, signed=signed, spacing=spacing, metric=cast(SlabMetric, metric),
            max_distance=max_distance, nodata=nodata, periodic=periodic, values=values,
            zero_is_site=zero_is_site, free_nodata=free_nodata, distance_dtype=distance_dtype,
            threads=threads,
        )  # fmt: skip
    threads = to_thread_count(threads)
    zero_is_site = to_switch("zero_is_site", zero_is_site)
    free_nodata = to_switch("free_nodata", free_nodata)
    raster: Raster | CudaRaster
    targets: Targets | CudaTargets
    on_device = to_cuda_raster("sites", sites, nodata, batch_axes)
    if on_device is not None:
        raster = on_device
        targets = make_cuda_targets(on_device, ("distance",), out, distance_dtype)
    else:
        raster = to_raster("sites", sites, nodata, batch_axes)
        if to == "site" and values is None and not zero_is_site and not free_nodata:
            refuse_zero_for_nodata(raster, nodata)
        if free_nodata:
            raster = raster.without_mask()
        targets = Targets(
            ("distance",), out, raster.shape, None, distance_dtype, (raster.cells,),
            raster.unseen,
        )  # fmt: skip
    options = raster_options(
        raster, spacing=spacing, metric=metric, earth=earth, method=method,
        method_options=method_options, max_distance=max_distance, periodic=periodic, values=values,
        zero_is_site=zero_is_site, free_nodata=free_nodata, signed=signed, to=to, device=device,
        threads=threads, strict=strict,
    )  # fmt: skip
    run_raster(raster, targets, options, progress)
    title = SIGNED_NAME if signed else BOUNDARY_NAME if to == "boundary" else None
    distance = targets.finish()["distance"]
    raster, units = raster.measured(metric, spacing)
    return raster.like_input("distance", distance, title, units)


@overload
def expand_labels(
    labels: Kind, distance: Number = 1, **arguments: Unpack[ExpandLabelsArguments]
) -> Kind: ...
@overload
def expand_labels(
    labels: Sequence[Any], distance: Number = 1, **arguments: Unpack[ExpandLabelsArguments]
) -> np.ndarray: ...
@overload
def expand_labels(
    labels: Own, distance: Number = 1, **arguments: Unpack[ExpandLabelsArguments]
) -> Own: ...
def expand_labels(
    labels: Any,
    distance: Number = 1,
    *,
    spacing: Number | Iterable[Number] | None = None,
    metric: Metric = "euclidean",
    nodata: Number | None = None,
    free_nodata: bool = False,
    periodic: bool | Iterable[bool] | None = None,
    out: Any = None,
    batch_axes: int | str | Iterable[int | str] | None = None,
    device: str | None = None,
    threads: int | None = None,
    progress: Any = None,
    strict: bool | None = None,
) -> Any:
    """Grow every label by a distance, without overlaps: each free cell in range takes the label of
    the nearest labelled one.

    Parameters
    ----------
    labels : array of shape (y, x) or (z, y, x), and the axes of a batch
        As the sites of `nearest_site`: zero (or NaN) is free. A boolean array is grown as one
        label.
    batch_axes : int or str, or several, optional
        As of `nearest_site`: axes that are none of a raster.
    distance : float
        How far to grow, in units of the spacing, inclusive; math.inf fills the raster.
    free_nodata : bool
        As of `nearest_site`: labels grow into the nodata cells, and all others are labelled, zero
        too. Cells out of range stay nodata, those of a masked array masked.
    spacing, metric, nodata, periodic, device, threads, progress, strict
        As of `nearest_site`.
    out : numpy.ndarray, optional
        Has the shape and dtype of the labels; written instead of a new array.

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
    tell_of_colours("labels", labels, strict=strict, batch_axes=batch_axes)
    if is_dask(labels):
        from . import dask

        refuse_for_dask(
            out=(out, None), batch_axes=(batch_axes, None), device=(device, None),
            progress=(progress, None), strict=(strict, None),
        )  # fmt: skip
        return dask.expand_labels(
            labels, distance, spacing=spacing, metric=cast(SlabMetric, metric), nodata=nodata,
            free_nodata=free_nodata, periodic=periodic, threads=threads,
        )  # fmt: skip
    threads = to_thread_count(threads)
    free_nodata = to_switch("free_nodata", free_nodata)
    limit = to_length("distance", distance)
    if not limit >= 0:
        raise ValueError(f"distance = {distance}; must be >= 0")
    raster: Raster | CudaRaster
    targets: Targets | CudaTargets
    on_device = to_cuda_raster("labels", labels, nodata, batch_axes)
    if on_device is not None:
        boolean = False  # to the end here: the array itself is of booleans
        raster, targets = _grown_on_device(on_device, out)
    else:
        host = to_raster("labels", labels, nodata, batch_axes)
        if not free_nodata:
            refuse_zero_for_nodata(host, nodata)
        boolean = host.boolean or host.cells.dtype.kind == "b"
        raster, targets = _grown_on_host(host, boolean, out)
    options = raster_options(
        raster, spacing=spacing, metric=metric, max_distance=limit, periodic=periodic,
        free_nodata=free_nodata, unreached=label_of_unreached(raster.nodata, free_nodata),
        device=device, threads=threads, strict=strict,
    )  # fmt: skip
    run_raster(raster, targets, options, progress)
    grown = targets.finish()["labels"]
    if free_nodata and isinstance(raster, Raster) and raster.mask is not None:
        is_nodata = grown == raster.nodata if raster.nodata == raster.nodata else np.isnan(grown)
        raster = replace(raster, mask=is_nodata)
    if boolean and isinstance(raster, Raster):
        if raster.mask is not None:
            grown[raster.mask] = 0
        grown = grown.view(np.bool_)
    return raster.like_input("labels", grown, "label, grown")


def _grown_on_host(raster: Raster, boolean: bool, out: Any) -> tuple[Raster, Targets]:
    if boolean:  # one label, not numbers
        cells = raster.cells.view(np.uint8)
        raster = replace(raster, cells=cells, label_dtype=cells.dtype, boolean=False)
        if isinstance(out, np.ndarray) and out.dtype.kind == "b":
            out = out.view(np.uint8)
    targets = Targets(
        ("labels",), out, raster.shape, (raster.core_label_dtype, raster.label_dtype), "float32",
        (raster.cells,), raster.unseen,
    )  # fmt: skip
    return raster, targets


def _grown_on_device(raster: CudaRaster, out: Any) -> tuple[CudaRaster, CudaTargets]:
    dtype = raster.cells.dtype
    targets = CudaTargets(
        ("labels",), out, raster.shape, dtype, "float32", raster.cells, raster.cells.ndim
    )
    if dtype.kind == "b":  # one label, not numbers
        byte = np.dtype(np.uint8)
        raster = replace(raster, cells=raster.cells.as_bytes(), label_dtype=byte)
        targets.core["labels"] = targets.core["labels"].as_bytes()
    return raster, targets
