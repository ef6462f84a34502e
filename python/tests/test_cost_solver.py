# SPDX-License-Identifier: Apache-2.0
"""CostSolver: after each solve its arrays hold what a fresh call gives."""

from __future__ import annotations

import threading
import warnings
from typing import Any

import numpy as np
import pytest
import thiessen
from stops import Stop, changes_after_stops

OUTPUTS = ("labels", "distance", "site_index", "back_link")


def equal(a: Any, b: Any) -> bool:
    return all(np.array_equal(x, y, equal_nan=x.dtype.kind == "f") for x, y in zip(a, b))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def test_raster(rng: np.random.Generator) -> None:
    stiffness = thiessen.material_map((60, 80), "noise", seed=3)
    sites = np.where(rng.random((60, 80)) < 0.01, rng.integers(1, 200, (60, 80)), 0)
    sites = sites.astype(np.uint8)
    initial = rng.random((60, 80))
    options: dict[str, Any] = {"connectivity": 16, "max_distance": 40, "map_nodata": 5}
    solver = thiessen.CostSolver(
        sites, stiffness=stiffness, initial_cost=initial, outputs=OUTPUTS, **options
    )
    arrays = tuple(solver.outputs)
    for step in range(40):
        there, free = np.flatnonzero(sites), np.flatnonzero(sites == 0)
        if step % 5 == 0:
            gone = rng.choice(there, 2, replace=False)
            solver.remove_sites(gone)
            sites.flat[gone] = 0
        elif step % 5 == 1:
            start, to = rng.choice(there, 1), rng.choice(free, 1)
            solver.move_sites(start, to)
            sites.flat[to], sites.flat[start] = sites.flat[start], 0
            initial.flat[to] = initial.flat[start]
        elif step % 5 == 2:
            added = rng.choice(free, 3, replace=False)
            solver.add_sites(added, [7, 8, 9], [0.5, 0, 1])
            sites.flat[added] = 7, 8, 9
            initial.flat[added] = 0.5, 0, 1
        elif step % 5 == 3:
            box = rng.choice([0.0, 0.3, 1.0, 5.0], (4, 5))
            solver.update_box((10, 20), box)
            stiffness[10:14, 20:25] = box
            solver.update_map([3, 4], [0.1, 0])
            stiffness.flat[[3, 4]] = 0.1, 0
        else:
            solver.set_initial_cost(there[:2], [2, 3])
            initial.flat[there[:2]] = 2, 3
        before = solver.outputs.site_index.copy()
        changes = solver.solve()
        fresh = thiessen.cost_distance(
            sites, stiffness=stiffness, initial_cost=initial, outputs=OUTPUTS, **options
        )
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
    cost = rng.integers(1, 4, shape)
    points = rng.random((20, len(shape))) * shape
    labels = np.arange(20, dtype=np.int16) + 5
    options: dict[str, Any] = {"distance_type": "float64"}
    solver = thiessen.CostSolver(cost=cost, points=points, point_labels=labels, **options)
    for step in range(20):
        moved = rng.choice(len(points), 3, replace=False)
        points[moved] = rng.random((3, len(shape))) * shape
        solver.move_sites(moved, points[moved])
        if step % 3 == 0:
            solver.remove_sites(moved[:1])
            points[moved[0]] = -9
        if step % 5 == 0:
            assert solver.add_sites([[1.0] * len(shape)], [4]) == len(points)
            points = np.concatenate([points, [[1.0] * len(shape)]])
            labels = np.append(labels, np.int16(4))
        solver.solve()
        with pytest.warns(thiessen.ThiessenWarning):
            fresh = thiessen.cost_distance(cost=cost, points=points, point_labels=labels, **options)
        assert equal(solver.outputs, fresh)


def test_errors() -> None:
    stiffness = np.ones((4, 5), np.float32)
    sites = np.zeros((4, 5), np.int32)
    sites[1, 1] = 3
    with pytest.raises(ValueError, match="one of the two"):
        thiessen.CostSolver(stiffness=stiffness)
    with pytest.raises(ValueError, match="boolean sites have none here"):
        thiessen.CostSolver(sites != 0, stiffness=stiffness)
    with pytest.raises(ValueError, match="labels is given; it is for points"):
        thiessen.CostSolver(sites, stiffness=stiffness, point_labels=[1])
    solver = thiessen.CostSolver(sites, stiffness=stiffness)
    with pytest.raises(ValueError, match=r"values\[0, 1\] = -1; a stiffness"):
        solver.update_map([0, 1], [1, -1])
    with pytest.raises(ValueError, match=r"cells\[1\] = 20; must be 0 to 19"):
        solver.update_map([0, 20], [1, 1])
    with pytest.raises(TypeError, match="must be integers"):
        solver.remove_sites([1.5])
    with pytest.raises(ValueError, match=r"sites\[0\] = 5; must be a site"):
        solver.remove_sites([5])
    with pytest.raises(ValueError, match="int32 cannot hold"):
        solver.add_sites([0], [2.5])
    assert solver.solve().cells == 0


def test_enqueue_and_changes_are_the_two_parts_of_a_solve() -> None:
    stiffness = np.ones((5, 9), np.float32)
    sites = np.zeros((5, 9), np.uint8)
    sites[2, 1], sites[2, 7] = 1, 2
    solver = thiessen.CostSolver(sites, stiffness=stiffness)
    stiffness[:4, 3] = 0
    solver.update_box((0, 3), np.zeros((4, 1)))
    solver.enqueue()
    changes = solver.changes()
    assert changes.cells == len(solver.changed_cells().cell) > 0
    fresh = thiessen.cost_distance(sites, stiffness=stiffness)
    assert equal(tuple(solver.outputs), tuple(fresh))


def test_labels_that_no_output_has() -> None:
    stiffness = np.ones((1, 5), np.float32)
    labels = np.array([3, 4], np.int16)
    names = ("site_index", "distance")
    points = [(0.0, 0.0), (0.0, 4.0)]
    solver = thiessen.CostSolver(
        stiffness=stiffness, points=points, point_labels=labels, outputs=names
    )
    fresh = thiessen.cost_distance(
        stiffness=stiffness, points=points, point_labels=labels, outputs=names
    )
    assert equal(solver.outputs, fresh)
    solver.add_sites([(0.0, 2.0)], [7])
    solver.remove_sites([0])
    assert solver.solve().sites.tolist() == [0, 2]
    assert solver.outputs.site_index.tolist() == [[2, 2, 2, 1, 1]]


@pytest.mark.parametrize("size", [4, 90])
def test_a_solve_that_ends_has_changed_nothing(size: int) -> None:
    """Whatever report it ends at, the last one too."""
    stiffness = np.ones((size, size), np.float32)
    corners = [(0, 0), (size - 1, size - 1)]
    solver = thiessen.CostSolver(stiffness=stiffness, points=corners, outputs=OUTPUTS, threads=1)
    before = [output.copy() for output in solver.outputs]
    solver.move_sites([0], [(0, size - 1)])
    solver.update_box((0, 0), np.full((size, size), 0.5, np.float32))

    def check(reports: list[float]) -> None:
        assert equal(before, solver.outputs), reports
        assert solver.changes().cells == 0
        assert not solver.changed_cells().cell.size

    changes = changes_after_stops(solver, check)
    differ = (before[1] != solver.outputs.distance) | (before[2] != solver.outputs.site_index)
    assert changes.cells == differ.sum() == len(solver.changed_cells().cell)
    fresh = thiessen.cost_distance(
        stiffness=np.full_like(stiffness, 0.5), points=[(0, size - 1), corners[1]], outputs=OUTPUTS
    )
    assert equal(solver.outputs, fresh)


@pytest.mark.parametrize("depth", [0, 1, 5])
def test_calls_after_a_progress_that_raised(depth: int) -> None:
    """Nothing of the ended call is used again."""

    def stop(_: float) -> None:
        raise Stop

    def run(left: int) -> None:
        if left:
            return run(left - 1)
        stiffness = np.ones((4, 3))
        costs = thiessen.CostSolver(stiffness=stiffness, points=[(0, 0), (3, 2)])
        nearest = thiessen.NearestSiteSolver.of_points([(0, 0), (3, 2)], (4, 3))
        for solver in (costs, nearest):
            solver.move_sites([0], [(1, 0)])
            for _ in range(3):
                with pytest.raises(Stop):
                    solver.solve(progress=stop)
            for i in range(30):
                solver.move_sites([0], [(i % 4, 0)])
                solver.solve()
            with pytest.raises(Stop):
                solver.solve(progress=stop)
            solver.remove_sites([1])
            solver.solve()
            assert (solver.outputs.labels == 1).all()
        return None

    run(depth)


def test_warns_of_a_node_whose_cell_is_cut() -> None:
    stiffness = np.ones((3, 5), np.float32)
    solver = thiessen.CostSolver(stiffness=stiffness, points=[(1, 0), (1, 4)], tight_barriers=True)
    solver.update_map([9], [0.0])
    with pytest.warns(thiessen.ThiessenWarning, match="1 site .* index 1") as told:
        solver.solve()
    assert [(each.message.kind, each.message.count) for each in told] == [("ignored_sites", 1)]
    assert told[0].filename == __file__
    solver.enqueue()
    with pytest.warns(thiessen.ThiessenWarning, match="1 site .* index 1"):
        solver.changes()
    solver.move_sites([1], [(0, 4)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        solver.solve()
    stiffness[1, 0] = 0
    with pytest.warns(thiessen.ThiessenWarning, match="1 site .* index 0"):
        thiessen.CostSolver(stiffness=stiffness, points=[(1, 0), (1, 4)])


def test_a_thin_oblique_cut_needs_tight_barriers() -> None:
    size = 12
    far = {}
    for tight in (False, True):
        solver = thiessen.CostSolver(
            stiffness=np.ones((size,) * 3, np.float32), points=[(6, 2, 9)], tight_barriers=tight
        )
        for y in range(size):
            solver.update_box((0, y, y), np.zeros((size, 1, 1), np.float32))
        solver.solve()
        far[tight] = solver.outputs.distance[6, 9, 2]
    assert np.isfinite(far[False])
    assert np.isinf(far[True])


def test_a_solver_in_two_threads() -> None:
    """One at a time gets it; other calls of the package run beside it."""
    stiffness = np.ones((300, 300), np.float32)
    solver = thiessen.CostSolver(stiffness=stiffness, points=[(0, 0), (299, 299)], threads=2)
    labels = solver.outputs.labels.copy()
    solver.update_box((0, 0), np.full((300, 300), 0.5))
    refused: list[Exception] = []
    pictures: list[np.ndarray] = []

    def other() -> None:
        pictures.append(thiessen.render(labels))
        for call in (solver.solve, solver.changes, lambda: solver.remove_sites([0])):
            try:
                call()
            except RuntimeError as error:
                refused.append(error)

    def report(_: float) -> None:
        if not pictures:
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()

    solver.solve(progress=report)
    assert len(pictures) == 1
    assert [str(each) for each in refused] == ["the solver is in use; one call at a time"] * 3


def test_a_cut_grows_between_cells() -> None:
    stiffness = np.ones((6, 8), np.float32)
    sites = np.zeros((6, 8), np.uint8)
    sites[2, 1], sites[3, 6] = 1, 2
    faces = np.zeros((6, 8), np.uint8)
    faces[0, 3] = 1
    solver = thiessen.CostSolver(
        sites, stiffness=stiffness, blocked_faces=faces, outputs=OUTPUTS, connectivity=8
    )
    for y in range(1, 6):
        faces[y, 3 : 5 - y % 2] |= np.uint8(1)
        faces[y, 5] = 2
        if y % 2:
            solver.update_blocked_faces((y, 3), faces[y : y + 1, 3:6])
        else:
            along_x, along_y = faces[y : y + 1, 3:6] & 1 == 1, faces[y : y + 1, 3:6] & 2 == 2
            solver.update_blocked_faces((y, 3), (along_y, along_x))
        solver.solve()
        fresh = thiessen.cost_distance(
            sites, stiffness=stiffness, blocked_faces=faces, outputs=OUTPUTS, connectivity=8
        )
        assert equal(solver.outputs, fresh)
    with pytest.raises(ValueError, match=r"blocked_faces\[0, 0\] = 4; must be at most 3"):
        solver.update_blocked_faces((0, 0), np.full((1, 1), 4, np.uint8))
    with pytest.raises(TypeError, match="blocked_faces is int64; must be uint8"):
        solver.update_blocked_faces((0, 0), np.zeros((1, 1), np.int64))
    with pytest.raises(ValueError, match="blocked_faces is None; must be new faces of the box"):
        solver.update_blocked_faces((0, 0), None)


def test_changed_cells_are_views_that_stay() -> None:
    stiffness = np.ones((9, 9), np.float32)
    solver = thiessen.CostSolver(stiffness=stiffness, points=[(4, 0), (4, 8)])
    assert (len(solver), solver.has_site(1)) == (2, True)
    solver.remove_sites([1])
    solver.solve()
    assert not solver.has_site(1)
    with pytest.raises(ValueError, match="site = 2; must be from 0 to 1"):
        solver.has_site(2)
    assert solver.bytes() > 9 * 9 * 17
    first = solver.changed_cells()
    for array in first:
        assert not array.flags.writeable
        assert not array.flags.owndata
    cells = first.cell.copy()
    solver.move_sites([1], [(0, 8)])
    solver.solve()
    second = solver.changed_cells()
    assert np.array_equal(first.cell, cells)
    del solver
    assert np.array_equal(first.cell, cells)
    assert (second.site_before == 0).all()
