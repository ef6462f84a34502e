# SPDX-License-Identifier: Apache-2.0
"""How rasters of Dask, their areas and lists of points are done in slabs: the graphs of tasks, and
the tasks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from math import inf, prod
from operator import getitem
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask._task_spec import TaskRef
from dask.utils import parse_bytes

from .. import slabs
from .._arguments import tables
from .._arguments.options import Options
from .._arguments.running import to_thread_count
from .._devices import release_scratch
from .._kinds.host import Raster, number_dtype
from .._kinds.unread import is_dask
from .._kinds.xarray import mirror
from .dask_layers import Layer, blocks_of, computed_again, first_rows, rows_of


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
    def of(cls, raster: Raster, names: tuple[str, ...], options: Options) -> SlabWork:
        """Checks the arguments: those are wrong by which a slab without a row cannot be done."""
        common = options.some(tables.SlabOptions.__annotations__)
        common["spacing"] = raster.spacing_or(options.spacing)
        for name in ("spacing", "periodic", "values"):
            if np.iterable(common[name]):
                common[name] = tuple(common[name])
        common["nodata"] = raster.nodata
        common["threads"] = to_thread_count(options.threads) or 1
        mirrors = raster.frame.mirrors() if raster.frame and "direction" in names else ()
        work = cls(
            raster.cells.shape,
            common,
            {**options.some(("unreached", "distance_type")), "outputs": names},
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
        layer, parts = (
            self._by_summaries(sites, keep_sites)
            if depth is None
            else self._by_rows_beside(sites, depth)
        )
        return layer.arrays(parts, sites.chunks[0], self.of_results["outputs"], self.empty)

    def _numbers(self, sites: Any) -> bool:
        """Whether labels are the numbers of boolean sites."""
        return sites.dtype.kind == "b" and "labels" in self.of_results["outputs"]

    def _depth(self, sites: Any) -> int | None:
        """How many rows beside a slab hold all that it needs of the others; None if these are more
        than a slab, or if it needs more: the number of boolean sites above."""
        limit, spacing = self.common["max_distance"], self.common["spacing"]
        if limit is None or limit == inf or self._numbers(sites) or self.goes_around:
            return None
        step = 1 if spacing is None else spacing[0] if isinstance(spacing, tuple) else spacing
        depth = float(limit) / float(step) + 1  # one more than enough, whatever is rounded
        return int(depth) if depth <= min(sites.chunks[0]) else None

    def _by_rows_beside(self, sites: Any, depth: int) -> tuple[Layer, list[TaskRef]]:
        layer = Layer(self, sites, depth, needs=[sites])
        own = [slice(a, a + n) for a, n in zip(first_rows(sites), sites.chunks[0])]
        wide = [slice(max(a.start - depth, 0), min(a.stop + depth, len(sites))) for a in own]
        return layer, [
            layer.add(_finish_between, self, cells, a.start, a.start - b.start, b.stop - a.stop)
            for cells, a, b in zip(rows_of(layer, sites, wide), own, wide)
        ]

    def _by_summaries(self, sites: Any, keep_sites: bool) -> tuple[Layer, list[TaskRef]]:
        """Each slab gets the summaries of what lies above and of what lies below, so that no task
        needs those of all slabs; and its own where its sites count for others: as images beyond
        the ends, or in the numbers of those below."""
        layer = Layer(self, sites, keep_sites, needs=[sites])
        firsts = first_rows(sites)
        own = [layer.add(_summarise, self, *each) for each in zip(blocks_of(sites), firsts)]
        join = partial(layer.add, slabs.join)
        above = [None, *accumulate(own[:-1], join)]
        below = [None, *accumulate(own[:0:-1], lambda lower, upper: join(upper, lower))][::-1]
        counts = self.goes_around or self._numbers(sites)
        if not keep_sites and len(own) > 1:
            sites = computed_again(sites, layer, above[-1], below[0])
        results = Layer(layer.token, needs=[layer, sites])
        return results, [
            results.add(
                _finish, self, block, firsts[k], above[k], own[k] if counts else None, below[k]
            )
            for k, block in enumerate(blocks_of(sites))
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


def _lower(height: int, most: int) -> int:
    """Height of slabs of at most so many rows, a part of a higher one if that is not much less."""
    parts = (rows for rows in range(most, most // 2, -1) if height % rows == 0)
    return next(parts, most)


def _summarise(work: SlabWork, cells: np.ndarray, first: int) -> bytes:
    return work.summarise(cells, first)


def _finish(
    work: SlabWork,
    cells: np.ndarray,
    first: int,
    above: bytes | None,
    own: bytes | None,
    below: bytes | None,
) -> tuple[np.ndarray, ...]:
    """The outputs of a slab, whose own sites count for no other where `own` is None."""
    own = own or work.summarise(cells[:0], first)
    summaries = [each for each in (above, own, below) if each is not None]
    found = work.finish(cells, first, summaries, int(above is not None))
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


def components_in_slabs(
    cells: Any, connectivity: int, nodata: Any, keep_cells: bool = False
) -> tuple[Any, Any]:
    """The labels and their number, lazily. All summaries come together in one task."""
    like = np.empty((0, *cells.shape[1:]), number_dtype(prod(cells.shape)))
    options = {"shape": cells.shape, "connectivity": connectivity, "nodata": nodata}
    parts = in_slabs(cells, [like])
    slabs.summarise_components(np.empty((0, *cells.shape[1:]), cells.dtype), **options)  # checks
    layer = Layer(parts, keep_cells, options, needs=[parts])
    summaries = [layer.add(_summarise_areas, block, options) for block in blocks_of(parts)]
    numbers = layer.add(_combine_areas, cells.shape, connectivity, *summaries)
    own = [layer.add(getitem, numbers, k) for k in range(len(summaries))]
    if not keep_cells and len(summaries) > 1:
        parts = computed_again(parts, layer, numbers)
    results = Layer(layer.token, needs=[layer, parts])
    numbered = [
        results.add(_number_areas, block, options, own[k])
        for k, block in enumerate(blocks_of(parts))
    ]
    (labels,) = results.arrays(numbered, parts.chunks[0], ["labels"], [like])
    (count,) = results.delayed([results.add(_count_areas, own[0])])
    return labels, da.from_delayed(count, (), meta=np.empty((), np.int64))


def _summarise_areas(image: np.ndarray, options: dict[str, Any]) -> bytes:
    return slabs.summarise_components(image, **options)[1]


def _combine_areas(shape: tuple[int, ...], connectivity: Any, *summaries: bytes) -> list[bytes]:
    return slabs.combine_components(summaries, shape=shape, connectivity=connectivity)


def _number_areas(image: np.ndarray, options: dict[str, Any], numbers: bytes) -> tuple[np.ndarray]:
    labels, _ = slabs.summarise_components(image, **options)
    slabs.number_components(labels, numbers)
    return (labels,)


def _count_areas(numbers: bytes) -> np.int64:
    return np.int64(slabs.number_components(np.empty(0, np.int64), numbers))


def points_in_slabs(
    points: Any,
    labels: Any,
    weights: Any,
    metrics: Any,
    domain: Any,
    shape: tuple[int, ...],
    options: dict[str, Any],
) -> list[Any]:
    """The outputs, lazily. Points and what they have may be lazy, too."""
    common = {"shape": shape, **options}
    no_cells = None if domain is None else np.ones((0, *shape[1:]), np.bool_)
    given_lists = (points, labels, weights, metrics)
    checked = [np.ones(each.shape, each.dtype) if is_dask(each) else each for each in given_lists]
    empty = slabs.voronoi(  # checks the arguments
        checked[0], point_labels=checked[1], weights=checked[2], metrics=checked[3],
        domain=no_cells, first=0, count=0, **common,
    )  # fmt: skip
    heights = da.core.normalize_chunks((heights_of((shape[0],), shape, empty), *shape[1:]), shape)[
        0
    ]
    cells = None
    if domain is not None:
        cells = da.asarray(domain).rechunk((heights, *[-1] * (len(shape) - 1)))
    lists = [each.rechunk(-1) if is_dask(each) else each for each in given_lists]
    needs = [each for each in (*lists, cells) if is_dask(each)]
    layer = Layer(*lists, cells, common, needs=needs)
    given = [  # once in the graph
        blocks_of(each)[0] if is_dask(each) else layer.add_value(each) for each in lists
    ]
    parts = [None] * len(heights) if cells is None else blocks_of(cells)
    firsts = [0, *accumulate(heights)]
    found = [
        layer.add(_nearest_points, *given, part, first, count, common)
        for part, first, count in zip(parts, firsts, heights)
    ]
    return layer.arrays(found, heights, options["outputs"], empty)


def _nearest_points(
    points: Any,
    labels: Any,
    weights: Any,
    metrics: Any,
    domain: Any,
    first: int,
    count: int,
    common: dict[str, Any],
) -> tuple[np.ndarray, ...]:
    found = slabs.voronoi(
        points, point_labels=labels, weights=weights, metrics=metrics, domain=domain,
        first=first, count=count, **common,
    )  # fmt: skip
    release_scratch()  # a worker counts what a thread keeps for its next call
    return tuple(found)
