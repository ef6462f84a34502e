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
from test_dask import assert_same, small_slabs  # noqa: F401
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
