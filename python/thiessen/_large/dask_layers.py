# SPDX-License-Identifier: Apache-2.0
"""Graphs of Dask for slabs: layers of tasks, and what tasks take from arrays and give to them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from operator import getitem
from typing import Any

import dask.array as da
import numpy as np
from dask._task_spec import DataNode, GraphNode, Task, TaskRef, convert_legacy_graph
from dask.blockwise import optimize_blockwise
from dask.core import flatten
from dask.delayed import Delayed
from dask.highlevelgraph import HighLevelGraph
from dask.tokenize import tokenize


class Layer:
    """Tasks that are one layer of a graph, and a collection of Dask as far as other layers need it.
    dask.delayed() makes a layer of each call, and each call merges those of all its arguments."""

    def __init__(self, *what: Any, needs: Iterable[Any]) -> None:
        """`what` tells what the tasks do, and so their names; `needs` are the collections that hold
        what they refer to."""
        self.token = tokenize(*what)
        self._tasks: dict[Any, Any] = {}
        self._needs = list(needs)

    def add(self, function: Callable[..., Any], *arguments: Any) -> TaskRef:
        """A call of the function. Arguments are values and TaskRefs, but no lists of these."""
        key = self._next_key(function.__name__.lstrip("_"))
        self._tasks[key] = Task(key, function, *arguments)
        return TaskRef(key)

    def add_value(self, value: Any) -> TaskRef:
        """A value that tasks share."""
        key = self._next_key("value")
        self._tasks[key] = DataNode(key, value)
        return TaskRef(key)

    def delayed(self, results: Iterable[TaskRef]) -> list[Delayed]:
        """What tasks give, for callers that compute it or keep it."""
        graph = self.__dask_graph__()
        return [Delayed(result.key, graph, layer=self.token) for result in results]

    def arrays(
        self,
        parts: list[TaskRef],
        heights: tuple[int, ...],
        names: Iterable[str],
        likes: Iterable[np.ndarray],
    ) -> list[Any]:
        """The arrays of outputs. Each of `parts` has those of a slab, one after the other; `likes`
        are those of a slab without a row."""
        arrays = []
        for i, (title, like) in enumerate(zip(names, likes)):
            axis = like.shape.index(0)  # the components of an offset are in front
            name = f"{title}-{self.token}"
            tasks = {}
            for k, part in enumerate(parts):
                key = (name, *[k if each == axis else 0 for each in range(like.ndim)])
                tasks[key] = Task(key, getitem, part, i)
            graph = HighLevelGraph.from_collections(name, tasks, dependencies=[self])
            chunks = tuple(
                heights if each == axis else (extent,) for each, extent in enumerate(like.shape)
            )
            meta = np.empty((0,) * like.ndim, like.dtype)
            arrays.append(da.Array(graph, name, chunks, meta=meta))
        return arrays

    def __dask_graph__(self) -> HighLevelGraph:
        return HighLevelGraph.from_collections(self.token, self._tasks, dependencies=self._needs)

    def __dask_layers__(self) -> tuple[str]:
        return (self.token,)

    def _next_key(self, name: str) -> tuple[str, int]:
        return f"{name}-{self.token}", len(self._tasks)


def blocks_of(array: Any) -> list[TaskRef]:
    """Its chunks."""
    return [TaskRef(key) for key in flatten(array.__dask_keys__())]


def first_rows(array: Any) -> list[int]:
    """The first row of each slab."""
    return [0, *accumulate(array.chunks[0])][:-1]


def slabs_beside(heights: Sequence[int], rows: slice) -> range:
    """Which slabs hold these rows."""
    ends = list(accumulate(heights))
    return range(bisect_right(ends, rows.start), bisect_left(ends, rows.stop) + 1)


def rows_of(layer: Layer, array: Any, wanted: Iterable[slice]) -> list[TaskRef]:
    """The rows wanted for each slab: its own and some of the slabs beside it."""
    blocks, firsts, heights = blocks_of(array), first_rows(array), array.chunks[0]
    found = []
    for own, rows in zip(blocks, wanted):
        pieces = []
        for k in slabs_beside(heights, rows):
            begin, end = max(rows.start - firsts[k], 0), min(rows.stop - firsts[k], heights[k])
            whole = end - begin == heights[k]
            pieces.append(blocks[k] if whole else layer.add(_cut, blocks[k], begin, end))
        found.append(layer.add(_stacked, *pieces) if pieces else own)
    return found


def computed_again(array: Any, layer: Layer, *after: TaskRef) -> Any:
    """The same array by tasks of their own, which begin when all of `after`, tasks of the layer,
    are done: so no chunk waits in memory for both uses. (dask.graph_manipulation.bind is made for
    this, but leaves out graphs with slices or rechunked arrays.)"""
    start = layer.add(_end, *after)
    fused = optimize_blockwise(array.__dask_graph__(), keys=[array.name])
    given = dict(fused)  # less than half of the tasks after a few operations on cells
    graph = {**given, **convert_legacy_graph(given)}  # what is computed elsewhere stays as it is
    names = {key: _again(key, layer.token) for key in graph}
    tasks = {}
    for key, node in graph.items():
        if isinstance(node, Task) and all(
            isinstance(graph.get(each), DataNode) for each in node.dependencies
        ):
            node = Task(key, _first_of, node, start)
        if isinstance(node, GraphNode):
            needed = {each: names[each] for each in node.dependencies if each in names}
            node = node.substitute(needed, key=names[key])
        tasks[names[key]] = node
    name = _again(array.name, layer.token)
    layers = HighLevelGraph.from_collections(name, tasks, dependencies=[layer])
    return da.Array(layers, name, array.chunks, meta=array._meta)


def _again(key: Any, token: str) -> Any:
    return (_again(key[0], token), *key[1:]) if isinstance(key, tuple) else f"{key}-again-{token}"


def _first_of(value: Any, _after: None) -> Any:
    return value


def _end(*_: object) -> None:
    """What comes after its arguments."""


def _cut(rows: np.ndarray, begin: int, end: int) -> np.ndarray:
    return rows[begin:end].copy()  # a view would keep all of them


def _stacked(*pieces: np.ndarray) -> np.ndarray:
    return np.concatenate(pieces) if len(pieces) > 1 else pieces[0]
