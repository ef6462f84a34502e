# SPDX-License-Identifier: Apache-2.0
"""Shape functions by cost, by their definitions."""

from __future__ import annotations

import numpy as np
import pytest
import thiessen


def test_shepard_weights_are_inverse_costs_over_their_sum() -> None:
    stiffness = np.random.default_rng(3).random((20, 30)).astype(np.float32) + 0.1
    points = np.random.default_rng(4).random((9, 2)) * (20, 30)
    found = thiessen.cost_distance(stiffness=stiffness, points=points, k=3, outputs="distance")
    costs = found.distance.astype(np.float64)
    out = np.empty(costs.shape)
    weights = thiessen.shepard_weights(found.distance, power=3, out=out, threads=2)
    assert weights is out
    away = costs[0] > 0
    terms = (costs[0] / np.where(costs > 0, costs, 1)) ** 3
    expected = np.where(away, terms / terms.sum(axis=0), costs == 0)
    np.testing.assert_allclose(weights, expected, rtol=1e-14)
    with pytest.raises(ValueError, match="power = 0; must be 1 to 16"):
        thiessen.shepard_weights(found.distance, power=0)
    with pytest.raises(ValueError, match="distance has 2 axes; must have"):
        thiessen.shepard_weights(costs[0])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_natural_coordinates_are_shares_of_what_a_new_site_takes(dtype: str) -> None:
    cost = np.random.default_rng(5).random((12, 15)) + 0.2
    points = np.random.default_rng(6).random((6, 2)) * (12, 15)
    outputs = ("site_index", "distance")
    faces = np.zeros(cost.shape, np.uint8)
    faces[2:9, 7] = 1  # a cut between the columns 7 and 8
    found = thiessen.cost_distance(
        cost=cost, points=points, outputs=outputs, distance_type=dtype, blocked_faces=faces
    )
    cells = [100, 3, 77]
    natural = thiessen.natural_coordinates(
        cells, *found, cost=cost, distance_type=dtype, blocked_faces=faces
    )
    assert natural.first[0] == 0
    assert natural.first[-1] == len(natural.count)
    for i, cell in enumerate(cells):
        start = np.column_stack(np.unravel_index([cell], cost.shape))
        alone = thiessen.cost_distance(
            cost=cost, points=start, outputs="distance", distance_type=dtype, blocked_faces=faces
        ).distance
        sites, counts = np.unique(found.site_index[alone < found.distance], return_counts=True)
        entries = slice(natural.first[i], natural.first[i + 1])
        assert natural.site_index[entries].tolist() == sites.tolist()
        assert natural.count[entries].tolist() == counts.tolist()
    with pytest.raises(ValueError, match=r"cells\[0\] = 999"):
        thiessen.natural_coordinates([999], *found, cost=cost, distance_type=dtype)
