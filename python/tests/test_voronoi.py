# SPDX-License-Identifier: Apache-2.0
"""voronoi() against the oracle."""

from __future__ import annotations

import numpy as np
import oracle
import pytest
import thiessen

NAMES = ("labels", "distance", "squared", "site_index", "offset", "direction")
POINTS = np.array([(0.5, 0.25), (3, 4), (3, 4), (-2.75, 9), (6.5, 1 / 3), (2, 2.00001)])


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chessboard"])
@pytest.mark.parametrize("options", [{}, {"max_distance": 2.5, "unreached": -7}, {"spacing": (2, 4)},
                                     {"method": "brute-force"}], ids=str)  # fmt: skip
def test_points(metric, options):
    names = ("labels", "distance", "site_index", "direction")
    result = thiessen.voronoi(
        POINTS, (6, 7), outputs=names, metric=metric, distance_type="float64", **options
    )
    options = {name: value for name, value in options.items() if name != "method"}
    oracle.assert_equal(result, oracle.voronoi(POINTS, (6, 7), metric=metric, **options))
    assert result.labels.dtype == np.int32


@pytest.mark.parametrize("dtype", ["f4", "f8", ">f8", "i4", "u1", ">i2", "f2", "bool", "g"])
def test_dtypes_and_layouts_of_points(dtype):
    points = np.array([(1, 0), (0, 1), (1, 1), (0, 1)]).astype(dtype)
    wanted = oracle.voronoi(points.astype(float), (3, 4))
    for array in (points, np.asfortranarray(points), points[::-1].copy()[::-1], points.tolist()):
        result = thiessen.voronoi(array, (3, 4), outputs=NAMES, distance_type="float64")
        oracle.assert_equal(result, wanted)


@pytest.mark.parametrize("dtype", ["u1", "i2", "u8", "i8", "f4", "f8", ">i4", ">f8", "f2", "g"])
def test_labels_of_points(dtype):
    labels = np.array([7, 3, 9, 1, 0, 5]).astype(dtype)
    for array in (labels, labels[::-1].copy()[::-1], np.repeat(labels, 3)[::3]):
        result = thiessen.voronoi(POINTS, (5, 5), point_labels=array, outputs="labels")
        assert result.labels.dtype == labels.dtype.newbyteorder("=")
        oracle.assert_equal(result, oracle.voronoi(POINTS, (5, 5), labels))
    record = np.zeros(6, [("pad", "u1"), ("label", dtype)])
    record["label"] = labels
    oracle.assert_equal(
        thiessen.voronoi(POINTS, (5, 5), point_labels=record["label"], outputs="labels"),
        oracle.voronoi(POINTS, (5, 5), labels),
    )


def test_points_in_3d_and_on_a_torus():
    points = np.random.default_rng(0).integers(-3, 8, (9, 3))
    for periodic in (None, True, (True, False, True)):
        oracle.assert_equal(
            thiessen.voronoi(points, (3, 4, 5), periodic=periodic, outputs=NAMES[:-1], distance_type="float64"),
            oracle.voronoi(points, (3, 4, 5), periodic=periodic),
        )  # fmt: skip


@pytest.mark.parametrize("points", [[], np.empty((0, 2)), np.empty((0, 2), int), ()])
def test_no_points(points):
    result = thiessen.voronoi(points, (3, 4), outputs=NAMES, unreached=5)
    oracle.assert_equal(result, oracle.voronoi([], (3, 4), unreached=5))
    assert thiessen.voronoi(points, (0, 4)).labels.shape == (0, 4)
