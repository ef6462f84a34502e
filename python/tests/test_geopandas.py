# SPDX-License-Identifier: Apache-2.0
"""Features of geopandas: polygons against geopandas' own, nearest points against brute force, lines
and areas against cells that one can see."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np
import pytest
import thiessen
from thiessen import ThiessenWarning

geopandas = pytest.importorskip("geopandas")
shapely = pytest.importorskip("shapely")
xarray = pytest.importorskip("xarray")

UTM = "EPSG:32631"


def frame_of(xy: Any, crs: Any = UTM, **columns: Any) -> Any:
    xy = np.asarray(xy, float)
    return geopandas.GeoDataFrame(
        columns, geometry=geopandas.points_from_xy(xy[:, 0], xy[:, 1]), crs=crs
    )


def random_frame(seed: int, count: int = 300, side: float = 1e5) -> Any:
    rng = np.random.default_rng(seed)
    xy = np.round(rng.uniform(0, side, (count, 2)), 1) + [4e5, 5e6]
    frame = frame_of(xy, name=[f"p{i}" for i in range(count)])
    return frame.set_index(rng.permutation(count))


def grid_of(shape: tuple[int, int] = (40, 50), crs: Any = UTM) -> Any:
    y, x = 5.1e6 - 2500 * np.arange(shape[0]), 4e5 + 2000 * np.arange(shape[1])
    grid = xarray.DataArray(np.zeros(shape), dims=("y", "x"), coords={"y": y, "x": x})
    if crs is None:
        return grid
    wkt = geopandas.GeoSeries([], crs=crs).crs.to_wkt()
    return grid.assign_coords(spatial_ref=((), 0, {"crs_wkt": wkt}))


def test_polygons_are_those_of_geopandas_in_the_order_of_the_points() -> None:
    for seed in range(3):
        points = random_frame(seed)
        found = thiessen.voronoi_polygons(points)
        assert type(found) is type(points) and found.crs == points.crs
        assert found.index.equals(points.index) and found["name"].equals(points["name"])
        assert found.is_valid.all() and found.contains(points.geometry).all()
        assert set(found.geom_type) == {"Polygon"} and found.exterior.is_ccw.all()
        assert found.area.sum() == pytest.approx(shapely.box(*found.total_bounds).area, rel=1e-12)
        own = geopandas.GeoDataFrame(geometry=points.voronoi_polygons().values, crs=UTM)
        theirs = own.sjoin(points.reset_index(), predicate="contains").set_index("index")
        inner = shapely.box(*points.total_bounds).buffer(1e5 / 2)
        inside = found.within(inner)
        assert inside.sum() > 200
        expected = theirs.geometry.reindex(found.index)[inside]
        both = found.geometry[inside].intersection(expected).area
        np.testing.assert_allclose(both, expected.area, rtol=1e-6)
        np.testing.assert_allclose(both, found.area[inside], rtol=1e-6)


def test_polygons_of_power_are_those_of_an_array() -> None:
    points = random_frame(4, 60, 1000)
    points["power"] = np.random.default_rng(2).integers(0, 20_000, 60)
    found = thiessen.voronoi_polygons(points, weights="power", weighting="power")
    (x0, _, _, y1), power = found.total_bounds, points["power"].to_numpy()
    cells = np.column_stack([y1 - points.geometry.y, points.geometry.x - x0]) - 0.5
    side = tuple(np.ceil(np.ptp(found.total_bounds.reshape(2, 2), axis=0)[::-1]).astype(int))
    ours = thiessen.voronoi_polygons(cells, side, weights=power, weighting="power")
    shapes = np.full(60, shapely.Polygon(), object)
    shapes[ours.labels] = shapely.get_geometry(ours.to_shapely((x0, 1, 0, y1, 0, -1)), 0)
    inside = shapely.within(shapes, shapely.box(*found.total_bounds).buffer(-2))
    assert inside.sum() > 20
    np.testing.assert_allclose(found.area[inside], shapely.area(shapes[inside]), rtol=1e-4)
    with pytest.raises(ValueError, match="weights has nan in row 0; must be finite"):
        thiessen.voronoi_polygons(points, weights=np.full(60, np.nan), weighting="power")
    with pytest.raises(ValueError, match="weighting = additive; must be power"):
        thiessen.voronoi_polygons(points, weights="power", weighting="additive")


def test_neighbours_share_their_corners() -> None:
    found = thiessen.voronoi_polygons(random_frame(5))
    corners, times = np.unique(
        np.concatenate([np.asarray(p.exterior.coords)[:-1] for p in found.geometry]),
        axis=0,
        return_counts=True,
    )
    box = shapely.box(*found.total_bounds)
    inner = shapely.contains_properly(box, shapely.points(corners))
    assert (times[inner] == 3).all()


def test_mask() -> None:
    points = random_frame(7)
    ring = shapely.Point(450000, 5050000).buffer(40000) - shapely.Point(450000, 5050000).buffer(
        9000
    )
    two = [shapely.box(410000, 5010000, 420000, 5090000), shapely.box(480000, 5e6, 5e5, 5.2e6)]
    masks = [
        (ring, ring),
        (geopandas.GeoSeries([ring], crs=UTM), ring),
        (geopandas.GeoDataFrame(geometry=two, crs=UTM), shapely.MultiPolygon(two)),
        (geopandas.GeoSeries([ring]), ring),
    ]
    whole = thiessen.voronoi_polygons(points, mask=shapely.box(3e5, 4.9e6, 6e5, 5.2e6))
    for mask, area in masks:
        found = thiessen.voronoi_polygons(points, mask=mask)
        assert found.index.equals(points.index) and found.is_valid.all()
        assert set(found.geom_type) <= {"Polygon", "MultiPolygon"}
        assert found.area.sum() == pytest.approx(area.area, rel=1e-9)
        expected = whole.intersection(area).area
        np.testing.assert_allclose(found.area, expected, rtol=1e-6, atol=1)
        assert found.is_empty.any()
    # A polygon that touches the mask in a line or a corner alone is an empty one.
    touching = frame_of([(1, 1), (3, 1), (1, 3), (3, 3)])
    found = thiessen.voronoi_polygons(touching, mask=shapely.box(0, 0, 2, 2))
    assert found.area.tolist() == [4, 0, 0, 0] and found.is_empty.tolist()[1:] == [True] * 3


def test_a_mask_far_from_the_points_and_much_larger_or_smaller() -> None:
    points = frame_of([(0, 0), (0.5, 0), (0, 0.25)])
    for mask in (shapely.box(1e7, 2e7, 3e7, 4e7), shapely.box(5, -3, 5.001, -2.999)):
        found = thiessen.voronoi_polygons(points, mask=mask)
        assert found.area.sum() == pytest.approx(mask.area, rel=1e-9)
    assert found.is_empty.tolist() == [True, False, True]


def test_points_keep_their_digits() -> None:
    """Edges of points at binary fractions of a metre lie where they are, far from the origin too."""
    points = frame_of([(4e5 + 0.25, 5e6 + 0.5), (4e5 + 1.75, 5e6 + 0.5)])
    found = thiessen.voronoi_polygons(points, mask=shapely.box(4e5, 5e6, 4e5 + 2, 5e6 + 1))
    assert found.bounds.to_numpy().tolist() == [
        [4e5, 5e6, 4e5 + 1, 5e6 + 1],
        [4e5 + 1, 5e6, 4e5 + 2, 5e6 + 1],
    ]


def test_points_at_one_place() -> None:
    points = frame_of([(0, 0), (10, 0), (0, 0), (10, 0), (0, 0)], n=range(5))
    with pytest.warns(ThiessenWarning, match="3 of 5 points lie where an earlier one does") as seen:
        found = thiessen.voronoi_polygons(points)
    assert seen[0].filename == __file__ and seen[0].message.kind == "same_place"
    assert found.is_empty.tolist() == [False, False, True, True, True]
    assert found["n"].tolist() == list(range(5))
    alone = thiessen.voronoi_polygons(points[:1], mask=shapely.box(0, 0, 2, 3))
    assert alone.area.tolist() == [6]
    with pytest.raises(ValueError, match="points has one place only.*; mask must tell"):
        thiessen.voronoi_polygons(points[:1])


def test_kinds_of_frames() -> None:
    points = random_frame(9, 20)
    series = points.geometry.rename("place")
    found = thiessen.voronoi_polygons(series)
    assert type(found) is geopandas.GeoSeries and found.name == "place" and found.crs == series.crs
    renamed = points.rename_geometry("place")
    polygons = thiessen.voronoi_polygons(renamed)
    assert polygons.geometry.name == "place" and polygons.geometry.geom_equals(found).all()
    assert renamed.geom_type.eq("Point").all()
    high = geopandas.GeoSeries(shapely.force_3d(series.to_numpy(), 7.0), index=series.index)
    assert (
        thiessen.voronoi_polygons(high).geom_equals(found.set_crs(None, allow_override=True)).all()
    )
    empty = thiessen.voronoi_polygons(points[:0])
    assert len(empty) == 0 and list(empty.columns) == list(points.columns)


def test_rows_without_a_place_are_left_out() -> None:
    points = random_frame(11, 30)
    places = points.geometry.copy()
    places.iloc[2], places.iloc[5], places.iloc[9] = None, shapely.Point(), shapely.MultiPoint()
    points = points.assign(size=np.arange(1, 31), place=places).set_geometry("place")
    there = np.setdiff1d(np.arange(30), [2, 5, 9])
    message = "3 of 30 points have no geometry, or an empty one, and are left out"
    with pytest.warns(ThiessenWarning, match=message) as told:
        found = thiessen.voronoi_polygons(points)
    assert (told[0].message.kind, told[0].message.count) == ("no_geometry", 3)
    wanted = thiessen.voronoi_polygons(points.iloc[there])
    assert found.index.equals(points.index)
    assert found.geometry.iloc[there].geom_equals(wanted.geometry).all()
    assert found.geometry.iloc[[2, 5, 9]].is_empty.all()
    outputs = ("labels", "distance", "site_index")
    for labels, given in ((None, there + 1), ("size", there + 1), (np.arange(9, 39), there + 9)):
        with pytest.warns(ThiessenWarning, match=message):
            nearest = thiessen.allocate(points, grid_of(), point_labels=labels, outputs=outputs)
        plain = thiessen.allocate(
            points.iloc[there], grid_of(), point_labels=given, outputs=outputs
        )
        assert nearest.labels.equals(plain.labels) and nearest.distance.equals(plain.distance)
        assert (nearest.site_index.values == there[plain.site_index.values]).all()
    with pytest.raises(ValueError, match=message):
        thiessen.allocate(points, grid_of(), strict=True)
    with pytest.raises(ValueError, match=r"labels has the shape \(3,\); must be \(30,\)"):
        thiessen.allocate(points, grid_of(), point_labels=[1, 2, 3])


def test_refused_polygons() -> None:
    points = random_frame(11, 5)
    for wrong, what in ((shapely.box(0, 0, 1, 1), "a Polygon"),
                        (shapely.MultiPoint([(0, 0)]), "a MultiPoint")):  # fmt: skip
        other = points.geometry.copy()
        other.iloc[2] = wrong
        message = rf"points has {what}.* in row 2 \(index .*{points.index[2]}.*\); must be points"
        with pytest.raises(ValueError, match=message):
            thiessen.voronoi_polygons(other)
    infinite = frame_of([(0, 0), (np.inf, 1)])
    with pytest.raises(ValueError, match=r"coordinates \(inf, 1.0\) in row 1; must be finite"):
        thiessen.voronoi_polygons(infinite)
    with pytest.raises(
        ValueError, match=r"EPSG:4326 in degrees.*points.to_crs\(points.estimate_utm"
    ):
        thiessen.voronoi_polygons(points.to_crs(4326))
    with pytest.raises(ValueError, match="points has .* EPSG:32631, mask has EPSG:3035; must be"):
        thiessen.voronoi_polygons(
            points, mask=geopandas.GeoSeries([shapely.box(0, 0, 1, 1)], crs=3035)
        )
    bow = shapely.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)])
    for mask, error, message in (
        (shapely.Polygon(), ValueError, "mask is empty; must be polygons"),
        (shapely.Point(1, 1), ValueError, "mask has a Point; must be polygons"),
        (bow, ValueError, "mask is invalid .Self-intersection"),
        ("town", TypeError, "mask is a str; must be a polygon of shapely"),
    ):
        with pytest.raises(error, match=message):
            thiessen.voronoi_polygons(points, mask=mask)
    with pytest.raises(ValueError, match="shape and spacing are for arrays"):
        thiessen.voronoi_polygons(points, (3, 4))
    with pytest.raises(ValueError, match="mask is given; it is for points of geopandas"):
        thiessen.voronoi_polygons([(1, 2)], (3, 4), mask=bow)
    with pytest.raises(TypeError, match="shape is missing"):
        thiessen.voronoi_polygons([(1, 2)])


def test_allocate_against_brute_force() -> None:
    points = random_frame(13)
    points["weight"] = np.arange(len(points)) * 7
    for grid in (grid_of(), grid_of().isel(y=slice(None, None, -1)), grid_of(crs=None)):
        found = thiessen.allocate(
            points,
            grid,
            point_labels="weight",
            outputs=("labels", "distance", "site_index", "direction"),
            unreached=-1,
        )
        x, y = np.meshgrid(grid.x, grid.y)
        to_x = points.geometry.x.to_numpy() - x[..., None]
        to_y = points.geometry.y.to_numpy() - y[..., None]
        distance = np.hypot(to_x, to_y)
        nearest = distance.argmin(axis=-1)
        np.testing.assert_array_equal(found.site_index, nearest)
        np.testing.assert_array_equal(found.labels, nearest * 7)
        np.testing.assert_allclose(found.distance, distance.min(axis=-1), atol=0.1)
        own = np.take_along_axis(np.degrees(np.arctan2(to_x, to_y)) % 360, nearest[..., None], -1)
        turned = (found.direction.to_numpy() - own[..., 0] + 180) % 360 - 180
        assert np.abs(turned[distance.min(axis=-1) > 100]).max() < 0.1
        for result in found:
            assert set(result.coords) == set(grid.coords) and result.dims == grid.dims
    assert found.labels.dtype == np.int64


def test_allocate_keeps_the_coordinate_reference_system_and_nodata() -> None:
    rioxarray = pytest.importorskip("rioxarray")
    assert rioxarray
    points = random_frame(15)
    grid = grid_of().rio.write_crs(UTM)
    grid[:3] = np.nan
    grid = grid.rio.write_nodata(np.nan, encoded=True)
    labels, distance = thiessen.allocate(points, grid)
    assert labels.rio.crs == grid.rio.crs and distance.attrs["units"] == "metre"
    assert labels.rio.nodata == -1 and (labels[:3] == -1).all() and (labels[3:] > 0).all()
    assert np.isnan(distance[:3]).all() and not np.isnan(distance[3:]).any()
    with pytest.raises(ValueError, match="EPSG:3035, like has EPSG:32631; must be the same"):
        thiessen.allocate(points.to_crs(3035), grid)
    without = thiessen.allocate(points.set_crs(None, allow_override=True), grid).labels
    np.testing.assert_array_equal(without, labels)


def test_allocate_on_the_earth() -> None:
    points = frame_of([(179.5, 60.25), (-170.0, -40.0)], crs=4326)
    grid = xarray.DataArray(
        np.zeros((3, 4)), dims=("lat", "lon"),
        coords={"lat": [60.0, 30.0, 0.0], "lon": [150.0, 160.0, 170.0, 180.0]},
    )  # fmt: skip
    found = thiessen.allocate(points, grid, metric="ellipsoidal")
    shape, spacing = (3, 4), thiessen.Earth(grid.lat.values, grid.lon.values)
    own = [((60 - 60.25) / 30, (179.5 - 150) / 10), (100 / 30, (-170 - 150) / 10)]
    expected = thiessen.voronoi(own, shape, metric="ellipsoidal", earth=spacing)
    np.testing.assert_array_equal(found.labels, expected.labels)
    np.testing.assert_array_equal(found.distance, expected.distance)
    assert found.distance.attrs["units"] == "m"
    with pytest.raises(ValueError, match='points has .* EPSG:4326 in degrees.*; metric="ellipsoid'):
        thiessen.allocate(points, grid)


def test_refused_grids() -> None:
    points = random_frame(17, 5)
    grid = grid_of()
    for like, error, message in (
        (np.zeros((3, 4)), TypeError, "like is a ndarray; must be an xarray.DataArray"),
        ("dem.tif", TypeError, "like is the text 'dem.tif'"),
        (grid.drop_vars("x"), ValueError, "like has no coordinate 'x' of two cells or more"),
        (grid[:, :1], ValueError, "like has no coordinate 'x' of two cells or more"),
        (grid.isel(x=[0, 1, 3]), ValueError, "coordinate 'x' with steps that differ"),
        (grid.expand_dims("band"), ValueError, r"like.squeeze\('band'\)"),
        (grid.expand_dims("z"), ValueError, "like has the dimensions .*; must have two"),
    ):
        with pytest.raises(error, match=message):
            thiessen.allocate(points, like)
    with pytest.raises(TypeError, match=r"points is a list; must be a geopandas.GeoDataFrame"):
        thiessen.allocate([(1, 2)], grid)
    with pytest.raises(ValueError, match="labels = 'size'; must be a column of points"):
        thiessen.allocate(points, grid, point_labels="size")
    with pytest.raises(
        TypeError, match="labels = 'name', a column of the dtype .*; must be numbers"
    ):
        thiessen.allocate(points, grid, point_labels="name")


def features() -> Any:
    """On a grid of 4 x 6 cells of 10 m: a line, an area with a hole, one too small for a centre,
    points, and what is left out."""
    ring = shapely.box(21, 1, 49, 29) - shapely.box(31, 11, 39, 19)
    small = shapely.MultiPolygon([shapely.box(51, 31, 54, 34), shapely.box(56, 36, 58, 38)])
    every = [
        shapely.LineString([(2, 38), (13, 22)]), None, ring, small, shapely.Point(42, 22),
        shapely.GeometryCollection([shapely.Point(55, 5), shapely.LineString([(3, 3), (8, 4)])]),
        shapely.box(70, 0, 80, 10),
    ]  # fmt: skip
    return geopandas.GeoDataFrame({"n": [40, 0, 20, 30, 9, 50, 60]}, geometry=every, crs=UTM)


def small_grid(crs: Any = UTM) -> Any:
    y, x = np.arange(35, 0, -10.0), np.arange(5, 60, 10.0)
    coords = {"y": y, "x": x, "spatial_ref": grid_of(crs=crs).coords["spatial_ref"]}
    return xarray.DataArray(np.ones((4, 6)), dims=("y", "x"), coords=coords)


TAKEN = [
    [1, 0, 0, 0, 0, 4],
    [1, 1, 3, 3, 3, 0],
    [0, 0, 3, 0, 3, 0],
    [6, 0, 3, 3, 3, 6],
]
"""The features of the cells, from 1."""

LEFT_OUT = ["1 of 7 points have no geometry", "1 of 7 points lie outside of the grid, .* row 6"]


def test_lines_and_areas_are_the_cells_that_they_take() -> None:
    pytest.importorskip("rasterio")
    frame, grid = features(), small_grid()
    names = ("labels", "distance", "site_index", "direction")
    with pytest.warns(ThiessenWarning) as told:
        found = thiessen.allocate(frame, grid, outputs=names)
    assert [each.message.kind for each in told] == ["no_geometry", "outside_of_grid"]
    for each, message in zip(told, LEFT_OUT):
        assert re.match(message, str(each.message)) and each.filename == __file__
    taken = np.array(TAKEN, np.int32)
    expected = thiessen.nearest_site(taken, spacing=10, outputs=names)
    np.testing.assert_array_equal(taken, np.where(found.distance == 0, found.labels, 0))
    for name in ("labels", "distance", "direction"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), name)
    np.testing.assert_array_equal(found.site_index, expected.labels - 1)
    for turned in (grid.isel(y=slice(None, None, -1)), grid.transpose("x", "y")):
        with pytest.warns(ThiessenWarning):
            again = thiessen.allocate(frame, turned, outputs="distance").distance
        assert again.dims == turned.dims and again.equals(
            found.distance.reindex_like(turned).transpose(*turned.dims)
        )
    assert found.labels.dtype == np.int32 and found.labels.coords["x"].equals(grid.x)


def test_columns_label_lines_and_areas() -> None:
    pytest.importorskip("rasterio")
    frame = features().drop(index=[1, 6])
    grid = small_grid()
    expected = thiessen.allocate(frame, grid, outputs="site_index").site_index
    for own in (frame, frame.iloc[::-1]):
        found = thiessen.voronoi(own, grid, point_labels="n", outputs=("labels", "site_index"))
        np.testing.assert_array_equal(found.labels, own["n"].to_numpy()[found.site_index])
    assert expected[1, 4] == 1 and found.labels[1, 4] == 9  # where the area and the point meet
    halves = thiessen.voronoi(frame, grid, point_labels=np.arange(5, dtype=np.float32) + 0.5)
    np.testing.assert_array_equal(halves.labels, expected + 0.5)
    assert halves.labels.dtype == np.float32
    grid[0, :2] = np.nan
    grid.attrs["_FillValue"] = np.nan
    found = thiessen.allocate(frame, grid, point_labels="n", nodata_label=-7)
    assert found.labels[0, :3].values.tolist() == [-7, -7, 20]
    assert np.isnan(found.distance[0, :2]).all() and found.labels.attrs["_FillValue"] == -7


def test_the_first_feature_has_a_cell_and_is_not_lost_behind_others() -> None:
    """An area whose centres are all taken has no other cell; one without a centre has those that it
    touches, or in which its corners lie."""
    pytest.importorskip("rasterio")
    big, inner = shapely.box(-0.4, -0.4, 2.4, 2.4), shapely.box(0.7, 0.7, 1.3, 2.9)
    thin, dot = shapely.box(3.6, -0.4, 3.7, 2.4), shapely.Polygon([(5, 1), (5, 1), (5, 1)])
    frame = geopandas.GeoDataFrame(geometry=[big, inner, thin, dot])
    expected = np.array([[1, 1, 1, 0, 3, 0], [1, 1, 1, 0, 3, 4], [1, 1, 1, 0, 3, 0]], np.int32)
    for turned in (frame, frame.geometry):
        found = thiessen.voronoi(turned, (3, 6))
        np.testing.assert_array_equal(np.where(found.distance == 0, found.labels, 0), expected)
    domain = np.ones((3, 6), bool)
    domain[2] = False
    inside = thiessen.voronoi(frame, (3, 6), domain=domain, outputs="labels").labels
    np.testing.assert_array_equal(inside, np.where(domain, found.labels, -1))
    first = thiessen.voronoi(frame.iloc[[1, 0]], (3, 6))
    assert (first.labels[:, 0] == 2).all() and first.labels[:, 1].tolist() == [2, 1, 1]


def test_points_stay_points_and_several_may_be_a_feature() -> None:
    frame = geopandas.GeoDataFrame(
        {"n": [7, 9]}, geometry=[shapely.MultiPoint([(0.25, 0), (4, 2)]), shapely.Point(2, 1.5)]
    )
    names = ("labels", "distance", "site_index")
    found = thiessen.voronoi(frame, (3, 5), point_labels="n", outputs=names)
    points, labels = [(0, 0.25), (2, 4), (1.5, 2)], [7, 7, 9]
    expected = thiessen.voronoi(points, (3, 5), point_labels=labels, outputs=names)
    np.testing.assert_array_equal(found.labels, expected.labels)
    np.testing.assert_array_equal(found.distance, expected.distance)
    np.testing.assert_array_equal(found.site_index, np.array([0, 0, 1])[expected.site_index])


def test_costs_from_features() -> None:
    pytest.importorskip("rasterio")
    frame, grid = features().drop(index=[1, 6]), small_grid()
    cost = grid.copy(data=np.random.default_rng(3).uniform(1, 5, grid.shape))
    names = ("labels", "distance", "site_index", "back_link")
    taken = np.array(TAKEN, np.int32)
    start = np.arange(5) * 0.5
    found = thiessen.cost_distance(frame, cost=cost, initial_cost=start, outputs=names)
    expected = thiessen.cost_distance(
        taken, cost=cost, initial_cost=start[[0, 0, 0, 1, 2, 0, 4]][taken], outputs=names
    )
    rows = np.array([0, 0, 0, 1, 2, 0, 4])
    np.testing.assert_array_equal(found.labels, rows[expected.labels] + 1)
    np.testing.assert_array_equal(found.site_index, rows[expected.labels])
    np.testing.assert_array_equal(found.distance, expected.distance)
    np.testing.assert_array_equal(found.back_link, expected.back_link)
    points = frame_of([(15, 25), (52, 8)], n=[4, 2])
    found = thiessen.cost_distance(points, cost=cost, point_labels="n", initial_cost="n")
    expected = thiessen.cost_distance(
        points=[(1, 1), (3, 5)], cost=cost, point_labels=[4, 2], initial_cost=[4, 2]
    )
    for own, wanted in zip(found, expected):
        np.testing.assert_array_equal(own, wanted)
    plain = frame.set_crs(None, allow_override=True)
    assert thiessen.cost_distance(plain[3:4], cost=np.ones((30, 50))).distance[22, 42] == 0


def test_refused_features(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rasterio")
    frame, grid = features(), small_grid()
    for own, message in zip(
        (frame, frame.drop(index=1)), ("1 of 7 points have", "1 of 6 .* row 5")
    ):
        with pytest.raises(ValueError, match=message):
            thiessen.allocate(own, grid, strict=True)
    kept = features().drop(index=[1, 6])
    cost = np.ones((4, 6))
    far = shapely.LineString([(0, 0), (1e12, 0)])
    place = "points has the coordinate reference system EPSG:32631, "
    for call, error, message in (
        (lambda: thiessen.voronoi(kept, small_grid(3035)), ValueError,
         place + "shape has EPSG:3035; must be the same"),
        (lambda: thiessen.voronoi(kept, (4, 6)), ValueError,
         place + "but shape tells no place of its cells; must be an xarray.DataArray"),
        (lambda: thiessen.cost_distance(kept, cost=cost), ValueError,
         "sites has .* EPSG:32631, but cost tells no place"),
        (lambda: thiessen.cost_distance(kept, cost="cost.tif"), TypeError, "cost is the text"),
        (lambda: thiessen.cost_distance(kept, cost=grid, values=[1]), ValueError,
         "values is a list; must be None for features of geopandas"),
        (lambda: thiessen.voronoi(kept, grid, spacing=2), ValueError,
         "spacing = 2; must be None where shape is a DataArray"),
        (lambda: thiessen.voronoi(kept, grid, point_labels=[1, 2, 0, 4, 5]), ValueError,
         "point_labels has 0 in row 2; must be another number"),
        (lambda: thiessen.voronoi(kept.to_crs(4326), grid), ValueError, "EPSG:4326, shape has"),
        (lambda: thiessen.voronoi(geopandas.GeoSeries([far]), (4, 6)), ValueError,
         r"points lies more than 2\*\*30 cells away from the grid in row 0"),
        (lambda: thiessen.voronoi(geopandas.GeoSeries([far]), (4, 6, 3)), ValueError,
         r"shape = \(4, 6, 3\); must have two axes, for lines and areas"),
        (lambda: thiessen.voronoi([(0, 0)], grid), TypeError,
         "shape is an xarray.DataArray; must be shape.shape"),
        (lambda: thiessen.nearest_site(kept), TypeError,
         "sites is a GeoDataFrame; must be a raster: thiessen.voronoi takes features"),
    ):  # fmt: skip
        with pytest.raises(error, match=message):
            call()
    monkeypatch.setitem(sys.modules, "rasterio.features", None)
    with pytest.raises(ImportError, match="points: lines and areas need the package rasterio: pip"):
        thiessen.allocate(kept, grid)
    assert thiessen.allocate(frame_of([(5, 5)]), grid).labels[0, 0] == 1
