# SPDX-License-Identifier: Apache-2.0
"""nearest_site(), distance_transform() and expand_labels() against the oracle, and what they return."""

from __future__ import annotations

import copy
import itertools
import multiprocessing
import pickle

import numpy as np
import oracle
import pytest
import thiessen
from numpy.lib.stride_tricks import as_strided

NAMES = ("labels", "distance", "squared", "site_index", "offset", "direction")
SHAPES = [(1, 1), (1, 9), (9, 1), (7, 8), (12, 5), (1, 1, 1), (3, 4, 5), (1, 5, 4), (5, 1, 3)]
DTYPES = [
    "bool", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", "g",
    ">u2", ">i2", ">u4", ">i4", ">u8", ">i8", ">f2", ">f4", ">f8",
]  # fmt: skip


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def make_sites(shape, dtype="i4", density=0.2, seed=0) -> np.ndarray:
    random = rng(seed)
    sites = (random.random(shape) < density) * random.integers(1, 6, shape)
    return sites.astype(dtype)


def outputs_of(shape) -> tuple[str, ...]:
    return NAMES if len(shape) == 2 else NAMES[:-1]


def check(sites, oracle_sites=None, outputs=None, **options):
    names = outputs_of(sites.shape) if outputs is None else outputs
    if options.get("spacing") is not None or options.get("metric", "euclidean") != "euclidean":
        names = tuple(name for name in names if name != "squared")
    result = thiessen.nearest_site(sites, outputs=names, distance_type="float64", **options)
    wanted = oracle.nearest_site(sites if oracle_sites is None else oracle_sites, **options)
    assert result._fields == names
    oracle.assert_equal(result, wanted)
    return result


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("density", [0, 0.1, 0.5, 1])
def test_every_output(shape, density):
    check(make_sites(shape, density=density))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(6, 7), (3, 4, 3)])
def test_every_dtype(dtype, shape):
    sites = make_sites(shape, dtype)
    before = sites.copy()
    result = check(sites)
    number = np.dtype(np.int32) if dtype == "bool" else sites.dtype.newbyteorder("=")
    assert result.labels.dtype == number
    assert result.distance.dtype == np.float64
    assert result.squared.dtype == result.site_index.dtype == np.int64
    assert result.offset.dtype == np.int32
    np.testing.assert_array_equal(sites, before)


def layouts(sites: np.ndarray):
    """The same cells in memory in other ways."""
    yield "fortran", np.asfortranarray(sites)
    yield (
        "reversed",
        sites[tuple(slice(None, None, -1) for _ in sites.shape)].copy()[
            tuple(slice(None, None, -1) for _ in sites.shape)
        ],
    )
    wide = np.full(tuple(2 * n + 1 for n in sites.shape), 99).astype(sites.dtype)
    wide[tuple(slice(1, None, 2) for _ in sites.shape)] = sites
    yield "sliced", wide[tuple(slice(1, None, 2) for _ in sites.shape)]
    record = np.zeros(sites.shape, np.dtype([("pad", "u1"), ("cell", sites.dtype)]))
    record["cell"] = sites
    yield "misaligned field", record["cell"]
    axes = tuple(range(1, sites.ndim)) + (0,)
    yield "transposed", np.ascontiguousarray(sites.transpose(axes)).transpose(np.argsort(axes))
    frozen = sites.copy()
    frozen.flags.writeable = False
    yield "read-only", frozen


@pytest.mark.parametrize("dtype", ["bool", "u1", "i2", "f4", "f8", ">i4", "f2", "g"])
@pytest.mark.parametrize("shape", [(6, 7), (3, 4, 5)])
def test_every_layout(dtype, shape):
    sites = make_sites(shape, dtype)
    wanted = oracle.nearest_site(sites)
    for _, array in layouts(sites):
        np.testing.assert_array_equal(array, sites)
        oracle.assert_equal(
            thiessen.nearest_site(array, outputs=outputs_of(shape), distance_type="float64"),
            wanted,
        )


@pytest.mark.parametrize("row", [[0, 3, 0, 0, 5], [0, 0, 0], [1]])
def test_stride_0(row):
    sites = np.broadcast_to(np.array(row, np.int16), (4, len(row)))
    assert sites.strides[0] == 0
    check(sites)
    check(np.broadcast_to(np.array(row, np.int16)[:, None], (2, len(row), 3)))
    check(np.broadcast_to(np.float32(4), (3, 2)))


def test_overlapping_windows_as_sites():
    check(np.lib.stride_tricks.sliding_window_view(make_sites((12,)), 5))


@pytest.mark.parametrize("strides", [(2**62, 4), (3, 4), (-(2**40), 4), (0, 4)])
def test_stride_of_an_axis_of_one_cell_is_free(strides):
    row = np.array([0, 2, 0, 0, 7], np.int32)
    sites = as_strided(row, (1, 5), strides)
    out = as_strided(np.zeros(5, np.int32), (1, 5), strides)
    result = thiessen.nearest_site(sites, outputs="labels", out=out)
    np.testing.assert_array_equal(result.labels, [[2, 2, 2, 7, 7]])


OPTIONS = {
    "spacing": [2, (3, 1), (6, 4), np.int64(5), [np.float32(2), 1]],
    "metric": ["manhattan", "chessboard"],
    "method": ["brute-force"],
    "max_distance": [0, 1, 2, 2.5, np.sqrt(5), np.float32(1.5), 100],
    "nodata": [1, 5, 0, -3, np.uint8(2)],
    "periodic": [True, (True, False), [False, np.True_], False],
    "values": [0, [0, 2], (3,), np.array([1, 5]), {4}, range(2, 4)],
    "zero_is_site": [True],
    "components": [4, 8],
    "unreached": [-1, 77, np.int16(3)],
    "signed_distance": [True],
}
CASES = [(name, value) for name, values in OPTIONS.items() for value in values]
PAIRS = [
    (first, second)
    for first, second in itertools.combinations(CASES[::2], 2)
    if first[0] != second[0]
    and len({"values", "zero_is_site", "components"} & {first[0], second[0]}) < 2
]


def to_plain(value):
    if isinstance(value, (set, range)):
        return list(value)
    return [float(each) for each in value] if isinstance(value, list) else value


def oracle_options(options):
    plain = {name: to_plain(value) for name, value in options.items() if name != "method"}
    if "spacing" in plain:
        plain["spacing"] = np.asarray(plain["spacing"]).astype(int)
    return plain


def check_options(sites, **options):
    names = outputs_of(sites.shape)
    if "spacing" in options or "metric" in options:
        names = tuple(name for name in names if name != "squared")
    result = thiessen.nearest_site(sites, outputs=names, distance_type="float64", **options)
    oracle.assert_equal(result, oracle.nearest_site(sites, **oracle_options(options)))


@pytest.mark.parametrize(("name", "value"), CASES, ids=str)
@pytest.mark.parametrize("dtype", ["i2", "f4"])
def test_each_option(name, value, dtype):
    sites = make_sites((8, 9), dtype, density=0.3, seed=3)
    check_options(sites, **{name: value})


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=str)
def test_pairs_of_options(first, second):
    check_options(make_sites((6, 7), "i2", density=0.3, seed=5), **dict([first, second]))


@pytest.mark.parametrize(
    "options",
    [
        {"spacing": (2, 3, 1)},
        {"metric": "chessboard", "periodic": True},
        {"metric": "manhattan", "max_distance": 2, "unreached": 9},
        {"components": 6},
        {"components": 26, "nodata": 2},
        {"signed_distance": True, "periodic": (True, False, True)},
        {"zero_is_site": True, "nodata": 0},
        {"free_nodata": True, "nodata": 0},
        {"free_nodata": True, "nodata": 3, "signed_distance": True},
    ],
    ids=str,
)
def test_options_in_3d(options):
    check_options(make_sites((4, 5, 3), "i2", density=0.4), **options)


def test_float_cells_of_all_kinds():
    sites = np.array([[0.0, -0.0, np.nan, np.inf], [-np.inf, -2.5, 1e-320, 0]])
    for options in ({}, {"values": [np.nan]}, {"values": [-0.0]}, {"nodata": np.nan},
                    {"nodata": np.inf}, {"nodata": np.nan, "free_nodata": True}, {"zero_is_site": True}, {"unreached": np.nan,
                    "max_distance": 0}, {"values": [np.inf, -np.inf]}):  # fmt: skip
        check(sites, **options)


def test_free_nodata():
    burned = np.full((4, 9), -9999, np.int16)
    burned[0, 1], burned[3, 7] = 0, 2
    for options in (
        {}, {"max_distance": 2, "unreached": -1}, {"signed_distance": True}, {"metric": "chessboard"},
        {"periodic": True, "method": "brute-force"}, {"zero_is_site": True},
    ):  # fmt: skip
        check_options(burned, nodata=-9999, free_nodata=True, **options)
    distance = thiessen.distance_transform(burned, nodata=-9999, free_nodata=True)
    found = thiessen.nearest_site(burned, nodata=-9999, free_nodata=True)
    np.testing.assert_array_equal(distance, found.distance)
    assert np.isfinite(distance).all()
    nearest = thiessen.nearest_site(burned, nodata=-9999, free_nodata=True, k=2)
    np.testing.assert_array_equal(nearest.labels[0], found.labels)
    grown = thiessen.expand_labels(burned, 1, nodata=-9999, free_nodata=True)
    np.testing.assert_array_equal(grown, np.where(distance <= 1, found.labels, -9999))
    batch = thiessen.nearest_site(
        np.stack([burned, burned]), nodata=-9999, free_nodata=True, batch_axes=0
    )
    np.testing.assert_array_equal(batch.distance[1], distance)


def test_labels_are_copied_untouched():
    bits = np.array([[0x7FF8000000000123, 0x8000000000000000, 0x7FF0000000000000]], np.uint64)
    sites = bits.view(np.float64)
    labels = thiessen.nearest_site(sites, zero_is_site=True, outputs="labels").labels
    np.testing.assert_array_equal(labels.view(np.uint64), bits)
    big = np.array([[0, 2**64 - 1, 2**63]], np.uint64)
    check(big)
    check(big, nodata=2**64 - 1)
    check(big, values=[2**63, 0])
    check(big, unreached=2**63 + 1, max_distance=0)
    least = np.array([[-(2**63), 0, 2**63 - 1]])
    check(least, nodata=-(2**63))


def test_ties_go_to_the_smaller_site_index():
    sites = np.zeros((9, 9), np.uint8)
    sites[::4, ::4] = np.arange(1, 10).reshape(3, 3)
    for metric in ("euclidean", "manhattan", "chessboard"):
        check(sites, metric=metric)
        check(sites, metric=metric, periodic=True)


@pytest.mark.parametrize("dtype", ["i4", "f4", "bool"])
@pytest.mark.parametrize("options", [{}, {"metric": "manhattan"}, {"max_distance": 2}], ids=str)
def test_distance_to_the_boundary(dtype, options):
    sites = make_sites((7, 8), dtype, density=0.6)
    wanted = oracle.nearest_site(sites, distance_to="boundary", **options)["distance"]
    for distance_dtype in ("float32", "float64"):
        got = thiessen.distance_transform(
            sites, distance_to="boundary", distance_type=distance_dtype, **options
        )
        np.testing.assert_array_equal(got, wanted.astype(distance_dtype))


def test_boundary_with_nodata_and_nan():
    sites = np.array([[1, 1, 7, 1], [np.nan, np.nan, 2, 2]])
    for options in ({}, {"nodata": 7}, {"nodata": np.nan}, {"periodic": True}):
        got = thiessen.distance_transform(
            sites, distance_to="boundary", distance_type=np.float64, **options
        )
        np.testing.assert_array_equal(
            got, oracle.nearest_site(sites, distance_to="boundary", **options)["distance"]
        )


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("density", [0, 0.5, 1])
def test_distance_transform(signed, density):
    sites = make_sites((7, 6), density=density)
    got = thiessen.distance_transform(sites, signed_distance=signed)
    assert type(got) is np.ndarray
    wanted = oracle.nearest_site(sites, signed_distance=signed)["distance"].astype(np.float32)
    np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("dtype", DTYPES)
def test_expand_labels(dtype):
    labels = make_sites((8, 8), dtype, density=0.1)
    before = labels.copy()
    grown = thiessen.expand_labels(labels, 2)
    wanted = oracle.nearest_site(labels.astype("u1"), max_distance=2)["labels"]
    assert grown.dtype == labels.dtype.newbyteorder("=")
    np.testing.assert_array_equal(grown, wanted.astype(grown.dtype))
    np.testing.assert_array_equal(labels, before)
    out = np.zeros((8, 8), labels.dtype)
    assert thiessen.expand_labels(labels, 2, out=out).base is out or dtype != "bool"
    np.testing.assert_array_equal(out, grown)


def test_result_is_a_named_tuple():
    sites = make_sites((4, 5))
    order = ("offset", "labels", "squared")
    result = thiessen.nearest_site(sites, outputs=order)
    assert isinstance(result, tuple)
    assert isinstance(result, thiessen.NearestSite)
    assert result._fields == order
    assert result[0] is result.offset
    assert result._asdict().keys() == set(order)
    offset, labels, squared = result
    assert offset is result.offset
    assert labels is result.labels
    assert squared is result.squared
    assert repr(result).startswith("NearestSite(offset=")
    replaced = result._replace(labels=1)
    assert isinstance(replaced, thiessen.NearestSite)
    assert replaced.labels == 1
    assert type(result)(*result).squared is squared  # as jax, dask and dataclasses make another
    with pytest.raises(AttributeError, match="distance is not among the outputs"):
        result.distance  # noqa: B018
    with pytest.raises(AttributeError, match="no 'area'"):
        result.area  # noqa: B018
    assert thiessen.nearest_site(sites)._fields == ("labels", "distance")
    assert thiessen.nearest_site(sites, outputs=["distance"])._fields == ("distance",)


def test_result_can_be_pickled_and_copied():
    result = thiessen.nearest_site(make_sites((4, 5)), outputs=("distance", "labels"))
    copies = [pickle.loads(pickle.dumps(result, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)]
    copies += [copy.copy(result), copy.deepcopy(result)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        copies.append(pool.apply_async(copy.copy, (result,)).get(timeout=60))
    for other in copies:
        assert type(other) is type(result)
        assert other._fields == result._fields
        np.testing.assert_array_equal(other.distance, result.distance)
        np.testing.assert_array_equal(other.labels, result.labels)


def out_arrays(shape, names=NAMES, distance="f4"):
    dtypes = dict(zip(NAMES, ("i4", distance, "i8", "i8", "i4", "f4")))
    return {
        name: np.full((2, *shape) if name == "offset" else shape, 55).astype(dtypes[name])
        for name in names
    }


def strange(array, kind):
    """An array like this one of another layout."""
    if kind == "plain":
        return array
    if kind == "big-endian":
        return array.astype(array.dtype.newbyteorder(">"))
    if kind == "misaligned":
        return np.zeros(array.shape, np.dtype([("pad", "u1"), ("cell", array.dtype)]))["cell"]
    if kind == "misaligned big-endian":
        return strange(strange(array, "big-endian"), "misaligned")
    if kind == "reversed":
        return array[..., ::-1, ::-1]
    if kind == "fortran":
        return np.asfortranarray(array)
    wide = np.zeros((*array.shape[:-2], 3 * array.shape[-2], 2 * array.shape[-1]), array.dtype)
    return wide[..., 1::3, ::2]


KINDS = [
    "plain",
    "big-endian",
    "misaligned",
    "misaligned big-endian",
    "reversed",
    "fortran",
    "wide",
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("distance", ["f4", "f8"])
def test_out_of_every_layout(kind, distance):
    sites = make_sites((5, 6))
    wanted = oracle.nearest_site(sites)
    out = {
        name: strange(each, kind) for name, each in out_arrays((5, 6), distance=distance).items()
    }
    result = thiessen.nearest_site(sites, outputs=NAMES, out=out)
    for name in NAMES:
        assert getattr(result, name) is out[name]
    oracle.assert_equal(result, wanted)
    thiessen.voronoi([(1, 2), (4, 4)], (5, 6), outputs=NAMES, out=out)
    oracle.assert_equal(result, oracle.voronoi([(1, 2), (4, 4)], (5, 6)))


def test_out_in_all_its_forms():
    sites = make_sites((5, 6))
    wanted = oracle.nearest_site(sites)
    arrays = out_arrays((5, 6))
    labels, distance = arrays["labels"], arrays["distance"]
    for out in ({"labels": labels, "distance": distance}, (labels, distance), [labels, distance],
                thiessen.nearest_site(sites), {"distance": distance}, {"labels": None}, {},
                (None, distance)):  # fmt: skip
        oracle.assert_equal(thiessen.nearest_site(sites, out=out), wanted)
    result = thiessen.nearest_site(sites, out=(None, distance))
    assert result.distance is distance
    assert result.labels is not labels
    assert thiessen.nearest_site(sites, outputs="labels", out=labels).labels is labels
    assert thiessen.distance_transform(sites, out=distance) is distance
    again = thiessen.nearest_site(sites, out=result)
    assert again.labels is result.labels
    assert again.distance is result.distance


def test_distance_of_out_keeps_its_own_dtype():
    sites = make_sites((5, 6))
    wanted = oracle.nearest_site(sites)["distance"]
    for dtype in ("f4", "f8", ">f8"):
        out = np.zeros((5, 6), dtype)
        assert thiessen.distance_transform(sites, out=out) is out
        np.testing.assert_array_equal(out, wanted.astype(dtype))


def test_only_the_cells_of_out_are_written():
    sites = make_sites((4, 5))
    frame = np.full((6, 9), 55, np.int32)
    thiessen.nearest_site(sites, outputs="labels", out=frame[1:-1, 2:-2])
    inner = frame[1:-1, 2:-2].copy()
    frame[1:-1, 2:-2] = 55
    assert (frame == 55).all()
    np.testing.assert_array_equal(inner, oracle.nearest_site(sites)["labels"])


@pytest.mark.parametrize("dtype", ["u1", ">i4", "f2", "g"])
def test_labels_of_any_dtype_into_out(dtype):
    sites = make_sites((5, 6), dtype)
    for out in (np.zeros((5, 6), dtype), np.zeros((5, 6), np.dtype(dtype).newbyteorder())):
        result = thiessen.nearest_site(sites, outputs="labels", out=out)
        assert result.labels is out
        np.testing.assert_array_equal(out, oracle.nearest_site(sites)["labels"].astype(dtype))


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (0, 0), (0, 3, 4), (3, 0, 4), (2**20, 0)])
def test_rasters_without_cells(shape):
    result = thiessen.nearest_site(np.zeros(shape, "u1"), outputs=outputs_of(shape))
    assert result.labels.shape == shape
    assert result.offset.shape == (len(shape), *shape)
    assert thiessen.expand_labels(np.zeros(shape, bool)).shape == shape
    assert thiessen.connected_components(np.zeros(shape)).count == 0
    odd = np.zeros(shape, [("pad", "u1"), ("cell", "f8")])["cell"]
    assert thiessen.connected_components(odd).count == 0
    assert thiessen.compare(odd, odd).equal
    masked = np.ma.MaskedArray(np.zeros(shape), mask=np.zeros(shape, bool))
    assert thiessen.distance_transform(masked).shape == shape


@pytest.mark.parametrize("threads", [1, 2, 3, np.int8(2)])
def test_the_same_for_every_number_of_threads(threads):
    sites = make_sites((70, 90), density=0.01)
    first = thiessen.nearest_site(sites, outputs=NAMES)
    other = thiessen.nearest_site(sites, outputs=NAMES, threads=threads)
    for name in NAMES:
        np.testing.assert_array_equal(getattr(first, name), getattr(other, name))


@pytest.mark.parametrize("dtype", ["i4", "bool", "f8", ">i2"])
@pytest.mark.parametrize(
    ("shape", "near"), [((7, 8), 4), ((7, 8), 8), ((3, 4, 5), 6), ((3, 4, 5), 18), ((3, 4, 5), 26)]
)
def test_connected_components(dtype, shape, near):
    image = make_sites(shape, dtype, density=0.6, seed=2)
    if dtype != "bool":
        image = np.minimum(image, 2)
    outside = np.zeros(shape, bool)
    wanted, count = oracle.number_components(image, near, outside)
    got = thiessen.connected_components(image, connectivity=near)
    assert got.count == count
    np.testing.assert_array_equal(got.labels, wanted)
    out = np.zeros(shape, np.int64)
    assert thiessen.connected_components(image, connectivity=near, out=out).labels is out
    np.testing.assert_array_equal(out, wanted)


def test_areas_that_share_an_edge():
    image = np.zeros((3, 3, 3), np.uint8)
    image[0, 0, 0] = image[0, 1, 1] = image[1, 2, 2] = image[2, 1, 1] = 1  # edge, corner, corner
    counts = {
        near: thiessen.connected_components(image, connectivity=near).count for near in (6, 18, 26)
    }
    assert counts == {6: 4, 18: 3, 26: 1}
    assert thiessen.nearest_site(image, components=18).labels.max() == 3
