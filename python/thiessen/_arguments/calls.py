# SPDX-License-Identifier: Apache-2.0
"""The options of the functions of nearest sites as the core takes them, and its call for a raster,
on the host or in CUDA memory."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from .. import _core
from .._kinds.batch import share_of, split
from .._kinds.host import Raster, boolean_values
from .._kinds.outputs import Targets, require_held_labels
from ..typing import DistanceTo
from . import earth as _earth
from .checks import require_held, to_cell_values, to_switch, to_whole
from .core_options import CoreOptions, Told, core_options, run
from .fields import FIELDS
from .method_options import core_options_of
from .options import Options, to_choice
from .running import reporter
from .warnings import tell


def nearest_options(operation: str, rank: int, options: Options, k: int = 0) -> CoreOptions:
    """What rasters and points have in common."""
    own = core_options(operation, options, rank)
    if options.method_options is not None:
        own.update(core_options_of(options.method, options.method_options))
    if k:
        own["k"] = k
    return own


def to_k(k: Any, on_device: bool = False, batch: tuple[int, ...] = ()) -> int:
    """How many of the nearest are wanted; 0 for one without an axis of its own."""
    if k is None:
        return 0
    number = to_whole("k", k, 1, int(FIELDS["nearest_site"]["k"].greatest or 1))
    if on_device:
        raise RuntimeError(f"k = {k}; in CUDA memory there is the nearest site alone")
    if batch:
        raise ValueError(f"k = {k}; of a batch there is the nearest site alone")
    return number


def without_zeros(options: Options) -> Options:
    """The same options, where distances to zeros are those to sites of this value."""
    to = to_choice("distance_to", options.distance_to, get_args(DistanceTo))
    if to == "zeros":
        for name in ("values", "zero_is_site", "free_nodata"):
            if getattr(options, name) not in (None, False):
                raise ValueError(f"{name} is given; must not be with distance_to='zeros'")
        return options.but(values=[0], distance_to="sites")
    if to == "boundary" and to_switch("signed_distance", options.signed_distance):
        raise ValueError("signed_distance = True; must be False with distance_to='boundary'")
    return options


def raster_options(
    raster: Raster,
    options: Options,
    k: int = 0,
    operation: str = "nearest_site",
) -> CoreOptions:
    """The same with what is for rasters only."""
    rank = raster.cells.ndim - len(raster.batch)
    signed = to_switch("signed_distance", options.signed_distance)
    earth: dict[str, Any] = {}
    if options.earth is not None or options.metric in _earth.METRICS:
        earth = _earth.to_core(options.earth, options.metric, raster.frame)
    else:
        on_earth = not signed and options.distance_to == "sites" and options.periodic is None
        options = options.but(spacing=raster.spacing_or(options.spacing, on_earth))
    values = options.values
    if values is not None:
        options = options.but(values=_to_values(raster, values))
    own = nearest_options(operation, rank, options.but(nodata=raster.nodata), k)
    own.update(earth)
    raster.set_device(own, options.device)
    return own


def run_raster(
    raster: Raster,
    targets: Targets,
    options: CoreOptions,
    progress: Any,
    weights: np.ndarray | None = None,
) -> None:
    inputs = {"sites": raster.for_core()}
    if weights is not None:
        inputs["weights"] = weights
    if raster.batch:
        with reporter(progress) as report:
            found = _run_batch(raster, inputs, targets, options, report)
    else:
        _, found = run("nearest_site", inputs, options, progress, targets.core)
    tell(found)


def _run_batch(
    raster: Raster,
    inputs: dict[str, Any],
    targets: Targets,
    options: CoreOptions,
    report: Any,
) -> Told:
    arrays = targets.core
    pieces = split([*inputs.values(), *arrays.values()], raster.batch, raster.cells.ndim)
    found: Told = []
    for i, parts in enumerate(pieces):
        options.progress = share_of(report, i, len(pieces))
        given = dict(zip(inputs, parts))
        named = dict(zip(arrays, parts[len(inputs) :]))
        found += _core.run("nearest_site_batch", given, named, options)[1]
    return found


def _to_values(raster: Raster, values: Any) -> list[int | float]:
    if raster.boolean:
        return [*boolean_values(values)]
    numbers = to_cell_values("values", values)
    if raster.cells.dtype not in (raster.label_dtype, np.bool_):
        for number in numbers:
            require_held("values", number, raster.label_dtype)
    return numbers


def make_targets(raster: Raster, names: tuple[str, ...], options: Options, k: int = 0) -> Targets:
    labels = raster.core_label_dtype, raster.label_dtype
    require_held_labels(names, labels, options)
    return Targets(
        names, options.out, raster.shape, labels, options.distance_type,
        (raster.cells,), raster.unseen, raster.cells.ndim - len(raster.batch), k, raster.on_cuda,
    )  # fmt: skip
