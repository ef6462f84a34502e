# SPDX-License-Identifier: Apache-2.0
"""The raster methods, their metrics and their options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import thiessen

METHODS = {
    "raster-gpu": ("euclidean", "manhattan", "chessboard", "octagonal"),
    "expansion": ("euclidean", "manhattan", "chessboard", "octagonal"),
    "circle-growing": ("euclidean", "manhattan", "chessboard", "octagonal"),
    "dilation": ("manhattan", "chessboard", "octagonal"),
    "chamfer": ("manhattan", "chessboard", "chamfer-3-4", "chamfer-5-7-11"),
}


def sites() -> np.ndarray:
    return thiessen.random_sites((60, 70), 40, seed=5)


def steps(metric: str, dy: np.ndarray, dx: np.ndarray) -> np.ndarray:
    a, b = np.maximum(dy, dx), np.minimum(dy, dx)
    if metric == "octagonal":
        return np.maximum(a, 2 * (a + b + 1) // 3)
    if metric == "chamfer-3-4":
        return 3 * a + b
    if metric == "chamfer-5-7-11":
        return np.where(2 * b > a, 4 * a + 3 * b, 5 * a + b)
    return {"euclidean": a * a + b * b, "manhattan": a + b, "chessboard": a}[metric]


@pytest.mark.parametrize(
    ("method", "metric"), [(method, each) for method, list_ in METHODS.items() for each in list_]
)
def test_methods_agree_with_numpy(method: str, metric: str) -> None:
    cells = sites()
    places = np.argwhere(cells)
    y, x = np.indices(cells.shape)
    exact = np.stack([steps(metric, abs(y - v), abs(x - u)) for v, u in places])
    nearest = exact.argmin(axis=0)
    found = thiessen.nearest_site(cells, metric=metric, method=method, distance_type="float64")
    np.testing.assert_array_equal(found.labels, cells[tuple(places.T)][nearest])
    least = exact.min(axis=0)
    unit = {"chamfer-3-4": 3, "chamfer-5-7-11": 5}.get(metric, 1)
    expected = np.sqrt(least) if metric == "euclidean" else least / unit
    np.testing.assert_array_equal(found.distance, expected)


def test_options() -> None:
    cells = sites()
    exact = thiessen.nearest_site(cells, outputs="site_index").site_index
    ways: list[dict[str, Any]] = [
        {"method": "raster-gpu", "method_options": thiessen.Scanning(sites=0)},
        {"method": "raster-gpu", "method_options": thiessen.Scanning(sites=np.int64(1000))},
        {"method": "circle-growing", "method_options": thiessen.Growing(step=5)},
    ]
    for options in ways:
        found = thiessen.nearest_site(cells, outputs="site_index", **options).site_index
        np.testing.assert_array_equal(found, exact)


@pytest.mark.parametrize("method", ["dilation", "expansion"])
def test_labels_carried_are_not_settled(method: Any) -> None:
    cells = thiessen.random_sites((99, 100), 900, seed=1)
    options: dict[str, Any] = {"metric": "octagonal", "method": method, "outputs": "site_index"}
    settled = thiessen.nearest_site(cells, **options).site_index
    carried = thiessen.nearest_site(
        cells, **options, method_options=thiessen.Spreading(labels_carried=True)
    ).site_index
    assert 0 < np.count_nonzero(settled != carried) < cells.size // 5


def test_two_passes_are_approximate_by_octagonal_distance() -> None:
    methods = {method.name: method for method in thiessen.devices()[0].methods}
    assert methods["chamfer"] == ("chamfer", True, ("octagonal",))
    assert methods["expansion"] == ("expansion", True, ())
    cells = thiessen.random_sites((200, 300), 200, seed=1)
    exact = thiessen.nearest_site(cells, metric="octagonal", method="dilation")
    passes = thiessen.nearest_site(cells, metric="octagonal", method="chamfer")
    assert (passes.distance >= exact.distance).all()
    assert 0 < np.count_nonzero(passes.distance != exact.distance) < cells.size // 2


def test_allotment() -> None:
    """Who takes it; test_opencl.py has its results."""
    for method, message in (
        ("raster-gpu", "allotment is given; it is for method brute-force, not for raster-gpu"),
        ("brute-force", "method = brute-force on cpu: it has no allotment"),
    ):
        options = thiessen.Scanning(allotment="cyclic")
        with pytest.raises((ValueError, RuntimeError), match=message):
            thiessen.nearest_site(sites(), method=method, method_options=options, device="cpu")
    wrong = thiessen.Scanning(allotment="blocks")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="allotment = 'blocks'; must be one of 'cyclic', 'contig"):
        thiessen.nearest_site(sites(), method="brute-force", method_options=wrong)
    with pytest.raises(ValueError, match="scan_sites is given"):
        thiessen.nearest_site(
            sites(), method="brute-force", method_options=thiessen.Scanning(sites=3)
        )


def test_components() -> None:
    image = np.zeros((20, 30), bool)
    image[3, 4] = image[10, 5:25] = image[15:19, 12:16] = True
    exact = thiessen.nearest_site(image, components=8, outputs="labels").labels
    assert set(np.unique(exact)) == {1, 2, 3}
    found = thiessen.nearest_site(image, components=8, outputs="labels", method="circle-growing")
    np.testing.assert_array_equal(found.labels, exact)


def test_compare_measures_by_them() -> None:
    cells = sites()
    options: dict[str, Any] = {"metric": "octagonal", "method": "dilation"}
    result = thiessen.nearest_site(cells, outputs=("site_index", "distance"), **options)
    other = thiessen.nearest_site(cells, outputs=("site_index", "distance"))
    found = thiessen.compare(result, other, metric="octagonal")
    assert found.differing > 0
    assert found.largest_excess > 0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"metric": "octagon"},
            ValueError,
            "metric = 'octagon'; must be one of 'euclidean', 'manhattan', 'chessboard', "
            "'octagonal', 'chamfer-3-4', 'chamfer-5-7-11', 'ellipsoidal', 'great-circle'; did you "
            "mean 'octagonal'?",
        ),
        (
            {"metric": "octagonal", "method": "dilation", "spacing": 2},
            ValueError,
            "metric = octagonal and a spacing other than 1; it exists only for a spacing of 1",
        ),
        (
            {"method": "chamfer"},
            RuntimeError,
            "method = chamfer on cpu: two passes add up steps, and euclidean distance is no sum of "
            "these",
        ),
    ],
)
def test_what_makes_no_sense(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        thiessen.nearest_site(sites(), **options)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: thiessen.Scanning(sites=-1), ValueError, f"sites = -1; must be 0 to {2**60}"),
        (lambda: thiessen.Scanning(sites="9"), TypeError, "sites = '9'; must be an integer"),
        (lambda: thiessen.Growing(step=0), ValueError, f"step = 0; must be 1 to {2**30}"),
        (lambda: thiessen.Growing(step="1"), TypeError, "step = '1'; must be an integer"),
        (
            lambda: thiessen.Spreading(labels_carried="yes"),
            TypeError,
            "labels_carried = 'yes'; must be True or False",
        ),
    ],
)
def test_bad_options(make: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        make()
    assert str(caught.value) == message
