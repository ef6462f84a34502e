# SPDX-License-Identifier: Apache-2.0
"""Cost distance of arrays of Dask: rounds of tasks that visit slabs, until none changes another."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from operator import getitem
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask._task_spec import TaskRef
from dask.delayed import Delayed

from .. import slabs
from .._devices import release_scratch
from ..typing import CostStage
from .dask_layers import Layer, rows_of, slabs_beside
from .dask_slabs import in_slabs

Known = dict[str, np.ndarray]
"""CostSlab.known of a slab's own rows, or of some of them."""


@dataclass(frozen=True)
class _Place:
    """A slab, as its tasks get it."""

    first: int
    count: int
    sites_before: int = 0


class CostRounds:
    """All slabs of a raster. What is known of them stays with the scheduler (dask.persist); here
    are handles of it, and the reports."""

    def __init__(self, map: Any, sites: Any, initial_cost: Any, options: dict[str, Any]) -> None:
        self._options = {"shape": map.shape, **options}
        empty = _slab_of(
            _Place(0, 0),
            self._no_rows(map),
            None if sites is None else self._no_rows(sites),
            None if initial_cost is None else self._no_rows(initial_cost),
            self._options,
        )
        self._outputs = empty.finish()
        self._stages = empty.stages
        parts = in_slabs(map, [np.empty((0, *map.shape[1:]), np.float64)])
        self._heights = parts.chunks[0]
        self._places = [
            _Place(end - count, count)
            for end, count in zip(accumulate(self._heights), self._heights)
        ]
        rows = [self._rows_of(place) for place in self._places]
        self._beside = [slabs_beside(self._heights, each) for each in rows]
        chunks = (self._heights, *[-1] * (map.ndim - 1))
        given = [
            None if array is None else da.asarray(array).rechunk(chunks, method="tasks")
            for array in (map, sites, initial_cost)
        ]
        arrays = [array for array in given if array is not None]
        self._inputs = Layer(*arrays, rows, needs=arrays)
        columns = [
            [None] * len(rows) if array is None else rows_of(self._inputs, array, rows)
            for array in given
        ]
        self._rows = list(zip(*columns))
        self._found: list[Delayed | None] = [None] * len(self._places)
        """What the last visits gave."""
        self.visits = 0

    def run(self) -> list[tuple[str, int, str]]:
        """Visits slabs until all is known. Returns what is to be told of the sites."""
        found = [slabs.CostReport()] * len(self._places)
        for stage in self._stages:
            queue = slabs.CostQueue(self._heights)
            while visits := _all_that_wait(queue):
                reports = self._visit(visits, stage)
                for (k, is_first), report in zip(visits, reports):
                    queue.add(k, report)
                    if is_first and stage == "costs":
                        found[k] = report
            self.visits += queue.visits
            if stage == "costs":
                self._count_sites([report.sites for report in found])
        return _warnings(found)

    def results(self) -> list[Any]:
        """The outputs, lazily."""
        layer = self._layer()
        parts = [layer.add(_finish, *self._all_of(layer, k)) for k in range(len(self._places))]
        return layer.arrays(parts, self._heights, self._options["outputs"], self._outputs)

    def _visit(self, visits: list[tuple[int, bool]], stage: str) -> list[slabs.CostReport]:
        """All at the same time: each gets what was known before."""
        layer = self._layer(stage, visits)
        found = dask.persist(
            *layer.delayed(
                [layer.add(_visit, stage, first, *self._all_of(layer, k)) for k, first in visits]
            )
        )
        for (k, _), each in zip(visits, found):
            self._found[k] = each
        return list(dask.compute(*[each[2] for each in found]))

    def _layer(self, *what: Any) -> Layer:
        found = [each for each in self._found if each is not None]
        return Layer(
            self._places, self._options, self._inputs.token, found, *what,
            needs=[self._inputs, *found],
        )  # fmt: skip

    def _all_of(self, layer: Layer, k: int) -> list[Any]:
        """What the tasks of a slab get."""

        def part_of(found: Delayed | None, part: int) -> TaskRef | None:
            return None if found is None else layer.add(getitem, TaskRef(found.key), part)

        known = part_of(self._found[k], 0)
        ends = [part_of(self._found[j], 1) for j in self._beside[k] if j != k]
        return [self._places[k], *self._rows[k], self._options, known, *ends]

    def _no_rows(self, array: Any) -> np.ndarray:
        """What a slab without rows has of an array: the rows beside it."""
        rows = self._rows_of(_Place(0, 0))
        return np.zeros((rows.stop - rows.start, *array.shape[1:]), array.dtype)

    def _rows_of(self, place: _Place) -> slice:
        return slabs.cost_rows(
            self._options["shape"], place.first, place.count,
            connectivity=self._options["connectivity"],
        )  # fmt: skip

    def _count_sites(self, sites: list[int]) -> None:
        before = [0, *accumulate(sites)]
        self._places = [
            _Place(place.first, place.count, count) for place, count in zip(self._places, before)
        ]


def _warnings(reports: list[slabs.CostReport]) -> list[tuple[str, int, str]]:
    ignored = [report for report in reports if report.ignored_sites > 0]
    count = sum(report.ignored_sites for report in ignored)
    warnings = []
    if count > 0:
        first = min(report.first_ignored_site for report in ignored)
        what = "sites on barriers or outside of the map are ignored, the first with the index"
        warnings.append(("ignored_sites", count, f"{count} {what} {first}"))
    if count >= sum(report.sites for report in reports):
        warnings.append(("no_site", 1, "no site, so every cell is unreached"))
    return warnings


def _all_that_wait(queue: slabs.CostQueue) -> list[tuple[int, bool]]:
    visits = []
    while (visit := queue.next()) is not None:
        visits.append(visit)
    return visits


def _slab_of(
    place: _Place, map: Any, sites: Any, initial_cost: Any, options: dict[str, Any]
) -> slabs.CostSlab:
    given = {name: value for name, value in options.items() if name != "what"}
    given[options["what"]] = map
    if initial_cost is not None:
        given["initial_cost"] = initial_cost
    slab = slabs.CostSlab(sites, first=place.first, count=place.count, **given)
    slab.sites_before = place.sites_before
    return slab


def _filled(
    place: _Place,
    map: Any,
    sites: Any,
    initial_cost: Any,
    options: dict[str, Any],
    known: Known | None,
    *beside: dict[int, Known] | None,
) -> slabs.CostSlab:
    """The slab with all that is known."""
    slab = _slab_of(place, map, sites, initial_cost, options)
    for name, array in (known or {}).items():
        slab.known[name][slab.own] = array
    for ends in beside:
        for first, rows in (ends or {}).items():
            for name, array in rows.items():
                begin = max(first, slab.rows.start)
                end = min(first + len(array), slab.rows.stop)
                if begin < end:
                    slab.known[name][begin - slab.rows.start : end - slab.rows.start] = array[
                        begin - first : end - first
                    ]
    return slab


def _visit(
    stage: CostStage, is_first: bool, place: _Place, *given: Any
) -> tuple[Known, dict[int, Known], slabs.CostReport]:
    """What is known of the slab after a visit, that of its first and last rows, and the report."""
    slab = _filled(place, *given)
    report = slab.visit(stage, is_first=is_first)
    release_scratch()  # a worker counts what a thread keeps for its next call
    known = {name: array[slab.own].copy() for name, array in slab.known.items()}
    depth = min(2, place.count)  # as many rows as 16 neighbours need
    last = place.first + place.count - depth
    ends = {
        place.first: {name: array[:depth].copy() for name, array in known.items()},
        last: {name: array[place.count - depth :].copy() for name, array in known.items()},
    }
    return known, ends, report


def _finish(*arguments: Any) -> tuple[np.ndarray, ...]:
    return tuple(_filled(*arguments).finish())
