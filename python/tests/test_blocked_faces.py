# SPDX-License-Identifier: Apache-2.0
"""Blocked faces of cost_distance() against a plain search, and what they do with arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import thiessen

ONES = np.ones((5, 6))


def plain_costs(blocked: tuple[np.ndarray, ...], shape: tuple[int, ...]) -> np.ndarray:
    """The steps from the first cell across open faces, in breadth."""
    costs = np.full(shape, np.inf)
    costs[(0,) * len(shape)] = 0
    queue = [(0,) * len(shape)]
    for cell in queue:
        for axis, way in [(axis, way) for axis in range(len(shape)) for way in (-1, 1)]:
            other = tuple(place + way * (i == axis) for i, place in enumerate(cell))
            if not 0 <= other[axis] < shape[axis] or np.isfinite(costs[other]):
                continue
            if not blocked[axis][min(cell, other)]:
                costs[other] = costs[cell] + 1
                queue.append(other)
    return costs


@pytest.mark.parametrize("method", ["exact", "dijkstra", "relaxation"])
@pytest.mark.parametrize("shape", [(70, 81), (7, 8, 9)])
def test_equals_a_plain_search(method: Any, shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(5)
    blocked = tuple(random.random(shape) < 0.4 for _ in shape)
    found = thiessen.cost_distance(
        points=np.zeros((1, len(shape))),
        cost=np.ones(shape),
        blocked_faces=blocked,
        connectivity=2 * len(shape),
        method=method,
        outputs="distance",
    )
    np.testing.assert_array_equal(found.distance, plain_costs(blocked, shape))
    assert (found.distance > sum(np.indices(shape))).any()


def distance(blocked: Any, **options: Any) -> np.ndarray:
    return thiessen.cost_distance(
        points=[(0, 0)], cost=ONES, blocked_faces=blocked, outputs="distance", **options
    ).distance


def test_forms_of_faces() -> None:
    down, right = np.random.default_rng(5).random((2, 5, 6)) < 0.4
    bits = (right * 1 + down * 2).astype(np.uint8)
    expected = distance(bits)
    assert not np.array_equal(expected, distance(None))
    for blocked in (
        (down, right),
        (down[:-1], right[:, :-1]),
        (down[:-1], np.asfortranarray(right)),
        np.asfortranarray(bits),
        np.repeat(bits, 2, axis=1)[:, ::2],
    ):
        np.testing.assert_array_equal(distance(blocked), expected)
    np.testing.assert_array_equal(distance((None, right)), distance(bits & 1))
    np.testing.assert_array_equal(distance((None, None)), distance(None))


def test_bad_faces() -> None:
    faces = np.zeros((5, 6), bool)

    def refuses(message: str, blocked: Any, error: Any = ValueError, **options: Any) -> None:
        with pytest.raises(error, match=message):
            distance(blocked, **options)

    refuses("blocked_faces has 1 arrays; must have one for each of the 2 axes", (faces,))
    refuses(r"blocked_faces\[1\] has the shape \(4, 6\); must have", (None, faces[1:]))
    refuses(r"blocked_faces\[0\] is float64; must be bool", (ONES, None), TypeError)
    refuses("blocked_faces is bool; must be uint8, or a tuple", faces, TypeError)
    refuses("blocked_faces has other extents than the map", faces[1:].view(np.uint8))
    refuses(r"blocked_faces\[0, 0\] = 4; must be at most 3", faces.view(np.uint8) + np.uint8(4))
    refuses("fronts run from cell to cell", (faces, None), RuntimeError, method="eikonal")


def test_out_must_not_overlap_faces() -> None:
    faces = np.zeros((5, 6), bool)
    for blocked in ((faces, None), faces.view(np.uint8)):
        with pytest.raises(ValueError, match="overlap"):
            thiessen.cost_distance(
                points=[(0, 0)], cost=ONES, blocked_faces=blocked, outputs="back_link",
                out=faces.view(np.uint8),
            )  # fmt: skip
