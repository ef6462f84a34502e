# SPDX-License-Identifier: Apache-2.0
"""What needs no more than one output of nearest sites: distances alone, and labels that grow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ._arrays import refuse_selection, to_cuda_raster, to_raster
from ._calls import make_cuda_targets, run_raster
from ._cuda import CudaRaster
from ._options import to_float, to_method_options, to_switch, to_thread_count
from ._outputs import CudaTargets, Targets

__all__ = ["distance_transform", "expand_labels"]


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
        cuda_targets = make_cuda_targets(on_device, ("distance",), out, distance_dtype)
        run_raster(
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
    run_raster(
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
        ("labels",), out, raster.shape, (raster.core_label_dtype, raster.label_dtype), "float32",
        (raster.cells,), raster.unseen,
    )  # fmt: skip
    run_raster(
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
    run_raster(
        raster, targets, spacing, metric, "exact", limit, periodic, None, False,
        0, False, False, device, threads, progress,
    )  # fmt: skip
    return targets.finish()["labels"]
