# SPDX-License-Identifier: Apache-2.0
"""The options of costs as the core takes them, of solvers and of placing sites."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._kinds.grids import one_grid
from .._kinds.host import Raster, to_field, to_quantities
from .._kinds.xarray import is_data_array
from .checks import (
    to_cell_values,
    to_connectivity,
    to_float,
    to_float_dtype,
    to_lengths,
    to_number,
    to_switch,
)
from .earth import open_sides
from .options import Options
from .running import to_thread_count
from .warnings import tell

MAPS = ("cost", "stiffness")
"""What a map may say: the core's names of edge weights, too."""


def map_of(options: Options, needed: bool = True) -> tuple[str, Any]:
    """The map of a call, and what it says. Raise ValueError unless exactly one is given, or, where
    it is not needed, at most one."""
    given = [name for name in MAPS if getattr(options, name) is not None]
    if len(given) > 1 or (needed and not given):
        raise ValueError("cost and stiffness: one of the two must be given, by its name")
    name = given[0] if given else "stiffness"
    return name, getattr(options, name)


def to_cost_map(options: Options, **others: Any) -> tuple[Raster, Options]:
    """A map on the host, whose masked cells are barriers, and the options with the spacing from the
    coordinates of DataArrays, which must lie on one grid."""
    name, map = map_of(options)
    grid = one_grid({name: map, **others})
    if is_data_array(map):
        raster = to_quantities(name, map, options.map_nodata, "map_nodata")
    else:
        cells = to_field(name, map)
        raster = Raster(cells, cells.dtype, options.map_nodata)
    if grid is not None:
        if options.spacing is None:
            options = options.but(spacing=grid.spacing(None))
        tell(open_sides(None, grid, False))
    return raster, options


def cost_options(rank: int, options: Options, map_nodata: Any = None) -> _core.CostDistanceOptions:
    """What a map of `rank` axes and its costs are, and the sites on it."""
    own = _core.CostDistanceOptions()
    own.edge_weight = map_of(options, needed=False)[0]
    if options.connectivity is not None:
        own.connectivity = to_connectivity("connectivity", options.connectivity, rank)
    if to_float_dtype("distance_type", options.distance_type) == np.float64:
        own.in_float64 = True
    if options.spacing is not None:
        own.spacing = to_lengths("spacing", options.spacing, rank)
    own.tight_barriers = to_switch("tight_barriers", options.tight_barriers)
    if options.max_distance is not None:
        own.max_distance = to_float("max_distance", options.max_distance)
    if map_nodata is not None:
        own.map_nodata = to_number("map_nodata", map_nodata)
    own.threads = to_thread_count(options.threads)
    own.unreached = to_number("unreached", options.unreached)
    own.zero_is_site = to_switch("zero_is_site", options.zero_is_site)
    if options.values is not None:
        own.values = to_cell_values("values", options.values)
    for name in ("site_nodata", "nodata_label"):
        if getattr(options, name) is not None:
            setattr(own, name, to_number(name, getattr(options, name)))
    return own
