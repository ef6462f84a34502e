# SPDX-License-Identifier: Apache-2.0
"""The diagram of a list of points in arrays of Dask: slabs need nothing of each other."""

from __future__ import annotations

from typing import Any

import dask
import dask.array as da
import numpy as np

from . import slabs
from ._dask_slabs import heights_of, output_of
from ._devices import release_scratch


def points_in_slabs(
    points: Any, labels: Any, domain: Any, shape: tuple[int, ...], options: dict[str, Any]
) -> list[Any]:
    """The outputs, lazily."""
    common = {"shape": shape, **options}
    no_cells = None if domain is None else np.ones((0, *shape[1:]), np.bool_)
    empty = slabs.voronoi(  # checks the arguments
        points, labels=labels, domain=no_cells, first=0, count=0, **common
    )
    heights = da.core.normalize_chunks((heights_of((shape[0],), shape, empty), *shape[1:]), shape)[
        0
    ]
    parts: list[Any] = [None] * len(heights)
    if domain is not None:
        parts = list(
            da.asarray(domain)
            .rechunk((heights, *[-1] * (len(shape) - 1)))
            .to_delayed(optimize_graph=False)
            .reshape(-1)
        )
    solve = dask.delayed(_solve, pure=True)
    given = dask.delayed((points, labels), pure=True)  # once in the graph
    found = []
    first = 0
    for count, part in zip(heights, parts):
        found.append(solve(given, part, first, count, common))
        first += count
    return [output_of([part[i] for part in found], heights, like) for i, like in enumerate(empty)]


def _solve(
    given: tuple[Any, Any], domain: Any, first: int, count: int, common: dict[str, Any]
) -> tuple[np.ndarray, ...]:
    points, labels = given
    found = slabs.voronoi(points, labels=labels, domain=domain, first=first, count=count, **common)
    release_scratch()  # a worker counts what a thread keeps for its next call
    return tuple(found)
