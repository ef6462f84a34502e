# SPDX-License-Identifier: Apache-2.0
"""One verb, whatever the kind of array: who does a call, what a kind refuses, and what comes back."""

from __future__ import annotations

import numpy as np
import pytest
import thiessen
from thiessen import _kinds
from thiessen._arguments.options import Options

SITES = np.array([[7, 0, 0, 0], [0, 0, 0, 9]], np.uint8)


def dask_array(cells=SITES):
    return pytest.importorskip("dask.array").from_array(cells, chunks=(1, 4))


@pytest.mark.parametrize(
    ("make", "options", "kind"),
    [
        (lambda: SITES, {}, "memory"),
        (lambda: SITES, {"out": (None, None)}, "memory"),
        (lambda: [[1, 0]], {}, "memory"),
        (dask_array, {}, "dask"),
        (lambda: "sites.tif", {}, "files"),
        (lambda: SITES, {"slab_rows": 1}, "files"),
        (lambda: SITES, {"out": {"labels": "labels.npy"}}, "files"),
    ],
)
def test_the_kind_of_a_call(make, options, kind):
    assert _kinds.kind_of([make()], Options(options)) == kind


@pytest.mark.parametrize(
    ("make", "options", "words"),
    [
        (
            lambda: SITES,
            {"keep_sites": True},
            "keep_sites = True; must be False for arrays in memory",
        ),
        (dask_array, {"k": 2}, "k = 2; must be None for arrays of Dask"),
        (dask_array, {"device": "cuda"}, "device = 'cuda'; must be None for arrays of Dask"),
        (lambda: SITES, {"k": 2}, "k = 2; must be None for files"),
        (lambda: SITES, {"batch_axes": 1}, "batch_axes = 1; must be None for files"),
        (
            lambda: SITES,
            {"outputs": "distance"},
            "out has the names .*; must have those of outputs",
        ),
    ],
)
def test_what_a_kind_does_not_take(make, options, words, tmp_path):
    if "for files" in words or "those of outputs" in words:
        options = {**options, "out": {"labels": tmp_path / "labels.npy"}}
    with pytest.raises(ValueError, match=words):
        thiessen.nearest_site(make(), **options)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: thiessen.nearest_site(SITES, metrc="manhattan"),
            TypeError,
            "did you mean 'metric'",
        ),
        (lambda: thiessen.voronoi([(0, 1)], (3, 4), labels=[1]), TypeError, "mean 'point_labels'"),
        (lambda: thiessen.CostSolver(SITES, cst=SITES), TypeError, "did you mean 'cost'"),
        (
            lambda: thiessen.distance_transform(SITES, distance_to="site"),
            ValueError,
            "mean 'sites'",
        ),
        (
            lambda: thiessen.nearest_site(SITES, outputs="label"),
            ValueError,
            "did you mean 'labels'",
        ),
    ],
)
def test_what_was_meant(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_paths_give_opened_files(tmp_path):
    np.save(tmp_path / "sites.npy", SITES)
    out = {name: tmp_path / f"{name}.npy" for name in ("distance", "labels")}
    found = thiessen.nearest_site(
        str(tmp_path / "sites.npy"), outputs=("labels", "distance"), out=out, memory="1 GB"
    )
    wanted = thiessen.nearest_site(SITES)
    assert found._fields == wanted._fields
    for opened, array in zip(found, wanted):
        assert isinstance(opened, np.memmap)
        np.testing.assert_array_equal(opened, array)
    points = thiessen.voronoi([(0, 1)], (3, 4), out={"labels": tmp_path / "points.npy"})
    np.testing.assert_array_equal(points.labels, np.ones((3, 4)))


def test_geotiffs_are_read_as_they_are_asked_for(tmp_path):
    pytest.importorskip("rasterio")
    sites = thiessen.random_sites((40, 30), 9, seed=2)
    out = {name: tmp_path / f"{name}.tif" for name in ("labels", "offset")}
    found = thiessen.nearest_site(sites, out=out)
    wanted = thiessen.nearest_site(sites, outputs=("labels", "offset"))
    for name, key in (
        ("labels", np.s_[3:7]),
        ("labels", np.s_[5, 2:9]),
        ("labels", np.s_[-4:, ::2]),
        ("labels", np.s_[...]),
        ("offset", np.s_[1]),
        ("offset", np.s_[:, 3:5, 7]),
    ):
        opened, array = getattr(found, name), getattr(wanted, name)
        assert (opened.shape, opened.dtype) == (array.shape, array.dtype)
        np.testing.assert_array_equal(opened[key], array[key])
        np.testing.assert_array_equal(np.asarray(opened), array)


def test_distances_to_zeros():
    scipy = pytest.importorskip("scipy.ndimage")
    for cells in (SITES, SITES != 0, np.ma.masked_equal(SITES, 200)):
        found = thiessen.distance_transform(cells, distance_to="zeros", distance_type="float64")
        np.testing.assert_array_equal(found, scipy.distance_transform_edt(np.asarray(cells)))
    with pytest.raises(ValueError, match="values is given; must not be with distance_to='zeros'"):
        thiessen.distance_transform(SITES, distance_to="zeros", values=3)
