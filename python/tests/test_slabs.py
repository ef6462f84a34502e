# SPDX-License-Identifier: Apache-2.0
"""Rasters in slabs have the bits of one call, whatever the heights of the slabs are."""

from __future__ import annotations

import pickle
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
import thiessen
from thiessen import slabs

pytest.importorskip("hypothesis")
from hypothesis import given, settings
from hypothesis import strategies as st
from test_properties import NAMES, arrays, is_legal, options_for

pytestmark = pytest.mark.filterwarnings("ignore::thiessen.ThiessenWarning")


def cut(heights):
    firsts = np.cumsum([0, *heights]).tolist()
    return list(pairwise(firsts))


@st.composite
def heights_for(draw, rows):
    """Heights of slabs of a raster: of one row, of two unequal ones, of none, or anything."""
    kind = draw(st.sampled_from(["ones", "primes", "any"]))
    heights = []
    while sum(heights) < rows:
        left = rows - sum(heights)
        height = {"ones": 1, "primes": draw(st.sampled_from([2, 3, 5, 7]))}.get(kind)
        heights.append(min(left, draw(st.integers(0, left)) if height is None else height))
    return heights or [0]


def by_slabs(cells, heights, outputs, options, results=None):
    shape = cells.shape
    common = {name: value for name, value in options.items() if name != "unreached"}
    parts = cut(heights)
    summaries = [slabs.summarise(cells[a:b], shape=shape, first=a, **common) for a, b in parts]
    neighbours = slabs.combine(summaries, shape=shape, periodic=options.get("periodic"))
    found = [
        slabs.finish(
            cells[a:b], beside, shape=shape, first=a, outputs=outputs, **options, **(results or {})
        )
        for (a, b), beside in zip(parts, neighbours)
    ]
    return {
        name: np.concatenate([getattr(each, name) for each in found], -cells.ndim)
        for name in found[0]._fields
    }


def assert_same(found, wanted):
    for name, array in found.items():
        assert array.dtype == getattr(wanted, name).dtype
        np.testing.assert_array_equal(array, getattr(wanted, name), err_msg=name)


@settings(max_examples=300)
@given(st.data())
def test_nearest_site(data):
    cells = data.draw(arrays())
    options = data.draw(options_for(cells.ndim))
    options.pop("components", None)
    if options.get("metric") == "chessboard":
        del options["metric"]
    names = tuple(data.draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True)))
    results = {"distance_type": data.draw(st.sampled_from(["float32", "float64"]))}
    heights = data.draw(heights_for(len(cells)))
    if not is_legal(cells, options, names):
        with pytest.raises((ValueError, TypeError)):
            by_slabs(cells, heights, names, options, results)
        return
    wanted = thiessen.nearest_site(cells, outputs=names, **options, **results)
    assert_same(by_slabs(cells, heights, names, options, results), wanted)


@settings(max_examples=100)
@given(st.data())
def test_distance_to_the_boundary(data):
    cells = data.draw(arrays(dtypes=["?", "u1", "i4", "f4"]))
    options = data.draw(options_for(cells.ndim))
    options = {
        name: options[name] for name in ("spacing", "periodic", "max_distance") if name in options
    }
    wanted = thiessen.distance_transform(cells, distance_to="boundary", **options)
    heights = data.draw(heights_for(len(cells)))
    found = by_slabs(cells, heights, "distance", {"distance_to": "boundary", **options})
    np.testing.assert_array_equal(found["distance"], wanted)


@settings(max_examples=100)
@given(st.data())
def test_joined_summaries(data):
    """Those of all rows above, of a slab itself and of all rows below are enough for it."""
    cells = data.draw(arrays(dtypes=["?", "u1", "f8"]))
    options = {"periodic": data.draw(st.booleans()), "signed_distance": data.draw(st.booleans())}
    wanted = thiessen.nearest_site(cells, outputs=("labels", "distance", "site_index"), **options)
    shape = cells.shape
    parts = cut(data.draw(heights_for(len(cells))))
    own = [slabs.summarise(cells[a:b], shape=shape, first=a, **options) for a, b in parts]
    for k, (a, b) in enumerate(parts):
        groups = [
            reduce(slabs.join, group) for group in (own[:k], own[k : k + 1], own[k + 1 :]) if group
        ]
        beside = slabs.combine(groups, shape=shape, periodic=options["periodic"])[k > 0]
        found = slabs.finish(
            cells[a:b], beside, shape=shape, first=a, outputs=wanted._fields, **options
        )
        for name in wanted._fields:
            np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name)[a:b])
    whole = slabs.summarise(cells, shape=shape, first=0, **options)
    assert reduce(slabs.join, own) == whole


@settings(max_examples=100)
@given(st.data())
def test_voronoi(data):
    rank = data.draw(st.sampled_from([2, 3]))
    shape = tuple(data.draw(st.lists(st.integers(1, 7), min_size=rank, max_size=rank)))
    coordinate = st.one_of(st.integers(-3, 9), st.sampled_from([0.5, 1.25, -0.75, 1 / 3]))
    points = data.draw(st.lists(st.tuples(*[coordinate] * rank), max_size=6))
    names = ("labels", "distance", "site_index")
    domain = None
    if data.draw(st.booleans()):
        domain = np.random.default_rng(0).random(shape) < 0.8
    wanted = thiessen.voronoi(points, shape, outputs=names, spacing=2, domain=domain)
    for a, b in cut(data.draw(heights_for(shape[0]))):
        found = slabs.voronoi(
            points, shape=shape, first=a, count=b - a, outputs=names, spacing=2,
            domain=None if domain is None else domain[a:b],
        )  # fmt: skip
        for name in names:
            np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name)[a:b])


def test_results_of_the_caller():
    cells = np.eye(6, 5, dtype=np.int32)
    summary = slabs.summarise(cells[2:], shape=cells.shape, first=2, threads=1)
    upper = slabs.summarise(cells[:2], shape=cells.shape, first=0)
    assert pickle.loads(pickle.dumps(summary)) == summary
    beside = slabs.combine(iter([upper, summary]), shape=cells.shape)[1]
    distance = np.full(cells.shape, -1, np.float32)
    found = slabs.finish(
        cells[2:], beside, shape=cells.shape, first=2, outputs="distance", out=distance[2:]
    )
    assert found.distance.base is distance
    assert (distance[:2] == -1).all()
    np.testing.assert_array_equal(distance[2:], thiessen.distance_transform(cells)[2:])


def test_errors():
    xarray = pytest.importorskip("xarray")
    cells = np.eye(4, 5, dtype=np.uint8)
    place = {"shape": (4, 5), "first": 0}
    with pytest.raises(
        RuntimeError, match="metric = chessboard; slabs have euclidean and manhattan"
    ):
        slabs.summarise(cells, **place, metric="chessboard")
    with pytest.raises(ValueError, match="slab begins at 0 and has 4 rows"):
        slabs.summarise(cells, shape=(3, 5), first=0)
    with pytest.raises(ValueError, match="first = -1; must be 0 to 1073741824"):
        slabs.summarise(cells, shape=(4, 5), first=-1)
    with pytest.raises(ValueError, match="all must be of one raster"):
        slabs.join(*(slabs.summarise(cells[:, :n], shape=(4, n), first=0) for n in (3, 5)))
    with pytest.raises(TypeError, match="summaries has a str; must be bytes"):
        slabs.combine(["x"], shape=(4, 5))
    with pytest.raises(ValueError, match="summary"):
        slabs.combine([b"nonsense"], shape=(4, 5))
    (beside,) = slabs.combine([slabs.summarise(cells, **place)], shape=(4, 5))
    with pytest.raises(RuntimeError, match="outputs of another label are wanted"):
        slabs.finish(cells, beside, **place, outputs="other_distance")
    with pytest.raises(ValueError, match="neighbours"):
        slabs.finish(cells, b"", **place)
    with pytest.raises(TypeError, match="cells is a masked array"):
        slabs.summarise(np.ma.masked_equal(cells, 1), **place)
    with pytest.raises(TypeError, match=r"cells is an xarray\.DataArray; must be cells\.values"):
        slabs.summarise(xarray.DataArray(cells), **place)
    with pytest.raises(ValueError, match=r"count = -1; must be 0 to 1073741824"):
        slabs.voronoi([(0, 0)], shape=(4, 5), first=0, count=-1)


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_components_equal_one_call(data):
    shape = data.draw(st.sampled_from([(17, 12), (6, 5, 4), (9, 1), (0, 3)]))
    density = data.draw(st.sampled_from([0.1, 0.5, 0.8]))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    image = (random.random(shape) < density).astype(np.uint8)
    connectivity = data.draw(st.sampled_from([4, 8] if len(shape) == 2 else [6, 18, 26]))
    parts = cut(data.draw(heights_for(len(image))))
    labels = np.empty(shape, np.int64)
    summaries = [
        slabs.summarise_components(
            image[a:b], shape=shape, connectivity=connectivity, out=labels[a:b]
        )[1]
        for a, b in parts
    ]
    numbers = slabs.combine_components(summaries, shape=shape, connectivity=connectivity)
    counts = {slabs.number_components(labels[a:b], own) for (a, b), own in zip(parts, numbers)}
    wanted = thiessen.connected_components(image, connectivity=connectivity)
    assert np.array_equal(labels, wanted.labels)
    assert counts == {wanted.count}


def test_wrong_arguments_of_components():
    labels, summary = slabs.summarise_components(np.eye(3, dtype=np.uint8), shape=(3, 3))
    (numbers,) = slabs.combine_components([summary], shape=(3, 3))
    with pytest.raises(ValueError, match="summary has a face of 3 cells; the raster's has 4"):
        slabs.combine_components([summary], shape=(3, 4))
    with pytest.raises(ValueError, match="labels hold the component 5; the slab has 1"):
        slabs.number_components(labels + 4, numbers)
    with pytest.raises(TypeError, match="labels have the dtype float32; must be int32 or int64"):
        slabs.number_components(labels.astype(np.float32), numbers)
    with pytest.raises(ValueError, match="connectivity = 6"):
        slabs.combine_components([summary], shape=(3, 3), connectivity=6)
