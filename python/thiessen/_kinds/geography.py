# SPDX-License-Identifier: Apache-2.0
"""Coordinates in degrees: how to know them, and which lengths the cells have in metres."""

from __future__ import annotations

import math
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

_NAMES = re.compile(r"(nav_|r|grid_)?(lats?|latitudes?|lons?|long|longitudes?)(_[tuvw])?")
_ANGLES = ("latitude", "longitude")
_LATITUDES = frozenset({"lat", "latitude", "y"})
_POLE = 90.0
_MOST_ERROR = 0.5
"""The error of lengths from west to east at an edge of a raster, by those of its middle row."""
_EQUATOR, _FLATTENING = 6378137.0, 1 / 298.257223563  # of WGS 84, metres
_WKT_DEGREES = re.compile(
    r"\b(GEOGCS|GEOGCRS|GEOGRAPHICCRS|GEODCRS|GEODETICCRS)\s*[\[(]|\+proj=(longlat|latlong)\b"
)
_CODE = re.compile(r"(\+init=)?[a-z]+:\d+", re.IGNORECASE)
_WKT_LENGTHS = re.compile(r"\b(PROJCS|PROJCRS|PROJECTEDCRS|GEOCCS)\s*[\[(]")


@dataclass(frozen=True)
class Degrees:
    """What of a DataArray is in degrees."""

    text: str
    dims: set[Any]
    dims_tell: bool = True
    """Whether it is coordinates of the dimensions, or their coordinate reference system."""


@dataclass(frozen=True)
class Lengths:
    """The lengths of cells in metres, or the latitudes for which there are none."""

    text: str
    fits: bool


def is_in_degrees(array: Any, name: Any) -> bool:
    """Whether a dimension or a coordinate says that it is in degrees."""
    attributes = array.coords[name].attrs if name in array.coords else {}
    if "units" in attributes:
        return str(attributes["units"]).lower().startswith(("deg", "\N{DEGREE SIGN}"))
    return str(attributes.get("standard_name", "")).endswith(_ANGLES) or bool(
        _NAMES.fullmatch(str(name).lower())
    )


def degrees_of(array: Any, dims: tuple[Any, ...], pair: tuple[Any, Any]) -> Degrees | None:
    """What tells that dimensions are in degrees, of which `pair` are y and x; None if nothing
    does."""
    own = [dim for dim in dims if is_in_degrees(array, dim)]
    geographic = is_geographic(array)
    if own:
        what = "coordinate" if own[0] in array.coords else "dimension"
        found = {*own, *(pair if geographic else ())}
        return Degrees(f"the {what} {own[0]!r}", found)
    if geographic:
        return Degrees("a geographic coordinate reference system", {*pair})
    others = _degrees_beside(array, pair)
    if others:
        named = " and ".join(map(repr, others))
        return Degrees(f"the coordinates {named}", {*pair}, dims_tell=False)
    if _is_globe(array, pair):
        both = " and ".join(map(repr, pair))
        return Degrees(f"the coordinates {both} of the whole globe", {*pair})
    return None


def _degrees_beside(array: Any, pair: tuple[Any, Any]) -> list[Any]:
    """Latitudes and longitudes along dimensions that have no coordinates of their own, or just
    numbers of cells."""
    if all(dim in array.coords and not _counts_cells(array.coords[dim]) for dim in pair):
        return []
    return [
        name
        for name, coordinate in array.coords.items()
        if name not in pair and coordinate.ndim and set(coordinate.dims) <= {*pair}
        and is_in_degrees(array, name)
    ]  # fmt: skip


def _counts_cells(coordinate: Any) -> bool:
    values = np.asarray(coordinate.values)
    counts = values.dtype.kind in "iu" and "units" not in coordinate.attrs
    return counts and bool((values - values[:1] == np.arange(len(values))).all())


def _is_globe(array: Any, pair: tuple[Any, Any]) -> bool:
    """Whether coordinates that do not tell what they are go once round the Earth and from pole to
    pole, to the edges of cells."""
    if wkt_of(array) or crs_of(array) is not None:
        return False
    ends = []
    for dim in pair:
        if dim not in array.coords or "units" in array.coords[dim].attrs or array.sizes[dim] < 2:
            return False
        values = np.asarray(array.coords[dim].values)
        if values.dtype.kind not in "iuf":
            return False
        first, last = sorted(map(float, values[[0, -1]]))
        half = (last - first) / (values.size - 1) / 2
        ends.append((first - half, last + half))
    return any(np.allclose(ends, [(-_POLE, _POLE), sides]) for sides in ((-180, 180), (0, 360)))


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
    attributes = array.coords[name].attrs if name in array.coords else {}
    if "grid_mapping_name" in attributes:
        return str(attributes["grid_mapping_name"]).endswith("latitude_longitude")
    text = wkt_of(array)
    if _CODE.fullmatch(text.strip()):
        with suppress(ImportError, RuntimeError):  # RuntimeError: what pyproj does not know
            import pyproj

            return bool(pyproj.CRS.from_user_input(text).is_geographic)
    return bool(_WKT_DEGREES.search(text)) and not _WKT_LENGTHS.search(text)


def wkt_of(array: Any) -> str:
    """The text of the coordinate reference system, among the coordinates or the attributes; empty
    without one."""
    name = grid_mapping_of(array)
    attributes = array.coords[name].attrs if name in array.coords else {}
    found = attributes.get("crs_wkt") or attributes.get("spatial_ref") or array.attrs.get("crs")
    return found if isinstance(found, str) else ""


def linear_unit_of(array: Any) -> str | None:
    """The unit of a projected coordinate reference system, if somebody has imported rioxarray."""
    crs = crs_of(array)
    return str(crs.linear_units) if crs is not None and crs.is_projected else None


def spacing_in_metres(array: Any, dims: tuple[Any, ...], in_degrees: set[Any]) -> Lengths | None:
    """The lengths of the cells of the middle row, "(z, y, x)", and its latitude; None where the
    coordinates do not tell."""
    pair = [dim for dim in dims if dim in in_degrees]
    steps = [_mean_step(array, dim, 0.0 if dim in in_degrees else 1.0) for dim in dims]
    if len(pair) != 2 or not all(0 < step < math.inf for step in steps):
        return None
    latitudes = [dim for dim in pair if is_latitude(array, dim)] or pair[:1]
    values = np.asarray(array.coords[latitudes[0]].values, np.float64)
    middle = float(values[[0, -1]].mean())
    if len(latitudes) != 1 or not abs(middle) <= _POLE:
        return None
    half = len(values) / 2 * steps[dims.index(latitudes[0])]
    edges = [max(middle - half, -_POLE), min(middle + half, _POLE)]
    errors = [
        abs(_metres_of_a_degree(middle, False) / max(_metres_of_a_degree(edge, False), 1e-9) - 1)
        for edge in edges
    ]
    if max(errors) > _MOST_ERROR:
        return Lengths(f"latitudes from {edges[0]:.4g} to {edges[1]:.4g}", fits=False)
    lengths = [
        step * (_metres_of_a_degree(middle, dim == latitudes[0]) if dim in in_degrees else 1)
        for dim, step in zip(dims, steps)
    ]
    spacing = ", ".join(f"{length:.6g}" for length in lengths)
    return Lengths(
        f"({spacing}), metres in the middle row, at the latitude {middle:.6g}, and up to "
        f"{100 * max(errors):.2g} % wrong at the edges",
        fits=True,
    )


def _mean_step(array: Any, dim: Any, otherwise: float) -> float:
    if dim not in array.coords or array.sizes[dim] < 2:
        return otherwise
    values = np.asarray(array.coords[dim].values)
    if values.dtype.kind not in "biuf":
        return math.nan
    return abs(float(values[-1]) - float(values[0])) / (values.size - 1)


def is_latitude(array: Any, dim: Any) -> bool:
    """Whether a dimension in degrees is that of latitudes."""
    attributes = array.coords[dim].attrs if dim in array.coords else {}
    standard = str(attributes.get("standard_name", ""))
    if standard.endswith(_ANGLES):
        return standard.endswith("latitude")
    units = str(attributes.get("units", ""))
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
