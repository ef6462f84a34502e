# SPDX-License-Identifier: Apache-2.0
"""Outlines of regions and of points, against shapely where it is installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import thiessen

shapely = pytest.importorskip("shapely")


def test_regions_are_valid_and_as_large_as_their_cells() -> None:
    labels = np.random.default_rng(3).integers(0, 4, (40, 50)).astype(np.uint8)
    found = thiessen.region_polygons(labels)
    assert found.labels.dtype == labels.dtype
    polygons = found.to_shapely()
    assert shapely.is_valid(polygons).all()
    sizes = [np.count_nonzero(labels == label) for label in found.labels]
    assert shapely.area(polygons).tolist() == sizes
    world = found.to_shapely((100, 2, 0, 50, 0, -3))
    assert np.allclose(shapely.area(world), 6 * shapely.area(polygons))
    assert shapely.total_bounds(world).tolist() == [100, 50 - 3 * 40, 200, 50]


def test_holes_and_corners() -> None:
    ring = np.ones((4, 4), int)
    ring[1, 1] = ring[2, 2] = 2
    found = thiessen.region_polygons(ring)
    polygons = found.to_shapely()
    assert shapely.is_valid(polygons).all()
    assert [len(p.geoms) for p in polygons] == [1, 2]
    assert len(polygons[0].geoms[0].interiors) == 2


def test_points_against_shapely() -> None:
    rng = np.random.default_rng(5)
    points = np.round(rng.uniform(0, 60, (80, 2)) * 65536) / 65536
    found = thiessen.voronoi_polygons(points, (60, 60))
    ours = found.to_shapely()
    assert shapely.is_valid(ours).all()
    box = shapely.box(-0.5, -0.5, 59.5, 59.5)
    assert shapely.area(ours).sum() == pytest.approx(3600, rel=1e-12)
    theirs = shapely.voronoi_polygons(shapely.MultiPoint(points[:, ::-1]), extend_to=box)
    for site, polygon in zip(found.labels, ours):
        point = shapely.Point(points[site, ::-1])
        own = next(cell for cell in theirs.geoms if cell.covers(point))
        assert shapely.area(own & box) == pytest.approx(shapely.area(polygon), rel=1e-9)


def test_weighted_points_against_cells() -> None:
    rng = np.random.default_rng(6)
    points, weights = rng.uniform(0, 30, (40, 2)), rng.integers(0, 60, 40) / 4
    power: Any = {"weights": weights, "weighting": "power", "spacing": (0.5, 0.25)}
    found = thiessen.voronoi_polygons(points, (30, 40), **power)
    polygons = found.to_shapely()
    assert shapely.area(polygons).sum() == pytest.approx(30 * 40)
    cells = thiessen.voronoi(points, (30, 40), outputs="site_index", **power).site_index
    rows, columns = np.mgrid[:30, :40]
    for site, polygon in zip(found.labels, polygons):
        inside = shapely.contains_xy(polygon, columns, rows)
        assert (cells[inside] == site).all()
    borders = thiessen.voronoi_borders(points, (30, 40), **power)
    assert set(np.r_[borders.a, borders.b]) == set(found.labels)


def test_borders() -> None:
    labels = np.repeat([[1, 2]], 3, axis=0)
    borders = thiessen.region_borders(labels, distance=np.full((3, 2), 0.5))
    assert borders.distance is not None
    assert borders.distance.tolist() == [0.5, 0.5]
    assert shapely.length(borders.to_shapely()).tolist() == [3]
    assert thiessen.region_borders(labels).distance is None
    straight = thiessen.voronoi_borders([(0, 0), (0, 3)], (1, 4), spacing=(2, 1))
    assert straight.coordinates.tolist() == [[0.5, 1.5], [-0.5, 1.5]]
    assert straight.distance is not None
    assert straight.distance.tolist() == [np.hypot(1, 1.5)] * 2


def test_contours() -> None:
    rows, columns = np.mgrid[:41, :41] - 20
    distance = np.hypot(rows, columns)
    lines = thiessen.contour_lines(distance, levels=(10, 5))
    assert lines.levels.tolist() == [5, 10]
    rings = lines.to_shapely()
    assert shapely.is_ccw(shapely.linearrings(shapely.get_coordinates(rings[1]) * (1, -1)))
    assert shapely.length(rings) == pytest.approx(2 * np.pi * lines.levels, rel=0.01)
    world = lines.to_shapely((0, 2, 0, 0, 0, -2))
    assert shapely.length(world) == pytest.approx(2 * shapely.length(rings))
    every = thiessen.contour_lines(distance.astype(np.float32), interval=5)
    assert np.unique(every.levels).tolist() == [5, 10, 15, 20, 25]
    none = thiessen.contour_lines(distance, interval=100)
    assert (len(none.levels), none.points.tolist(), none.coordinates.shape) == (0, [0], (0, 2))


def test_refused() -> None:
    with pytest.raises(ValueError, match="interval and levels: one of the two must be given"):
        thiessen.contour_lines(np.ones((2, 2)))
    with pytest.raises(ValueError, match="interval = -1; must be finite and > 0"):
        thiessen.contour_lines(np.ones((2, 2)), interval=-1)
    with pytest.raises(ValueError, match="interval = 1: distances up to 1e.09 have more than 1000"):
        thiessen.contour_lines(np.array([[0, 1e9], [0, 0]], np.float32), interval=1)
    with pytest.raises(ValueError, match="levels has 100001 values; must have at most 100000"):
        thiessen.contour_lines(np.ones((2, 2)), levels=range(100_001))
    with pytest.raises(ValueError, match="distance is int64; must be float32 or float64"):
        thiessen.contour_lines(np.ones((2, 2), np.int64), interval=1)
    with pytest.raises(ValueError, match="labels has 3 axes; must have 2"):
        thiessen.region_polygons(np.ones((2, 2, 2), int))
    with pytest.raises(ValueError, match=r"points has the shape \(1, 3\)"):
        thiessen.voronoi_polygons([(1, 2, 3)], (5, 5))
    with pytest.raises(ValueError, match="extents has 3 axes"):
        thiessen.voronoi_polygons([(1, 2)], (5, 5, 5))
    far, power = [(2**-16, 0), (0, 1e9)], {"weighting": "power"}
    with pytest.raises(RuntimeError, match="must fit 121 bits"):
        thiessen.voronoi_polygons(far, (5, 5), weights=[1e-9, 2], **power)
    with pytest.raises(ValueError, match="transform has 5 numbers"):
        thiessen.region_polygons(np.ones((2, 2), int)).to_shapely((1, 2, 3, 4, 5))


def test_masked_distances_have_no_lines() -> None:
    rows, columns = np.mgrid[:21, :21] - 10
    distance = np.ma.MaskedArray(np.hypot(rows, columns), rows > 0)
    masked = thiessen.contour_lines(distance, interval=3)
    nan = thiessen.contour_lines(distance.filled(np.nan), interval=3)
    assert np.array_equal(masked.coordinates, nan.coordinates)
    labels = np.where(columns > 0, 1, 2)
    borders = thiessen.region_borders(labels, distance=distance)
    filled = thiessen.region_borders(labels, distance=distance.filled(np.nan))
    assert borders.distance is not None and filled.distance is not None
    assert np.array_equal(borders.distance, filled.distance, equal_nan=True)
