# SPDX-License-Identifier: Apache-2.0
"""The options of the functions of nearest sites as the core takes them, and its call for a raster,
on the host or in CUDA memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, _earth
from ._arguments.checks import (
    require_held,
    set_text,
    to_cell_values,
    to_flags,
    to_lengths,
    to_limit,
    to_number,
    to_switch,
    to_whole,
)
from ._arguments.progress import reporter
from ._arguments.running import to_strict
from ._arrays import Raster, boolean_values
from ._batch import share_of, split
from ._cuda import CudaRaster
from ._method_options import set_method
from ._outputs import CudaTargets, Targets, have_labels
from ._warnings import tell

MOST_NEAREST = 1024
"""The most of `k`."""


def nearest_options(
    rank: int,
    *,
    threads: int,
    strict: Any,
    spacing: Any = None,
    metric: Any = "euclidean",
    earth: Any = None,
    method: Any = "exact",
    method_options: Any = None,
    max_distance: Any = None,
    periodic: Any = None,
    unreached: Any = 0,
    k: int = 0,
    distinct_labels: Any = False,
    ties_unreached: Any = False,
) -> _core.NearestSiteOptions:
    """What rasters and points have in common. What is not given stays as the core has it, as most
    calls are of few options and small ones take little longer than to set all."""
    options = _core.NearestSiteOptions()
    if threads:
        options.threads = threads
    if to_strict(strict):
        options.strict = True
    set_text(options, "metric", metric, "euclidean")
    if earth is not None:
        options.earth = earth
    set_method(options, method, method_options)
    if spacing is not None:
        options.spacing = to_lengths("spacing", spacing, rank)
    if periodic is not None:
        options.periodic = to_flags("periodic", periodic, rank)
    if max_distance is not None:
        options.max_distance = to_limit(max_distance)
    if type(unreached) is not int or unreached:
        options.unreached = to_number("unreached", unreached)
    if k:
        options.k = k
    if distinct_labels is not False:
        options.distinct_labels = to_switch("distinct_labels", distinct_labels)
    if ties_unreached is not False:
        options.ties_unreached = to_switch("ties_unreached", ties_unreached)
    return options


def to_k(k: Any, on_device: bool = False, batch: tuple[int, ...] = ()) -> int:
    """How many of the nearest are wanted; 0 for one without an axis of its own."""
    if k is None:
        return 0
    number = to_whole("k", k, 1, MOST_NEAREST)
    if on_device:
        raise RuntimeError(f"k = {k}; in CUDA memory there is the nearest site alone")
    if batch:
        raise ValueError(f"k = {k}; of a batch there is the nearest site alone")
    return number


def raster_options(
    raster: Raster | CudaRaster,
    *,
    device: Any,
    spacing: Any,
    metric: Any = "euclidean",
    earth: Any = None,
    values: Any = None,
    zero_is_site: bool = False,
    free_nodata: bool = False,
    signed: Any = False,
    to: str = "site",
    periodic: Any = None,
    **common: Any,
) -> _core.NearestSiteOptions:
    """The same with what is for rasters only."""
    rank = raster.cells.ndim - len(raster.batch)
    signed = to_switch("signed", signed)
    if earth is not None or metric in _earth.METRICS:
        earth = _earth.to_core(earth, metric, getattr(raster, "frame", None))
    else:
        spacing = raster.spacing_or(spacing, not signed and to == "site" and periodic is None)
    options = nearest_options(
        rank, spacing=spacing, metric=metric, earth=earth, periodic=periodic, **common
    )
    raster.set_device(options, device)
    if values is not None:
        options.values = _to_values(raster, values)
    if zero_is_site:
        options.zero_is_site = True
    if free_nodata:
        options.free_nodata = True
    if raster.nodata is not None:
        options.nodata = raster.nodata
    if signed:
        options.signed_distance = True
    if to != "site":
        options.distance_to = to
    return options


def run_raster(
    raster: Raster | CudaRaster,
    targets: Targets | CudaTargets,
    options: _core.NearestSiteOptions,
    progress: Any,
) -> None:
    with reporter(progress) as report:
        if raster.batch:
            found = _run_batch(raster, targets, options, report)
        else:
            options.progress = report
            found = _core.nearest_site(raster.for_core(), targets.arrays(), options)
    tell(found)


def _run_batch(
    raster: Raster | CudaRaster,
    targets: Targets | CudaTargets,
    options: _core.NearestSiteOptions,
    report: Any,
) -> list[tuple[str, int, str]]:
    arrays = targets.arrays()
    pieces = split([raster.for_core(), *arrays.values()], raster.batch, raster.cells.ndim)
    found = []
    for i, (cells, *outputs) in enumerate(pieces):
        options.progress = share_of(report, i, len(pieces))
        found += _core.nearest_site_batch(cells, dict(zip(arrays, outputs)), options)
    return found


def _to_values(raster: Raster | CudaRaster, values: Any) -> list[int | float]:
    if isinstance(raster, Raster) and raster.boolean:
        return [*boolean_values(values)]
    numbers = to_cell_values("values", values)
    if raster.cells.dtype not in (raster.label_dtype, np.bool_):
        for number in numbers:
            require_held("values", number, raster.label_dtype)
    return numbers


def make_targets(
    raster: Raster,
    names: tuple[str, ...],
    out: Any,
    distance_dtype: Any,
    unreached: Any,
    k: int = 0,
) -> Targets:
    core_labels = raster.core_label_dtype
    if core_labels is not raster.label_dtype and have_labels(names):
        require_held("unreached", to_number("unreached", unreached), raster.label_dtype)
    return Targets(
        names, out, raster.shape, (core_labels, raster.label_dtype), distance_dtype,
        (raster.cells,), raster.unseen, raster.cells.ndim - len(raster.batch), k,
    )  # fmt: skip


def make_cuda_targets(
    raster: CudaRaster, names: tuple[str, ...], out: Any, distance_dtype: Any
) -> CudaTargets:
    axes = len(raster.shape) - len(raster.batch)
    return CudaTargets(
        names, out, raster.shape, raster.label_dtype, distance_dtype, raster.cells, axes
    )
