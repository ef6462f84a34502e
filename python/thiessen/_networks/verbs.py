# SPDX-License-Identifier: Apache-2.0
"""The verbs of ways between places."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arguments import tables
from .._arguments.core_options import run
from .._arguments.options import Options, Unpack, collect, takes
from .._arguments.warnings import tell
from .._kinds.costs import cost_unit
from .._kinds.host import to_array
from .._polygons import transform_of
from .places import Ground, ground_of, places_of
from .ways import Corridor, CostTable, LeastCostNetwork, LeastCostPaths


@takes(tables.CostTableOptions, "cost_distance")
def cost_table(
    origins: Any,
    destinations: Any = None,
    *,
    pairs: Any = None,
    paths: bool = False,
    **options: Unpack[tables.CostTableOptions],
) -> CostTable:
    """The costs of the ways from places to other places: an origin-destination table.

    Parameters
    ----------
    origins : array of shape (n, axes), array of the shape of the map, or geopandas.GeoDataFrame
        Where ways begin. Points are as of `cost_distance`, in cells. A raster has a place for each
        label: a way may begin in any of its cells, those that are neither 0, NaN, masked nor
        nodata. A feature of geopandas, a point, line or area, is a place on the map's grid. An
        array of the map's shape is a raster.
    destinations : the same, optional
        Where they end. Default: the origins.
    pairs : array of shape (p, 2), optional
        Which ways are wanted: positions of an origin and a destination. Default: all.
    paths : bool
        Also gives the ways themselves.
    cost, stiffness, elevation
        As of `cost_distance`. With an elevation one walks from the origin to the destination.
    max_distance : float, optional
        Ways that cost more count as none; searches end there.
    options as of `cost_distance`

    Returns
    -------
    CostTable

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError

    Notes
    -----
    Costs are computed in float64. There is a search for each origin, or for each destination if
    those are fewer: then the sums are rounded in another order. Memory 8 bytes a cell besides that
    of a search, and the result.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> cost = np.ones((5, 7))
    >>> cost[[0, 1, 3, 4], 3] = 9
    >>> towns = [(0, 0), (4, 0), (4, 6)]
    >>> found = thiessen.cost_table(towns, cost=cost, connectivity=4)
    >>> found.costs
    array([[ 0.,  4., 10.],
           [ 4.,  0., 10.],
           [10., 10.,  0.]])

    Some ways only, with their cells:

    >>> found = thiessen.cost_table(towns, pairs=[(0, 2)], paths=True, cost=cost, connectivity=4)
    >>> found.costs, found.paths.cells[[0, -1]]
    (array([10.]), array([[0, 0],
           [4, 6]]))
    """
    own = collect(cost_table, options)
    if destinations is None:
        destinations = origins
    ground = ground_of("cost_table", own, _rasters(origins=origins, destinations=destinations))
    first = places_of("origins", origins, ground, own)
    second = places_of("destinations", destinations, ground, own)
    wanted = None if pairs is None else _to_pairs(pairs)
    ground.options["paths"] = bool(paths)
    arrays = {
        **ground.arrays,
        "origins": first.raster,
        "origin_points": first.points,
        "origin_labels": first.labels,
        "destinations": second.raster,
        "destination_points": second.points,
        "destination_labels": second.labels,
        "pairs": wanted,
    }
    found = _run("cost_table", arrays, ground, own)
    costs = found["costs"]
    if wanted is None:
        costs = costs.reshape(len(found["origins"]), len(found["destinations"]))
    return CostTable(
        first.of_labels(found["origins"]),
        second.of_labels(found["destinations"]),
        costs,
        _paths_of(found, ground) if paths else None,
    )


@takes(tables.NetworkOptions, "cost_distance")
def least_cost_network(sites: Any, **options: Unpack[tables.NetworkOptions]) -> LeastCostNetwork:
    """Join neighbouring places by ways of least cost, with their minimum spanning tree.

    Parameters
    ----------
    sites : array of shape (n, axes), array of the shape of the map, or geopandas.GeoDataFrame
        The places, as the origins of `cost_table`.
    point_labels : array of shape (n,), optional
        Labels of the points; points of one label are one place. Default: their positions.
    cost, stiffness
        As of `cost_distance`. An elevation is refused, as the way back of a walk costs something
        else; so is the method "eikonal", whose costs are not those of steps.
    max_distance : float, optional
        Cells that cost more belong to no place.
    options as of `cost_distance`

    Returns
    -------
    LeastCostNetwork

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError

    Notes
    -----
    Places are neighbours if their regions, the labels of `cost_distance`, touch. The way between
    them crosses the border where the cost to it, the step across and the cost beyond it are least
    together. The tree is the one of the costs between all places, though only neighbours were
    looked at. Edges of equal cost enter it in the order of a, then b. Places that share a cell are
    joined at no cost. The result is the same bits for any method, number of threads and device.
    Time: one search. Memory 13 to 17 bytes a cell besides that of the search, and the result.

    Source: K. Mehlhorn, "A faster approximation algorithm for the Steiner problem in graphs"
    (1988); J. Kruskal, "On the shortest spanning subtree of a graph and the traveling salesman
    problem" (1956).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> cost = np.ones((5, 7))
    >>> cost[[0, 1, 3, 4], 3] = 9
    >>> network = thiessen.least_cost_network(
    ...     [(0, 0), (4, 0), (4, 6)], cost=cost, connectivity=4
    ... )
    >>> network.a, network.b, network.costs
    (array([0, 0, 1]), array([1, 2, 2]), array([ 4., 10., 14.]))
    >>> network.in_tree
    array([ True,  True, False])
    """
    own = collect(least_cost_network, options)
    ground = ground_of("least_cost_network", own, _rasters(sites=sites))
    places = places_of("sites", sites, ground, own, own.point_labels)
    arrays = {
        **ground.arrays,
        "sites": places.raster,
        "points": places.points,
        "point_labels": places.labels,
    }
    found = _run("least_cost_network", arrays, ground, own)
    labels, a, b = (places.of_labels(found[name]) for name in ("labels", "a", "b"))
    return LeastCostNetwork(
        labels,
        a,
        b,
        found["costs"],
        np.frombuffer(found["in_tree"], np.bool_),
        _paths_of(found, ground),
    )


@takes(tables.CorridorOptions, "cost_distance")
def corridor(first: Any, second: Any, **options: Unpack[tables.CorridorOptions]) -> Corridor:
    """How much more than the best way from one place to another a way over each cell costs: a
    least-cost corridor.

    Parameters
    ----------
    first, second : arrays or geopandas.GeoDataFrames, as the origins of `cost_table`
        Where ways begin and end. All points, cells or features of either are one place.
    within : float, optional
        Cells of at most this excess cost are inside.
    within_percent : float, optional
        The same in percent of the cost of the best way.
    cost, stiffness, elevation
        As of `cost_distance`. With an elevation one walks from the first place to the second.
    max_distance : float, optional
        Cells that cost more from either place are not reached.
    distance_type : {"float32", "float64"}
        Type of the excess costs, which are computed in float64.
    options as of `cost_distance`

    Returns
    -------
    Corridor

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError

    Notes
    -----
    The sum of both accumulated costs at a cell is ``excess_cost + least_cost``. Sums that exceed
    the least one by less than 2**-36 of it count as equal to it, as the rounding of paths goes that
    far. ``region_polygons(found.inside)`` has the outline. Time: two searches. Memory 16 bytes a
    cell besides those of a search.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> cost = np.ones((5, 7))
    >>> cost[[0, 1, 3, 4], 3] = 9
    >>> found = thiessen.corridor([(2, 0)], [(2, 6)], cost=cost, connectivity=4, within=2)
    >>> found.least_cost
    6.0
    >>> found.excess_cost
    array([[ 4.,  4.,  4., 12.,  4.,  4.,  4.],
           [ 2.,  2.,  2., 10.,  2.,  2.,  2.],
           [ 0.,  0.,  0.,  0.,  0.,  0.,  0.],
           [ 2.,  2.,  2., 10.,  2.,  2.,  2.],
           [ 4.,  4.,  4., 12.,  4.,  4.,  4.]], dtype=float32)
    >>> found.inside[:3]
    array([[0, 0, 0, 0, 0, 0, 0],
           [1, 1, 1, 0, 1, 1, 1],
           [1, 1, 1, 1, 1, 1, 1]], dtype=uint8)
    """
    own = collect(corridor, options)
    ground = ground_of("corridor", own, _rasters(first=first, second=second))
    ends = {
        name: places_of(name, given, ground, own)
        for name, given in (("first", first), ("second", second))
    }
    arrays = dict(ground.arrays)
    for name, place in ends.items():
        arrays.update({name: place.raster, f"{name}_points": place.points})
    dtype = np.float64 if ground.options.get("distance_type") == "f64" else np.float32
    outputs = {"excess_cost": np.empty(ground.shape, dtype)}
    if own.within is not None or own.within_percent is not None:
        outputs["inside"] = np.empty(ground.shape, np.uint8)
    found = _run("corridor", arrays, ground, own, outputs)
    has_map = ground.name != "elevation"
    units = cost_unit(own, has_map) if own.elevation is not None else None
    excess = ground.raster.like_input(
        "excess_cost", outputs["excess_cost"], "excess cost of the best way over the cell", units
    )
    inside = outputs.get("inside")
    if inside is not None:
        inside = ground.raster.like_input("inside", inside)
    return Corridor(excess, inside, found["least_cost"])


def _rasters(**given: Any) -> dict[str, Any]:
    """Those that may lie on a grid: not features."""
    return {name: each for name, each in given.items() if hasattr(each, "dims")}


def _to_pairs(pairs: Any) -> np.ndarray:
    given = to_array("pairs", pairs)
    if given.ndim != 2 or given.shape[1] != 2:
        raise ValueError(f"pairs has the shape {given.shape}; must be (p, 2)")
    if given.dtype.kind not in "iu":
        raise TypeError(f"pairs has the dtype {given.dtype}; must be integers")
    return np.ascontiguousarray(given, np.int64)


def _run(
    operation: str,
    arrays: dict[str, Any],
    ground: Ground,
    options: Options,
    outputs: dict[str, Any] | None = None,
) -> dict[str, Any]:
    given = {name: array for name, array in arrays.items() if array is not None}
    found, told = run(operation, given, ground.options, options.progress, outputs)
    tell(told)
    return found


def _paths_of(found: dict[str, Any], ground: Ground) -> LeastCostPaths:
    cells = np.stack(np.unravel_index(found["cells"], ground.shape), axis=1).astype(np.int64)
    return LeastCostPaths(
        found["lengths"],
        found["points"],
        cells,
        found["cell_costs"],
        transform_of(ground.grid),
        ground.system,
    )
