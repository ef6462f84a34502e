# SPDX-License-Identifier: Apache-2.0
"""Where the cells of a raster lie on the Earth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._kinds import geography as _geography
from ..typing import Number
from .checks import to_float

METRICS = ("ellipsoidal", "great-circle")
"""The metrics that measure on the Earth."""

_ROTATED = ("grid_latitude", "grid_longitude", "rlat", "rlon")

UNIT = "m"
"""The unit of their distances."""


@dataclass(frozen=True)
class Earth:
    """Where the cells of a 2-D raster lie, for the metrics "ellipsoidal" and "great-circle".

    Parameters
    ----------
    latitude : numbers
        Those of the centres of the rows, in degrees from -90 to 90, all rising or all falling;
        steps may be uneven.
    longitude : numbers
        Those of the centres of the columns, in degrees from -720 to 720, all rising or falling:
        beyond the date line they go on, 179, 180, 181.
    radius : float, optional
        In metres. Default: the equatorial radius of WGS 84, 6378137, or for "great-circle" the mean
        radius of the Earth, 6371008.8.
    flattening : float
        That of the ellipsoid, from 0 to 0.02; "great-circle" takes no notice of it.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> sites = np.zeros((3, 4), np.uint8)
    >>> sites[0, 0], sites[2, 3] = 1, 2
    >>> earth = thiessen.Earth(latitude=[60, 50, 40], longitude=[178, 179, 180, 181])
    >>> found = thiessen.nearest_site(sites, metric="ellipsoidal", earth=earth)
    >>> found.labels
    array([[1, 1, 1, 1],
           [1, 1, 2, 2],
           [2, 2, 2, 2]], dtype=uint8)
    >>> [round(float(metres)) for metres in found.distance[1]]
    [1113226, 1115030, 1114083, 1111318]
    """

    latitude: Iterable[Number]
    longitude: Iterable[Number]
    radius: Number | None = None
    flattening: Number = 1 / 298.257223563


def to_core(earth: Any, metric: Any, frame: Any) -> dict[str, Any]:
    """The core's options: what the caller gives, or the coordinates of a DataArray; none without
    either."""
    if earth is None and frame is not None and metric in METRICS:
        earth = earth_of(frame)
    if earth is None:
        return {}
    if not isinstance(earth, Earth):
        raise TypeError(f"earth is a {type(earth).__name__}; must be a thiessen.Earth")
    radius = earth.radius
    return {
        "latitude": _degrees("latitude", earth.latitude),
        "longitude": _degrees("longitude", earth.longitude),
        "flattening": to_float("earth.flattening", earth.flattening),
        "earth_radius": None if radius is None else to_float("earth.radius", radius),
    }


def open_sides(
    longitudes: list[float] | None, frame: Any, strict: bool
) -> list[tuple[str, int, str]]:
    """What is to be told of a map that goes once round the Earth: paths do not. Strictly, raise
    ValueError. The longitudes are those of the columns; None: of the coordinates."""
    if longitudes is None:
        longitudes = _longitudes_of(frame)
    if len(longitudes) < 2:
        return []
    across = abs(longitudes[-1] - longitudes[0])
    if 360 - across > 1.5 * across / (len(longitudes) - 1):
        return []
    message = (
        "the map goes once round the Earth, but paths end at its sides: ways across them are not "
        "found, and costs near them may be too great"
    )
    if strict:
        raise ValueError(message)
    return [("open_sides", 1, message)]


def _longitudes_of(frame: Any) -> list[float]:
    """Those of the columns of a DataArray in degrees; none of others."""
    dims = [] if frame is None else [d for d, axis in zip(frame.dims, frame.axes) if axis == "x"]
    if not dims or dims[0] not in frame.array.coords or not frame.is_in_degrees():
        return []
    values = np.asarray(frame.array.coords[dims[0]].values)
    return [float(value) for value in values] if values.dtype.kind in "iuf" else []


def _degrees(name: str, given: Any) -> list[float]:
    values = np.asarray(given if hasattr(given, "__array__") else list(given))
    if values.ndim != 1 or values.dtype.kind not in "iuf":
        raise ValueError(f"earth.{name} has the shape {values.shape}; must be a list of numbers")
    return [float(value) for value in values]


def earth_of(frame: Any) -> Earth:
    """What the coordinates of a DataArray tell."""
    if len(frame.dims) != 2:
        raise ValueError(f"{frame.name} has {len(frame.dims)} axes; on the Earth it must have 2")
    y, x = frame.dims
    coordinates = frame.array.coords
    for dim in (y, x):
        if dim not in coordinates:
            raise ValueError(
                f"{frame.name} has no coordinate {dim!r}; on the Earth it needs latitudes and "
                "longitudes, or earth must be given"
            )
    in_degrees = all(_geography.is_in_degrees(frame.array, dim) for dim in (y, x))
    if not in_degrees and not _geography.is_geographic(frame.array):
        raise ValueError(
            f"{frame.name} has the coordinates {y!r} and {x!r}, which do not say that they are "
            "degrees (attribute units); earth=thiessen.Earth(latitude, longitude) does"
        )
    for dim in (y, x):
        if str(coordinates[dim].attrs.get("standard_name", dim)) in _ROTATED:
            raise ValueError(
                f"{frame.name} has the coordinate {dim!r} of a rotated pole; must be latitudes and "
                "longitudes, or earth must be given"
            )
    if frame.axes == ("x", "y") or (in_degrees and not _geography.is_latitude(frame.array, y)):
        raise ValueError(
            f"{frame.name} has the dimensions ({y!r}, {x!r}); on the Earth they must be those of "
            f"latitude and longitude: {frame.name}.transpose({x!r}, {y!r})"
        )
    return Earth(coordinates[y].values, coordinates[x].values)
