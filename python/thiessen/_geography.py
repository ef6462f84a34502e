# SPDX-License-Identifier: Apache-2.0
"""Coordinates in degrees: how to know them, and which lengths the cells have in metres."""

from __future__ import annotations

import math
import re
import sys
from contextlib import suppress
from typing import Any

import numpy as np

_NAMES = frozenset({"lat", "latitude", "lon", "long", "longitude"})
_LATITUDES = frozenset({"lat", "latitude", "y"})
_EQUATOR, _FLATTENING = 6378137.0, 1 / 298.257223563  # of WGS 84, metres
_WKT_DEGREES = re.compile(r"\b(GEOGCS|GEOGCRS|GEOGRAPHICCRS|GEODCRS|GEODETICCRS)\s*[\[(]")
_WKT_LENGTHS = re.compile(r"\b(PROJCS|PROJCRS|PROJECTEDCRS|GEOCCS)\s*[\[(]")


def is_in_degrees(array: Any, dim: Any) -> bool:
    """Whether the coordinate of a dimension says that it is in degrees."""
    attributes = array.coords[dim].attrs
    return str(attributes.get("units", "")).startswith("degree") or (
        str(dim).lower() in _NAMES and "units" not in attributes
    )


def grid_mapping_of(array: Any) -> str:
    """The coordinate that holds the coordinate reference system."""
    for place in (array.encoding, array.attrs):
        if isinstance(place.get("grid_mapping"), str):
            return str(place["grid_mapping"])
    return "spatial_ref"


def crs_of(array: Any) -> Any:
    """The coordinate reference system as rioxarray tells it, if somebody has imported that."""
    if "rioxarray" not in sys.modules:
        return None
    with suppress(ValueError, RuntimeError):  # what the CRSErrors of rasterio and pyproj are
        return array.rio.crs
    return None


def is_geographic(array: Any) -> bool:
    """Whether the coordinate reference system of a DataArray has degrees for coordinates."""
    crs = crs_of(array)
    if crs is not None:
        return bool(crs.is_geographic)
    name = grid_mapping_of(array)
    if name not in array.coords:
        return False
    attributes = array.coords[name].attrs
    if "grid_mapping_name" in attributes:
        return bool(attributes["grid_mapping_name"] == "latitude_longitude")
    wkt = wkt_of(array)
    return bool(_WKT_DEGREES.search(wkt)) and not _WKT_LENGTHS.search(wkt)


def wkt_of(array: Any) -> str:
    """The text of the coordinate reference system among the coordinates; empty without one."""
    name = grid_mapping_of(array)
    attributes = array.coords[name].attrs if name in array.coords else {}
    return str(attributes.get("crs_wkt") or attributes.get("spatial_ref") or "")


def linear_unit_of(array: Any) -> str | None:
    """The unit of a projected coordinate reference system, if somebody has imported rioxarray."""
    crs = crs_of(array)
    return str(crs.linear_units) if crs is not None and crs.is_projected else None


def spacing_in_metres(array: Any, dims: tuple[Any, ...], in_degrees: set[Any]) -> str | None:
    """The lengths of the cells of the middle row, "(z, y, x)", and its latitude; None where the
    coordinates do not tell."""
    pair = [dim for dim in dims if dim in in_degrees]
    steps = [_mean_step(array, dim, 0.0 if dim in in_degrees else 1.0) for dim in dims]
    if len(pair) != 2 or not all(0 < step < math.inf for step in steps):
        return None
    latitudes = [dim for dim in pair if is_latitude(array.coords[dim], dim)] or pair[:1]
    middle = float(np.asarray(array.coords[latitudes[0]].values, np.float64)[[0, -1]].mean())
    if len(latitudes) != 1 or not abs(middle) <= 90:
        return None
    lengths = [
        step * (_metres_of_a_degree(middle, dim == latitudes[0]) if dim in in_degrees else 1)
        for dim, step in zip(dims, steps)
    ]
    spacing = ", ".join(f"{length:.6g}" for length in lengths)
    return f"({spacing}), metres in the middle row, at the latitude {middle:.6g}"


def _mean_step(array: Any, dim: Any, otherwise: float) -> float:
    if dim not in array.coords or array.sizes[dim] < 2:
        return otherwise
    values = np.asarray(array.coords[dim].values)
    if values.dtype.kind not in "biuf":
        return math.nan
    return abs(float(values[-1]) - float(values[0])) / (values.size - 1)


def is_latitude(coordinate: Any, dim: Any) -> bool:
    """Whether a coordinate in degrees is that of latitudes."""
    standard = coordinate.attrs.get("standard_name")
    if standard in ("latitude", "longitude"):
        return bool(standard == "latitude")
    units = str(coordinate.attrs.get("units", ""))
    if units.endswith(("north", "_N", "east", "_E")):
        return units.endswith(("north", "_N"))
    return str(dim).lower() in _LATITUDES


def _metres_of_a_degree(latitude: float, along_meridian: bool) -> float:
    """Lengths on the ellipsoid WGS 84, by its radii of curvature."""
    squared = _FLATTENING * (2 - _FLATTENING)
    inner = 1 - squared * math.sin(math.radians(latitude)) ** 2
    if along_meridian:
        radius = _EQUATOR * (1 - squared) / inner**1.5
    else:
        radius = _EQUATOR / math.sqrt(inner) * math.cos(math.radians(latitude))
    return math.radians(1) * radius
