# SPDX-License-Identifier: Apache-2.0
"""Walks over an elevation: what `cost_distance` takes for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from . import _core
from ._arrays import Raster, to_raster
from ._cuda import CudaRaster
from ._options import to_float, to_number, to_text

_METRES = frozenset({"m", "metre", "metres", "meter", "meters"})


def to_heights(elevation: Any, nodata: Any) -> Raster | None:
    """The elevation as the core takes it; None if there is none."""
    if elevation is None:
        return None
    return to_raster("elevation", elevation, nodata, nodata_name="elevation_nodata")


def set_walk(
    options: _core.CostDistanceOptions,
    heights: Raster | None,
    walk: Any,
    direction: Any,
    nodata: Any,
) -> None:
    """Set what is given; the core refuses it without an elevation."""
    if walk is not None:
        options.walk = to_text("walk", walk)
    if direction is not None:
        options.walk_direction = to_text("walk_direction", direction)
    if heights is not None:
        nodata = heights.nodata
    if nodata is not None:
        options.elevation_nodata = to_number("elevation_nodata", nodata)


def set_langmuir(options: _core.CostDistanceOptions, coefficients: Any, slope_factor: Any) -> None:
    """Set what is given; the core refuses it for other walks."""
    if coefficients is not None:
        values = list(coefficients) if np.iterable(coefficients) else [coefficients]
        if len(values) != 4:
            raise ValueError(f"walk_coefficients has {len(values)} values; must have 4")
        options.walk_coefficients = [
            to_float(f"walk_coefficients[{i}]", value) for i, value in enumerate(values)
        ]
    if slope_factor is not None:
        options.slope_factor = to_float("slope_factor", slope_factor)


def spacing_of_walk(raster: Raster | CudaRaster, heights: Raster | None, given: Any) -> Any:
    """The spacing from the caller, or from the coordinates of the map, or else of the elevation.
    Raise ValueError for coordinates of a walk that are in other units than metres."""
    found = raster.spacing_or(given)
    if heights is None or given is not None:
        return found
    if found is None:
        raster, found = heights, heights.spacing_or(None)
    units = raster.units_of(None) if isinstance(raster, Raster) else None
    if units is not None and units.lower() not in _METRES:
        raise ValueError(
            f"the coordinates are in {units}; walks are in metres, so that spacing must be given"
        )
    return found


def masked_with(raster: Raster, heights: Raster | None) -> Raster:
    """A raster whose results are masked, or nodata, where the elevation is."""
    if heights is None or heights is raster:
        return raster
    if raster.mask is not None and heights.mask is not None:
        raster = replace(raster, mask=np.logical_or(raster.mask, heights.mask))
    if raster.nodata is None:
        raster = replace(raster, nodata=heights.nodata)
    return raster
