# SPDX-License-Identifier: Apache-2.0
"""Tables of costs, networks and corridors, against searches of their own and against networkx."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import thiessen

RNG = np.random.default_rng(11)
COST = RNG.uniform(0.5, 3, (30, 40))
COST[10:20, 15] = np.inf
TOWNS = np.array([(2, 3), (25, 35), (5, 30), (28, 4), (15, 20)])


def costs_from(place: Any, **options: Any) -> np.ndarray:
    found = thiessen.cost_distance(
        points=[place], cost=COST, outputs="distance", distance_type="float64", **options
    )
    return found.distance


def test_a_table_has_the_costs_of_searches() -> None:
    table = thiessen.cost_table(TOWNS, cost=COST)
    for i, town in enumerate(TOWNS):
        assert np.array_equal(table.costs[i], costs_from(town)[tuple(TOWNS.T)])
    assert table.origins.tolist() == [0, 1, 2, 3, 4]
    assert table.paths is None


def test_pairs_and_their_ways() -> None:
    table = thiessen.cost_table(TOWNS, TOWNS[:2], pairs=[(4, 1), (2, 0)], paths=True, cost=COST)
    assert table.costs.shape == (2,)
    assert table.costs[1] == pytest.approx(costs_from(TOWNS[2])[2, 3], rel=1e-14)
    paths = table.paths
    assert paths is not None
    first = paths.cells[: paths.points[1]]
    assert first[[0, -1]].tolist() == [[15, 20], [25, 35]]
    assert paths.cell_costs[paths.points[1] - 1] == pytest.approx(table.costs[0])
    steps = np.linalg.norm(np.diff(first, axis=0), axis=1)
    assert paths.lengths[0] == pytest.approx(steps.sum())
    with pytest.raises(ValueError, match="those of pairs"):
        table.to_pandas()


def test_walks_lead_from_the_origin_to_the_destination() -> None:
    hill = np.add.outer(np.zeros(5), np.arange(6) * 20.0)
    table = thiessen.cost_table([(2, 0), (2, 5)], elevation=hill, spacing=100)
    assert table.costs[0, 1] > table.costs[1, 0]
    down = thiessen.cost_table([(2, 5)], [(2, 0), (0, 0)], elevation=hill, spacing=100)
    assert down.costs[0, 0] == table.costs[1, 0]


def test_a_network_has_the_tree_of_networkx() -> None:
    networkx = pytest.importorskip("networkx")
    network = thiessen.least_cost_network(TOWNS, cost=COST)
    table = thiessen.cost_table(TOWNS, cost=COST).costs
    graph = networkx.Graph()
    for i in range(len(TOWNS)):
        for j in range(i):
            graph.add_edge(i, j, weight=table[i, j])
    expected = networkx.minimum_spanning_tree(graph).size("weight")
    assert network.costs[network.in_tree].sum() == pytest.approx(expected)
    assert network.in_tree.sum() == len(TOWNS) - 1


def test_labels_of_points_and_of_rasters() -> None:
    labels = np.array([7, 9, 7, 9, 12])
    network = thiessen.least_cost_network(TOWNS, point_labels=labels, cost=COST)
    raster = np.zeros(COST.shape, np.int16)
    raster[tuple(TOWNS.T)] = labels
    same = thiessen.least_cost_network(raster, cost=COST)
    assert network.labels.tolist() == same.labels.tolist() == [7, 9, 12]
    assert same.a.dtype == np.int16
    assert network.costs.tolist() == same.costs.tolist()
    table = thiessen.cost_table(raster, cost=COST)
    least = min(costs_from(p)[tuple(q)] for p in TOWNS[[0, 2]] for q in TOWNS[[1, 3]])
    assert table.costs[0, 1] == least


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_corridor_is_a_sum(dtype: Any) -> None:
    found = thiessen.corridor(
        TOWNS[:1], TOWNS[1:2], cost=COST, within_percent=5, distance_type=dtype
    )
    both = costs_from(TOWNS[0]) + costs_from(TOWNS[1])
    assert found.least_cost == both.min()
    assert found.excess_cost.dtype == dtype
    assert np.allclose(found.excess_cost, both - both.min(), atol=1e-5)
    assert np.array_equal(found.inside, found.excess_cost <= 0.05 * both.min())
    assert thiessen.corridor(TOWNS[:1], TOWNS[1:2], cost=COST).inside is None


def test_masks_and_eikonal_fronts() -> None:
    masked = np.ma.MaskedArray(np.ones((20, 20)), np.zeros((20, 20), bool))
    masked[:, 10] = np.ma.masked
    found = thiessen.corridor([(3, 3)], [(8, 6)], cost=masked, within=1, method="eikonal")
    assert np.ma.getmaskarray(found.excess_cost)[:, 10].all()
    assert found.inside[3, 3] == 1
    assert found.least_cost == pytest.approx(np.hypot(5, 3), rel=5e-3)


def test_a_data_array_gives_coordinates() -> None:
    xarray = pytest.importorskip("xarray")
    shapely = pytest.importorskip("shapely")
    array = xarray.DataArray(
        COST, {"y": 4000 - 100.0 * np.arange(30), "x": 500 + 100.0 * np.arange(40)}
    )
    network = thiessen.least_cost_network(TOWNS, cost=array)
    lines = network.to_shapely()
    ends = shapely.get_coordinates(shapely.get_point(lines, 0))
    assert ends.tolist() == [[500 + 100 * TOWNS[a][1], 4000 - 100 * TOWNS[a][0]] for a in network.a]
    assert np.allclose(shapely.length(lines), network.paths.lengths)
    found = thiessen.corridor(TOWNS[:1], TOWNS[1:2], cost=array, within=1)
    assert found.excess_cost.name == "excess_cost"
    assert found.inside.name == "inside"
    assert found.excess_cost.x.equals(array.x)


def test_features_of_geopandas() -> None:
    xarray = pytest.importorskip("xarray")
    geopandas = pytest.importorskip("geopandas")
    array = xarray.DataArray(COST, {"y": 3000 - 100.0 * np.arange(30), "x": 100.0 * np.arange(40)})
    x, y = 100 * TOWNS[:, 1], 3000 - 100 * TOWNS[:, 0]
    towns = geopandas.GeoDataFrame(index=list("abcde"), geometry=geopandas.points_from_xy(x, y))
    table = thiessen.cost_table(towns, cost=array)
    assert table.to_pandas().loc["b", "d"] == pytest.approx(100 * costs_from(TOWNS[1])[28, 4])
    frame = thiessen.least_cost_network(towns, cost=array).to_geopandas()
    assert [*frame.columns] == ["a", "b", "cost", "length", "in_tree", "geometry"]
    assert set(frame.a) <= set("abcde")
    areas = thiessen.least_cost_network(towns.buffer(250), cost=array)
    assert areas.costs.max() < frame.cost.max()


def test_a_way_within_one_cell_has_a_line() -> None:
    shapely = pytest.importorskip("shapely")
    table = thiessen.cost_table(TOWNS[:2], cost=COST, paths=True, max_distance=1)
    assert table.paths is not None
    lines = table.paths.to_shapely()
    assert shapely.is_empty(lines).tolist() == [False, True, True, False]
    assert shapely.length(lines).tolist() == [0, 0, 0, 0]


def test_warnings_name_the_places() -> None:
    with pytest.warns(thiessen.ThiessenWarning, match="origins: 1 site on barriers"):
        thiessen.cost_table([(10, 15)], TOWNS, cost=COST)
    with pytest.raises(ValueError, match="strict"):
        thiessen.cost_table([(10, 15)], TOWNS, cost=COST, strict=True)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: thiessen.cost_table(TOWNS), ValueError, "cost and stiffness: one of the two"),
        (
            lambda: thiessen.cost_table(np.zeros((3, 3)), cost=COST),
            ValueError,
            r"origins has the shape \(3, 3\); must be \(n, 2\) for points, or that of cost",
        ),
        (
            lambda: thiessen.cost_table(TOWNS, pairs=[(0, 9)], cost=COST),
            ValueError,
            r"pairs\[0\]\[1\] = 9; must be the position of a destination, 0 to 4",
        ),
        (
            lambda: thiessen.cost_table(TOWNS, [(0, np.nan)], cost=COST),
            ValueError,
            r"destinations\[0, 1\] = nan; must be finite",
        ),
        (lambda: thiessen.cost_table(TOWNS, pairs=[1, 2], cost=COST), ValueError, "must be .p, 2."),
        (
            lambda: thiessen.cost_table(TOWNS, pairs=[(0.0, 1.0)], cost=COST),
            TypeError,
            "pairs has the dtype float64; must be integers",
        ),
        (
            lambda: thiessen.least_cost_network(TOWNS, elevation=COST),
            RuntimeError,
            "elevation is given; a walk back costs something else",
        ),
        (
            lambda: thiessen.corridor(TOWNS, TOWNS, cost=COST, within=1, within_percent=1),
            ValueError,
            "within",
        ),
        (lambda: thiessen.corridor(TOWNS, TOWNS, cost=COST, within=-1), ValueError, "within = -1"),
    ],
)
def test_bad_input_is_named(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
