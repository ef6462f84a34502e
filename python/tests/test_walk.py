# SPDX-License-Identifier: Apache-2.0
"""Walks of cost_distance() against a plain Dijkstra, and what they do with their arguments."""

from __future__ import annotations

import heapq
import math
import re
from itertools import product
from typing import Any

import numpy as np
import pytest
import thiessen

HILL = np.array([[0, 10, 30, 20, 0]], np.float32)
START = np.array([[7, 0, 0, 0, 0]], np.uint8)


def seconds(walk: str, length: float, rise: float) -> float:
    """What a step takes by Tobler's hiking function, and by the rule of GRASS r.walk."""
    slope = rise / length
    if walk == "surface":
        return math.hypot(length, rise)
    if walk == "tobler":
        return length / (6 / 3.6 * math.exp(-3.5 * abs(slope + 0.05)))
    a, b, c, d, steep = 0.72, 6.0, 1.9998, -1.9998, -0.2125
    return a * length + rise * (b if slope >= 0 else d if slope < steep else c)


def plain_walk(
    heights: np.ndarray, start: tuple[int, int], spacing: float, walk: str, back: bool
) -> np.ndarray:
    costs = np.full(heights.shape, np.inf)
    costs[start] = 0
    queue = [(0.0, start)]
    while queue:
        cost, (y, x) = heapq.heappop(queue)
        if cost > costs[y, x]:
            continue
        for dy, dx in product((-1, 0, 1), repeat=2):
            other = y + dy, x + dx
            if (dy, dx) == (0, 0) or not all(0 <= i < n for i, n in zip(other, heights.shape)):
                continue
            rise = heights[other] - heights[y, x]
            if np.isnan(rise):
                continue
            own = cost + seconds(walk, spacing * math.hypot(dy, dx), -rise if back else rise)
            if own < costs[other]:
                costs[other] = own
                heapq.heappush(queue, (own, other))
    return costs


@pytest.mark.parametrize("walk", ["tobler", "langmuir", "surface"])
@pytest.mark.parametrize("direction", ["from-site", "to-site"])
def test_equals_plain_dijkstra(walk: Any, direction: Any) -> None:
    heights = 40 * thiessen.material_map((23, 31), "noise", seed=3, dtype="float64")
    heights[heights < 8] = np.nan
    start = tuple(int(i) for i in np.argwhere(~np.isnan(heights))[200])
    expected = plain_walk(heights, start, 25, walk, direction == "to-site")
    for method in ("exact", "dijkstra", "relaxation"):
        found = thiessen.cost_distance(
            points=[start],
            elevation=heights,
            spacing=25,
            walk=walk,
            walk_direction=direction,
            distance_type="float64",
            method=method,
            outputs=("distance", "back_link"),
        )
        np.testing.assert_allclose(found.distance, expected, rtol=1e-12)
        path = thiessen.least_cost_path(found.back_link, (22, 30))
        assert tuple(path[-1]) == start


def test_coefficients_and_slope_factor() -> None:
    own = {"walk_coefficients": (1, 5, 2, -3), "slope_factor": -0.25}
    found = thiessen.cost_distance(
        START[:, :4],
        elevation=np.array([[0, 10, -10, -40]]),
        spacing=100,
        walk="langmuir",
        outputs="distance",
        **own,
    )
    assert found.distance.tolist() == [[0, 150, 210, 400]]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"walk_coefficients": (1, 2, 3)}, "must be 4 numbers"),
        ({"walk_coefficients": (1, 2, 9, -1)}, "must be less"),
        ({"slope_factor": 1}, "slope_factor = 1; must be finite and <= 0"),
        ({"slope_factor": -0.1, "walk": "tobler"}, "is for walk langmuir"),
        ({"walk_map": "adds"}, "walk_map is given; needs a map"),
    ],
)
def test_refuses_coefficients(change: Any, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        thiessen.cost_distance(START, elevation=HILL, **{"walk": "langmuir", **change})


def test_the_map_adds() -> None:
    alone = thiessen.cost_distance(START, elevation=HILL, outputs="distance").distance
    added = thiessen.cost_distance(
        START, cost=np.full((1, 5), 3.0), elevation=HILL, walk_map="adds", outputs="distance"
    ).distance
    np.testing.assert_allclose(added, alone + 3 * np.arange(5), rtol=1e-6)


def test_the_map_multiplies() -> None:
    alone = thiessen.cost_distance(START, elevation=HILL, outputs="distance").distance
    cost = thiessen.cost_distance(
        START, cost=np.full((1, 5), 2), elevation=HILL, outputs="distance"
    )
    assert np.array_equal(cost.distance, 2 * alone)
    stiffness = thiessen.cost_distance(
        START, stiffness=np.full((1, 5), 0.5), elevation=HILL, outputs="distance"
    )
    assert np.array_equal(stiffness.distance, 2 * alone)


def test_masked_elevations() -> None:
    heights = np.ma.masked_equal(np.array([[0, 5, -1, 5]], np.int16), -1)
    sites = np.array([[7, 0, 0, 0]], np.uint8)
    found = thiessen.cost_distance(sites, elevation=heights, unreached=3)
    assert found.labels.tolist() == [[7, 7, None, 3]]
    assert found.distance.mask.tolist() == [[False, False, True, False]]
    map = np.ma.masked_equal(np.array([[1, -2, 1, 1]], np.float32), -2)
    both = thiessen.cost_distance(sites, stiffness=map, elevation=heights)
    assert both.distance.mask.tolist() == [[False, True, True, False]]
    plain = thiessen.cost_distance(sites, stiffness=np.ones((1, 4)), elevation=heights)
    assert np.isnan(plain.distance[0, 2])


def test_data_arrays() -> None:
    xr = pytest.importorskip("xarray")
    coordinates = {"y": [0.0], "x": 100.0 * np.arange(5)}
    hill = xr.DataArray(HILL, coords=coordinates, dims=("y", "x"), attrs={"_FillValue": 20})
    expected = thiessen.cost_distance(START, elevation=HILL, spacing=(1, 100), elevation_nodata=20)
    for map in (None, np.ones((1, 5))):
        found = thiessen.cost_distance(START, stiffness=map, elevation=hill)
        assert np.array_equal(found.distance, expected.distance, equal_nan=True)
        assert (found.labels == expected.labels).all()
    alone = thiessen.cost_distance(START, elevation=hill)
    assert alone.distance.attrs["units"] == "s"
    assert (alone.distance.x == hill.x).all()
    in_feet = {axis: (axis, 100.0 * np.arange(2), {"units": "ft"}) for axis in "yx"}
    feet = xr.DataArray(np.zeros((2, 2)), coords=in_feet, dims=("y", "x"))
    sites = np.eye(2, dtype=np.uint8)
    with pytest.raises(ValueError, match="the coordinates are in ft; walks are in metres"):
        thiessen.cost_distance(sites, elevation=feet)
    thiessen.cost_distance(sites, elevation=feet, spacing=30.48)
    with pytest.raises(ValueError, match="elevation is in ft, by its attributes; must be in metr"):
        thiessen.cost_distance(START, elevation=hill.assign_attrs(units="ft"))
    thiessen.cost_distance(START, elevation=hill.assign_attrs(units="m"))


def test_refusals() -> None:
    def refuses(message: str, map: Any = None, **arguments: Any) -> None:
        with pytest.raises(ValueError, match=message):
            thiessen.cost_distance(START, stiffness=map, **arguments)

    refuses("walk is given; needs elevation", HILL + 1, walk="tobler")
    refuses("walk_direction is given; needs elevation", HILL + 1, walk_direction="to-site")
    refuses("elevation_nodata is given; needs elevation", HILL + 1, elevation_nodata=3)
    refuses("map_nodata is given; needs a map", elevation=HILL, map_nodata=3)
    refuses("walk = 'running'; must be one of", elevation=HILL, walk="running")
    refuses("elevation has other extents", np.ones((1, 5)), elevation=HILL[:, 1:])
    refuses("sites has other extents than the elevation", elevation=HILL[:, 1:])
    with pytest.raises(ValueError, match="cost and stiffness: one of the two must be given"):
        thiessen.cost_distance(START)
    with pytest.raises(TypeError, match=r"elevation is the text 'dem.tif'; must be an array"):
        thiessen.cost_distance(START, elevation="dem.tif")


def test_dask_does_not_walk() -> None:
    array = pytest.importorskip("dask.array")
    with pytest.raises(ValueError, match="elevation is a ndarray; must be None for arrays of Dask"):
        thiessen.cost_distance(START, stiffness=array.ones((1, 5)), elevation=HILL)
