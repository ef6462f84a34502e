# SPDX-License-Identifier: Apache-2.0
"""The call of the core that the functions of nearest sites have in common, for a raster on the host
or in CUDA memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import Raster
from ._cuda import CudaRaster
from ._options import (
    NO_METHOD_OPTIONS,
    MethodOptions,
    require_held,
    to_flags,
    to_lengths,
    to_limit,
    to_number,
    to_numbers,
    to_switch,
    to_text,
)
from ._outputs import CudaTargets, Targets
from ._progress import reporter


def run_raster(
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
    cells, device, stream, wait = raster.for_core(device)
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
            to_lengths("spacing", raster.spacing_or(spacing), rank),
            to_flags("periodic", periodic, rank),
            numbers,
            zero_is_site,
            to_limit(max_distance),
            raster.nodata,
            to_number("unreached", unreached),
            to_switch("signed", signed),
            to_boundary,
            device,
            threads,
            report,
            batch,
            stream,
            wait,
            options,
        )


def make_cuda_targets(
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
