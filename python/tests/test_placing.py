# SPDX-License-Identifier: Apache-2.0
"""Sites are placed as loops of NumPy over the public calls place them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import thiessen
from hypothesis import given, settings
from hypothesis import strategies as st

SHAPES = st.one_of(
    st.tuples(st.integers(1, 14), st.integers(1, 14)),
    st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(1, 5)),
)


def draw(seed: int, shape: tuple[int, ...], count: int) -> tuple[np.ndarray, np.ndarray]:
    """Points, and densities that are small integers."""
    random = np.random.default_rng(seed)
    points = np.rint(random.random((count, len(shape))) * (np.array(shape) - 1) * 65536) / 65536
    return points, random.integers(0, 4, shape).astype(np.uint8)


def energy_of(labels: np.ndarray, points: np.ndarray, density: np.ndarray, spacing: Any) -> float:
    ways = (np.stack(np.indices(labels.shape), -1) - points[labels - 1]) * spacing
    squares = np.zeros(labels.shape)
    for axis in range(labels.ndim):
        squares += ways[..., axis] ** 2
    return math.fsum((density * squares).ravel())


@settings(deadline=None)
@given(SHAPES, st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_points_move_to_mass_centroids(shape: tuple[int, ...], count: int, seed: int) -> None:
    points, density = draw(seed, shape, count)
    how: Any = {"spacing": [0.5, 2.0, 1.0][: len(shape)]}
    spacing = how["spacing"]
    if seed % 2:
        how["weighting"] = ("power", "additive", "multiplicative")[seed % 3]
        how["weights"] = 1 + np.arange(count) % 3
    relaxed = thiessen.relax_sites(points, shape, density=density, steps=1, **how)
    labels = thiessen.voronoi(points, shape, outputs="labels", **how).labels
    assert relaxed.energy[0] == energy_of(labels, points, density, spacing)
    found = thiessen.site_statistics(labels, field=density)
    assert found.mass_centroid is not None
    moved = points.copy()
    for label, mass, centroid in zip(found.labels, found.mass, found.mass_centroid):
        if mass > 0:
            moved[label - 1] = np.rint(centroid * 65536) / 65536
    np.testing.assert_array_equal(relaxed.sites, moved)
    ways = np.sqrt((((moved - points) * spacing) ** 2).sum(axis=1))
    assert relaxed.farthest_move[0] == pytest.approx(ways.max(), rel=1e-14)


@settings(deadline=None)
@given(SHAPES, st.integers(0, 2**32 - 1))
def test_farthest_cells_are_those_of_a_loop(shape: tuple[int, ...], seed: int) -> None:
    points, density = draw(seed, shape, 2)
    found = thiessen.farthest_sites(shape, 5, points=points, density=density)
    for cell, distance in zip(found.cells, found.distance):
        far = thiessen.voronoi(points, shape, outputs="distance", distance_type="float64").distance
        keys = density * far
        assert keys.max() == distance
        assert np.argmax(keys) == cell
        points = np.vstack([points, np.unravel_index(cell, shape)])
    far = thiessen.voronoi(points, shape, outputs="distance", distance_type="float64").distance
    assert found.radius == (density * far).max()


def test_a_cover_ends_where_every_cell_is_near() -> None:
    found = thiessen.farthest_sites((60, 80), max_distance=7)
    assert found.radius <= 7
    assert (found.distance > 7).all()
    near = np.zeros((60, 80), bool)
    near.flat[found.cells] = True
    assert thiessen.distance_transform(near, distance_type="float64").max() == found.radius


def test_sites_by_cost_stay_on_their_side_of_a_wall() -> None:
    plate = np.ones((21, 31))
    plate[:, 15] = 0
    found = thiessen.farthest_cost_sites(6, stiffness=plate)
    relaxed = thiessen.relax_cost_sites(found.cells, stiffness=plate, steps=30)
    assert relaxed.end == "settled"
    assert relaxed.sites.dtype == np.int64
    sides = [np.sign(cells % 31 - 15) for cells in (found.cells, relaxed.sites)]
    np.testing.assert_array_equal(*sides)
    assert len(set(relaxed.sites)) == 6


def test_results_do_not_depend_on_threads() -> None:
    points, density = draw(5, (300, 200), 40)
    runs = [
        thiessen.relax_sites(points, (300, 200), density=density, threads=threads)
        for threads in (1, 3)
    ]
    for one, other in zip(*runs):
        np.testing.assert_array_equal(one, other)


def test_inputs_stay_as_they_are() -> None:
    points, density = draw(5, (30, 20), 4)
    before = points.copy()
    thiessen.relax_sites(points, (30, 20), density=density)
    np.testing.assert_array_equal(points, before)


def test_a_torus_is_relaxed_across_its_seam() -> None:
    points = np.array([(0.0, 0.0), (3.0, 4.0), (9.5, 8.0)])
    relaxed = thiessen.relax_sites(points, (10, 12), periodic=True, steps=200)
    shifted = thiessen.relax_sites(points + (4, 7), (10, 12), periodic=True, steps=200)
    assert relaxed.end == shifted.end == "settled"
    assert (relaxed.sites >= 0).all() and (relaxed.sites < (10, 12)).all()
    assert relaxed.energy[0] == shifted.energy[0]
    far = thiessen.farthest_sites((10, 12), 2, periodic=(False, True))
    np.testing.assert_array_equal(far.cells, [0, 9 * 12 + 6])


def test_no_points() -> None:
    relaxed = thiessen.relax_sites(np.empty((0, 2)), (4, 4))
    assert relaxed.sites.shape == (0, 2)
    assert relaxed.energy[0] == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: thiessen.relax_sites([(0, 0)], (3, 3), steps=-1), "steps = -1; must be >= 0"),
        (lambda: thiessen.relax_sites([(0, 0)], (3,)), r"shape = \(3,\); must have 2 or 3 axes"),
        (
            lambda: thiessen.relax_sites([(0, 0)], (3, 3), density=-np.ones((3, 3))),
            r"density\[0, 0\] = -1; must be finite and >= 0",
        ),
        (
            lambda: thiessen.relax_sites([(0, 0)], (3, 3), weighting="power"),
            "weighting is given; needs weights",
        ),
        (
            lambda: thiessen.relax_sites([(0, 0)], (3, 3), weights=[1, 2], weighting="power"),
            "weights have other extents than the sites",
        ),
        (lambda: thiessen.farthest_sites((3, 3)), "count and max_distance: one of the two"),
        (
            lambda: thiessen.relax_cost_sites([9], stiffness=np.ones((3, 3))),
            r"cells\[0\] = 9; must be a cell",
        ),
        (
            lambda: thiessen.farthest_cost_sites(1, stiffness=np.ones((3, 3)), max_distance=-1),
            "max_distance = -1; must be >= 0",
        ),
    ],
)
def test_bad_arguments(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_progress_can_end_a_relaxation() -> None:
    def stop(share: float) -> None:
        if share > 0.3:
            raise KeyError("enough")

    points, _ = draw(1, (300, 300), 20)
    with pytest.raises(KeyError, match="enough"):
        thiessen.relax_sites(points, (300, 300), progress=stop)
    assert len(thiessen.relax_sites(points, (300, 300), steps=1).energy) == 2


def test_masked_cells_have_no_density_and_are_barriers() -> None:
    mask = np.zeros((6, 9), bool)
    mask[:, 4] = True
    ones = np.ma.MaskedArray(np.ones((6, 9), np.float32), mask)
    zeros, nan = ones.filled(0), ones.filled(np.nan)
    for masked, filled in (
        (lambda: thiessen.farthest_sites((6, 9), 4, density=ones),
         lambda: thiessen.farthest_sites((6, 9), 4, density=zeros)),
        (lambda: thiessen.farthest_cost_sites(4, stiffness=ones), lambda: thiessen.farthest_cost_sites(4, stiffness=nan)),
        (lambda: thiessen.relax_cost_sites([0, 8], stiffness=ones), lambda: thiessen.relax_cost_sites([0, 8], stiffness=nan)),
    ):  # fmt: skip
        for one, other in zip(masked(), filled()):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (3, 4, 0)])
def test_grids_without_cells(shape: tuple[int, ...]) -> None:
    ones = np.ones(shape, np.float32)
    assert len(thiessen.relax_cost_sites([], stiffness=ones, density=ones).sites) == 0
    assert len(thiessen.relax_sites(np.zeros((0, len(shape))), shape, density=ones).sites) == 0
    assert len(thiessen.site_statistics(ones, field=ones, distance=ones)) == 0
