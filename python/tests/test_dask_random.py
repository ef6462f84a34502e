# SPDX-License-Identifier: Apache-2.0
"""Arrays of Dask with arguments drawn at random: the bits of one call."""

from __future__ import annotations

import math

import numpy as np
import pytest
import thiessen

pytest.importorskip("dask")
pytest.importorskip("hypothesis")
import dask
import dask.array as da
from hypothesis import given, settings
from hypothesis import strategies as st
from test_dask import ALL, assert_same, small_slabs  # noqa: F401
from test_oracle import PROBLEMS, Draw
from test_properties import NAMES, arrays, is_legal, options_for

pytestmark = pytest.mark.filterwarnings("ignore::thiessen.ThiessenWarning")


@st.composite
def chunks_of(draw, extent):
    chunks = []
    while sum(chunks) < extent:
        chunks.append(draw(st.integers(1, extent - sum(chunks))))
    return tuple(chunks) or (0,)


def lazily(data, cells):
    return da.from_array(cells, chunks=tuple(data.draw(chunks_of(n)) for n in cells.shape))


def options_of_slabs(data, rank, *names):
    options = data.draw(options_for(rank))
    if options.get("metric") == "chessboard":
        del options["metric"]
    return {name: options[name] for name in names if name in options} if names else options


@settings(max_examples=300)
@given(st.data())
def test_random_calls(data):
    cells = np.array(data.draw(arrays()))
    options = options_of_slabs(data, cells.ndim)
    names = tuple(data.draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True)))
    lazy = lazily(data, cells)
    if not is_legal(cells, options, names):
        with pytest.raises((ValueError, TypeError)):
            thiessen.nearest_site(lazy, outputs=names, **options)
        return
    options["distance_type"] = data.draw(st.sampled_from(["float32", "float64"]))
    wanted = thiessen.nearest_site(cells, outputs=names, **options)
    assert_same(thiessen.nearest_site(lazy, outputs=names, **options), wanted)
    keep = data.draw(st.booleans())
    assert_same(thiessen.nearest_site(lazy, outputs=names, keep_sites=keep, **options), wanted)
    other = data.draw(st.sampled_from(["ties", "other_labels", "other_distance"]))
    with pytest.raises(ValueError, match=f"outputs has '{other}'; must be among labels"):
        thiessen.nearest_site(lazy, outputs=(*names, other), **options)


@settings(max_examples=150)
@given(st.data())
def test_random_distances_and_labels(data):
    cells = np.array(data.draw(arrays()))
    options = options_of_slabs(data, cells.ndim, "spacing", "metric", "periodic", "max_distance")
    keep = data.draw(st.booleans())
    lazy = lazily(data, cells)
    transforms = [{}, {"signed_distance": True}]
    if options.get("metric") != "manhattan":
        transforms.append({"distance_to": "boundary"})
    for more in transforms:
        np.testing.assert_array_equal(
            thiessen.distance_transform(lazy, keep_sites=keep, **options, **more),
            thiessen.distance_transform(cells, **options, **more),
        )
    limit = options.pop("max_distance", math.inf)
    grown = thiessen.expand_labels(lazy, limit, keep_sites=keep, **options)
    wanted = thiessen.expand_labels(cells, limit, **options)
    assert grown.dtype == wanted.dtype
    np.testing.assert_array_equal(grown, wanted)


@settings(max_examples=100)
@given(st.data())
def test_random_components(data):
    image = np.array(data.draw(arrays()))
    near = data.draw(st.sampled_from([None, 4, 8] if image.ndim == 2 else [None, 6, 18, 26]))
    found = thiessen.connected_components(
        lazily(data, image), connectivity=near, keep_sites=data.draw(st.booleans())
    )
    wanted = thiessen.connected_components(image, connectivity=near)
    labels, count = dask.compute(*found)
    assert labels.dtype == wanted.labels.dtype
    np.testing.assert_array_equal(labels, wanted.labels)
    assert count == wanted.count


@settings(max_examples=100)
@given(st.data())
def test_random_points(data):
    rank = data.draw(st.sampled_from([2, 3]))
    shape = tuple(data.draw(st.lists(st.integers(1, 9), min_size=rank, max_size=rank)))
    place = st.tuples(*[st.sampled_from([-1.5, 0, 0.5, 2, 3.25, 7, 40])] * rank)
    points = np.array(data.draw(st.lists(place, max_size=5)), float).reshape(-1, rank)
    names = ("labels", "distance", "site_index")
    if data.draw(st.booleans()):
        points, names = np.rint(points), (*names, "offset")
    options = options_of_slabs(data, rank, "spacing", "metric", "periodic", "max_distance")
    if data.draw(st.booleans()):
        dtype = data.draw(st.sampled_from(["u1", "i8", "f4"]))
        options["point_labels"] = np.arange(len(points))[::-1].astype(dtype)
    domain = lazy = None
    if data.draw(st.booleans()):
        options["nodata_label"] = 99
        domain = np.random.default_rng(data.draw(st.integers(0, 99))).random(shape) < 0.7
        lazy = lazily(data, domain)
    wanted = thiessen.voronoi(points, shape, domain=domain, outputs=names, **options)
    with dask.config.set({"array.chunk-size": data.draw(st.sampled_from([1, 200, 8192]))}):
        found = thiessen.voronoi(points, shape, domain=lazy, outputs=names, **options)
    assert_same(found, wanted)


@settings(max_examples=60)
@given(st.data())
def test_random_costs(data):
    sites = np.array(data.draw(arrays(dtypes=["?", "u1", "i4", "f4"])))
    random = np.random.default_rng(data.draw(st.integers(0, 99)))
    map = random.integers(0, 4, sites.shape).astype(np.float32)
    options = options_of_slabs(data, sites.ndim, "spacing", "max_distance")
    near = data.draw(st.sampled_from([4, 8, 16] if sites.ndim == 2 else [6, 18, 26]))
    options["outputs"] = ("labels", "distance", "site_index", "back_link")
    found = thiessen.cost_distance(
        lazily(data, sites), stiffness=lazily(data, map), connectivity=near, **options
    )
    assert_same(found, thiessen.cost_distance(sites, stiffness=map, connectivity=near, **options))


def cut(draw, extent):
    """Chunks of unequal sizes, a few of them without a cell."""
    ends = draw.random.integers(0, extent + 1, draw.of([0, 1, 3, 6]))
    return tuple(np.diff([0, *np.sort(ends), extent]).tolist())


def cut_up(draw, cells):
    return da.from_array(cells, chunks=tuple(cut(draw, n) for n in cells.shape))


def draw_few_sites(draw):
    """No site to five in many chunks."""
    shape = draw.of([(40, 9), (23, 1), (17, 30), (1, 26), (30, 3, 4), (11, 7, 6)])
    cells = np.zeros(shape, bool)
    cells.flat[draw.random.integers(0, cells.size, draw.of([0, 1, 2, 3, 4, 5]))] = True
    return cells


def draw_options(draw, rank):
    each = [draw.of([1, 2, 0.1, 0.3, 1.5]) for _ in range(rank)]
    periodic = draw.random.integers(0, 2, rank).astype(bool).tolist()
    return {
        "spacing": draw.of([None, None, 0.1, each]),
        "max_distance": draw.of([None, None, None, None, 0, 0.3, 1, 2.5, 6, 20]),
        "metric": draw.of(["euclidean", "euclidean", "manhattan"]),
        "periodic": draw.of([None, None, None, True, periodic]),
    }


def nearest_of_few(draw, cells, options):
    options |= {"signed_distance": draw.one_in(3), "unreached": draw.of([0, -7])}
    if draw.one_in(4):
        options |= draw.of([{"values": 0}, {"values": [True]}, {"zero_is_site": True}])
    elif draw.one_in(6):
        options["components"] = draw.of([4, 8] if cells.ndim == 2 else [6, 18, 26])
    left_out = {"direction"} if cells.ndim == 3 else set()
    if options["spacing"] is not None or options["metric"] != "euclidean":
        left_out.add("squared")
    names = tuple(name for name in ALL if name not in left_out)
    options["outputs"] = draw.several(names) if draw.one_in(4) else names
    return lambda array, **more: thiessen.nearest_site(array, **options, **more)


def distances_of_few(draw, cells, options):
    options |= draw.of(
        [{}, {"signed_distance": True}, {"distance_to": "zeros"}, {"distance_to": "boundary"}]
    )
    if options.get("distance_to") == "boundary":
        options["metric"] = "euclidean"
    return lambda array, **more: [thiessen.distance_transform(array, **options, **more)]


def grown_from_few(draw, cells, options):
    reach = options.pop("max_distance") or 2.5
    return lambda array, **more: [thiessen.expand_labels(array, reach, **options, **more)]


def areas_of_few(draw, cells, options):
    near = draw.of([None, 4, 8] if cells.ndim == 2 else [None, 6, 18, 26])
    return lambda array, **more: thiessen.connected_components(array, connectivity=near, **more)


def points_in_few(draw, cells, options):
    points = np.argwhere(cells) + draw.of([0, 0, 0.25])
    options["outputs"] = ("labels", "distance", "site_index")
    domain = draw.random.random(cells.shape) < 0.7

    def call(array, **_):
        own = array if array is cells else cut_up(draw, domain)
        own = domain if array is cells else own
        return thiessen.voronoi(points, cells.shape, domain=own, **options)

    return call


def costs_of_few(draw, cells, options):
    del options["metric"], options["periodic"]
    ground = draw.random.choice([1, 1, 2, 0.3, 0], cells.shape)
    options["connectivity"] = draw.of([4, 8, 16] if cells.ndim == 2 else [6, 18, 26])
    options["outputs"] = ("labels", "distance", "site_index", "back_link")
    if draw.one_in(2):
        options["initial_cost"] = draw.random.choice([0, 0.5, 3], cells.shape)
    what = draw.of(["cost", "stiffness"])

    def call(array, **_):
        own = ground if array is cells else cut_up(draw, ground)
        return thiessen.cost_distance(array, **{what: own}, **options)

    return call


OF_FEW = [
    nearest_of_few, nearest_of_few, distances_of_few, grown_from_few, areas_of_few,
    points_in_few, costs_of_few,
]  # fmt: skip


@pytest.mark.parametrize("problem", PROBLEMS)
def test_few_boolean_sites(problem):
    """What slabs hand on is missing in most of them. `test_oracle` tells how to draw more."""
    draw = Draw(5, problem)
    cells = draw_few_sites(draw)
    of_few = OF_FEW[problem % len(OF_FEW)]
    call = of_few(draw, cells, draw_options(draw, cells.ndim))
    wanted = call(cells)
    keep = {"keep_sites": draw.one_in(2)} if of_few not in (points_in_few, costs_of_few) else {}
    with dask.config.set({"array.chunk-size": draw.of([1, 100, 1000, "1 MiB"])}):
        found = call(cut_up(draw, cells), **keep)
        computed = dask.compute(*found)
    for array, whole in zip(computed, wanted):
        assert np.asarray(array).dtype == np.asarray(whole).dtype
        np.testing.assert_array_equal(array, whole)
