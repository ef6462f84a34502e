# SPDX-License-Identifier: Apache-2.0
"""How a raster of Dask is done in slabs: the graph of its tasks, and the tasks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate
from math import inf, prod
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask._task_spec import DataNode, GraphNode, Task, TaskRef, convert_legacy_graph
from dask.highlevelgraph import HighLevelGraph
from dask.utils import parse_bytes

from . import slabs
from ._arrays import Raster
from ._devices import release_scratch
from ._xarray import mirror


@dataclass(frozen=True)
class SlabWork:
    """What the tasks of a raster have in common."""

    shape: tuple[int, ...]
    common: dict[str, Any]
    """Arguments of slabs.summarise and slabs.finish."""
    of_results: dict[str, Any]
    """Arguments of slabs.finish alone."""
    mirrors: tuple[float, ...]
    """What mirror() does to directions, one after the other."""
    empty: tuple[np.ndarray, ...]
    """The outputs of a slab without a row."""

    @classmethod
    def of(
        cls,
        raster: Raster,
        names: tuple[str, ...],
        *,
        unreached: Any,
        distance_dtype: Any,
        **common: Any,
    ) -> SlabWork:
        """Checks the arguments: those are wrong by which a slab without a row cannot be done."""
        common["spacing"] = raster.spacing_or(common["spacing"])
        for name in ("spacing", "periodic", "values"):
            if np.iterable(common[name]):
                common[name] = tuple(common[name])
        common["nodata"] = raster.nodata
        mirrors = raster.frame.mirrors() if raster.frame and "direction" in names else ()
        work = cls(
            raster.cells.shape,
            common,
            {"unreached": unreached, "distance_dtype": distance_dtype, "outputs": names},
            mirrors,
            (),
        )
        cells = np.empty((0, *work.shape[1:]), raster.cells.dtype)
        return replace(work, empty=work.finish(cells, 0, [work.summarise(cells, 0)], 0))

    @property
    def goes_around(self) -> bool:
        """Whether the first axis is periodic."""
        periodic = self.common["periodic"]
        return bool(periodic[0] if isinstance(periodic, tuple) else periodic)

    def results(self, cells: Any, keep_sites: bool) -> list[Any]:
        """The outputs as Dask arrays."""
        sites = in_slabs(cells, self.empty)
        depth = self._depth(sites)
        parts = (
            self._by_summaries(sites, keep_sites)
            if depth is None
            else self._by_rows_beside(sites, depth)
        )
        return [
            output_of([part[i] for part in parts], sites.chunks[0], like)
            for i, like in enumerate(self.empty)
        ]

    def _depth(self, sites: Any) -> int | None:
        """How many rows beside a slab hold all that it needs of the others; None if these are more
        than a slab, or if it needs more: the number of boolean sites above."""
        limit, spacing = self.common["max_distance"], self.common["spacing"]
        numbered = sites.dtype.kind == "b" and "labels" in self.of_results["outputs"]
        if limit is None or limit == inf or numbered or self.goes_around:
            return None
        step = 1 if spacing is None else spacing[0] if isinstance(spacing, tuple) else spacing
        depth = float(limit) / float(step) + 1  # one more than enough, whatever is rounded
        return int(depth) if depth <= min(sites.chunks[0]) else None

    def _by_rows_beside(self, sites: Any, depth: int) -> list[Any]:
        wide = da.overlap.overlap(sites, {0: depth}, "none", allow_rechunk=False)
        blocks = blocks_of(wide)
        last = len(blocks) - 1
        finish = dask.delayed(_finish_between, pure=True)
        return [
            finish(self, block, first, depth if k > 0 else 0, depth if k < last else 0)
            for k, (block, first) in enumerate(zip(blocks, first_rows(sites)))
        ]

    def _by_summaries(self, sites: Any, keep_sites: bool) -> list[Any]:
        """Each slab gets the summaries of what lies above and of what lies below, so that no task
        needs those of all slabs; and its own where its rows have images beyond the ends."""
        summarise = dask.delayed(_summarise, pure=True)
        join = dask.delayed(slabs.join, pure=True)
        finish = dask.delayed(_finish, pure=True)
        firsts = first_rows(sites)
        own = [summarise(self, block, first) for block, first in zip(blocks_of(sites), firsts)]
        above: list[list[Any]] = [[]]
        for each in own[:-1]:
            above.append([join(*above[-1], each) if above[-1] else each])
        below: list[list[Any]] = [[]]
        for each in reversed(own[1:]):
            below.append([join(each, *below[-1]) if below[-1] else each])
        below.reverse()
        itself = [[each] if self.goes_around else [] for each in own]
        if not keep_sites and len(own) > 1:
            sites = computed_again(sites, above[-1], below[0])
        return [
            finish(self, block, first, above[k], itself[k], below[k])
            for k, (block, first) in enumerate(zip(blocks_of(sites), firsts))
        ]

    def summarise(self, cells: np.ndarray, first: int) -> bytes:
        return slabs.summarise(cells, shape=self.shape, first=first, **self.common)

    def finish(
        self, cells: np.ndarray, first: int, summaries: list[bytes], own: int
    ) -> tuple[np.ndarray, ...]:
        """The outputs of a slab from summaries, of which number `own` stands for itself."""
        periodic = self.common["periodic"]
        neighbours = slabs.combine(summaries, shape=self.shape, periodic=periodic)[own]
        found = slabs.finish(
            cells, neighbours, shape=self.shape, first=first, **self.common, **self.of_results
        )
        if self.mirrors:
            mirror(found.direction, *self.mirrors)
        return tuple(found)


def in_slabs(cells: Any, outputs: Iterable[np.ndarray]) -> Any:
    """The array with slabs for chunks; `outputs` are those of a slab without a row."""
    none = np.empty((0, *cells.shape[1:]), cells.dtype)
    heights = heights_of(cells.chunks[0], cells.shape, [none, *outputs])
    # Shuffled, all cells would be on their way at the same time.
    return cells.rechunk((heights, *[-1] * (cells.ndim - 1)), method="tasks")


def heights_of(
    heights: tuple[int, ...], shape: tuple[int, ...], arrays: Iterable[np.ndarray]
) -> Any:
    """Heights of slabs of a raster for chunks of these heights, so that no chunk of one of the
    arrays is too large; they are those of a slab without a row."""
    width = max(a.itemsize * prod(a.shape[: a.ndim - len(shape)]) for a in arrays)
    row = width * max(prod(shape[1:]), 1)
    most = max(1, parse_bytes(dask.config.get("array.chunk-size")) // row)
    return heights if max(heights) <= most else _lower(max(heights), most)


def blocks_of(array: Any) -> list[Any]:
    """Its chunks; all of a graph is optimised together when it is computed."""
    return list(array.to_delayed(optimize_graph=False).reshape(-1))


def output_of(parts: list[Any], heights: tuple[int, ...], like: np.ndarray) -> Any:
    """The array of an output from those of the slabs; `like` is that of a slab without a row."""
    axis = like.shape.index(0)  # the components of an offset are in front
    meta = np.empty((0,) * like.ndim, like.dtype)
    shapes = [(*like.shape[:axis], rows, *like.shape[axis + 1 :]) for rows in heights]
    arrays = [da.from_delayed(part, shape, meta=meta) for part, shape in zip(parts, shapes)]
    return da.concatenate(arrays, axis)


def first_rows(sites: Any) -> list[int]:
    """The first row of each slab."""
    return [0, *accumulate(sites.chunks[0])][:-1]


def _lower(height: int, most: int) -> int:
    """Height of slabs of at most so many rows, a part of a higher one if that is not much less."""
    parts = (rows for rows in range(most, most // 2, -1) if height % rows == 0)
    return next(parts, most)


def computed_again(array: Any, *after: Any) -> Any:
    """The same array by tasks of their own, which begin when all of `after` is there: so no chunk
    waits in memory for both uses. (dask.graph_manipulation.bind is made for this, but leaves out
    graphs with slices or rechunked arrays.)"""
    start = dask.delayed(_end, pure=True)(*after)
    given = dict(array.__dask_graph__())
    graph = {**given, **convert_legacy_graph(given)}  # what is computed elsewhere stays as it is
    names = {key: _again(key, start.key) for key in graph}
    tasks = {}
    for key, node in graph.items():
        if isinstance(node, Task) and all(
            isinstance(graph.get(each), DataNode) for each in node.dependencies
        ):
            node = Task(key, _first_of, node, TaskRef(start.key))
        tasks[names[key]] = (
            node.substitute(names, key=names[key]) if isinstance(node, GraphNode) else node
        )
    name = _again(array.name, start.key)
    layers = HighLevelGraph.from_collections(name, tasks, dependencies=[start])
    return da.Array(layers, name, array.chunks, meta=array._meta)


def _again(key: Any, start: str) -> Any:
    return (_again(key[0], start), *key[1:]) if isinstance(key, tuple) else f"{key}-after-{start}"


def _first_of(value: Any, _after: None) -> Any:
    return value


def _end(*_: object) -> None:
    """What comes after its arguments."""


def _summarise(work: SlabWork, cells: np.ndarray, first: int) -> bytes:
    return work.summarise(cells, first)


def _finish(
    work: SlabWork,
    cells: np.ndarray,
    first: int,
    above: list[bytes],
    itself: list[bytes],
    below: list[bytes],
) -> tuple[np.ndarray, ...]:
    own = itself or [work.summarise(cells[:0], first)]
    found = work.finish(cells, first, [*above, *own, *below], len(above))
    release_scratch()  # a worker counts what a thread keeps for its next call
    return found


def _finish_between(
    work: SlabWork, cells: np.ndarray, first: int, above: int, below: int
) -> tuple[np.ndarray, ...]:
    """The outputs of a slab whose cells come with some rows of its neighbours."""
    end = len(cells) - below
    summaries = [
        work.summarise(cells[:above], first - above),
        work.summarise(cells[above:above], first),
        work.summarise(cells[end:], first + end - above),
    ]
    found = work.finish(cells[above:end], first, summaries, 1)
    release_scratch()
    return found
