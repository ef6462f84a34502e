# SPDX-License-Identifier: Apache-2.0
"""Cost distance of arrays of Dask: rounds of tasks that visit slabs, until none changes another."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import dask
import dask.array as da
import numpy as np

from . import slabs
from ._dask_slabs import in_slabs, output_of
from ._devices import release_scratch

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
        self._inputs = [
            [
                None if a is None else _one_block(a, self._rows_of(self._places[k]))
                for a in (map, sites, initial_cost)
            ]
            for k in range(len(self._places))
        ]
        self._known: list[Any] = [None] * len(self._places)
        self._ends: list[Any] = [None] * len(self._places)
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
        finish = dask.delayed(_finish, pure=True)
        parts = [
            finish(place, *self._inputs[k], self._options, self._known[k], self._beside(k))
            for k, place in enumerate(self._places)
        ]
        return [
            output_of([part[i] for part in parts], self._heights, like)
            for i, like in enumerate(self._outputs)
        ]

    def _visit(self, visits: list[tuple[int, bool]], stage: str) -> list[slabs.CostReport]:
        """All at the same time: each gets what was known before."""
        visit = dask.delayed(_visit, pure=True, nout=3)
        found = dask.persist(
            *[
                visit(
                    self._places[k], *self._inputs[k], self._options, self._known[k],
                    self._beside(k), stage, is_first,
                )
                for k, is_first in visits
            ]
        )  # fmt: skip
        for (k, _), each in zip(visits, found):
            self._known[k], self._ends[k] = each[0], each[1]
        return list(dask.compute(*[each[2] for each in found]))

    def _no_rows(self, array: Any) -> np.ndarray:
        """What a slab without rows has of an array: the rows beside it."""
        rows = self._rows_of(_Place(0, 0))
        return np.zeros((rows.stop - rows.start, *array.shape[1:]), array.dtype)

    def _rows_of(self, place: _Place) -> slice:
        return slabs.cost_rows(
            self._options["shape"], place.first, place.count,
            connectivity=self._options["connectivity"],
        )  # fmt: skip

    def _beside(self, k: int) -> list[tuple[int, Any]]:
        """The ends of the slabs whose rows lie beside this one, with their first rows."""
        rows = self._rows_of(self._places[k])
        return [
            (place.first, self._ends[other])
            for other, place in enumerate(self._places)
            if other != k and self._ends[other] is not None
            and place.first < rows.stop and place.first + place.count > rows.start
        ]  # fmt: skip

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


def _one_block(array: Any, rows: slice) -> Any:
    block = da.asarray(array)[rows].rechunk(-1)
    return block.to_delayed(optimize_graph=False).item()


def _slab_of(
    place: _Place, map: Any, sites: Any, initial_cost: Any, options: dict[str, Any]
) -> slabs.CostSlab:
    given = {} if initial_cost is None else {"initial_cost": initial_cost}
    slab = slabs.CostSlab(map, sites, first=place.first, count=place.count, **given, **options)
    slab.sites_before = place.sites_before
    return slab


def _filled(
    place: _Place,
    map: Any,
    sites: Any,
    initial_cost: Any,
    options: dict[str, Any],
    known: Known | None,
    beside: list[tuple[int, dict[int, Known]]],
) -> slabs.CostSlab:
    """The slab with all that is known."""
    slab = _slab_of(place, map, sites, initial_cost, options)
    for name, array in (known or {}).items():
        slab.known[name][slab.own] = array
    for _, ends in beside:
        for first, rows in ends.items():
            for name, array in rows.items():
                begin = max(first, slab.rows.start)
                end = min(first + len(array), slab.rows.stop)
                if begin < end:
                    slab.known[name][begin - slab.rows.start : end - slab.rows.start] = array[
                        begin - first : end - first
                    ]
    return slab


def _visit(*arguments: Any) -> tuple[Known, dict[int, Known], slabs.CostReport]:
    """What is known of the slab after a visit, that of its first and last rows, and the report."""
    *given, stage, is_first = arguments
    place = given[0]
    slab = _filled(*given)
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
