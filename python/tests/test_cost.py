# SPDX-License-Identifier: Apache-2.0
"""cost_distance() against a plain Dijkstra, and what it does with its arguments."""

from __future__ import annotations

import heapq
import math
from itertools import product
from typing import Any

import numpy as np
import pytest
import thiessen

Cell = tuple[int, ...]


def plain_costs(
    cells: np.ndarray, sites: np.ndarray, weight: str, dtype: Any, spacing: tuple[float, ...]
) -> np.ndarray:
    """Least costs with all neighbours that share a corner, in the arithmetic of the dtype."""
    kind = np.dtype(dtype).type
    steps = [step for step in product((-1, 0, 1), repeat=cells.ndim) if any(step)]
    costs = np.full(cells.shape, np.inf, dtype)
    queue: list[tuple[Any, Cell]] = []

    def is_open(cell: Cell) -> bool:
        inside = all(0 <= x < n for x, n in zip(cell, cells.shape))
        return (
            inside and np.isfinite(cells[cell]) and not (weight == "stiffness" and not cells[cell])
        )

    for cell in map(tuple, np.argwhere(sites)):
        if is_open(cell):
            costs[cell] = 0
            queue.append((kind(0), cell))
    while queue:
        cost, cell = heapq.heappop(queue)
        if cost > costs[cell]:
            continue
        for step in steps:
            other = tuple(int(x) + d for x, d in zip(cell, step))
            if not is_open(other):
                continue
            length = math.sqrt(sum((d * s) ** 2 for d, s in zip(step, spacing)))
            total = kind(cells[cell]) + kind(cells[other])
            own = kind(2 * length) / total if weight == "stiffness" else kind(length / 2) * total
            if cost + own < costs[other]:
                costs[other] = cost + own
                heapq.heappush(queue, (costs[other], other))
    return costs


@pytest.mark.parametrize("weight", ["stiffness", "cost"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(23, 31), (5, 7, 9)])
def test_equals_plain_dijkstra(weight: str, dtype: str, shape: tuple[int, ...]) -> None:
    cells = thiessen.material_map(shape, "noise", 3)
    cells[cells < 0.3] = 0 if weight == "stiffness" else np.inf
    sites = thiessen.random_sites(shape, 6, 1)
    spacing = (0.5, 1.25, 2)[: len(shape)]
    expected = plain_costs(cells, sites, weight, dtype, spacing)
    for method in ("exact", "dijkstra", "relaxation"):
        with pytest.warns(UserWarning) if (sites[expected != 0] != 0).any() else _nothing():
            result = thiessen.cost_distance(
                cells, sites, weight, dtype=dtype, spacing=spacing, method=method,
                outputs=("distance", "site_index", "labels", "back_link"),
            )  # fmt: skip
        assert np.array_equal(result.distance, expected), method
        reached = result.site_index >= 0
        assert np.array_equal(reached, np.isfinite(expected))
        assert np.array_equal(result.labels[reached], sites.ravel()[result.site_index[reached]])
        for cell in np.argwhere(reached)[::17]:
            path = thiessen.least_cost_path(result.back_link, cell)
            assert tuple(path[0]) == tuple(cell)
            assert np.ravel_multi_index(tuple(path[-1]), shape) == result.site_index[tuple(cell)]


class _nothing:
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


def test_points_and_initial_costs() -> None:
    result = thiessen.cost_distance(
        np.ones((1, 6)), points=[(0, 0.25), (0, 5)], labels=[8, 9], initial_cost=[1, 0],
        outputs=("labels", "distance", "site_index"),
    )  # fmt: skip
    assert result.labels.tolist() == [[8, 8, 8, 9, 9, 9]]
    assert result.distance.tolist() == [[1, 2, 3, 2, 1, 0]]
    assert result.site_index.tolist() == [[0, 0, 0, 1, 1, 1]]


def test_masked_map() -> None:
    cells = np.ma.MaskedArray(np.ones((1, 4), np.int16), [[False, False, True, False]])
    labels, distance = thiessen.cost_distance(cells, np.array([[3, 0, 0, 0]]), unreached=-5)
    assert labels.mask.tolist() == [[False, False, True, False]]
    assert labels[0, 3] == -5
    assert distance[0, 1] == 1


def test_booleans_are_numbered_and_out_is_written() -> None:
    out = np.empty((1, 3), np.int32)
    result = thiessen.cost_distance(
        np.ones((1, 3)), np.array([[True, False, True]]), outputs="labels", out=out
    )
    assert result.labels is out
    assert out.tolist() == [[1, 1, 2]]


def test_max_distance_and_connectivity() -> None:
    sites = np.zeros((3, 3), np.uint8)
    sites[1, 1] = 1
    distance = thiessen.cost_distance(
        np.ones((3, 3)), sites, connectivity=4, max_distance=1, outputs="distance"
    ).distance
    assert np.isinf(distance[0, 0])
    assert distance[0, 1] == 1


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"edge_weight": "friction"}, ValueError, "edge_weight = friction"),
        ({"connectivity": 6}, ValueError, "connectivity = 6"),
        ({"connectivity": 5}, ValueError, "connectivity = 5"),
        ({"connectivity": "8"}, TypeError, "connectivity = '8'"),
        ({"dtype": "int32"}, ValueError, "float32"),
        ({"method": "best"}, ValueError, "method = best"),
        ({"outputs": "offset"}, ValueError, "outputs has 'offset'"),
        ({"initial_cost": np.ones((2, 2))}, ValueError, "initial_cost has other extents"),
        ({"strict": 1}, TypeError, "strict = 1"),
        ({"points": [(0, 0)]}, ValueError, "sites and points"),
        ({"max_distance": -1}, ValueError, "max_distance = -1"),
        ({"nodata_label": 0.5}, ValueError, "nodata_label = 0.5"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], error: type, message: str) -> None:
    sites = np.array([[1, 0, 0]], np.uint8)
    with pytest.raises(error, match=message):
        thiessen.cost_distance(np.ones((1, 3)), sites, **arguments)


def test_bad_maps() -> None:
    sites = np.array([[1, 0, 0]], np.uint8)
    with pytest.raises(ValueError, match=r"map\[0, 1\] = -2; a stiffness must be"):
        thiessen.cost_distance(np.array([[1, -2, 1]]), sites)
    with pytest.raises(ValueError, match="map is bool"):
        thiessen.cost_distance(np.ones((1, 3), bool), sites)
    with pytest.raises(ValueError, match="other extents"):
        thiessen.cost_distance(np.ones((1, 4)), sites)
    with pytest.raises(ValueError, match=r"site \[0, 0\] lies on a barrier"):
        thiessen.cost_distance(np.array([[0, 1, 1]]), sites, strict=True)
    with pytest.warns(UserWarning, match="1 sites on barriers"):
        thiessen.cost_distance(np.array([[0, 1, 1]]), sites)


def test_paths_and_maps_refuse() -> None:
    links = np.array([[5, 4]], np.uint8)
    with pytest.raises(ValueError, match="in a circle"):
        thiessen.least_cost_path(links, (0, 0))
    with pytest.raises(ValueError, match=r"from\[1\] = 2"):
        thiessen.least_cost_path(links, (0, 2))
    with pytest.raises(ValueError, match="material = marble"):
        thiessen.material_map((2, 2), "marble")
    with pytest.raises(ValueError, match="seed = -1"):
        thiessen.material_map((2, 2), "noise", -1)


class OnCuda:
    """As much of an array in CUDA memory as the package looks at."""

    def __init__(self, address: int, shape: tuple[int, ...], typestr: str, stream: int = 7) -> None:
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": typestr, "data": (address, False), "stream": stream,
            "version": 3,
        }  # fmt: skip


def test_what_the_core_gets_of_cuda_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a device for them: test_cuda.py has the results of one."""
    calls: list[tuple[Any, ...]] = []

    def record(*arguments: Any) -> tuple[int, int, list[int]]:
        calls.append(arguments)
        return 0, 0, []

    monkeypatch.setattr("thiessen._cuda.problem", str)
    monkeypatch.setattr("thiessen._core.cost_distance", record)
    stiffness = OnCuda(512, (3, 4), "<f4")
    out = OnCuda(1024, (3, 4), "<i2")
    sites = OnCuda(1536, (3, 4), "<i2")
    initial = OnCuda(2048, (3, 4), "<f8")
    result = thiessen.cost_distance(
        stiffness, sites, initial_cost=initial, outputs="labels", out=out, nodata=-1
    )
    assert result.labels is out
    assert calls[-1][:6] == (
        (512, (3, 4), (16, 4), "<f4"), (1536, (3, 4), (8, 2), "<i2"), None, None,
        (2048, (3, 4), (32, 8), "<f8"), [(1024, (3, 4), (8, 2), "<i2"), None, None, None],
    )  # fmt: skip
    assert calls[-1][14] == -1
    assert calls[-1][20] == "cuda:0"
    assert calls[-1][23:] == (7, False)

    points, labels = OnCuda(2560, (5, 2), "<f4"), OnCuda(3072, (5,), "<i2")
    thiessen.cost_distance(stiffness, points=points, labels=labels, outputs="labels", out=out)
    assert calls[-1][1:4] == (None, (2560, (5, 2), (8, 4), "<f4"), (3072, (5,), (2,), "<i2"))

    thiessen.cost_distance(stiffness, np.eye(3, 4, dtype=np.int16), outputs="labels", out=out)
    assert calls[-1][1].dtype == np.int16
    with pytest.raises(TypeError, match="^labels would have the dtype float16"):
        thiessen.cost_distance(stiffness, np.eye(3, 4, dtype=np.float16), out={"labels": out})
    with pytest.raises(TypeError, match="^points has the dtype int16; must be float32"):
        thiessen.cost_distance(stiffness, points=OnCuda(4096, (5, 2), "<i2"), out={"labels": out})
    with pytest.raises(ValueError, match="^sites is on the stream 0x9; must be on that of the map"):
        thiessen.cost_distance(
            stiffness, OnCuda(1536, (3, 4), "<i2", stream=9), out={"labels": out}
        )
    with pytest.raises(RuntimeError, match="^sites is a .*arrays must be on the host"):
        thiessen.cost_distance(np.ones((3, 4)), sites)


def test_masked_maps_have_links_that_paths_take():
    stiffness = np.ma.masked_array(np.ones((1, 4)), [[0, 1, 0, 0]])
    links = thiessen.cost_distance(stiffness, np.array([[1, 0, 0, 2]]), outputs="back_link")
    assert links.back_link.filled()[0, 1] == 255
    assert thiessen.least_cost_path(links.back_link, (0, 2)).tolist() == [[0, 2], [0, 3]]


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"dtype": "float16", "outputs": "labels"}, ValueError, "dtype = 'float16'; must be"),
        ({"dtype": "no"}, ValueError, "dtype = 'no'; must be"),
        ({"points": [(0, 0)], "site_nodata": 5}, ValueError, "site_nodata is given"),
        ({"sites": np.ones((2, 2)), "site_nodata": "x"}, TypeError, "site_nodata = 'x'"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        thiessen.cost_distance(np.ones((2, 2)), **wrong)


def test_starts_of_paths_are_cells():
    links = np.zeros((2, 2), np.uint8)
    with pytest.raises(TypeError, match="start = "):
        thiessen.least_cost_path(links, (0.5, 1))
    with pytest.raises(ValueError, match="start = "):
        thiessen.least_cost_path(links, (2**70, 0))
