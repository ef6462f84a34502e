# SPDX-License-Identifier: Apache-2.0
"""Connected areas of an array of Dask: numbered slab by slab, joined where slabs meet."""

from __future__ import annotations

from math import prod
from operator import getitem
from typing import Any

import dask.array as da
import numpy as np

from .. import slabs
from .._kinds.host import number_dtype
from .dask_layers import Layer, blocks_of, computed_again
from .dask_slabs import in_slabs


def components_in_slabs(
    cells: Any, connectivity: int, nodata: Any, keep_cells: bool = False
) -> tuple[Any, Any]:
    """The labels and their number, lazily. All summaries come together in one task."""
    like = np.empty((0, *cells.shape[1:]), number_dtype(prod(cells.shape)))
    options = {"shape": cells.shape, "connectivity": connectivity, "nodata": nodata}
    parts = in_slabs(cells, [like])
    slabs.summarise_components(np.empty((0, *cells.shape[1:]), cells.dtype), **options)  # checks
    layer = Layer(parts, keep_cells, options, needs=[parts])
    summaries = [layer.add(_summarise, block, options) for block in blocks_of(parts)]
    numbers = layer.add(_combine, cells.shape, connectivity, *summaries)
    own = [layer.add(getitem, numbers, k) for k in range(len(summaries))]
    if not keep_cells and len(summaries) > 1:
        parts = computed_again(parts, layer, numbers)
    results = Layer(layer.token, needs=[layer, parts])
    numbered = [
        results.add(_number, block, options, own[k]) for k, block in enumerate(blocks_of(parts))
    ]
    (labels,) = results.arrays(numbered, parts.chunks[0], ["labels"], [like])
    (count,) = results.delayed([results.add(_count, own[0])])
    return labels, da.from_delayed(count, (), meta=np.empty((), np.int64))


def _summarise(image: np.ndarray, options: dict[str, Any]) -> bytes:
    return slabs.summarise_components(image, **options)[1]


def _combine(shape: tuple[int, ...], connectivity: Any, *summaries: bytes) -> list[bytes]:
    return slabs.combine_components(summaries, shape=shape, connectivity=connectivity)


def _number(image: np.ndarray, options: dict[str, Any], numbers: bytes) -> tuple[np.ndarray]:
    labels, _ = slabs.summarise_components(image, **options)
    slabs.number_components(labels, numbers)
    return (labels,)


def _count(numbers: bytes) -> np.int64:
    return np.int64(slabs.number_components(np.empty(0, np.int64), numbers))
