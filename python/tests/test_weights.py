# SPDX-License-Identifier: Apache-2.0
"""Weighted points, against all sites for every cell in fractions of what was typed."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import thiessen


def _rational(number: float) -> Fraction:
    return Fraction(repr(float(number)))


def _snapped(coordinate: float) -> Fraction:
    """Half to even to 2**-16 of a cell."""
    return Fraction(round(Fraction(coordinate) * 2**16), 2**16)


def _root_is_less(a: Fraction, b: Fraction, c: Fraction) -> bool:
    """Whether the root of a is less than that of b, plus c."""
    if c < 0:
        return _root_is_more(b, a, -c)
    rest = a - b - c * c
    return rest < 0 or rest * rest < 4 * c * c * b


def _root_is_more(a: Fraction, b: Fraction, c: Fraction) -> bool:
    """Whether the root of a is more than that of b, plus c >= 0."""
    rest = a - b - c * c
    return rest > 0 and rest * rest > 4 * c * c * b


def _precedes(weighting: str, a: Fraction, v: Fraction, b: Fraction, w: Fraction) -> bool:
    if weighting == "power":
        return a - v < b - w
    if weighting == "multiplicative":
        return a * w * w < b * v * v
    return _root_is_less(a, b, v - w)


def _winner(cell, points, weights, weighting, spacing, shape, periodic) -> int:
    best, least = -1, Fraction(0)
    for i, point in enumerate(points):
        square = Fraction(0)
        for x, p, length, extent, turns in zip(cell, point, spacing, shape, periodic):
            way = abs(x - p)
            if turns:
                way %= extent
                way = min(way, extent - way)
            square += (way * length) ** 2
        if best < 0 or _precedes(weighting, square, weights[i], least, weights[best]):
            best, least = i, square
    return best


def _draw_weights(random, weighting, count):
    kind = random.integers(3)
    if kind == 0:
        weights = random.integers(1, 5, count).astype(float)
    elif kind == 1:
        weights = np.round(random.uniform(0.05, 9, count), 2)
    else:
        weights = np.round(random.uniform(0.05, 9, count), 5).astype(np.float32)
    if weighting != "multiplicative" and random.integers(2):
        weights = np.round(weights - weights.dtype.type(3), 5)
    return weights


@pytest.mark.filterwarnings("ignore:.*outside of the grid")
@pytest.mark.parametrize("weighting", ["power", "additive", "multiplicative"])
@pytest.mark.parametrize("seed", range(12))
def test_winners_are_those_of_all_sites(weighting, seed):
    random = np.random.default_rng([seed, len(weighting)])
    axes = 2 + int(random.integers(2))
    shape = tuple(int(n) for n in random.integers(1, 13 if axes == 2 else 6, axes))
    spacing = [[1.0, 0.1, 0.3, 2.5][random.integers(4)] for _ in shape]
    if random.integers(2):
        spacing = [spacing[0]] * axes
    periodic = [bool(random.integers(4) == 0) for _ in shape]
    count = int(random.integers(1, 14))
    points = random.uniform(-2, np.array(shape) + 2, (count, axes))
    if random.integers(2):
        points = np.round(points)
    weights = _draw_weights(random, weighting, count)
    found = thiessen.voronoi(
        points, shape, weights=weights, weighting=weighting, spacing=spacing, periodic=periodic,
        outputs=("site_index", "labels"),
    )  # fmt: skip
    exact = [[_snapped(x) for x in point] for point in points]
    typed = [Fraction(str(w)) for w in weights]
    lengths = [_rational(length) for length in spacing]
    for cell in np.ndindex(*shape):
        expected = _winner(cell, exact, typed, weighting, lengths, shape, periodic)
        assert found.site_index[cell] == expected, (cell, points, weights)
    assert np.array_equal(found.labels, found.site_index + 1)


@pytest.mark.parametrize("weighting", ["power", "additive", "multiplicative"])
def test_k_nearest_are_in_the_order_of_keys(weighting):
    random = np.random.default_rng(len(weighting))
    points = random.integers(0, 20, (30, 2))
    weights = random.integers(1, 6, 30)
    found = thiessen.voronoi(
        points, (20, 20), weights=weights, weighting=weighting, k=5,
        outputs=("site_index", "weighted_distance"),
    )  # fmt: skip
    alone = thiessen.voronoi(
        points, (20, 20), weights=weights, weighting=weighting,
        outputs=("site_index", "weighted_distance", "ties"),
    )  # fmt: skip
    cells = np.moveaxis(np.indices((20, 20)), 0, -1)[..., None, :]
    squared = ((cells - points) ** 2).sum(-1)
    if weighting == "power":
        keys = squared - weights
    elif weighting == "additive":
        keys = np.sqrt(squared) - weights
    else:
        keys = np.sqrt(squared) / weights
    least = np.sort(keys, axis=-1)[..., :5]
    assert np.allclose(np.moveaxis(found.weighted_distance, 0, -1), least)
    assert np.array_equal(found.site_index[0], alone.site_index)
    assert np.array_equal(found.weighted_distance[0], alone.weighted_distance)
    assert len(np.unique(found.site_index[:, 3, 4])) == 5
    assert alone.ties.max() > 1
    tied = np.isclose(keys, keys.min(-1, keepdims=True)).sum(-1)
    assert np.array_equal(alone.ties, tied)


def test_keys_are_written():
    points, weights = [(0, 0), (0, 6)], [1, 2]
    for weighting, expected in {
        "power": [-1, 0, 3, 7, 2, -1, -2],
        "additive": [-1, 0, 1, 1, 0, -1, -2],
        "multiplicative": [0, 1, 2, 1.5, 1, 0.5, 0],
    }.items():
        found = thiessen.voronoi(
            points, (1, 7), weights=weights, weighting=weighting, outputs="weighted_distance"
        )
        assert found.weighted_distance[0].tolist() == expected, weighting


def test_of_frames():
    geopandas = pytest.importorskip("geopandas")
    xarray = pytest.importorskip("xarray")
    shops = geopandas.GeoDataFrame(
        {"area": [1.0, 4.0]}, geometry=geopandas.points_from_xy([110, 170], [425, 425])
    )
    grid = xarray.DataArray(
        np.zeros((2, 4)), dims=("y", "x"), coords={"y": [425, 405], "x": [110, 130, 150, 170]}
    )
    found = thiessen.allocate(shops, like=grid, weights="area", weighting="multiplicative")
    assert found.labels.values.tolist() == [[1, 2, 2, 2], [2, 2, 2, 2]]


@pytest.mark.parametrize("weighting", ["power", "additive", "multiplicative"])
def test_cells_are_as_points(weighting):
    random = np.random.default_rng(4)
    sites = np.kron(random.integers(0, 3, (6, 8)), np.ones((3, 4))).astype(np.uint8)
    weights = np.where(sites > 0, _draw_weights(random, weighting, 1), np.nan)
    weights[sites == 2] += 1
    names = ("labels", "distance", "weighted_distance", "site_index")
    how = {"weighting": weighting, "spacing": (2, 0.5), "outputs": names}
    found = thiessen.nearest_site(sites, weights=weights, **how)
    cells = np.argwhere(sites)
    listed = thiessen.voronoi(
        cells, sites.shape, weights=weights[sites > 0], point_labels=sites[sites > 0], **how
    )
    index = np.ravel_multi_index(cells.T, sites.shape)
    assert np.array_equal(found.labels, listed.labels)
    assert np.array_equal(found.distance, listed.distance)
    assert np.array_equal(found.weighted_distance, listed.weighted_distance)
    assert np.array_equal(found.site_index, index[listed.site_index])
    batch = thiessen.nearest_site(
        np.stack([sites, sites[::-1]]), weights=np.stack([weights, weights[::-1]]), batch_axes=0,
        **how,
    )  # fmt: skip
    assert np.array_equal(batch.labels[0], found.labels)
    masked = np.ma.MaskedArray(sites, sites == 1)
    others = thiessen.nearest_site(masked, weights=weights, **how)
    assert np.array_equal(others.labels.mask, sites == 1)
    assert (others.labels.compressed() == 2).all()


def test_areas_of_frames():
    geopandas = pytest.importorskip("geopandas")
    pytest.importorskip("rasterio")
    shapely = pytest.importorskip("shapely")
    parks = geopandas.GeoDataFrame(
        {"size": [1.0, 3.0]}, geometry=[shapely.box(0, 0, 2, 1), shapely.box(9, 0, 10, 1)]
    )
    found = thiessen.voronoi(
        parks, (1, 10), weights="size", weighting="multiplicative", outputs="labels"
    )
    assert found.labels.tolist() == [[1, 1, 1, 1, 2, 2, 2, 2, 2, 2]]


def test_grids_and_units_of_data_arrays():
    xarray = pytest.importorskip("xarray")
    places = {"y": [10.0, 0], "x": [5.0, 15, 25, 35]}
    coords = {name: (name, values, {"units": "m"}) for name, values in places.items()}
    sites = xarray.DataArray(np.array([[1, 0, 0, 2], [0] * 4]), dims=("y", "x"), coords=coords)
    weights = sites.astype(float)
    for moved in (weights[:, ::-1], weights.assign_coords(x=weights.x + 100), weights.T):
        with pytest.raises(ValueError, match="another grid|dimensions"):
            thiessen.nearest_site(sites, weights=moved, weighting="power")
    names = ("distance", "weighted_distance")
    for weighting, unit in (("power", None), ("additive", "m"), ("multiplicative", None)):
        found = thiessen.nearest_site(
            sites, weights=weights + 1, weighting=weighting, outputs=names
        )
        assert found.weighted_distance.attrs.get("units") == unit


def test_numbers_count_as_typed():
    sites = np.array([[1, 0, 0, 0, 0, 2]])
    for dtype in (np.float16, np.float32, np.float64):
        weights = np.array([[0, 0, 0, 0, 0, -0.1]], dtype)
        found = thiessen.nearest_site(
            sites, weights=weights, weighting="additive", spacing=0.1,
            outputs=("ties", "weighted_distance"), distance_type="float64",
        )  # fmt: skip
        assert found.ties[0, 3] == 2, dtype
        assert found.weighted_distance[0, 5] == 0.1
    key = thiessen.nearest_site(
        sites, weights=[[17.071, 0, 0, 0, 0, 17.071]], weighting="power",
        outputs="weighted_distance", distance_type="float64",
    ).weighted_distance  # fmt: skip
    assert key[0, 0] == -17.071
    halves = np.ma.MaskedArray(np.array([[1, 0, 0, 0, 0, 1]], np.float16), [[0, 0, 0, 0, 0, 1]])
    with pytest.raises(ValueError, match=r"weights\[0, 5\] = nan; must be finite"):
        thiessen.nearest_site(sites, weights=halves, weighting="power")
    large = np.array([[2**60, 0, 0, 0, 0, 2**60 + 5]])
    with pytest.raises(ValueError, match="must be one without a mask"):
        thiessen.nearest_site(
            sites, weights=np.ma.masked_equal(large, 0), weighting="power", outputs="labels"
        )


def test_refusals_of_rows():
    geopandas = pytest.importorskip("geopandas")
    pytest.importorskip("rasterio")
    shapely = pytest.importorskip("shapely")
    for shapes in (shapely.box(0, 0, 2, 1), shapely.Point(0, 0)):
        frame = geopandas.GeoDataFrame({"w": [1.0, np.nan]}, geometry=[shapes, shapes])
        with pytest.raises(ValueError, match="weights has nan in row 1; must be finite"):
            thiessen.voronoi(frame, (1, 10), weights="w", weighting="power")


def test_refusals_of_cells():
    sites = np.array([[1, 0, 2]])
    with pytest.raises(ValueError, match=r"weights\[1, 0, 2\] = nan"):
        batch = np.stack([sites, sites])
        weights = np.array([[[1, 1, 1]], [[1, 1, np.nan]]])
        thiessen.nearest_site(batch, weights=weights, weighting="power", batch_axes=0)
    with pytest.raises(TypeError, match="weights has the dtype complex128; must be integers"):
        thiessen.nearest_site(sites, weights=sites * 1j, weighting="power")
    with pytest.raises(
        ValueError, match=r"weights has the shape \(3,\); must be that of the sites"
    ):
        thiessen.nearest_site(sites, weights=[1, 2, 3], weighting="power")
    with pytest.raises(TypeError, match="weights has the dtype bool"):
        thiessen.nearest_site(sites, weights=sites > 0, weighting="power")
    with pytest.raises(ValueError, match=r"weights\[0, 2\] = nan; must be finite"):
        thiessen.nearest_site(sites, weights=[[1, 1, np.nan]], weighting="power")
    with pytest.raises(ValueError, match="signed_distance = True; must be False"):
        thiessen.nearest_site(
            sites, weights=sites, weighting="power", signed_distance=True, outputs="distance"
        )
    with pytest.raises(RuntimeError, match="weights are given"):
        thiessen.nearest_site(sites, weights=sites, weighting="power", method="jfa")


def test_refusals():
    points = [(0, 0), (0, 6)]
    with pytest.raises(ValueError, match=r"weights has the shape \(3,\); must be \(2,\)"):
        thiessen.voronoi(points, (1, 7), weights=[1, 2, 3], weighting="power")
    with pytest.raises(TypeError, match="weights has the dtype bool"):
        thiessen.voronoi(points, (1, 7), weights=[True, False], weighting="power")
    with pytest.raises(ValueError, match=r"weights\[1\] = 0; must be finite and > 0"):
        thiessen.voronoi(points, (1, 7), weights=[1, 0], weighting="multiplicative")
    with pytest.raises(ValueError, match="weighting = .?none.?; must be power"):
        thiessen.voronoi(points, (1, 7), weights=[1, 2])
    with pytest.raises(ValueError, match="weighting"):
        thiessen.voronoi(points, (1, 7), weighting="power")
    with pytest.raises(ValueError, match="weighting"):
        thiessen.voronoi(points, (1, 7), weights=[1, 2], weighting="heavy")


def test_random_doubles_have_enough_room():
    random = np.random.default_rng(5)
    points = random.uniform(0, 100, (50, 2))
    weights = random.uniform(1, 2, 50)
    for weighting in ("power", "multiplicative"):
        thiessen.voronoi(points, (100, 100), weights=weights, weighting=weighting)
    with pytest.raises(ValueError, match="round the weights to fewer decimals"):
        thiessen.voronoi(points, (100, 100), weights=weights, weighting="additive")
    found = thiessen.voronoi(
        points, (100, 100), weights=np.round(weights, 9), weighting="additive",
        outputs=("site_index", "weighted_distance"), distance_type="float64",
    )  # fmt: skip
    y, x = np.mgrid[:100, :100]
    keys = np.hypot(y[..., None] - points[:, 0], x[..., None] - points[:, 1]) - np.round(weights, 9)
    assert np.allclose(found.weighted_distance, keys.min(axis=2), atol=1e-4)
    assert math.isclose((keys.argmin(axis=2) == found.site_index).mean(), 1, abs_tol=1e-3)


@pytest.mark.parametrize("weighting", ["power", "additive", "multiplicative"])
def test_slabs_and_lazy_arrays_are_rows_of_the_whole(weighting):
    da = pytest.importorskip("dask.array")
    random = np.random.default_rng(8)
    points = random.uniform(-5, 35, (20, 2))
    weights = np.round(random.uniform(1, 4, 20), 2)
    how = {"weights": weights, "weighting": weighting, "spacing": (1, 0.3)}
    names = ("labels", "site_index", "weighted_distance")
    how["periodic"] = (True, False)
    whole = thiessen.voronoi(points, (30, 20), outputs=names, **how)
    slab = thiessen.slabs.voronoi(points, shape=(30, 20), first=11, count=9, outputs=names, **how)
    for name in names:
        assert np.array_equal(getattr(slab, name), getattr(whole, name)[11:20]), name
    for lazy in (da.from_array(points), points):
        domain = None if lazy is not points else da.ones((30, 20), dtype=bool, chunks=(7, 20))
        own = {**how, "weights": da.from_array(weights) if domain is None else weights}
        found = thiessen.voronoi(lazy, (30, 20), outputs=names, domain=domain, **own)
        for name in names:
            assert np.array_equal(getattr(found, name).compute(), getattr(whole, name)), name


def test_fitted_weights_give_equal_loads():
    random = np.random.default_rng(3)
    points = random.uniform(0, 79, (25, 2))
    density = random.uniform(0.5, 2, (80, 80))
    fitted = thiessen.fit_weights(points, (80, 80), density=density, allowed_miss=0.05)
    assert fitted.end == "fitted"
    cells = thiessen.voronoi(
        points, (80, 80), weights=fitted.weights, weighting="power", outputs="site_index"
    ).site_index
    loads = np.bincount(cells.ravel(), density.ravel(), 25)
    assert np.allclose(loads, fitted.loads)
    assert np.abs(loads - density.sum() / 25).max() <= 0.05 * density.sum() / 25


def test_fitted_weights_give_targets():
    fitted = thiessen.fit_weights([(0, 1), (0, 4)], (1, 12), targets=[1, 2])
    assert fitted.loads.tolist() == [4, 8]
    with pytest.raises(ValueError, match="targets are 3; must be one for each of the 2 points"):
        thiessen.fit_weights([(0, 1), (0, 4)], (1, 12), targets=[1, 2, 3])
    with pytest.raises(ValueError, match=r"targets\[0\] = -1; must be finite and >= 0"):
        thiessen.fit_weights([(0, 1), (0, 4)], (1, 12), targets=[-1, 2])


def _draw_metrics(random, count, axes):
    """Matrices BᵀB + c, of hundredths."""
    parts = np.round(random.uniform(-2, 2, (count, axes, axes)), 1)
    squares = np.round(np.swapaxes(parts, 1, 2) @ parts + 0.3 * np.eye(axes), 2)
    return squares if random.integers(3) else np.repeat(squares[:1], count, axis=0)


def _least_key(cell, point, metric, weight, lengths, shape, periodic):
    """dᵀMd − w by the nearest of the images that may be it."""
    reach = [range(-5, 6) if turns else (0,) for turns in periodic]
    least = None
    for turns in np.ndindex(*map(len, reach)):
        way = [
            (x - p - steps[turn] * extent) * length
            for x, p, steps, turn, extent, length in zip(cell, point, reach, turns, shape, lengths)
        ]
        square = sum(m * a * b for row, a in zip(metric, way) for m, b in zip(row, way))
        least = square if least is None else min(least, square)
    return least - weight


@pytest.mark.filterwarnings("ignore:.*outside of the grid")
@pytest.mark.parametrize("seed", range(16))
def test_metrics_are_those_of_all_points(seed):
    random = np.random.default_rng([seed, 9])
    axes = 2 + int(seed % 4 == 0)
    shape = tuple(int(n) for n in random.integers(1, 11 if axes == 2 else 4, axes))
    spacing = [[1.0, 0.1, 0.3, 2.5][random.integers(3)] for _ in shape]
    periodic = [bool(axes == 2 and random.integers(4) == 0) for _ in shape]
    count = int(random.integers(1, 9))
    points = random.uniform(-2, np.array(shape) + 2, (count, axes))
    if random.integers(2):
        points = np.round(points)
    metrics = _draw_metrics(random, count, axes)
    weights = _draw_weights(random, "power", count) if random.integers(2) else None
    found = thiessen.voronoi(
        points, shape, metrics=metrics, weights=weights,
        weighting="none" if weights is None else "power", spacing=spacing, periodic=periodic,
        outputs=("site_index", "weighted_distance", "distance"), distance_type="float64",
    )  # fmt: skip
    exact = [[_snapped(x) for x in point] for point in points]
    typed = [Fraction(0)] * count if weights is None else [Fraction(str(w)) for w in weights]
    lengths = [_rational(length) for length in spacing]
    forms = [[[_rational(m) for m in row] for row in metric] for metric in metrics]
    for cell in np.ndindex(*shape):
        keys = [
            _least_key(cell, exact[i], forms[i], typed[i], lengths, shape, periodic)
            for i in range(count)
        ]
        winner = keys.index(min(keys))
        assert found.site_index[cell] == winner, (cell, points, metrics)
        assert found.weighted_distance[cell] == pytest.approx(float(keys[winner]), rel=1e-15)
        length = math.sqrt(keys[winner] + typed[winner])
        assert found.distance[cell] == pytest.approx(length, rel=1e-15)


def test_metrics_lazily_and_in_slabs():
    array = pytest.importorskip("dask.array")
    random = np.random.default_rng(3)
    points = random.uniform(0, 40, (25, 2))
    metrics = thiessen.ellipse_metrics(
        random.uniform(1, 3, (25, 2)), azimuths=random.uniform(0, 360, 25)
    )
    expected = thiessen.voronoi(points, (40, 30), metrics=metrics, outputs="labels").labels
    lazy = array.from_array(points, chunks=10)
    found = thiessen.voronoi(lazy, (40, 30), metrics=metrics, outputs="labels").labels
    assert np.array_equal(found.compute(), expected)
    part = thiessen.slabs.voronoi(
        points, shape=(40, 30), first=7, count=11, metrics=metrics, outputs="labels"
    ).labels
    assert np.array_equal(part, expected[7:18])
    ranks = thiessen.voronoi(points, (40, 30), metrics=metrics, k=3, outputs="labels").labels
    assert np.array_equal(ranks[0], expected)


def test_ellipses_of_turned_volumes():
    turn = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    (metric,) = thiessen.ellipse_metrics([(1, 2, 4)], directions=[turn])
    assert metric.tolist() == [[1 / 16, 0, 0], [0, 1, 0], [0, 0, 1 / 4]]
    with pytest.raises(ValueError, match=r"directions\[0\] must have vectors of the length 1"):
        thiessen.ellipse_metrics([(1, 1)], directions=[[(1, 0), (1, 0)]])
    with pytest.raises(ValueError, match=r"radii\[1, 0\] = 0; must be from 1e-9 to 1e9"):
        thiessen.ellipse_metrics([(1, 1), (0, 1)])
    with pytest.raises(ValueError, match=r"azimuths\[0\] = nan; must be finite"):
        thiessen.ellipse_metrics([(1, 1)], azimuths=[math.nan])
    tenths = np.array([(2, 0.1)], np.float32)
    assert thiessen.ellipse_metrics(tenths).tolist() == [[[0.25, 0], [0, 100]]]
    with pytest.raises(ValueError, match="azimuths has the shape"):
        thiessen.ellipse_metrics([(1, 1, 1)], azimuths=[1])


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ({"metrics": [[[1, 0], [0, 0]]]}, ValueError, r"metrics\[0\] is not clearly positive"),
        (
            {"metrics": [[[1, 2], [3, 9]]]},
            ValueError,
            r"metrics\[0\] is not symmetric: it holds 3 and 2",
        ),
        ({"metrics": [[[1, 0], [0, math.nan]]]}, ValueError, r"metrics\[0\] holds nan"),
        ({"metrics": [[1, 0], [0, 1]]}, ValueError, r"metrics has the shape \(2, 2\)"),
        ({"metrics": [[[True, False], [False, True]]]}, TypeError, "metrics has the dtype bool"),
        ({"weights": [1], "weighting": "additive"}, ValueError, "weighting = additive; must be"),
        ({"metric": "manhattan"}, ValueError, "metrics and another metric are given"),
        ({"outputs": "squared"}, ValueError, "squared is wanted"),
        ({"outputs": "offset", "periodic": True}, ValueError, "offset is wanted; with metrics"),
        ({"method": "jfa"}, RuntimeError, "metrics are given, which only exact on cpu takes"),
        ({"metrics": [[[1, 1e-40], [1e-40, 1]]]}, ValueError, r"metrics\[0\] has more dig"),
    ],
)
def test_bad_metrics_are_named(how, error, message):
    given = {"metrics": [[[1, 0], [0, 1]]], **how}
    with pytest.raises(error, match=message):
        thiessen.voronoi([(0, 0)], (3, 3), **given)
