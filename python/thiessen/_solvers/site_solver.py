# SPDX-License-Identifier: Apache-2.0
"""What the solvers of nearest sites and of costs have in common: what they take, tell and do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._arguments.checks import to_place
from .._arguments.core_options import CoreOptions
from .._arguments.options import Options
from .._arguments.running import reporter, set_device
from .._arguments.warnings import tell
from .._kinds.attributes import declared_nodata
from .._kinds.grids import one_grid
from .._kinds.host import result_dtype, to_array, to_cells
from .._kinds.outputs import NearestSite, Targets
from .._kinds.points import Sites, to_coordinates, to_points
from .._kinds.xarray import is_data_array


class SiteSolver:
    """Keeps a problem of sites and its answer, and updates both."""

    __slots__ = ("_is_list", "_label_dtype", "_rank", "_solver", "outputs")

    outputs: NearestSite[Any, np.ndarray]
    _is_list: bool
    _label_dtype: np.dtype | None
    _rank: int

    def _start(
        self,
        operation: str,
        arrays: dict[str, Any],
        names: tuple[str, ...],
        shape: tuple[int, ...],
        label_dtype: np.dtype,
        own: Options,
        settings: CoreOptions,
    ) -> None:
        """`settings` are those of the options `own` that the core has."""
        read = tuple(each for each in arrays.values() if each is not None)
        targets = Targets(names, own.out, shape, (label_dtype,) * 2, own.distance_type, read)
        for name in targets.copied:
            raise ValueError(f"out[{name!r}] is not aligned or not in native byte order")
        self._is_list = arrays.get("points") is not None
        self._rank = len(shape)
        numbered = self._is_list and arrays.get("point_labels") is None
        self._label_dtype = None if numbered else label_dtype
        set_device(settings, own.device, "cpu")
        with reporter(own.progress) as report:
            settings.progress = report
            self._solver = _core.Solver(operation, arrays, targets.core, settings)
        self.outputs = targets.result(targets.finish())
        tell(self._solver.told())

    def solve(self, *, progress: Any = None) -> Changes:
        """Brings `outputs` up to date, and returns the changes since the last solve.

        A solver of costs warns of sites on barriers or outside of the map, which are ignored, as
        `cost_distance` does. An exception of `progress`, or Ctrl-C, ends the solve: `outputs` stay
        as they were, and the updates still wait.
        """
        return Changes(**self._ask("solve", progress))

    def enqueue(self, *, progress: Any = None) -> None:
        """Brings `outputs` up to date without waiting for a device; on the CPU it computes at once.

        They may be read once `changes` returns.
        """
        self._ask("enqueue", progress)

    def changes(self) -> Changes:
        """The changes of the last `solve` or `enqueue`; waits for the device, and warns."""
        return Changes(**self._ask("changes", False))

    def changed_cells(self) -> ChangedCells:
        """The cells that the last `solve` or `enqueue` changed, and the sites they had before.

        Read-only arrays in the memory of the solver, not copies. They stay as they are: while one
        of them exists, the next solve writes its list elsewhere.
        """
        return ChangedCells(**self._change("changed_cells"))

    def move_sites(self, sites: Any, to: Any) -> None:
        """Moves sites, each named once, with label and initial cost. Absent points come back.

        Parameters
        ----------
        sites : positions in the list, or linear indices of cells
        to : array of shape (n, axes) of points, or linear indices of cells
            Cells must be no sites, unless these sites move away too. Cells left behind become 0.
        """
        moved = to_indices("sites", sites)
        if self._is_list:
            self._change("move_points", sites=moved, points=self._coordinates(to))
        else:
            self._change("move_sites", **{"from": moved, "to": to_indices("to", to)})

    def has_site(self, site: int) -> bool:
        """Whether a site is there now."""
        found = self._change("find_sites", sites=to_indices("sites", [site]))
        return found["present"][0] == 1

    def __len__(self) -> int:
        """Length of the list with its absent points, or number of cells."""
        return int(self._change("find_sites")["positions"])

    def bytes(self) -> int:
        """Bytes of memory that the solver holds, without those of its outputs."""
        return int(self._change("solver_bytes")["bytes"])

    def remove_sites(self, sites: Any) -> None:
        """Removes sites, each named once: points become absent, cells 0."""
        self._change("remove_sites", sites=to_indices("sites", sites))

    def _change(self, operation: str, **arrays: Any) -> dict[str, Any]:
        return self._solver.run(operation, arrays, CoreOptions())[0]

    def _change_box(self, first: Iterable[int], values: np.ndarray) -> None:
        options = CoreOptions(first=to_place("first", first))
        self._solver.run("update_box", {"values": values}, options)

    def _add(self, sites: Any, labels: np.ndarray | None, **costs: Any) -> int | None:
        """Adds sites, and gives the position of the first one in a list."""
        if not self._is_list:
            self._change("add_sites", cells=to_indices("sites", sites), labels=labels, **costs)
            return None
        points = self._coordinates(sites)
        found = self._change("add_points", points=points, point_labels=labels, **costs)
        return int(found["first"])

    def _ask(self, operation: str, progress: Any) -> dict[str, Any]:
        with reporter(progress) as report:
            options = CoreOptions()
            options.progress = report
            found, told = self._solver.run(operation, {}, options)
        tell(told)
        for box in {"first", "last"} & found.keys():
            found[box] = tuple(found[box].tolist())
        return found

    def _coordinates(self, points: Any) -> np.ndarray:
        return to_coordinates(to_array("points", points), self._rank)


class Changes(NamedTuple):
    """The changes of a solver's last `solve`: its answer now against its answer before."""

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


def to_kept_points(points: Any, labels: Any, rank: int) -> Sites:
    """Points whose labels the outputs can have."""
    found = to_points(points, labels, rank)
    dtype, wanted = found.label_dtypes
    if dtype != wanted:
        raise TypeError(f"point_labels has the dtype {wanted}; must be one that the core has")
    return found


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
