# SPDX-License-Identifier: Apache-2.0
"""Walks over an elevation: what `cost_distance` takes for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .._kinds.host import Raster, to_quantities
from .._kinds.xarray import Frame, is_data_array

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
