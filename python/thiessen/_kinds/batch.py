# SPDX-License-Identifier: Apache-2.0
"""Batches: rasters beside each other in one array, along the axes that do not belong to a raster.

The core takes a batch with one such axis in front. What has several, or elsewhere, is seen so
through strides. Axes that cannot be one, because of the gaps between them, are gone through here.
No cell is copied.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from .._arguments.checks import to_integer


def takes_batch(batch_axes: Any) -> bool:
    """Whether the caller has such an argument, given or not: () says that it has none."""
    return not (isinstance(batch_axes, tuple) and not batch_axes)


def check_axes(name: str, rank: int, batch_axes: Any = ()) -> None:
    """The axes of an array without a batch."""
    if rank not in (2, 3):
        others = (
            ", besides those named in batch_axes" if takes_batch(batch_axes) and rank > 3 else ""
        )
        raise ValueError(f"{name} has {rank} axes; must have 2 or 3{others}")


def find_batch(
    name: str, batch_axes: Any, rank: int, dims: Sequence[Any] | None = None
) -> tuple[int, ...]:
    """The axes of `batch_axes` in ascending order, of an array of `rank` axes that has 2 or 3
    others; `dims` are those of a DataArray."""
    if batch_axes is None or not takes_batch(batch_axes):
        check_axes(name, rank, batch_axes)
        return ()
    is_one = isinstance(batch_axes, str) or not np.iterable(batch_axes)
    axes = [_to_axis(name, axis, rank, dims) for axis in ([batch_axes] if is_one else batch_axes)]
    if len(set(axes)) < len(axes):
        raise ValueError(f"batch_axes = {batch_axes!r}; must name each axis once")
    if rank - len(axes) not in (2, 3):
        raise ValueError(
            f"batch_axes = {batch_axes!r}; must leave 2 or 3 axes of {name}, which has {rank}"
        )
    return tuple(sorted(axes))


def _to_axis(name: str, axis: Any, rank: int, dims: Sequence[Any] | None) -> int:
    if dims is not None and axis in dims:
        return list(dims).index(axis)
    if isinstance(axis, str):
        known = f"has the dimensions {tuple(dims)}" if dims is not None else "is no DataArray"
        raise ValueError(f"batch_axes = {axis!r}; {name} {known}")
    try:
        number = to_integer("batch_axes", axis)
    except TypeError:
        raise TypeError(
            f"batch_axes = {axis!r}; must be integers, or names of dimensions of a DataArray"
        ) from None
    if not -rank <= number < rank:
        raise ValueError(f"batch_axes = {number}; {name} has {rank} axes")
    return number % rank


def raster_extents(shape: tuple[int, ...], batch: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(extent for axis, extent in enumerate(shape) if axis not in batch)


def in_front(array: np.ndarray, batch: tuple[int, ...]) -> np.ndarray:
    """A view with the axes of a batch in front."""
    return np.moveaxis(array, batch, range(len(batch)))


Memory = tuple[int, tuple[int, ...], tuple[int, ...], str]
"""As CudaArray.memory: address, extents, strides in bytes and type string."""


def split(arrays: list[Any], batch: tuple[int, ...], rank: int) -> list[list[Any]]:
    """The arrays of a call, on the host or as Memory, in pieces with one axis of a batch before
    those of a raster. The first has `rank` axes; others may have one more in front, or be None."""
    if not batch:
        return [arrays]
    moved = [None if array is None else _moved(array, batch, rank) for array in arrays]
    count = len(batch)
    if all(array is None or _can_merge(array, count, rank) for array in moved):
        return [[None if array is None else _merged(array, count, rank) for array in moved]]
    _check_apart(moved)
    places = np.ndindex(*_layout(moved[0])[0][: count - 1])
    return [
        [None if array is None else _part(array, place, rank) for array in moved]
        for place in places
    ]


def share_of(
    report: Callable[[float], object] | None, piece: int, count: int
) -> Callable[[float], object] | None:
    """The reporter of one piece of several."""
    if report is None or count < 2:
        return report
    return lambda fraction: report((piece + fraction) / count)


def _layout(array: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Extents and strides."""
    return array[1:3] if isinstance(array, tuple) else (array.shape, array.strides)


def _moved(array: Any, batch: tuple[int, ...], rank: int) -> Any:
    """With the axes of the batch in front of those of a raster."""
    shape, strides = _layout(array)
    more = len(shape) - rank
    order = [axis + more for axis in batch]
    order += [axis for axis in range(more, len(shape)) if axis not in order]
    order = [*range(more), *order]
    if not isinstance(array, tuple):
        return array.transpose(order)
    return array[0], tuple(shape[i] for i in order), tuple(strides[i] for i in order), array[3]


def _can_merge(array: Any, count: int, rank: int) -> bool:
    """Whether `count` axes of a batch can be one."""
    shape, strides = _layout(array)
    more = len(shape) - rank
    axes = [i for i in range(more, more + count) if shape[i] != 1]
    if math.prod(shape) == 0:
        return True
    return all(strides[a] == shape[b] * strides[b] for a, b in pairwise(axes))


def _merged(array: Any, count: int, rank: int) -> Any:
    shape, strides = _layout(array)
    more = len(shape) - rank
    extents = shape[more : more + count]
    whole = (*shape[:more], math.prod(extents), *shape[more + count :])
    if not isinstance(array, tuple):
        return array.reshape(whole)
    steps = [step for extent, step in zip(extents, strides[more:]) if extent != 1]
    step = steps[-1] if steps else strides[more + count - 1]
    return array[0], whole, (*strides[:more], step, *strides[more + count :]), array[3]


def _part(array: Any, place: tuple[int, ...], rank: int) -> Any:
    """What lies at a place of all axes of the batch but the last."""
    shape, strides = _layout(array)
    more = len(shape) - rank
    if not isinstance(array, tuple):
        return array[(slice(None),) * more + place]
    address = array[0] + sum(i * step for i, step in zip(place, strides[more:]))
    gone = range(more, more + len(place))
    rest = [axis for axis in range(len(shape)) if axis not in gone]
    return address, tuple(shape[i] for i in rest), tuple(strides[i] for i in rest), array[3]


def _check_apart(arrays: list[Any]) -> None:
    """Raise ValueError where an output shares memory with another array: the core sees pieces."""
    spans = [_span(array) for array in arrays if array is not None]
    for i, (first, last) in enumerate(spans[1:], 1):
        for other_first, other_last in spans[:i]:
            if first < other_last and other_first < last:
                raise ValueError(
                    "out overlaps the sites or another output; with these batch_axes it must be "
                    "apart"
                )


def _span(array: Any) -> tuple[int, int]:
    """The addresses from the first byte to the one after the last."""
    shape, strides = _layout(array)
    if isinstance(array, tuple):
        start, element = array[0], np.dtype(array[3]).itemsize
    else:
        start, element = array.__array_interface__["data"][0], array.itemsize
    ways = [(extent - 1) * step for extent, step in zip(shape, strides)]
    return start + sum(min(way, 0) for way in ways), start + sum(
        max(way, 0) for way in ways
    ) + element
