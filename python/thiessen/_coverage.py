# SPDX-License-Identifier: Apache-2.0
"""Signed distances from coverage, for distance_transform()."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arguments.checks import to_switch
from ._arguments.core_options import core_options
from ._arguments.fields import FIELDS
from ._arguments.options import Options, refuse_others
from ._arguments.progress import reporter
from ._kinds.attributes import COVERAGE_NAME
from ._kinds.batch import share_of, split
from ._kinds.cuda import find_cuda
from ._kinds.host import Raster, to_quantities
from ._kinds.outputs import Targets

_PASSES = frozenset(
    (
        *FIELDS["coverage_distance"],
        "coverage",
        "signed_distance",
        "out",
        "batch_axes",
        "threads",
        "progress",
    )
)
"""The options that distances from coverage take."""


def coverage_distance(coverage: Any, options: Options) -> Any:
    """The signed distances of an antialiased mask, as the kind of array that it is."""
    if not to_switch("signed_distance", options.signed_distance):
        raise ValueError("signed_distance = False; must be True with coverage=True")
    device = None if options.device in ("auto", "cpu") else options.device
    refuse_others(options.but(device=device), _PASSES, "with coverage=True")
    raster = _to_coverage(coverage, options.batch_axes)
    axes = raster.cells.ndim - len(raster.batch)
    targets = Targets(
        ("distance",), options.out, raster.shape, None, options.distance_type, (raster.cells,),
        raster.unseen, axes,
    )  # fmt: skip
    spacing = raster.spacing_or(options.spacing, False)
    own = core_options("coverage_distance", options.but(spacing=spacing), axes, device="cpu")
    pieces = _pieces(raster.cells, targets.core["distance"], raster.batch)
    with reporter(options.progress) as report:
        for i, (cells, distance) in enumerate(pieces):
            own.progress = share_of(report, i, len(pieces))
            _core.run("coverage_distance", {"coverage": cells}, {"distance": distance}, own)
    distance = targets.finish()["distance"]
    return raster.like_input("distance", distance, COVERAGE_NAME, raster.units_of(options))


def _to_coverage(coverage: Any, batch_axes: Any) -> Raster:
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
