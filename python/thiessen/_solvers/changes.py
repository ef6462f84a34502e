# SPDX-License-Identifier: Apache-2.0
"""What solvers take and tell."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._kinds.attributes import declared_nodata
from .._kinds.grids import one_grid
from .._kinds.host import result_dtype, to_array, to_cells
from .._kinds.outputs import Targets
from .._kinds.point_lists import to_coordinates, to_point_labels
from .._kinds.xarray import is_data_array


class Changes(NamedTuple):
    """What a solver's last `solve` changed: its answer now against its answer before."""

    cells: int
    """Number of cells whose site or distance changed."""
    first: tuple[int, ...]
    """The least box that holds these cells: its first cell; empty if nothing changed."""
    last: tuple[int, ...]
    """Its last cell."""
    sites: np.ndarray
    """Sites that gained or lost a cell, ascending; removed ones too."""


class ChangedCells(NamedTuple):
    """The cells that a solver's last `solve` changed."""

    cell: np.ndarray
    """Their linear indices, ascending."""
    site_before: np.ndarray
    """The site index that each of them had before: -1 unreached, -2 nodata."""


def bind_targets(
    names: tuple[str, ...],
    out: Any,
    shape: tuple[int, ...],
    label_dtype: np.dtype,
    distance_dtype: Any,
    inputs: tuple[np.ndarray, ...],
) -> Targets:
    """Arrays of outputs that stay those of a solver."""
    targets = Targets(names, out, shape, (label_dtype, label_dtype), distance_dtype, inputs)
    for name in names:
        if targets.core[name] is not targets.results[name]:
            raise ValueError(f"out[{name!r}] is not aligned or not in native byte order")
    return targets


def spacing_of_grid(given: Any, names: tuple[str, ...] = (), **arrays: Any) -> Any:
    """The spacing from the caller, or from the coordinates of DataArrays, which must lie on one
    grid; `names` are outputs that stay as the core writes them."""
    grid = one_grid(arrays)
    if grid is None:
        return given
    grid.refuse_other_axes(False)
    if "direction" in names and grid.mirrors():
        raise ValueError(
            f"outputs has 'direction', which a solver has for rows from north to south and columns "
            f"from west to east; {grid.name} has others: nearest_site heeds them"
        )
    return grid.spacing(None) if given is None else given


def nodata_of(given: Any, array: Any) -> Any:
    """The nodata value from the caller, or from the metadata of a DataArray."""
    return declared_nodata(array) if given is None and is_data_array(array) else given


def to_site_raster(sites: Any, names: tuple[str, ...]) -> np.ndarray:
    """A raster of sites whose labels the outputs can have."""
    given = to_array("sites", sites)
    raster = to_cells("sites", given)
    dtype = result_dtype(given.dtype)
    if raster.dtype != dtype:
        raise TypeError(f"sites has the dtype {dtype}; must be one that the results can have")
    if dtype == np.bool_ and "labels" in names:
        raise ValueError(
            "outputs has 'labels'; boolean sites have none here, as updates change numbers"
        )
    return raster


def to_points(
    points: Any, labels: Any, rank: int
) -> tuple[np.ndarray, np.ndarray | None, np.dtype]:
    """Points, their labels, and the dtype of the output labels."""
    coordinates = to_coordinates(to_array("points", points), rank)
    given = None if labels is None else to_array("point_labels", labels)
    point_labels, (dtype, wanted) = to_point_labels(given, len(coordinates))
    if dtype != wanted:
        raise TypeError(f"point_labels has the dtype {wanted}; must be one that the core has")
    return coordinates, point_labels, dtype


def to_indices(name: str, indices: Any) -> np.ndarray:
    """Linear indices of cells, or positions in a list."""
    array = to_array(name, indices)
    if array.size == 0:
        array = np.empty(0, np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} has the dtype {array.dtype}; must be integers")
    if array.ndim != 1:
        raise ValueError(f"{name} has the shape {array.shape}; must have one axis")
    return array.astype(np.int64)


def to_values(name: str, values: Any, dtype: np.dtype | None) -> np.ndarray:
    """Values of a dtype that must hold them exactly."""
    given = to_array(name, values)
    if dtype is None or given.dtype == dtype:
        return to_cells(name, given)
    if given.dtype.kind not in "biuf":
        raise TypeError(f"{name} has the dtype {given.dtype}; must be numbers")
    with np.errstate(all="ignore"):
        cells = given.astype(dtype)
    if not np.array_equal(cells, given, equal_nan=given.dtype.kind == "f"):
        raise ValueError(f"{name} has values that {dtype} cannot hold")
    return cells
