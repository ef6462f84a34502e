# SPDX-License-Identifier: Apache-2.0
"""Methods of jump flooding and their options."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
import thiessen
from thiessen.typing import FloodingMethod, Noise

METHODS: list[FloodingMethod] = [
    each for each in get_args(FloodingMethod) if not each.endswith(("-thrust", "-paper"))
]


def sites(shape: tuple[int, ...] = (60, 70), count: int = 40) -> np.ndarray:
    return thiessen.random_sites(shape, count, seed=5)


def wrong(found: thiessen.NearestSite, exact: thiessen.NearestSite) -> int:
    assert (found.distance >= exact.distance).all()
    return int((found.distance > exact.distance).sum())


@pytest.mark.parametrize("method", METHODS)
def test_methods_are_nearly_exact(method: FloodingMethod) -> None:
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

    def flooded(steps: Any) -> np.ndarray:
        options = thiessen.Flooding(steps=steps)
        found = thiessen.nearest_site(cells, method="jfa", method_options=options, outputs="labels")
        return found.labels

    for steps in ([4, 1], np.array([4, 1])):
        np.testing.assert_array_equal(flooded(steps), [[3, 3, 0, 3, 3, 3, 0, 0, 0]])
    np.testing.assert_array_equal(flooded(1), [[3, 3, 0, 0, 0, 0, 0, 0, 0]])


def test_step_rules_and_literal() -> None:
    cells = np.zeros((1, 9), np.uint8)
    cells[0, 8] = 3

    def flooded(method: Any, **given: Any) -> list[int]:
        options = thiessen.Flooding(**given)
        found = thiessen.nearest_site(
            cells, method=method, method_options=options, outputs="labels"
        )
        return found.labels[0].tolist()

    assert flooded("jfa", step_rule="half") == flooded("jfa", steps=[4, 2, 1]) == [0] + [3] * 8
    assert flooded("jfa-coeurjolly") == [3] * 9
    assert flooded("jfa-coeurjolly", literal=True) == [0] * 4 + [3] * 5


def test_seed_decides_on_noise() -> None:
    cells = sites()

    def flooded(seed: int) -> np.ndarray:
        options = thiessen.Flooding(steps=[3], noise="mask", seed=seed)
        return thiessen.nearest_site(
            cells, method="jfa", method_options=options, outputs="site_index"
        ).site_index

    np.testing.assert_array_equal(flooded(1), flooded(1))
    assert (flooded(2**64 - 1) != flooded(1)).any()


def test_patterns_and_noise() -> None:
    cells = sites()
    noises: tuple[Noise, ...] = get_args(Noise)
    for pattern in ("square", "circle:12", "random-circle:9"):
        for noise in noises:
            options = thiessen.Flooding(pattern=pattern, noise=noise)
            found = thiessen.nearest_site(cells, method="jfa+1", method_options=options)
            assert (found.labels > 0).mean() > 0.9


def test_the_other_functions_take_them() -> None:
    cells = sites()
    options: dict[str, Any] = {
        "method": "jfa", "method_options": thiessen.Flooding(steps=[16, 4, 1]),
    }  # fmt: skip
    one = thiessen.nearest_site(cells, **options)
    batch = thiessen.nearest_site(cells[np.newaxis], batch_axes=0, **options)
    np.testing.assert_array_equal(batch.labels[0], one.labels)
    distance = thiessen.distance_transform(cells, **options)
    np.testing.assert_array_equal(distance, one.distance)
    points = np.argwhere(cells)
    found = thiessen.voronoi(points, cells.shape, outputs="distance", **options).distance
    np.testing.assert_array_equal(found, one.distance)


def test_options_are_values() -> None:
    """Equal, hashable and frozen, whatever kind of sequence the steps were."""
    options = thiessen.Flooding(steps=[4, 1], noise="mask")
    assert options == thiessen.Flooding(steps=np.array([4, 1]), noise="mask")
    assert len({options, thiessen.Flooding(steps=(4, 1), noise="mask")}) == 1
    assert options.steps == (4, 1)
    with pytest.raises(AttributeError):
        options.seed = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        thiessen.Flooding([4, 1])  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"step": [1]}, TypeError, "unexpected keyword argument 'step'"),
        ({"steps": []}, ValueError, "steps is empty; must have one number or more"),
        ({"steps": [4, 0]}, ValueError, "steps[1] = 0; must be 1 to 1073741824"),
        ({"steps": [2**70]}, ValueError, f"steps[0] = {2**70}; must be 1 to 1073741824"),
        ({"steps": "4,1"}, TypeError, "steps[0] = '4,1'; must be an integer"),
        ({"steps": [1.5]}, TypeError, "steps[0] = 1.5; must be an integer"),
        (
            {"pattern": "circle:65"},
            ValueError,
            "pattern = 'circle:65'; must be square, circle:N or random-circle:N, N from 1 to 64",
        ),
        ({"pattern": 12}, TypeError, "pattern = 12; must be a string"),
        (
            {"noise": "loud"},
            ValueError,
            "noise = 'loud'; must be one of 'none', 'in-place', 'mask'",
        ),
        ({"seed": -1}, ValueError, f"seed = -1; must be 0 to {2**64 - 1}"),
        ({"seed": "x"}, TypeError, "seed = 'x'; must be an integer"),
    ],
)
def test_bad_options(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        thiessen.nearest_site(sites(), method="jfa", method_options=thiessen.Flooding(**options))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("method", "options", "error", "message"),
    [
        (
            "exact",
            thiessen.Flooding(steps=[1]),
            TypeError,
            "method_options is a Flooding; must be None, as 'exact' has no options",
        ),
        (
            "jfa",
            thiessen.Growing(step=3),
            TypeError,
            "method_options is a Growing; must be a Flooding for the method 'jfa'",
        ),
        (
            "raster-gpu",
            thiessen.Flooding(),
            TypeError,
            "method_options is a Flooding; must be a Scanning for the method 'raster-gpu'",
        ),
        (
            "jfa",
            {"steps": [1]},
            TypeError,
            "method_options is a dict; must be a Flooding, a Growing, a Scanning or a Spreading",
        ),
        ("jfaa", thiessen.Flooding(), ValueError, "method = 'jfaa'; must be one of"),
    ],
)
def test_options_of_other_methods(
    method: Any, options: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        thiessen.nearest_site(sites(), method=method, method_options=options)
    assert str(caught.value).startswith(message)


def test_circles_are_for_two_axes() -> None:
    with pytest.raises(RuntimeError, match="circles are for 2-D rasters"):
        thiessen.nearest_site(sites((4, 5, 6), 3), method="jfa-star")
