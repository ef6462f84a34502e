# SPDX-License-Identifier: Apache-2.0
"""Calls with arguments drawn at random: the oracle's answer, or an error that is documented."""

from __future__ import annotations

import inspect
import math

import numpy as np
import oracle
import pytest
import thiessen

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import RARELY, options_of

settings.register_profile(
    "thiessen",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=400,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("thiessen")

NAMES = ("labels", "distance", "squared", "site_index", "offset", "direction")
DTYPES = ["?", "u1", "i1", ">u2", "i2", "u4", ">i4", "u8", "i8", "f2", "f4", ">f8", "f8", "g"]
ERRORS = (ValueError, TypeError)


@st.composite
def arrays(draw, ranks=(2, 3), dtypes=DTYPES):
    """Cells of any dtype in memory in any way: cut, turned, reversed, repeated, out of line."""
    dtype = np.dtype(draw(st.sampled_from(dtypes)))
    shape = draw(st.lists(st.integers(0, 7), min_size=ranks[0], max_size=ranks[-1]))
    steps = draw(st.lists(st.sampled_from([1, 1, 2, -1, -3]), min_size=3, max_size=3))[: len(shape)]
    room = [size * abs(step) for size, step in zip(shape, steps)]
    palette = [0] * draw(st.sampled_from([3, 3, 40])) + [1, 2, 3]  # 40: few sites, far apart
    if dtype.kind == "f":
        palette += [-0.0, math.nan, math.inf, -1.5]
    if dtype.kind == "i":
        palette += [-1, -7]
    seed = draw(st.integers(0, 2**32 - 1))
    values = np.random.default_rng(seed).choice(np.array(palette, np.float64), room)
    if draw(st.booleans()):
        record = np.zeros(room, np.dtype([("pad", "u1"), ("cell", dtype)]))
        record["cell"] = values
        cells = record["cell"]
    else:
        cells = values.astype(dtype, order=draw(st.sampled_from("CF")))
    cells = cells[tuple(slice(None, None, step) for step in steps)]
    order = draw(st.permutations(range(len(shape))))
    cells = cells.transpose(order)
    if draw(st.integers(0, 5)) == 0 and cells.size:
        cells = np.broadcast_to(cells[:1], cells.shape)
    return cells


DRAWN = (
    "spacing", "max_distance", "nodata", "periodic", "values", "zero_is_site", "free_nodata",
    "unreached", "signed_distance",
)  # fmt: skip


@st.composite
def options_for(draw, rank):
    """What the oracle knows too."""
    options = draw(options_of("nearest_site", rank, DRAWN))
    others = {"metric": ["euclidean", "manhattan", "chessboard"]}
    others["components"] = [4, 8] if rank == 2 else [6, 18, 26]
    more = {name: draw(st.sampled_from(words)) for name, words in others.items() if draw(RARELY)}
    return {**options, **more}


def held(dtype, value):
    """Whether cells of the dtype can hold the value."""
    if is_too_long(value):
        return False
    if dtype.kind == "b":
        return value in (0, 1)
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return math.isnan(value) or float(dtype.type(value)) == value
    if not math.isfinite(value) or value != int(value):
        return False
    return np.iinfo(dtype).min <= int(value) <= np.iinfo(dtype).max


def is_too_long(value):
    return isinstance(value, int) and value >= 2**64


def is_legal(cells, options, names, is_masked=False):
    """The rules of the documentation."""
    dtype = cells.dtype
    labels = np.dtype(np.int32) if dtype.kind == "b" or "components" in options else dtype
    chosen = options.get("zero_is_site", False) or options.get("free_nodata", False)
    if "components" in options and ("values" in options or chosen):
        return False
    if "values" in options and chosen:
        return False
    if options.get("free_nodata", False) and "nodata" not in options and not is_masked:
        return False
    if dtype.kind == "b" and "nodata" in options:
        return False
    checked = [options[name] for name in ("nodata",) if name in options]
    checked += options.get("values", [])
    if not all(held(dtype, value) for value in checked):
        return False
    unreached = options.get("unreached", 0)
    if is_too_long(unreached) or ("labels" in names and not held(labels, unreached)):
        return False
    cells_only = options.get("metric", "euclidean") == "euclidean" and np.all(
        np.equal(options.get("spacing", 1), 1)
    )
    return ("squared" not in names or cells_only) and ("direction" not in names or cells.ndim == 2)


@given(st.data())
def test_nearest_site(data):
    cells = data.draw(arrays())
    options = data.draw(options_for(cells.ndim))
    names = tuple(data.draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True)))
    mask = None
    if data.draw(RARELY):
        mask = np.random.default_rng(data.draw(st.integers(0, 99))).random(cells.shape) < 0.2
    sites = cells if mask is None else np.ma.MaskedArray(cells, mask)
    extra = {
        "method": data.draw(st.sampled_from(["exact", "brute-force"])),
        "threads": data.draw(st.sampled_from([None, 1, 2])),
        "distance_type": data.draw(st.sampled_from(["float32", "float64"])),
    }
    if not is_legal(cells, options, names, mask is not None):
        with pytest.raises(ERRORS) as caught:
            thiessen.nearest_site(sites, outputs=names, **options, **extra)
        assert "incompatible function" not in str(caught.value)
        return
    before = cells.copy()
    result = thiessen.nearest_site(sites, outputs=names, **options, **extra)
    wanted = oracle.nearest_site(cells, mask=mask, **options)
    if mask is not None and options.get("free_nodata", False):
        mask = np.zeros_like(mask)  # what was masked has an answer
    if mask is not None and "labels" in names:
        assert (np.ma.getmaskarray(result.labels) == mask).all()
        np.testing.assert_array_equal(
            result.labels.data[~mask], wanted["labels"][~mask].astype(result.labels.dtype)
        )
        result.labels.data[mask] = wanted["labels"][mask]
    oracle.assert_equal(result, wanted)
    np.testing.assert_array_equal(cells, before)


@settings(max_examples=150)
@given(st.data())
def test_boundary_and_components(data):
    cells = data.draw(arrays())
    near = data.draw(st.sampled_from([4, 8] if cells.ndim == 2 else [6, 18, 26]))
    labels, count = oracle.number_components(np.asarray(cells), near, np.zeros(cells.shape, bool))
    found = thiessen.connected_components(cells, connectivity=near)
    assert found.count == count
    np.testing.assert_array_equal(found.labels, labels)
    options = data.draw(options_for(cells.ndim))
    options = {name: options[name] for name in ("metric", "spacing", "periodic") if name in options}
    got = thiessen.distance_transform(
        cells, distance_to="boundary", distance_type="float64", **options
    )
    wanted = oracle.nearest_site(cells, distance_to="boundary", **options)["distance"]
    np.testing.assert_array_equal(got, wanted)


anything = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=8),
    st.binary(max_size=4), st.complex_numbers(), st.tuples(st.integers(0, 9), st.floats()),
    st.lists(st.one_of(st.integers(0, 300), st.text(max_size=3), st.none()), max_size=3),
    st.dictionaries(st.sampled_from(NAMES), st.integers(), max_size=2),
    st.sampled_from([np.float16(1), np.int8(1), np.bool_(True), np.zeros(3), np.zeros((2, 3)),
                     np.datetime64("2020"), np.array("x"), object(), int, np.ma.masked]),
)  # fmt: skip
VERBS = {
    "nearest_site": lambda **options: thiessen.nearest_site(np.eye(3, 4, dtype="u1"), **options),
    "voronoi": lambda **options: thiessen.voronoi([(1, 2), (0, 0)], (3, 4), **options),
    "cost_distance": lambda **options: thiessen.cost_distance(
        np.eye(3, 4, dtype="u1"), cost=np.arange(12.0).reshape(3, 4), **options
    ),
}


def keywords_of(verb):
    """All options of a verb."""
    parameters = inspect.signature(getattr(thiessen, verb)).parameters.values()
    return [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]


@settings(max_examples=300)
@given(st.data())
def test_any_options(data):
    """Options of the right kinds have an answer of the extents, or one of them is refused."""
    verb = data.draw(st.sampled_from([*VERBS]))
    options = data.draw(options_of(verb, 2, keywords_of(verb)))
    if "distance_type" in options:
        options["distance_type"] = data.draw(st.sampled_from(["float32", "float64"]))
    try:
        result = VERBS[verb](outputs="distance", **options)
    except (*ERRORS, RuntimeError) as error:
        message = str(error)
        assert "incompatible function" not in message
        assert any(name in message for name in options), message
    else:
        assert result.distance.shape[-2:] == (3, 4)


@settings(max_examples=600)
@given(st.data())
def test_nonsense(data):
    verb = data.draw(st.sampled_from([*VERBS]))
    keywords = st.sampled_from(sorted(keywords_of(verb)))
    options = data.draw(st.dictionaries(keywords, anything, min_size=1, max_size=2))
    try:
        VERBS[verb](**options)
    except ERRORS as error:
        assert "incompatible function" not in str(error)
        assert any(name in str(error) for name in (*options, "out", "squared", "direction")), error


@given(anything)
def test_nonsense_for_arrays(value):
    for call in (
        thiessen.nearest_site,
        thiessen.connected_components,
        thiessen.expand_labels,
        lambda points: thiessen.voronoi(points, (3, 4)),
        lambda labels: thiessen.voronoi([(1, 2)], (3, 4), labels),
        lambda shape: thiessen.voronoi([], shape) if not _is_large(shape) else None,
    ):
        try:
            call(value)
        except ERRORS as error:
            assert "incompatible function" not in str(error)


def _is_large(shape):
    try:
        return math.prod(shape) > 10**6
    except (TypeError, ValueError):
        return False
