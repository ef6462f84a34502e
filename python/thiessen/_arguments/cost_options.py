# SPDX-License-Identifier: Apache-2.0
"""The options of costs as the core takes them, of solvers and of placing sites."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._kinds.grids import one_grid
from .._kinds.host import Raster, to_array, to_field, to_quantities
from .._kinds.xarray import is_data_array
from .core_options import CoreOptions, core_options
from .earth import open_sides
from .options import Options
from .warnings import tell

MAPS = ("cost", "stiffness")
"""What a map may say: the core's names of edge weights, too."""


def map_of(options: Options, needed: bool = True) -> tuple[str, Any]:
    """The map of a call, and what it says. Raise ValueError unless exactly one is given, or, where
    it is not needed, at most one."""
    given = [name for name in MAPS if getattr(options, name) is not None]
    if len(given) > 1:
        raise ValueError("cost and stiffness are given; must be one of the two")
    if needed and not given:
        raise ValueError("cost and stiffness: one of the two must be given, by its name")
    name = given[0] if given else "stiffness"
    return name, getattr(options, name)


def check_sites(sites: Any, options: Options) -> None:
    """Raise ValueError unless sites are those of a raster or points, and labels are of points."""
    if (sites is None) == (options.points is None):
        raise ValueError("sites and points: one of the two must be given")
    if sites is not None and options.point_labels is not None:
        raise ValueError("point_labels is given; it is for points, not for sites of a raster")


def to_costs(name: str, costs: Any) -> np.ndarray:
    """What paths start with, as the core takes it."""
    given = to_field(name, costs, masked=None)
    return given if given.dtype.char in "fd" else given.astype(np.float64)


def to_blocked_faces(faces: Any, shape: tuple[int, ...]) -> Raster | None:
    """Faces that nothing crosses as the core takes them, bits of cells: from an array of these, or
    a tuple of boolean arrays, one an axis. None if there are none."""
    if faces is None:
        return None
    if not isinstance(faces, tuple):
        bits = to_array("blocked_faces", faces)
        if bits.dtype != np.uint8:
            raise TypeError(
                f"blocked_faces is {bits.dtype}; must be uint8, or a tuple of boolean arrays"
            )
        return Raster(bits, bits.dtype, None)
    if len(faces) != len(shape):
        raise ValueError(
            f"blocked_faces has {len(faces)} arrays; must have one for each of the "
            f"{len(shape)} axes, or None"
        )
    bits = np.zeros(shape, np.uint8)
    given = []
    for axis, of_axis in enumerate(faces):
        if of_axis is None:
            continue
        name = f"blocked_faces[{axis}]"
        array = to_array(name, of_axis)
        if array.dtype.kind != "b":
            raise TypeError(f"{name} is {array.dtype}; must be bool")
        between = (*shape[:axis], shape[axis] - 1, *shape[axis + 1 :])
        if array.shape not in (shape, between):
            raise ValueError(
                f"{name} has the shape {array.shape}; must have that of the map, {shape}, or one "
                f"less along the axis, {between}"
            )
        bits[tuple(map(slice, array.shape))] |= array.astype(np.uint8) << (len(shape) - 1 - axis)
        given.append(array)
    return Raster(bits, bits.dtype, None, unseen=tuple(given))


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


def cost_options(
    operation: str, rank: int, options: Options, map_nodata: int | float | None = None
) -> CoreOptions:
    """What an operation takes for a map of `rank` axes whose nodata value is `map_nodata`."""
    own = core_options(operation, options.but(map_nodata=map_nodata), rank)
    own.setdefault("unreached", 0)
    return own
