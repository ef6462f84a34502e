# SPDX-License-Identifier: Apache-2.0
"""The outputs of another label, by their definition: a call without the sites of each label."""

from __future__ import annotations

import numpy as np
import pytest
import thiessen

NAMES = ("other_labels", "other_distance", "other_site_index")
PLAIN = ("labels", "distance", "site_index")


def of_another_label(labels, found, without):
    """From each call `without(label)` the cells that have the label."""
    expected = [np.zeros_like(array) for array in found]
    expected[1][...] = np.inf
    expected[2][...] = -1
    for label in np.unique(labels[labels != 0]):
        answer = without(label)
        at = found.labels == label
        for array, own in zip(expected, answer):
            array[at] = own[at]
    return expected


def assert_same(result, expected):
    for name, array, wanted in zip(NAMES, result, expected):
        np.testing.assert_array_equal(array, wanted, err_msg=name)
        assert array.dtype == wanted.dtype


@pytest.mark.parametrize("options", [{}, {"metric": "chessboard", "periodic": True},
                                     {"spacing": (1, 3), "max_distance": 4}], ids=str)  # fmt: skip
def test_raster(options):
    rng = np.random.default_rng(0)
    sites = np.where(rng.random((20, 30)) < 0.1, rng.integers(1, 6, (20, 30)), 0).astype("i2")
    found = thiessen.nearest_site(sites, outputs=PLAIN, **options)
    expected = of_another_label(
        sites,
        found,
        lambda label: thiessen.nearest_site(
            np.where(sites == label, 0, sites), outputs=PLAIN, **options
        ),
    )
    assert_same(thiessen.nearest_site(sites, outputs=NAMES, **options), expected)


def test_points():
    points = np.random.default_rng(1).random((30, 2)) * 16
    found = thiessen.voronoi(points, (16, 16), outputs=(*PLAIN, *NAMES))
    expected = np.argsort(
        np.hypot(*(np.indices((16, 16))[:, None] - points.T[:, :, None, None])), axis=0
    )
    np.testing.assert_array_equal(found.other_site_index, expected[1])
    np.testing.assert_array_equal(found.other_labels, expected[1] + 1)
    assert (found.other_distance >= found.distance).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_costs(dtype):
    rng = np.random.default_rng(2)
    cost = rng.random((20, 30))
    sites = np.where(rng.random((20, 30)) < 0.05, rng.integers(1, 6, (20, 30)), 0)

    def call(sites, outputs):
        return thiessen.cost_distance(sites, cost=cost, distance_type=dtype, outputs=outputs)

    expected = of_another_label(
        sites, call(sites, PLAIN), lambda label: call(np.where(sites == label, 0, sites), PLAIN)
    )
    assert_same(call(sites, NAMES), expected)


def test_masked_and_labelled_arrays():
    xarray = pytest.importorskip("xarray")
    cells = np.array([[1, 0, 0, 2]], dtype="u1")
    masked = np.ma.MaskedArray(cells, [[False, True, False, False]])
    found = thiessen.nearest_site(masked, outputs=NAMES)
    np.testing.assert_array_equal(found.other_labels.compressed(), [2, 1, 1])
    assert found.other_distance.mask.tolist() == [[False, True, False, False]]
    frame = xarray.DataArray(cells, coords={"y": [0.0], "x": [0.0, 2.0, 4.0, 6.0]}, dims=("y", "x"))
    found = thiessen.nearest_site(frame, outputs=NAMES)
    assert found.other_distance.values.tolist() == [[6, 4, 4, 6]]
    assert (
        found.other_distance.attrs["long_name"] == "distance to the nearest site of another label"
    )
    out = np.empty((1, 4), "u1")
    assert thiessen.nearest_site(cells, outputs="other_labels", out=out).other_labels is out
    assert out.tolist() == [[2, 2, 1, 1]]


def test_where_there_are_none():
    cells = np.array([[1, 0, 0, 2]], dtype="u1")
    with pytest.raises(RuntimeError, match="outputs of another label are wanted"):
        thiessen.nearest_site(cells, method="jfa", outputs="other_labels")
    with pytest.raises(ValueError, match="signed_distance = True; must be False"):
        thiessen.nearest_site(cells, signed_distance=True, outputs="other_labels")
    with pytest.raises(ValueError, match="of another label are wanted"):
        thiessen.CostSolver(cells, stiffness=np.ones((1, 4)), outputs="other_labels")
