# SPDX-License-Identifier: Apache-2.0
"""NearestSiteSolver: after each solve its arrays hold what a fresh call gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import thiessen
from stops import changes_after_stops

OUTPUTS = ("labels", "distance", "site_index")


def equal(a: Any, b: Any) -> bool:
    return all(np.array_equal(x, y, equal_nan=x.dtype.kind == "f") for x, y in zip(a, b))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_raster(rng: np.random.Generator) -> None:
    sites = np.where(rng.random((60, 80)) < 0.01, rng.integers(1, 200, (60, 80)), 0)
    sites = sites.astype(np.uint8)
    options: dict[str, Any] = {"spacing": (2, 1), "periodic": (False, True), "max_distance": 25}
    solver = thiessen.NearestSiteSolver(sites, outputs=OUTPUTS, **options)
    arrays = tuple(solver.outputs)
    for step in range(30):
        there, free = np.flatnonzero(sites), np.flatnonzero(sites == 0)
        if step % 4 == 0:
            gone = rng.choice(there, 2, replace=False)
            solver.remove_sites(gone)
            sites.flat[gone] = 0
        elif step % 4 == 1:
            start, to = rng.choice(there, 1), rng.choice(free, 1)
            solver.move_sites(start, to)
            sites.flat[to], sites.flat[start] = sites.flat[start], 0
        elif step % 4 == 2:
            added = rng.choice(free, 3, replace=False)
            solver.add_sites(added, [7, 8, 9])
            sites.flat[added] = 7, 8, 9
        else:
            box = rng.integers(0, 3, (4, 5))
            solver.update_box((10, 20), box)
            sites[10:14, 20:25] = box
            solver.update_sites([3, 4], np.array([0, 5], np.uint8))
            sites.flat[[3, 4]] = 0, 5
        before = solver.outputs.site_index.copy()
        solver.enqueue()
        changes = solver.changes()
        fresh = thiessen.nearest_site(sites, outputs=OUTPUTS, **options)
        assert equal(solver.outputs, fresh)
        assert all(a is b for a, b in zip(arrays, solver.outputs))
        assert isinstance(changes, thiessen.Changes)
        differ = np.flatnonzero(before != fresh.site_index)
        changed = solver.changed_cells()
        assert changes.cells == changed.cell.size
        assert np.isin(differ, changed.cell).all()
        assert np.array_equal(before.flat[changed.cell], changed.site_before)


@pytest.mark.parametrize("shape", [(50, 70), (12, 14, 16)])
def test_points(rng: np.random.Generator, shape: tuple[int, ...]) -> None:
    points = rng.random((40, len(shape))) * shape
    solver = thiessen.NearestSiteSolver.of_points(points, shape, outputs=OUTPUTS)
    assert len(solver) == 40
    present = np.ones(40, bool)
    for step in range(20):
        moved = rng.choice(len(points), 3, replace=False)
        places = points[moved] + rng.normal(0, 3, (3, len(shape)))
        solver.move_sites(moved, places)
        points[moved], present[moved] = places, True
        if step % 3 == 0:
            gone = rng.choice(np.flatnonzero(present))
            solver.remove_sites([gone])
            present[gone] = False
            assert not solver.has_site(gone)
        if step % 5 == 0:
            new = rng.random((1, len(shape))) * shape
            assert solver.add_sites(new) == len(points)
            points, present = np.concatenate([points, new]), np.append(present, True)
        solver.solve()
        position = np.flatnonzero(present)
        fresh = thiessen.voronoi(points[present], shape, outputs=OUTPUTS)
        assert np.array_equal(solver.outputs.site_index, position[fresh.site_index])
        assert np.array_equal(solver.outputs.labels, position[fresh.site_index] + 1)
        assert np.array_equal(solver.outputs.distance, fresh.distance)


def test_labels_domain_and_out() -> None:
    out = {"labels": np.zeros((4, 5), np.int16)}
    domain = np.ones((4, 5), bool)
    domain[0] = False
    solver = thiessen.NearestSiteSolver.of_points(
        [(1, 1)],
        (4, 5),
        point_labels=np.array([5], np.int16),
        domain=domain,
        nodata_label=-9,
        outputs="labels",
        out=out,
    )
    assert solver.outputs.labels is out["labels"]
    assert solver.add_sites([(1, 4)], labels=[6]) == 1
    solver.solve()
    assert out["labels"].tolist() == [[-9] * 5] + [[5, 5, 5, 6, 6]] * 3
    with pytest.raises(ValueError, match="labels of the points are missing"):
        solver.add_sites([(2, 2)])


def test_changes() -> None:
    sites = np.zeros((3, 6), np.int32)
    sites[0, 1], sites[2, 5] = 7, 9
    solver = thiessen.NearestSiteSolver(sites, outputs="site_index")
    assert solver.solve().cells == 0
    solver.remove_sites([17])
    changes = solver.solve()
    assert changes.cells == 7
    changed = solver.changed_cells()
    assert changed.cell.tolist() == [4, 5, 10, 11, 15, 16, 17]
    assert changed.site_before.tolist() == [17] * 7
    assert (changes.first, changes.last) == ((0, 3), (2, 5))
    assert changes.sites.tolist() == [1, 17]
    solver.add_sites([17], [9])
    assert solver.solve().cells == changes.cells


def test_refused() -> None:
    sites = np.zeros((3, 4), np.int32)
    sites[1, 1] = 2
    solver = thiessen.NearestSiteSolver(sites)
    refused: list[tuple[Any, type[Exception], str]] = [
        (lambda: solver.remove_sites([0]), ValueError, r"sites\[0\] = 0 is no site"),
        (lambda: solver.remove_sites([12]), ValueError, r"sites\[0\] = 12; must be from 0 to 11"),
        (lambda: solver.remove_sites([0.5]), TypeError, "sites has the dtype float64"),
        (lambda: solver.add_sites([5], [1]), ValueError, r"cells\[0\] = 5 is a site already"),
        (lambda: solver.add_sites([4]), TypeError, "labels is missing"),
        (lambda: solver.add_sites([4], [0]), ValueError, r"labels\[0\] is no site"),
        (lambda: solver.add_sites([4], [0.5]), ValueError, "values that int32 cannot hold"),
        (lambda: solver.move_sites([5], [5, 6]), ValueError, "to has 2 cells"),
        (lambda: solver.update_box((2, 2), np.ones((2, 2))), ValueError, r"first\[0\] = 2"),
        (lambda: thiessen.NearestSiteSolver(sites > 0), ValueError, "outputs has 'labels'"),
        (lambda: thiessen.NearestSiteSolver(np.ma.array(sites)), TypeError, "masked array"),
        (lambda: thiessen.NearestSiteSolver(sites.astype("f2")), TypeError, "dtype float16"),
    ]
    for call, kind, message in refused:
        with pytest.raises(kind, match=message):
            call()
    assert equal(solver.outputs, thiessen.nearest_site(sites))
    assert solver.solve().cells == 0


def test_boolean_sites_without_labels() -> None:
    mask = np.zeros((5, 6), bool)
    mask[2, 3] = True
    solver = thiessen.NearestSiteSolver(mask, outputs=("distance", "site_index"))
    solver.add_sites([0], [True])
    mask[0, 0] = True
    solver.solve()
    assert equal(solver.outputs, thiessen.nearest_site(mask, outputs=("distance", "site_index")))


def test_a_solve_that_ends_has_changed_nothing(rng: np.random.Generator) -> None:
    """Whatever report it ends at; the next one computes all."""
    points = rng.random((300, 2)) * 200
    names = ("labels", "distance", "site_index", "direction")
    solver = thiessen.NearestSiteSolver.of_points(points, (200, 200), outputs=names)
    before = tuple(output.copy() for output in solver.outputs)
    solver.move_sites(np.arange(300), points[::-1])

    def check(reports: list[float]) -> None:
        assert equal(before, solver.outputs), reports
        assert solver.changes().cells == 0

    changes = changes_after_stops(solver, check)
    assert changes.cells >= (before[2] != solver.outputs.site_index).sum() > 0
    assert equal(solver.outputs, thiessen.voronoi(points[::-1], (200, 200), outputs=names))
