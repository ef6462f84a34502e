# SPDX-License-Identifier: Apache-2.0
"""Walks over an elevation: what `cost_distance` takes for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .. import _core
from .._kinds.host import Raster, to_quantities
from .._kinds.xarray import Frame, is_data_array
from .checks import to_float, to_number, to_text
from .options import Options

_METRES = frozenset({"m", "metre", "metres", "meter", "meters"})
_OTHER_LENGTHS = frozenset({"ft", "foot", "feet", "us-ft", "us_ft", "yd", "mm", "cm", "dm", "km"})


def to_heights(elevation: Any, nodata: Any) -> Raster | None:
    """The elevation as the core takes it; None if there is none."""
    if elevation is None:
        return None
    units = str(elevation.attrs.get("units", "")) if is_data_array(elevation) else ""
    if units.lower() in _OTHER_LENGTHS:
        raise ValueError(f"elevation is in {units}, by its attributes; must be in metres")
    return to_quantities("elevation", elevation, nodata, "elevation_nodata")


def set_walk(own: _core.CostDistanceOptions, heights: Raster | None, options: Options) -> None:
    """Set what is given; the core refuses it without an elevation, and some of it for a walk."""
    for name in ("walk", "walk_direction", "walk_map"):
        if getattr(options, name) is not None:
            setattr(own, name, to_text(name, getattr(options, name)))
    nodata = options.elevation_nodata if heights is None else heights.nodata
    if nodata is not None:
        own.elevation_nodata = to_number("elevation_nodata", nodata)
    coefficients = options.walk_coefficients
    if coefficients is not None:
        values = list(coefficients) if np.iterable(coefficients) else [coefficients]
        if len(values) != 4:
            raise ValueError(f"walk_coefficients has {len(values)} values; must have 4")
        own.walk_coefficients = [
            to_float(f"walk_coefficients[{i}]", value) for i, value in enumerate(values)
        ]
    if options.slope_factor is not None:
        own.slope_factor = to_float("slope_factor", options.slope_factor)


def spacing_of(grid: Frame, heights: Raster | None) -> list[float]:
    """The spacing from coordinates. Raise ValueError for those of a walk in other units than
    metres."""
    found = grid.spacing()
    units = grid.units()
    if heights is not None and units is not None and units.lower() not in _METRES:
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
        raster = replace(raster, nodata=heights.nodata, own_nodata=heights.own_nodata)
    return raster
