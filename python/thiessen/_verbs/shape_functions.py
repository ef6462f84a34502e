# SPDX-License-Identifier: Apache-2.0
"""How much each node weighs in each cell: shape functions of simulations, by costs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._arguments import tables
from .._arguments.core_options import core_options, run
from .._arguments.cost_options import map_of, to_blocked_faces, to_cost_map
from .._arguments.options import Unpack, collect, takes
from .._kinds.host import to_array
from .._kinds.outputs import check_given
from .._solvers.site_solver import to_indices


class NaturalCoordinates(NamedTuple):
    """Natural coordinates of a list of cells, as rows of entries."""

    first: np.ndarray
    """The entries of cell i are those from first[i] to before first[i + 1]."""
    site_index: np.ndarray
    """The site of each entry, ascending within a cell."""
    count: np.ndarray  # type: ignore[assignment]
    """Cells that a new site at the cell would take from that site. The coordinate is the count over
    the sum of the counts of the cell."""


@takes(tables.ShepardOptions)
def shepard_weights(distance: Any, **options: Unpack[tables.ShepardOptions]) -> np.ndarray:
    """Shepard's weights of the k nearest sites of each cell: the inverse distance to a power, over
    the sum.

    Parameters
    ----------
    distance : array of shape (k, y, x) or (k, z, y, x), float32 or float64
        The output `distance` of `cost_distance` or `nearest_site` with `k`.
    power : int
        Exponent of the inverse distances, 1 to 16.
    out : ndarray of float64 of the shape of `distance`, optional
    threads, progress
        As of `nearest_site`.

    Returns
    -------
    ndarray of float64
        The weights, which sum to 1 within 2**-50. Sites at distance 0 share the weight 1. Places
        without a site weigh 0.

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    With k = 2 and power 1 the weights fall evenly on the way from one site to the other, by one
    half at the border of their regions. The bits are the same on every machine; on the CPU.

    Source: D. Shepard, "A two-dimensional interpolation function for irregularly-spaced data"
    (1968).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> found = thiessen.cost_distance(
    ...     stiffness=np.ones((1, 5)), points=[(0, 0), (0, 4)], k=2, outputs=("labels", "distance")
    ... )
    >>> found.labels[:, 0]
    array([[1, 1, 1, 2, 2],
           [2, 2, 2, 1, 1]], dtype=int32)
    >>> thiessen.shepard_weights(found.distance, power=1)[:, 0]
    array([[1.  , 0.75, 0.5 , 0.75, 1.  ],
           [0.  , 0.25, 0.5 , 0.25, 0.  ]])
    """
    own = collect(shepard_weights, options)
    costs = to_array("distance", distance)
    weights = own.out
    if weights is None:
        weights = np.empty(costs.shape, np.float64)
    else:
        check_given("out", weights, costs.shape, np.dtype(np.float64))
    settings = core_options("shepard_weights", own, max(costs.ndim - 1, 0), device="cpu")
    run("shepard_weights", {"distance": costs}, settings, own.progress, {"weights": weights})
    return weights


@takes(tables.NaturalOptions)
def natural_coordinates(
    cells: Any, site_index: Any, distance: Any, **options: Unpack[tables.NaturalOptions]
) -> NaturalCoordinates:
    """Natural-neighbour coordinates of some cells by cost, on the raster.

    A new site at a cell would take the cells that cost less from there than from their nearest
    site. The coordinate of a site is its share of them.

    Parameters
    ----------
    cells : linear indices of the cells whose coordinates are wanted, in any order
    site_index, distance : arrays of the shape of the map
        The outputs of `cost_distance` on this map, without `k`, with the same options.
    cost, stiffness : array of shape (y, x) or (z, y, x)
        One of the two: the map, as of `cost_distance`, without a mask.
    spacing, connectivity, max_distance, tight_barriers, blocked_faces, map_nodata, distance_type
        As of `cost_distance`.
    threads, progress
        As of `nearest_site`.

    Returns
    -------
    NaturalCoordinates

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError

    Notes
    -----
    A cell whose cost is 0 has the coordinate 1 of its site. Unreached cells and barriers have no
    entries. Counts are integers, so the coordinates of a cell sum to 1 exactly. Time O(n · log(n))
    for the n cells that a new site would take; threads share the list of cells, and each takes 4
    bytes a cell of the map for float32. On the CPU.

    Source: R. Sibson, "A vector identity for the Dirichlet tessellation" (1980).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> stiffness = np.ones((1, 9), np.float32)
    >>> found = thiessen.cost_distance(
    ...     stiffness=stiffness, points=[(0, 0), (0, 8)], outputs=("site_index", "distance")
    ... )
    >>> thiessen.natural_coordinates([2, 4], *found, stiffness=stiffness)
    NaturalCoordinates(first=array([0, 1, 3]), site_index=array([0, 0, 1]), count=array([3, 2, 1]))
    """
    own = collect(natural_coordinates, options)
    what = map_of(own)[0]
    raster, own = to_cost_map(own, blocked_faces=own.blocked_faces)
    blocked = to_blocked_faces(own.blocked_faces, raster.cells.shape)
    own = own.but(map_nodata=raster.nodata)
    settings = core_options("natural_coordinates", own, raster.cells.ndim, device="cpu")
    arrays = {
        what: raster.cells,
        "site_index": to_array("site_index", site_index),
        "distance": to_array("distance", distance),
        "cells": to_indices("cells", cells),
        "blocked_faces": None if blocked is None else blocked.for_core(),
    }
    return NaturalCoordinates(**run("natural_coordinates", arrays, settings, own.progress)[0])
