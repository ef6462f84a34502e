# SPDX-License-Identifier: Apache-2.0
"""Limits are inclusive as they are typed, wherever distances are compared with one."""

import itertools

import dask.array as da
import numpy as np
import oracle
import pytest
import thiessen
import xarray as xr
from thiessen import metrics
from thiessen.compat import skimage as compat

# Decimals, their float64 products and quotients being others than what is written.
SPACINGS = [
    0.1,
    (0.3, 0.1),
    (0.35, 0.1),
    (2.8, 0.5),
    (1.2, 0.4),
    (0.7, 0.1),
    (0.007, 0.003),
    (30, 10),
]


def labelled(*shape: int) -> np.ndarray:
    sites = np.zeros(shape, np.uint8)
    sites.flat[0] = 7
    return sites


def test_the_next_row_is_within_its_own_length():
    sites = labelled(2, 2)
    for p, q in itertools.product(range(1, 60), repeat=2):
        options = {"spacing": (p / 10, q / 10), "max_distance": p / 10}
        assert thiessen.nearest_site(sites, **options).labels[1, 0] == 7, options


def test_cells_are_within_their_multiple():
    sites = labelled(1, 80)
    for hundredths, cells in itertools.product(range(1, 100), (1, 3, 6, 7, 57)):
        reach = hundredths * cells / 100
        grown = thiessen.expand_labels(sites, reach, spacing=hundredths / 100)
        assert np.flatnonzero(grown[0]).tolist() == list(range(cells + 1)), (hundredths, cells)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chessboard"])
@pytest.mark.parametrize("spacing", SPACINGS, ids=str)
def test_distances_and_limits_are_the_oracle_s(spacing, metric):
    rng = np.random.default_rng(3)
    sites = (rng.random((9, 11)) < 0.03).astype(np.uint8)
    points = rng.integers(0, 80, (4, 2)) / 8
    options = {"spacing": spacing, "metric": metric}
    wanted = oracle.nearest_site(sites, **options)["distance"]
    for limit in np.unique(wanted[np.isfinite(wanted)]).tolist():
        for within in (limit, np.nextafter(limit, 0)):
            options["max_distance"] = within
            found = thiessen.nearest_site(
                sites, outputs=("distance", "site_index"), distance_type="float64", **options
            )
            oracle.assert_equal(found, oracle.nearest_site(sites, **options))
    found = thiessen.voronoi(
        points, (9, 11), outputs=("distance", "site_index"), distance_type="float64", **options
    )
    oracle.assert_equal(found, oracle.voronoi(points, (9, 11), **options))


def test_points_on_cells_have_the_distances_of_the_raster():
    sites = labelled(40, 30)
    for spacing in [0.001, (0.325, 0.007), 1e-7, (1e5, 3.0), *SPACINGS]:
        of_raster = thiessen.nearest_site(sites, spacing=spacing, distance_type="float64")
        of_points = thiessen.voronoi(
            [(0, 0), (80.5, 80)], sites.shape, spacing=spacing, distance_type="float64"
        )
        np.testing.assert_array_equal(of_raster.distance, of_points.distance)


def test_a_root_is_the_root():
    cube = labelled(2, 2, 2)
    assert thiessen.expand_labels(cube, np.sqrt(3)).all()
    assert not thiessen.expand_labels(cube, np.nextafter(np.sqrt(3), 0)).all()


@pytest.mark.parametrize("number", [np.float32, np.float16, lambda value: np.array(value, "f4")])
def test_narrow_types_are_read_as_written(number):
    sites = labelled(1, 6)
    for grown in (
        thiessen.expand_labels(sites, 0.3, spacing=number(0.1)),
        thiessen.expand_labels(sites, number(0.3), spacing=0.1),
        thiessen.nearest_site(
            sites, max_distance=number(0.3), spacing=[number(1), number(0.1)]
        ).labels,
        compat.expand_labels(sites, number(0.3), spacing=number(0.1)),
    ):
        assert np.flatnonzero(grown[0]).tolist() == [0, 1, 2, 3]
    axis = np.arange(6, dtype=np.float32) * np.float32(0.1)
    named = xr.DataArray(sites[0:1].repeat(2, 0), dims=("y", "x"), coords={"x": axis})
    assert np.flatnonzero(thiessen.expand_labels(named, 0.3)[0]).tolist() == [0, 1, 2, 3]


def test_costs_are_floats():
    for dtype in (np.float32, np.float64):
        found = thiessen.cost_distance(
            labelled(1, 6), cost=np.full((1, 6), 0.1, dtype), distance_type=np.dtype(dtype).name
        ).distance
        limited = thiessen.cost_distance(
            labelled(1, 6),
            cost=np.full((1, 6), 0.1, dtype),
            distance_type=np.dtype(dtype).name,
            max_distance=found[0, 3],
        ).labels
        assert np.flatnonzero(limited[0]).tolist() == [0, 1, 2, 3]


def test_lazily_and_by_points():
    sites = labelled(8, 8)
    for spacing, limit in [((0.3, 0.1), 0.3), (0.1, 0.7), ((0.35, 0.7), 0.7)]:
        options = {"spacing": spacing, "max_distance": limit}
        wanted = thiessen.nearest_site(sites, **options)
        lazy = thiessen.nearest_site(da.from_array(sites, chunks=2), **options)
        points = thiessen.voronoi([(0, 0)], sites.shape, **options)
        np.testing.assert_array_equal(lazy.distance.compute(), wanted.distance)
        np.testing.assert_array_equal(points.distance, wanted.distance)
        rows = round(limit / np.broadcast_to(spacing, 2)[0])
        assert np.flatnonzero(wanted.labels[:, 0]).tolist() == list(range(rows + 1))


@pytest.mark.parametrize("spacing", [(0.3, 0.1), (1.2, 0.4), (0.7, 0.1), (3, 1)], ids=str)
def test_tolerance_of_surfaces(spacing):
    mask = np.zeros((12, 20, 20), np.uint8)
    mask[3:8, 5:15, 5:15] = 1
    for number in (float, np.float32):
        measured = metrics.surface_distances(
            mask, np.roll(mask, 1, 0), spacing=spacing + spacing[1:], tolerance=number(spacing[0])
        )
        assert measured.normalised[0] == 1


def test_farthest_sites_within():
    counts = {
        len(thiessen.farthest_sites((4, 8), max_distance=within, spacing=spacing).cells)
        for within, spacing in [(0.9, (0.3, 0.1)), (9, (3, 1)), (np.float32(0.9), (0.3, 0.1))]
    }
    assert len(counts) == 1


def test_more_axes_than_three():
    sites = np.zeros((2, 2, 2, 4), np.uint8)
    sites.flat[0] = 1
    grown = compat.expand_labels(sites, 0.3, spacing=0.1)
    assert grown[0, 0, 0].all() and not grown[1, 1, 1, 3]
