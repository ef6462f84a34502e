# SPDX-License-Identifier: Apache-2.0
"""The k nearest and ties: what calls return and refuse; `test_oracle` has their cells."""

from __future__ import annotations

import numpy as np
import pytest
import thiessen


def draw(seed=0, labels=6, shape=(20, 30), density=0.1):
    rng = np.random.default_rng(seed)
    return np.where(rng.random(shape) < density, rng.integers(1, labels + 1, shape), 0).astype("i2")


def test_where_there_are_fewer():
    found = thiessen.nearest_site(np.array([[7, 0, 0]]), k=2, max_distance=1, unreached=-1)
    np.testing.assert_array_equal(found.labels, [[[7, 7, -1]], [[-1, -1, -1]]])
    np.testing.assert_array_equal(found.distance[0], [[0, 1, np.inf]])


def test_out_and_masks():
    sites = draw()
    out = np.zeros((2, *sites.shape), "i8")
    given = thiessen.nearest_site(sites, k=2, outputs="site_index", out=out)
    assert given.site_index is out
    masked = np.ma.masked_array(sites, np.zeros(sites.shape, bool), fill_value=-5)
    masked[3, 4] = np.ma.masked
    labels = thiessen.nearest_site(masked, k=2, outputs="labels").labels
    assert labels.shape == (2, *sites.shape)
    assert labels.mask[:, 3, 4].all() and labels.mask.sum() == 2
    ties = thiessen.nearest_site(masked, outputs="ties").ties
    assert ties.mask.sum() == 1


def test_data_arrays():
    xarray = pytest.importorskip("xarray")
    array = xarray.DataArray(draw(), dims=("y", "x"), coords={"x": np.arange(30) * 2.0})
    found = thiessen.nearest_site(array, k=2)
    assert found.distance.dims == ("k", "y", "x")
    ties = thiessen.nearest_site(array, outputs="ties").ties
    assert (
        ties.attrs["long_name"]
        == "number of labels that have a site at the least distance, up to 255"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 0}, "k = 0; must be 1 to 1024"),
        ({"k": 1025}, "k = 1025; must be 1 to 1024"),
        ({"k": 2.5}, "k = 2.5; must be an integer"),
        ({"distinct_labels": True}, "distinct_labels is given; needs k"),
        ({"k": 2, "outputs": "offset"}, "k = 2 and offset are given; the k nearest have"),
        ({"k": 2, "outputs": "ties"}, "k = 2 and ties are given; the k nearest have"),
        (
            {"k": 2, "signed_distance": True},
            "signed_distance = True; must be False where the k nearest are wanted",
        ),
        ({"k": 2, "method": "brute-force"}, "the k nearest are wanted, which only exact on cpu has"),
        ({"outputs": "ties", "metric": "octagonal"}, "has the metrics euclidean, manhattan and"),
    ],
)  # fmt: skip
def test_bad_input(arguments, message):
    with pytest.raises((TypeError, ValueError, RuntimeError), match=message.replace(".", r"\.")):
        thiessen.nearest_site(np.eye(3, dtype="i4"), **arguments)


def test_batches_have_no_k():
    with pytest.raises(ValueError, match="k = 2; of a batch there is the nearest site alone"):
        thiessen.nearest_site(np.ones((2, 3, 3)), batch_axes=0, k=2)
    ties = thiessen.nearest_site(
        np.array([[[1, 0, 2]], [[1, 0, 1]]]), batch_axes=0, outputs="ties"
    ).ties
    np.testing.assert_array_equal(ties, [[[1, 2, 1]], [[1, 1, 1]]])


def test_by_cost_they_are_those_of_calls_with_one_site():
    rng = np.random.default_rng(8)
    cost = rng.integers(1, 4, (9, 12)).astype(np.float32)
    points = np.stack([rng.permutation(9)[:7], rng.integers(0, 12, 7)], 1)
    alone = np.stack(
        [thiessen.cost_distance(points=[each], cost=cost, outputs="distance")[0] for each in points]
    )
    order = np.argsort(alone, axis=0, kind="stable")[:3]
    found = thiessen.cost_distance(
        points=points, cost=cost, k=3, outputs=("labels", "distance", "site_index")
    )
    assert np.array_equal(found.site_index, order)
    assert np.array_equal(found.labels, order + 1)
    assert np.array_equal(found.distance, np.take_along_axis(alone, order, 0))


def test_by_cost_masked_cells_are_masked_at_each_place():
    cost = np.ma.masked_equal(np.array([[1, 9, 1]], np.float32), 9)
    found = thiessen.cost_distance(points=[(0, 0)], cost=cost, k=2)
    assert found.distance.mask.tolist() == [[[False, True, False]]] * 2
    assert found.distance[1, 0, 0] == np.inf
