# SPDX-License-Identifier: Apache-2.0
"""Bad calls: the type of the exception, and that the message names the argument and the rule."""

from __future__ import annotations

import enum
import math
from fractions import Fraction

import numpy as np
import pytest
import thiessen
from numpy.lib.stride_tricks import as_strided

SITES = np.zeros((4, 5), np.int32)
SITES[1, 2] = 3
POINTS = [(0, 1), (2, 3)]


def zeros(dtype, shape=(4, 5)):
    return np.zeros(shape, dtype)


def frozen(dtype):
    array = zeros(dtype)
    array.flags.writeable = False
    return array


class Loud:
    def __bool__(self):
        raise ArithmeticError("bool of Loud")

    def __repr__(self):
        return "Loud"


SITES_CASES = [
    (np.int32(5), ValueError, "sites has 0 axes; must have 2 or 3"),
    (5, ValueError, "sites has 0 axes; must have 2 or 3"),
    (None, TypeError, "sites is a NoneType; must be an array"),
    (object(), TypeError, "sites is a object; must be an array"),
    ({1, 2}, TypeError, "sites is a set; must be an array"),
    ({}, TypeError, "sites is a dict; must be an array"),
    (iter([[1, 2]]), TypeError, "sites is a list_iterator; must be an array"),
    (b"abc", TypeError, "sites is the text b'abc'; must be an array"),
    ([1, 2], ValueError, "sites has 1 axes; must have 2 or 3"),
    ([[1, 2], [3]], ValueError, "sites must be an array"),
    (np.zeros(7), ValueError, "sites has 1 axes; must have 2 or 3"),
    (np.zeros((2,) * 4), ValueError, "sites has 4 axes"),
    (np.zeros((1,) * 5), ValueError, "sites has 5 axes"),
    (np.zeros((1,) * 32), ValueError, "sites has 32 axes"),
    (np.ma.zeros(7), ValueError, "sites has 1 axes"),
    (np.ma.zeros((1,) * 4), ValueError, "sites has 4 axes"),
    (SITES.astype(object), TypeError, "sites has the dtype object; must be"),
    (SITES.astype(complex), TypeError, "sites has the dtype complex128; must be"),
    (SITES.astype("M8[s]"), TypeError, r"sites has the dtype datetime64\[s\]; must be"),
    (SITES.astype("m8[D]"), TypeError, r"sites has the dtype timedelta64\[D\]; must be"),
    (SITES.astype("U3"), TypeError, "sites has the dtype <U3; must be"),
    (SITES.astype("S3"), TypeError, r"sites has the dtype \|S3; must be"),
    (zeros([("a", "i4"), ("b", "f4")]), TypeError, "sites has the dtype .*; must be"),
    (zeros("V4"), TypeError, r"sites has the dtype \|V4; must be"),
    (np.ma.MaskedArray(SITES.astype(complex)), TypeError, "sites has the dtype complex128"),
    (np.ma.MaskedArray(zeros([("a", "i4")])), TypeError, "sites has the dtype"),
    ([["a", "b"]], TypeError, "sites has the dtype <U1"),
    ([[2**70, 1]], TypeError, "sites has the dtype object"),
    (np.full((2, 2), np.longdouble("1e4000")), ValueError, "sites has values of the dtype"),
]  # fmt: skip


@pytest.mark.parametrize(("sites", "error", "message"), SITES_CASES, ids=range(len(SITES_CASES)))
def test_sites(sites, error, message):
    for call in (
        lambda: thiessen.nearest_site(sites, outputs="labels", out={"labels": None}),
        lambda: thiessen.connected_components(sites),
    ):
        with pytest.raises(error) as caught:
            call()
        check_message(caught.value, message.replace("sites", "(sites|image)"))


@pytest.mark.parametrize(
    ("shape", "strides", "error", "message"),
    [
        ((4, 5), (2**62, 4), ValueError, "sites has strides that lead out of memory"),
        ((2, 5), (-(2**62), 4), ValueError, "sites has strides that lead out of memory"),
        ((2**30, 2**30), (0, 0), (ValueError, MemoryError), "."),
        ((2**31, 1), (0, 0), ValueError, r"sites .*2147483648; must be at most 2\^30"),
    ],
)
def test_strides_that_lead_anywhere(shape, strides, error, message):
    with pytest.raises(error, match=message):
        thiessen.distance_transform(as_strided(SITES, shape, strides))


@pytest.mark.skipif(np.__version__.startswith("1."), reason="arrays have at most 32 axes there")
def test_more_axes_than_the_buffer_protocol_has():
    with pytest.raises(ValueError, match="sites has 40 axes"):
        thiessen.nearest_site(np.zeros((1,) * 40))


def check_message(error, message):
    text = str(error)
    assert "incompatible function arguments" not in text
    assert "nanobind" not in text
    pytest.raises(type(error), raise_, error).match(message)


def raise_(error):
    raise error


HUGE = 10**400
OPTION_CASES = [
    ({"spacing": 0}, ValueError, r"spacing\[0\] = 0; must be finite and > 0"),
    ({"spacing": -1.5}, ValueError, r"spacing\[0\] = -1.5; must be"),
    ({"spacing": (1, -2)}, ValueError, r"spacing\[1\] = -2; must be"),
    ({"spacing": math.nan}, ValueError, r"spacing\[0\] = nan; must be"),
    ({"spacing": (1, math.inf)}, ValueError, r"spacing\[1\] = inf; must be"),
    ({"spacing": HUGE}, ValueError, "spacing is an integer beyond float64"),
    ({"spacing": (1, HUGE)}, ValueError, r"spacing\[1\] is an integer beyond float64"),
    ({"spacing": (1, 2, 3)}, ValueError, "spacing has 3 values; must have one for each of 2 axes"),
    ({"spacing": ()}, ValueError, "spacing has 0 values"),
    ({"spacing": [[1, 2]]}, TypeError, r"spacing\[0\] = .*; must be a number"),
    ({"spacing": "ab"}, TypeError, r"spacing\[0\] = 'a'; must be a number"),
    ({"spacing": ["1", "2"]}, TypeError, r"spacing\[0\] = '1'; must be a number"),
    ({"spacing": 1j}, TypeError, "spacing = 1j; must be a number"),
    ({"spacing": Fraction(1, 2)}, TypeError, "spacing = Fraction.*; must be a number"),
    ({"spacing": np.complex64(1)}, TypeError, "spacing = .*; must be a number"),
    ({"spacing": {}}, ValueError, "spacing has 0 values"),
    ({"spacing": Loud()}, TypeError, "spacing = Loud; must be a number"),
    ({"max_distance": -1}, ValueError, "max_distance = -1; must be >= 0"),
    ({"max_distance": -math.inf}, ValueError, "max_distance = -inf; must be >= 0"),
    ({"max_distance": math.nan}, ValueError, "max_distance = nan; must be >= 0"),
    ({"max_distance": "1"}, TypeError, "max_distance = '1'; must be a number"),
    ({"max_distance": [1, 2]}, TypeError, "max_distance = .*; must be a number"),
    ({"max_distance": np.array([1, 2])}, TypeError, "max_distance = .*; must be a number"),
    ({"max_distance": HUGE}, ValueError, "max_distance is an integer beyond float64"),
    ({"nodata": 2**31}, ValueError, "nodata = 2147483648; must be a value of the sites' type int32"),
    ({"nodata": 1.5}, ValueError, "nodata = 1.5; must be a value of"),
    ({"nodata": math.nan}, ValueError, "nodata = nan; must be a value of"),
    ({"nodata": 2**64}, ValueError, "nodata = 18446744073709551616; must be"),
    ({"nodata": -(2**63) - 1}, ValueError, "nodata = -9223372036854775809; must be"),
    ({"nodata": HUGE}, ValueError, "nodata = 10*; must be"),
    ({"nodata": "x"}, TypeError, "nodata = 'x'; must be a number"),
    ({"nodata": [1, 2]}, TypeError, "nodata = .*; must be a number"),
    ({"nodata": np.datetime64(3, "ns")}, TypeError, "nodata = .*; must be a number"),
    ({"nodata": np.ma.masked}, TypeError, "nodata = masked; must be a number"),
    ({"nodata": np.longdouble("1e4000")}, ValueError, "nodata = .*; must be a number that float64"),
    ({"values": []}, ValueError, "values is empty"),
    ({"values": "12"}, TypeError, "values = '1'; must be a number"),
    ({"values": [None]}, TypeError, "values = None; must be a number"),
    ({"values": [1, 2**40]}, ValueError, "values = 1099511627776; must be a value of"),
    ({"values": 0.5}, ValueError, "values = 0.5; must be a value of"),
    ({"values": [[1, 2]]}, TypeError, "values = .*; must be a number"),
    ({"values": [1], "zero_is_site": True}, ValueError, "values is given; must not be with zero_is_site"),
    ({"values": [1], "components": 4}, ValueError, "components is given; values, zero_is_site and"),
    ({"free_nodata": True, "nodata": 9, "components": 4}, ValueError, "components is given"),
    ({"free_nodata": True, "nodata": 9, "values": [1]}, ValueError, "free_nodata = True; must be F"),
    ({"free_nodata": True}, ValueError, "free_nodata is given; needs nodata"),
    ({"free_nodata": 1}, TypeError, "free_nodata = 1; must be True or False"),
    ({"zero_is_site": True, "components": 4}, ValueError, "components is given"),
    ({"zero_is_site": 1}, TypeError, "zero_is_site = 1; must be True or False"),
    ({"zero_is_site": Loud()}, TypeError, "zero_is_site = Loud; must be True or False"),
    ({"signed_distance": "no"}, TypeError, "signed_distance = 'no'; must be True or False"),
    ({"signed_distance": np.array([1, 0])}, TypeError, "signed_distance = .*; must be True or False"),
    ({"components": 6}, ValueError, "components = 6; must be 4 or 8 in 2-D"),
    ({"components": True}, TypeError, "components = True; must be an integer"),
    ({"components": 4.0}, TypeError, "components = 4.0; must be an integer"),
    ({"components": "4"}, TypeError, "components = '4'; must be an integer"),
    ({"components": np.array([4, 8])}, TypeError, "components = .*; must be an integer"),
    ({"unreached": 2**40}, ValueError, "unreached = 1099511627776; must be a value of"),
    ({"unreached": None}, TypeError, "unreached = None; must be a number"),
    ({"unreached": 0.5}, ValueError, "unreached = 0.5; must be a value of"),
    ({"metric": "l2"}, ValueError, "metric = 'l2'; must be one of 'euclidean', 'manhattan', 'chess"),
    ({"metric": ""}, ValueError, "metric = ''; must be"),
    ({"metric": None}, TypeError, "metric = None; must be a string"),
    ({"metric": b"euclidean"}, TypeError, "metric = b'euclidean'; must be a string"),
    ({"metric": "euclid\ud800"}, ValueError, r"metric = 'euclid\\ud800'; must be"),
    ({"method": "fast"}, ValueError, "method = 'fast'; must be one of"),
    ({"method": 1}, TypeError, "method = 1; must be a string"),
    ({"method": "exact\0"}, ValueError, r"method = 'exact\\x00'; must be"),
    ({"device": "gpu"}, ValueError, "device = gpu; must be one of auto, cpu"),
    ({"device": "cpu:7"}, ValueError, "device = cpu:7; "),
    ({"device": 3}, TypeError, "device = 3; must be a string"),
    ({"device": "\N{SNOWMAN}"}, ValueError, "device = .*; must be"),
    ({"threads": 0}, ValueError, "threads = 0; must be 1 to 1024"),
    ({"threads": -1}, ValueError, "threads = -1; must be 1 to 1024"),
    ({"threads": 5000}, ValueError, "threads = 5000; must be 1 to 1024"),
    ({"threads": 2**70}, ValueError, "threads = .*; must be 1 to 1024"),
    ({"threads": 1.5}, TypeError, "threads = 1.5; must be an integer"),
    ({"threads": True}, TypeError, "threads = True; must be an integer"),
    ({"threads": "2"}, TypeError, "threads = '2'; must be an integer"),
    ({"periodic": 1}, TypeError, "periodic = 1; must be True or False"),
    ({"periodic": "yx"}, TypeError, "periodic = 'yx'; must be True or False"),
    ({"periodic": (True, 0)}, TypeError, r"periodic = \(True, 0\); must be True or False"),
    ({"periodic": (True,)}, ValueError, "periodic has 1 values; must have one for each of 2"),
    ({"periodic": (True,) * 3}, ValueError, "periodic has 3 values"),
    ({"periodic": Loud()}, TypeError, "periodic = Loud; must be True or False"),
    ({"outputs": "area"}, ValueError, "outputs has 'area'; must be among labels, site_index"),
    ({"outputs": ()}, ValueError, r"outputs = \(\); must name one output or more"),
    ({"outputs": ("labels", "labels")}, ValueError, "outputs = .*; must name .* each once"),
    ({"outputs": b"labels"}, ValueError, "outputs has 108; must be among"),
    ({"outputs": [["labels"]]}, TypeError, "outputs = .*; must be names of outputs"),
    ({"outputs": None}, TypeError, "outputs = None; must be names of outputs"),
    ({"outputs": 5}, TypeError, "outputs = 5; must be names of outputs"),
    ({"outputs": "squared", "metric": "manhattan"}, ValueError, "squared is wanted; it exists only"),
    ({"outputs": "squared", "spacing": 2}, ValueError, "squared is wanted; it exists only"),
    ({"distance_type": "f2"}, ValueError, "distance_type = 'f2'; must be 'float32' or"),
    ({"distance_type": "int32"}, ValueError, "distance_type = 'int32'; must be"),
    ({"distance_type": ">f8"}, ValueError, "distance_type = '>f8'; must be"),
    ({"distance_type": "nonsense"}, ValueError, "distance_type = 'nonsense'; must be"),
    ({"distance_type": None}, ValueError, "distance_type = None; must be"),
    ({"distance_type": 64}, ValueError, "distance_type = 64; must be"),
    ({"distance_type": []}, ValueError, r"distance_type = \[\]; must be"),
    ({"distance_type": "("}, ValueError, r"distance_type = '\('; must be"),
    ({"progress": 5}, TypeError, "progress = 5; must be None, True, a callable"),
    ({"progress": "bar"}, TypeError, "progress = 'bar'; must be None, True, a callable"),
    ({"progress": ...}, TypeError, "progress = .*; must be None, True, a callable"),
    ({"bogus": 1}, TypeError, "unexpected keyword argument 'bogus'"),
    ({"sites": SITES}, TypeError, "multiple values for argument 'sites'"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "error", "message"), OPTION_CASES, ids=[str(c[0])[:40] for c in OPTION_CASES]
)
def test_options(options, error, message):
    with pytest.raises(error) as caught:
        thiessen.nearest_site(SITES, **options)
    check_message(caught.value, message)
    np.testing.assert_array_equal(thiessen.nearest_site(SITES).labels, 3)


OVERLAPPING = zeros("i4")
BROAD = as_strided(np.zeros(5, "f4"), (4, 5), (0, 4))
BROAD_BIG = as_strided(np.zeros(5, ">f4"), (4, 5), (0, 4))
ROLLING = as_strided(np.zeros(9, ">f4"), (4, 5), (4, 4))
OUT_CASES = [
    ({"labels": frozen("i4")}, ValueError, r"out\['labels'\] is read-only; must be writable"),
    ({"labels": zeros("i8")}, TypeError, r"out\['labels'\] has the dtype int64; must be int32"),
    ({"labels": zeros("f4")}, TypeError, r"out\['labels'\] has the dtype float32; must be int32"),
    ({"distance": zeros("i4")}, TypeError, r"out\['distance'\] has the dtype int32; must be fl"),
    ({"distance": zeros("f2")}, TypeError, r"out\['distance'\] has the dtype float16; must be"),
    ({"distance": zeros("g")}, TypeError, r"out\['distance'\] has the dtype .*; must be float32"),
    ({"distance": zeros("O")}, TypeError, r"out\['distance'\] has the dtype object; must be"),
    ({"labels": zeros("i4", (5, 4))}, ValueError, r"out\['labels'\] has the shape \(5, 4\); must"),
    ({"labels": zeros("i4", (20,))}, ValueError, r"out\['labels'\] has the shape \(20,\); must"),
    ({"labels": zeros("i4", ())}, ValueError, r"out\['labels'\] has the shape \(\); must be"),
    ({"labels": zeros("i4", (1, 4, 5))}, ValueError, r"out\['labels'\] has the shape \(1, 4, 5\)"),
    ({"labels": SITES}, ValueError, "labels overlaps the sites in memory; must be apart"),
    ({"labels": SITES[::-1]}, ValueError, "labels overlaps the sites in memory; must be apart"),
    ({"distance": SITES.view("f4")}, ValueError, "distance overlaps the sites in memory"),
    ({"distance": SITES.view(">f4")}, ValueError, r"out\['distance'\] overlaps another array"),
    ({"labels": OVERLAPPING, "distance": OVERLAPPING.view("f4")}, ValueError,
     "distance overlaps labels in memory; must be apart"),
    ({"labels": OVERLAPPING, "distance": OVERLAPPING.view(">f4")}, ValueError,
     r"out\['distance'\] overlaps another array"),
    ({"labels": OVERLAPPING.view(">i4"), "distance": OVERLAPPING.view("f4")}, ValueError,
     r"out\['labels'\] overlaps another array"),
    ({"distance": BROAD}, ValueError, r"distance has the stride\[0\] = 0; cells of an output must"),
    ({"distance": BROAD_BIG}, ValueError, r"out\['distance'\] has the strides .* must lie apart"),
    ({"distance": ROLLING}, ValueError, r"out\['distance'\] has the strides .* must lie apart"),
    ({"distance": as_strided(BROAD, (4, 5), (2**61, 4))}, ValueError, "distance has strides that lead"),
    ({"squared": zeros("i8")}, ValueError, "out has 'squared'; must be among the outputs"),
    ({"area": zeros("i8")}, ValueError, "out has 'area'; must be among the outputs"),
    ({"labels": [[0] * 5] * 4}, TypeError, r"out\['labels'\] is a list; must be a numpy.ndarray"),
    ({"labels": bytearray(80)}, TypeError, r"out\['labels'\] is a bytearray; must be a numpy"),
    ({"labels": 5}, TypeError, r"out\['labels'\] is a int; must be a numpy.ndarray"),
    ({"labels": np.ma.zeros((4, 5), "i4")}, TypeError, r"out\['labels'\] is a MaskedArray"),
    (zeros("i4"), ValueError, "out has 1 arrays; must have one for each of"),
    ((zeros("i4"),) * 3, ValueError, "out has 3 arrays; must have one for each of"),
    ((zeros("f4"), zeros("i4")), TypeError, r"out\['labels'\] has the dtype float32"),
    (5, ValueError, "out has 1 arrays; must have one for each of"),
    ("labels", TypeError, "out is a str; must be a mapping from names of outputs"),
]  # fmt: skip


@pytest.mark.parametrize(("out", "error", "message"), OUT_CASES, ids=range(len(OUT_CASES)))
def test_out(out, error, message):
    before = SITES.copy()
    with pytest.raises(error) as caught:
        thiessen.nearest_site(SITES, out=out)
    check_message(caught.value, message)
    np.testing.assert_array_equal(SITES, before)


def test_one_array_for_two_outputs():
    both = zeros(">i8")
    with pytest.raises(ValueError, match=r"out\['squared'\] is given for two|overlaps"):
        thiessen.nearest_site(SITES, outputs=("squared", "site_index"), out=(both, both))
    both = zeros("i8")
    with pytest.raises(ValueError, match="overlaps"):
        thiessen.nearest_site(SITES, outputs=("squared", "site_index"), out=(both, both))


def test_out_upon_copied_inputs():
    big = SITES.astype(">i4")
    with pytest.raises(ValueError, match=r"out\['labels'\] overlaps another array"):
        thiessen.nearest_site(big, outputs="labels", out=big)
    with pytest.raises(ValueError, match=r"out\['distance'\] overlaps another array"):
        thiessen.distance_transform(big, out=big.view("f4"))
    with pytest.raises(ValueError, match="overlaps"):
        thiessen.nearest_site(SITES, components=4, outputs="labels", out=SITES)
    points = np.zeros((4, 2), "i4")
    with pytest.raises(ValueError, match=r"out\['labels'\] overlaps another array"):
        thiessen.voronoi(points, (4, 2), outputs="labels", out=points)
    labels = np.zeros(4, ">i4")
    with pytest.raises(ValueError, match=r"out\['labels'\] overlaps another array"):
        thiessen.voronoi(
            points, (2, 2), point_labels=labels, outputs="labels", out=labels.reshape(2, 2)
        )


@pytest.mark.parametrize(
    ("option", "number"),
    [("nodata", 0.1), ("values", [0.1]), ("nodata", 2**20), ("unreached", 1e6)],
)
def test_numbers_that_float16_cannot_hold(option, number):
    with pytest.raises(ValueError, match=f"{option} = .*; must be a value of the dtype "):
        thiessen.nearest_site(SITES.astype("f2"), **{option: number})


POINT_CASES = [
    ({"points": [(0, math.nan)]}, ValueError, r"points\[0, 1\] = nan; must be finite"),
    ({"points": [(0, 1), (math.inf, 1)]}, ValueError, r"points\[1, 0\] = inf; must be finite"),
    ({"points": [(2.0**40, 0)]}, ValueError, r"points\[0, 0\] = 1099511627776; must be finite and"),
    ({"points": [(2**40, 0)]}, ValueError, r"points\[0, 0\] = 1099511627776; must be"),
    ({"points": [(-(2**62), 0)]}, ValueError, r"points\[0, 0\] = -46.*; must be"),
    ({"points": [(2**70, 0)]}, TypeError, "points has the dtype object; must be numbers"),
    ({"points": [1, 2]}, ValueError, r"points has the shape \(2,\); must be \(n, 2\)"),
    ({"points": [(1, 2, 3)]}, ValueError, r"points has the shape \(1, 3\); must be \(n, 2\)"),
    ({"points": np.zeros((1, 2, 1))}, ValueError, r"points has the shape \(1, 2, 1\); must be"),
    ({"points": [(1j, 2)]}, TypeError, "points has the dtype complex128; must be numbers"),
    ({"points": [("a", "b")]}, TypeError, "points has the dtype <U1; must be numbers"),
    ({"points": [(1, 2), (3,)]}, ValueError, "points must be an array"),
    ({"points": None}, TypeError, "points is a NoneType; must be an array"),
    ({"points": 5}, (TypeError, ValueError), "points"),
    ({"point_labels": [1]}, ValueError, r"point_labels has the shape \(1,\); must be \(2,\), one for a point"),
    ({"point_labels": [[1, 2]]}, ValueError, r"point_labels has the shape \(1, 2\); must be \(2,\)"),
    ({"point_labels": 5}, ValueError, r"point_labels has the shape \(\); must be \(2,\)"),
    ({"point_labels": [True, False]}, TypeError, "point_labels has the dtype bool; must be"),
    ({"point_labels": ["a", "b"]}, TypeError, "point_labels has the dtype <U1; must be"),
    ({"point_labels": [1j, 2]}, TypeError, "point_labels has the dtype complex128; must be"),
    ({"point_labels": np.array([1, 2], "f2"), "unreached": 0.1}, ValueError, "unreached = 0.1; must be"),
    ({"shape": (-1, 5)}, ValueError, r"shape\[0\] = -1; must be 0 to 2\*\*30"),
    ({"shape": (5, 2**31)}, ValueError, r"shape\[1\] = 2147483648; must be 0 to 2\*\*30"),
    ({"shape": (5, 2**80)}, ValueError, r"shape\[1\] = .*; must be 0 to 2\*\*30"),
    ({"shape": (2**30, 2**30)}, (MemoryError, ValueError), ""),
    ({"shape": (2.0, 5)}, TypeError, r"shape\[0\] = 2.0; must be an integer"),
    ({"shape": 5}, TypeError, "shape = 5; must be integers, one for each axis"),
    ({"shape": None}, TypeError, "shape = None; must be integers"),
    ({"shape": "ab"}, TypeError, r"shape\[0\] = 'a'; must be an integer"),
    ({"shape": ()}, ValueError, r"shape = \(\); must have 2 or 3 axes"),
    ({"shape": (5,)}, ValueError, r"shape = \(5,\); must have 2 or 3 axes"),
    ({"shape": (1, 2, 3, 4)}, ValueError, r"shape = \(1, 2, 3, 4\); must have 2 or 3 axes"),
    ({"points": [(0.5, 1)], "outputs": "offset"}, ValueError, "offset is wanted; it exists only"),
    ({"points": [(0.5, 1)], "outputs": "squared"}, ValueError, "squared is wanted; it exists only"),
    ({"points": [(0.5, 1)], "spacing": 5e-324}, ValueError, r"spacing\[0\] = 5e-324; too small"),
    ({"threads": 0}, ValueError, "threads = 0"),
    ({"nodata": 0}, TypeError, "unexpected keyword argument 'nodata'"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "error", "message"), POINT_CASES, ids=[str(c[0])[:40] for c in POINT_CASES]
)
def test_points(arguments, error, message):
    with pytest.raises(error) as caught:
        thiessen.voronoi(**{"points": POINTS, "shape": (4, 5), **arguments})
    check_message(caught.value, message)


OTHER_CASES = [
    (lambda: thiessen.distance_transform(SITES, distance_to="edge"), ValueError, "to = 'edge'; must be"),
    (lambda: thiessen.distance_transform(SITES, distance_to=None), ValueError, "to = None; must be"),
    (lambda: thiessen.distance_transform(SITES, distance_to="boundary", signed_distance=True), ValueError, "signed_distance = True; must"),
    (lambda: thiessen.expand_labels(SITES, -1), ValueError, "distance = -1; must be >= 0"),
    (lambda: thiessen.expand_labels(SITES, math.nan), ValueError, "distance = nan; must be >= 0"),
    (lambda: thiessen.expand_labels(SITES, "1"), TypeError, "distance = '1'; must be a number"),
    (lambda: thiessen.expand_labels(SITES > 0, 1, out=zeros("i4")), TypeError, "must be uint8|bool"),
    (lambda: thiessen.connected_components(SITES, connectivity=6), ValueError, "connectivity = 6; must be 4 or 8"),
    (lambda: thiessen.connected_components(SITES, connectivity="8"), TypeError, "connectivity = '8'; must be an"),
    (lambda: thiessen.connected_components(SITES, out=[1]), TypeError, "out is a list; must be a"),
    (lambda: thiessen.connected_components(SITES, out=frozen("i4")), ValueError, "out is read-only"),
    (lambda: thiessen.connected_components(SITES, out=zeros("f4")), TypeError, "out has the dtype fl"),
    (lambda: thiessen.connected_components(SITES, out=zeros("i4", (5, 4))), ValueError, "out has the"),
    (lambda: thiessen.connected_components(SITES, out=zeros(">i4")), ValueError, "out is not aligned"),
    (lambda: thiessen.connected_components(SITES, out=SITES), ValueError, "overlaps the image"),
    (lambda: thiessen.random_sites((3, 3), 10), ValueError, "count = 10; must be 0 to the number of"),
    (lambda: thiessen.random_sites((3, 3), -1), ValueError, "count = -1; must be 0 to"),
    (lambda: thiessen.random_sites((3, 3), 2**70), ValueError, "count = .*; must be 0 to"),
    (lambda: thiessen.random_sites((3, 3), 1.0), TypeError, "count = 1.0; must be an integer"),
    (lambda: thiessen.random_sites((3, 3), 1, seed=-1), ValueError, "seed = -1; must be 0 to"),
    (lambda: thiessen.random_sites((3, 3), 1, seed=2**64), ValueError, "seed = 18446744073709551616; must"),
    (lambda: thiessen.random_sites((3, 3), 1, seed="s"), TypeError, "seed = 's'; must be an integer"),
    (lambda: thiessen.random_sites((3,), 1), ValueError, "1 axes; must have 2 or 3"),
    (lambda: thiessen.random_sites(3, 1), TypeError, "shape = 3; must be integers"),
    (lambda: thiessen.compare(SITES, SITES[:2]), ValueError, "a.labels has the shape"),
    (lambda: thiessen.compare(SITES, SITES.astype("f4")), ValueError, "a has labels and b has dist"),
    (lambda: thiessen.compare(SITES, SITES.astype("i8")), TypeError, "b.labels int64; must be equal"),
    (lambda: thiessen.compare(np.array(5), np.array(5)), ValueError, "a.labels has 0 axes; must"),
    (lambda: thiessen.compare(np.zeros(5), np.zeros(5)), ValueError, "a.distance has 1 axes; must"),
    (lambda: thiessen.compare(np.zeros((1,) * 5), np.zeros((1,) * 5)), ValueError,
     "a.distance has 5 axes; must"),
    (lambda: thiessen.compare(SITES, SITES, tolerance=-1), ValueError, "tolerance = -1; must be >= 0"),
    (lambda: thiessen.compare(SITES, SITES, metric="x"), ValueError, "metric = 'x'; must be"),
    (lambda: thiessen.compare(None, SITES), TypeError, "a is a NoneType; must be an array"),
    (lambda: thiessen.compare({}, {}), ValueError, "a and b have none of labels"),
    (lambda: thiessen.compare({"distance": SITES}, {"distance": SITES}), ValueError,
     "a.distance is int32; must be float32 or float64"),
    (lambda: thiessen.compare({"site_index": SITES}, {"site_index": SITES}), TypeError,
     "a.site_index is of the type int32; must be int64"),
    (lambda: thiessen.compare({"site_index": 99 + zeros("i8")}, {"site_index": zeros("i8")},
                              metric="euclidean"), ValueError, "a.site_index = 99; must be the index"),
    (lambda: thiessen.render(), ValueError, "labels, distance and sites are None"),
    (lambda: thiessen.render(zeros("u1", (2, 2, 2))), ValueError, "3 axes; a picture must have 2"),
    (lambda: thiessen.render(SITES, background="#12"), ValueError, "background = '#12'; must be"),
    (lambda: thiessen.render(SITES, background=(1, 2, 300)), ValueError, "background = .*; must be"),
    (lambda: thiessen.render(SITES, mode="x"), ValueError, "mode = 'x'; must be one of"),
    (lambda: thiessen.render(SITES, mode="\ud800"), ValueError, "mode = .*; must be"),
    (lambda: thiessen.render(SITES, range=5), TypeError, "range = 5; must be two numbers"),
    (lambda: thiessen.render(SITES, shape=(-1, 2)), ValueError, r"shape\[0\] = -1; must be"),
    (lambda: thiessen.render(SITES, edges=1), TypeError, "edges = 1; must be True or False"),
    (lambda: thiessen.material_map((2, 2), "noise", dtype=True), ValueError, "dtype = True; must be"),
    (lambda: thiessen.farthest_cost_sites(1, stiffness=MAP, distance_type="f2"), ValueError, "distance_type = 'f2'; must be"),
    (lambda: thiessen.voronoi_polygons([], (0, 5)), ValueError, r"shape\[0\] = 0; must be 1 to"),
    (lambda: thiessen.render(SITES, out=zeros("u1")), ValueError, r"out has the shape \(4, 5\); must"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), OTHER_CASES, ids=range(len(OTHER_CASES)))
def test_other_functions(call, error, message):
    with pytest.raises(error) as caught:
        call()
    check_message(caught.value, message)


MAP = np.ones((4, 5), np.float32)


@pytest.mark.parametrize("true", [True, np.True_, np.array(True)], ids=repr)
def test_true_is_no_number(true):
    for name in ("spacing", "max_distance", "nodata", "unreached", "k", "components", "threads"):
        with pytest.raises(TypeError, match=rf"{name} = .*True.*; must be an? (number|integer)"):
            thiessen.nearest_site(SITES, **{name: true})
    for call in (
        lambda: thiessen.nearest_site(SITES, spacing=[1, true]),
        lambda: thiessen.nearest_site(SITES[None], batch_axes=true),
        lambda: thiessen.expand_labels(SITES, true),
        lambda: thiessen.voronoi(POINTS, (4, true)),
        lambda: thiessen.connected_components(SITES, connectivity=true),
        lambda: thiessen.random_sites((3, 3), true),
        lambda: thiessen.random_sites((3, 3), 1, seed=true),
        lambda: thiessen.material_map((3, 3), "noise", seed=true),
        lambda: thiessen.contour_lines(MAP, levels=[true]),
        lambda: thiessen.cost_distance(SITES, stiffness=MAP, map_nodata=true),
        lambda: thiessen.CostSolver(SITES, stiffness=MAP).update_box((true, 0), MAP[:1, :1]),
        lambda: thiessen.NearestSiteSolver(SITES).update_box((0.5, 0), SITES[:1, :1]),
        lambda: thiessen.metrics.surface_distances(SITES, SITES, tolerance=true),
        lambda: thiessen.render(SITES, shade=true),
    ):
        with pytest.raises(TypeError, match="must be (an integer|a number|integers)"):
            call()


def test_what_looks_odd_but_is_right():
    class Three(enum.IntEnum):
        LABEL = 3

    class Half(float):
        pass

    result = thiessen.nearest_site(
        SITES, nodata=Three.LABEL, spacing=Half(1), values=range(4), threads=np.uint8(1),
        periodic=np.array([True, False]), progress=False, outputs=iter(["labels"]),
    )  # fmt: skip
    np.testing.assert_array_equal(result.labels, SITES)
    thiessen.nearest_site(SITES, spacing=1e308)
    thiessen.nearest_site(SITES, spacing=(1e-300, 1e-300))
    thiessen.nearest_site(SITES, max_distance=2**63)
    thiessen.nearest_site(SITES, max_distance=math.inf)


def test_what_arguments_raise_is_raised():
    def broken():
        yield 1
        raise LookupError("no more values")

    with pytest.raises(LookupError, match="no more values"):
        thiessen.nearest_site(SITES, values=broken())
    with pytest.raises(LookupError, match="no more values"):
        thiessen.nearest_site(SITES, spacing=broken())
