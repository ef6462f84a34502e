# SPDX-License-Identifier: Apache-2.0
"""The options of costs as the core takes them, of solvers and of placing sites."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arguments.checks import (
    to_connectivity,
    to_float,
    to_float_dtype,
    to_lengths,
    to_number,
    to_switch,
    to_text,
)
from ._arrays import Raster, to_field, to_quantities
from ._earth import open_sides
from ._grids import one_grid
from ._warnings import tell
from ._xarray import is_data_array


def to_cost_map(map: Any, spacing: Any, nodata: Any, **others: Any) -> tuple[Raster, Any]:
    """A map on the host, whose masked cells are barriers, and the spacing from the caller or from
    the coordinates of DataArrays, which must lie on one grid."""
    grid = one_grid({"map": map, **others})
    if is_data_array(map):
        raster = to_quantities("map", map, nodata, "map_nodata")
    else:
        cells = to_field("map", map)
        raster = Raster(cells, cells.dtype, nodata)
    if grid is not None:
        spacing = grid.spacing(None) if spacing is None else spacing
        tell(open_sides(None, grid, False))
    return raster, spacing


def cost_options(
    rank: int,
    *,
    edge_weight: Any,
    connectivity: Any,
    dtype: Any,
    spacing: Any,
    tight_barriers: Any,
    max_distance: Any,
    map_nodata: Any,
) -> _core.CostDistanceOptions:
    """What a map of `rank` axes and its costs are."""
    options = _core.CostDistanceOptions()
    options.edge_weight = to_text("edge_weight", edge_weight)
    if connectivity is not None:
        options.connectivity = to_connectivity("connectivity", connectivity, rank)
    options.in_float64 = to_float_dtype("dtype", dtype) == np.float64
    if spacing is not None:
        options.spacing = to_lengths("spacing", spacing, rank)
    options.tight_barriers = to_switch("tight_barriers", tight_barriers)
    if max_distance is not None:
        options.max_distance = to_float("max_distance", max_distance)
    if map_nodata is not None:
        options.map_nodata = to_number("map_nodata", map_nodata)
    return options
