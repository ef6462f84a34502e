# SPDX-License-Identifier: Apache-2.0
"""Connected areas of an array of Dask: numbered slab by slab, joined where slabs meet."""

from __future__ import annotations

from math import prod
from typing import Any

import dask
import dask.array as da
import numpy as np

from . import slabs
from ._arrays import number_dtype
from ._dask_slabs import blocks_of, computed_again, in_slabs, output_of


def components_in_slabs(
    cells: Any, connectivity: int, nodata: Any, keep_cells: bool = False
) -> tuple[Any, Any]:
    """The labels and their number, lazily. All summaries come together in one task."""
    like = np.empty((0, *cells.shape[1:]), number_dtype(prod(cells.shape)))
    options = {"shape": cells.shape, "connectivity": connectivity, "nodata": nodata}
    summarise = dask.delayed(_summarise, pure=True)
    number = dask.delayed(_number, pure=True)
    parts = in_slabs(cells, [like])
    slabs.summarise_components(np.empty((0, *cells.shape[1:]), cells.dtype), **options)  # checks
    summaries = [summarise(block, options) for block in blocks_of(parts)]
    numbers = dask.delayed(slabs.combine_components, pure=True)(
        summaries, shape=cells.shape, connectivity=connectivity
    )
    if not keep_cells and len(summaries) > 1:
        parts = computed_again(parts, numbers)
    numbered = [number(block, options, numbers[k]) for k, block in enumerate(blocks_of(parts))]
    labels = output_of([each[0] for each in numbered], parts.chunks[0], like)
    count = da.from_delayed(_count(numbers), (), meta=np.empty((), np.int64))
    return labels, count


def _summarise(image: np.ndarray, options: dict[str, Any]) -> bytes:
    return slabs.summarise_components(image, **options)[1]


def _number(image: np.ndarray, options: dict[str, Any], numbers: bytes) -> tuple[np.ndarray]:
    labels, _ = slabs.summarise_components(image, **options)
    slabs.number_components(labels, numbers)
    return (labels,)


@dask.delayed(pure=True)  # type: ignore[untyped-decorator]
def _count(numbers: list[bytes]) -> np.int64:
    return np.int64(slabs.number_components(np.empty(0, np.int64), numbers[0]))
