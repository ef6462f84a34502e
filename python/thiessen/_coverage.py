# SPDX-License-Identifier: Apache-2.0
"""Signed distances from coverage, for distance_transform()."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arguments.checks import to_lengths, to_limit
from ._arguments.progress import reporter
from ._arrays import Raster, to_quantities
from ._attributes import COVERAGE_NAME
from ._batch import share_of, split
from ._cuda import find_cuda
from ._outputs import Targets
from ._unread import is_dask


def refuse_with_coverage(**given: tuple[Any, Any]) -> None:
    """Raise ValueError for arguments that coverage does not take; each comes with its default."""
    for name, (value, default) in given.items():
        if value is default or (type(value) is type(default) and value == default):
            continue
        is_short = isinstance(value, (str, int, float))
        shown = f"= {value!r}" if is_short else f"is a {type(value).__name__}"
        raise ValueError(f"{name} {shown}; must be {default!r} with coverage=True")


def coverage_distance(
    coverage: Any,
    *,
    spacing: Any,
    max_distance: Any,
    distance_dtype: Any,
    out: Any,
    batch_axes: Any,
    threads: int,
    progress: Any,
) -> Any:
    """The signed distances of an antialiased mask, as the kind of array that it is."""
    raster = _to_coverage(coverage, batch_axes)
    axes = raster.cells.ndim - len(raster.batch)
    targets = Targets(
        ("distance",), out, raster.shape, None, distance_dtype, (raster.cells,), raster.unseen,
        axes,
    )  # fmt: skip
    options = _core.CoverageDistanceOptions()
    options.device = "cpu"
    options.threads = threads
    options.spacing = to_lengths("spacing", raster.spacing_or(spacing, False), axes)
    options.max_distance = to_limit(max_distance)
    pieces = _pieces(raster.cells, targets.core["distance"], raster.batch)
    with reporter(progress) as report:
        for i, (cells, distance) in enumerate(pieces):
            options.progress = share_of(report, i, len(pieces))
            _core.coverage_distance(cells, distance, options)
    distance = targets.finish()["distance"]
    return raster.like_input("distance", distance, COVERAGE_NAME, raster.units_of(spacing))


def _to_coverage(coverage: Any, batch_axes: Any) -> Raster:
    if is_dask(coverage):
        raise ValueError("sites is an array of Dask; must be in memory with coverage=True")
    if find_cuda("sites", coverage) is not None:
        raise RuntimeError("sites is in CUDA memory; must be on the host with coverage=True")
    if isinstance(coverage, np.ma.MaskedArray):
        raise TypeError("sites is a masked array; must be without a mask with coverage=True")
    raster = to_quantities("sites", coverage, batch_axes=batch_axes)
    if raster.nodata is not None:
        nodata = raster.nodata if raster.own_nodata is None else raster.own_nodata
        raise ValueError(
            f"sites has the nodata value {nodata} in its metadata; must have none with "
            "coverage=True"
        )
    return raster


def _pieces(
    cells: np.ndarray, distance: np.ndarray, batch: tuple[int, ...]
) -> list[tuple[np.ndarray, np.ndarray]]:
    """The rasters of a batch, each with its distances."""
    if not batch:
        return [(cells, distance)]
    found = split([cells, distance], batch, cells.ndim)
    return [pair for rasters, distances in found for pair in zip(rasters, distances)]
