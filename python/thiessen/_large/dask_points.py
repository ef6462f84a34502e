# SPDX-License-Identifier: Apache-2.0
"""The diagram of a list of points in arrays of Dask: slabs need nothing of each other."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import dask.array as da
import numpy as np

from .. import slabs
from .._devices import release_scratch
from .._kinds.unread import is_dask
from .dask_layers import Layer, blocks_of
from .dask_slabs import heights_of


def points_in_slabs(
    points: Any, labels: Any, domain: Any, shape: tuple[int, ...], options: dict[str, Any]
) -> list[Any]:
    """The outputs, lazily. Points and labels may be lazy, too."""
    common = {"shape": shape, **options}
    no_cells = None if domain is None else np.ones((0, *shape[1:]), np.bool_)
    checked = [
        np.zeros(each.shape, each.dtype) if is_dask(each) else each for each in (points, labels)
    ]
    empty = slabs.voronoi(  # checks the arguments
        checked[0], point_labels=checked[1], domain=no_cells, first=0, count=0, **common
    )
    heights = da.core.normalize_chunks((heights_of((shape[0],), shape, empty), *shape[1:]), shape)[
        0
    ]
    cells = None
    if domain is not None:
        cells = da.asarray(domain).rechunk((heights, *[-1] * (len(shape) - 1)))
    lists = [each.rechunk(-1) if is_dask(each) else each for each in (points, labels)]
    needs = [each for each in (*lists, cells) if is_dask(each)]
    layer = Layer(*lists, cells, common, needs=needs)
    given = [  # once in the graph
        blocks_of(each)[0] if is_dask(each) else layer.add_value(each) for each in lists
    ]
    parts = [None] * len(heights) if cells is None else blocks_of(cells)
    firsts = [0, *accumulate(heights)]
    found = [
        layer.add(_solve, *given, part, first, count, common)
        for part, first, count in zip(parts, firsts, heights)
    ]
    return layer.arrays(found, heights, options["outputs"], empty)


def _solve(
    points: Any, labels: Any, domain: Any, first: int, count: int, common: dict[str, Any]
) -> tuple[np.ndarray, ...]:
    found = slabs.voronoi(
        points, point_labels=labels, domain=domain, first=first, count=count, **common
    )
    release_scratch()  # a worker counts what a thread keeps for its next call
    return tuple(found)
