# SPDX-License-Identifier: Apache-2.0
"""Methods of jump flooding and their options."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import thiessen

METHODS = ("jfa", "1+jfa", "jfa+1", "jfa+2", "jfa2", "jfa-noise", "jfa-plus", "jfa-star")


def sites(shape: tuple[int, ...] = (60, 70), count: int = 40) -> np.ndarray:
    return thiessen.random_sites(shape, count, seed=5)


def wrong(found: thiessen.NearestSite, exact: thiessen.NearestSite) -> int:
    assert (found.distance >= exact.distance).all()
    return int((found.distance > exact.distance).sum())


@pytest.mark.parametrize("method", METHODS)
def test_methods_are_nearly_exact(method: str) -> None:
    cells = sites()
    outputs = ("site_index", "distance")
    exact = thiessen.nearest_site(cells, outputs=outputs)
    found = thiessen.nearest_site(cells, method=method, outputs=outputs)
    assert wrong(found, exact) < cells.size * 0.02
    chosen = np.flatnonzero(cells)
    assert np.isin(found.site_index, chosen).all()
    assert (found.site_index.ravel()[chosen] == chosen).all()


def test_steps_of_ones_own() -> None:
    cells = np.zeros((1, 9), np.uint8)
    cells[0, 0] = 3
    labels = thiessen.nearest_site(cells, method="jfa", steps=[4, 1], outputs="labels").labels
    np.testing.assert_array_equal(labels, [[3, 3, 0, 3, 3, 3, 0, 0, 0]])
    again = thiessen.nearest_site(cells, method="jfa", steps=np.array([4, 1]), outputs="labels")
    np.testing.assert_array_equal(again.labels, labels)
    one = thiessen.nearest_site(cells, method="jfa", steps=1, outputs="labels").labels
    np.testing.assert_array_equal(one, [[3, 3, 0, 0, 0, 0, 0, 0, 0]])


def test_seed_decides_on_noise() -> None:
    cells = sites()
    options: dict[str, Any] = {
        "method": "jfa", "steps": [3], "noise": "mask", "outputs": "site_index",
    }  # fmt: skip
    first = thiessen.nearest_site(cells, seed=1, **options).site_index
    np.testing.assert_array_equal(thiessen.nearest_site(cells, seed=1, **options).site_index, first)
    assert (thiessen.nearest_site(cells, seed=2**64 - 1, **options).site_index != first).any()


def test_patterns_and_noise() -> None:
    cells = sites()
    for pattern in ("square", "circle:12", "random-circle:9"):
        for noise in ("none", "in-place", "mask"):
            found = thiessen.nearest_site(cells, method="jfa+1", pattern=pattern, noise=noise)
            assert (found.labels > 0).mean() > 0.9


def test_the_other_functions_take_them() -> None:
    cells = sites()
    options: dict[str, Any] = {"method": "jfa", "steps": [16, 4, 1]}
    one = thiessen.nearest_site(cells, **options)
    batch = thiessen.nearest_site_batch(cells[np.newaxis], **options)
    np.testing.assert_array_equal(batch.labels[0], one.labels)
    distance = thiessen.distance_transform(cells, **options)
    np.testing.assert_array_equal(distance, one.distance)
    points = np.argwhere(cells)
    found = thiessen.voronoi(points, cells.shape, outputs="distance", **options).distance
    np.testing.assert_array_equal(found, one.distance)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"step": [1]}, TypeError, "nearest_site() got an unexpected keyword argument 'step'"),
        ({"steps": []}, ValueError, "steps is empty; must have one number or more"),
        ({"steps": [4, 0]}, ValueError, "steps[1] = 0; must be 1 to 1073741824"),
        ({"steps": [2**70]}, ValueError, f"steps[0] = {2**70}; must be 1 to 1073741824"),
        ({"steps": "4,1"}, TypeError, "steps[0] = '4,1'; must be an integer"),
        ({"steps": [1.5]}, TypeError, "steps[0] = 1.5; must be an integer"),
        (
            {"pattern": "circle:65"},
            ValueError,
            "pattern = circle:65; must be square, circle:N or random-circle:N, N from 1 to 64",
        ),
        ({"pattern": 12}, TypeError, "pattern = 12; must be a string"),
        ({"noise": "loud"}, ValueError, "noise = loud; must be none, in-place or mask"),
        ({"seed": -1}, ValueError, f"seed = -1; must be 0 to {2**64 - 1}"),
        ({"seed": "x"}, TypeError, "seed = 'x'; must be an integer"),
    ],
)
def test_bad_options(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        thiessen.nearest_site(sites(), method="jfa", **options)
    assert str(caught.value) == message


def test_other_methods_refuse_them() -> None:
    with pytest.raises(ValueError, match="steps is given; it is for methods of jump flooding"):
        thiessen.nearest_site(sites(), steps=[1])
    with pytest.raises(RuntimeError, match="circles are for 2-D rasters"):
        thiessen.nearest_site(sites((4, 5, 6), 3), method="jfa-star")
