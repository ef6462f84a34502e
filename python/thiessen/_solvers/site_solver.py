# SPDX-License-Identifier: Apache-2.0
"""What the solvers of nearest sites and of costs have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import _core
from .._arguments.checks import to_place
from .._arguments.core_options import CoreOptions
from .._arguments.progress import reporter
from .._arguments.warnings import tell
from .._kinds.host import to_array
from .._kinds.outputs import NearestSite, Targets
from .._kinds.point_lists import to_coordinates
from .changes import ChangedCells, Changes, to_indices


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
        targets: Targets,
        options: CoreOptions,
        progress: Any,
    ) -> None:
        with reporter(progress) as report:
            options.progress = report
            self._solver = _core.Solver(operation, arrays, targets.arrays(), options)
        self.outputs = targets.result(targets.finish())
        tell(self._solver.told())

    def solve(self, *, progress: Any = None) -> Changes:
        """Makes `outputs` right, and tells what changed since the solve before.

        A solver of costs warns of sites on barriers or outside of the map, which are ignored, as
        `cost_distance` does. An exception of `progress`, or Ctrl-C, ends the solve: `outputs` stay
        as they were, and the updates are still to be done.
        """
        return Changes(**self._ask("solve", progress))

    def enqueue(self, *, progress: Any = None) -> None:
        """Makes `outputs` right without waiting for a device; on the CPU it computes at once.

        They may be read once `changes` returns.
        """
        self._ask("enqueue", progress)

    def changes(self) -> Changes:
        """What the last `solve` or `enqueue` changed; waits for the device, and warns."""
        return Changes(**self._ask("changes", False))

    def changed_cells(self) -> ChangedCells:
        """The cells that the last `solve` or `enqueue` changed, and the sites they had before."""
        return ChangedCells(**self._ask("changed_cells", False))

    def move_sites(self, sites: Any, to: Any) -> None:
        """Moves sites, each named once, with label and initial cost. Absent points come back.

        Parameters
        ----------
        sites : positions in the list, or linear indices of cells
        to : array of shape (n, axes) of points, or linear indices of cells
            Cells must be no sites, unless those move away too; cells that are left become 0.
        """
        moved = to_indices("sites", sites)
        if self._is_list:
            self._change("move_points", sites=moved, points=self._coordinates(to))
        else:
            self._change("move_sites", **{"from": moved, "to": to_indices("to", to)})

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
