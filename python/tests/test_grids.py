# SPDX-License-Identifier: Apache-2.0
"""DataArrays of one call: they lie on one grid, in which direction so ever, or are an error."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import thiessen
from thiessen import metrics

xr = pytest.importorskip("xarray")

LABELS = np.array([[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 0, 4]])


def grid(cells=LABELS, dims=("y", "x"), y=(30.0, 20.0, 10.0, 0.0), x=(0.0, 10.0, 20.0, 30.0)):
    return xr.DataArray(cells, dims=("y", "x"), coords={"y": list(y), "x": list(x)}).transpose(
        *dims
    )


def ones(**changes):
    return grid(np.ones((4, 4)), **changes)


PAIRS = {
    "cost_distance sites": lambda a, b: thiessen.cost_distance(b, stiffness=a + 1.0),
    "cost_distance initial_cost": lambda a, b: thiessen.cost_distance(
        a, stiffness=a + 1.0, initial_cost=b * 1.0
    ),
    "cost_distance elevation": lambda a, b: thiessen.cost_distance(
        a, stiffness=a + 1.0, elevation=b * 1.0
    ),
    "cost_distance blocked_faces": lambda a, b: thiessen.cost_distance(
        a, stiffness=a + 1.0, blocked_faces=(b * 0).astype(np.uint8)
    ),
    "cost_distance elevation alone": lambda a, b: thiessen.cost_distance(b, elevation=a * 1.0),
    "site_statistics field": lambda a, b: thiessen.site_statistics(a, field=b * 1.0),
    "site_statistics distance": lambda a, b: thiessen.site_statistics(a, distance=b * 1.0),
    "region_borders": lambda a, b: thiessen.region_borders(a, distance=b * 1.0),
    "compare": thiessen.compare,
    "compare mappings": lambda a, b: thiessen.compare({"labels": a}, {"labels": b}),
    "compare outputs": lambda a, b: thiessen.compare(
        {"labels": a, "distance": b * 1.0}, {"labels": a, "distance": b * 1.0}
    ),
    "render distance": lambda a, b: thiessen.render(a, distance=b * 1.0),
    "render sites": lambda a, b: thiessen.render(a, sites=b),
    "surface_distances": metrics.surface_distances,
    "CostSolver": lambda a, b: thiessen.CostSolver(b, stiffness=a + 1.0),
    "CostSolver initial_cost": lambda a, b: thiessen.CostSolver(
        a, stiffness=a + 1.0, initial_cost=b * 1.0
    ),
    "relax_sites": lambda a, b: thiessen.relax_sites(
        [(0, 0)], (4, 4), density=a + 1.0, domain=b + 1
    ),
    "farthest_sites": lambda a, b: thiessen.farthest_sites(
        (4, 4), 2, density=a + 1.0, domain=b + 1
    ),
    "relax_cost_sites": lambda a, b: thiessen.relax_cost_sites(
        [0], stiffness=a + 1.0, density=b + 1.0
    ),
    "farthest_cost_sites": lambda a, b: thiessen.farthest_cost_sites(
        2, stiffness=a + 1.0, density=b + 1.0
    ),
}


@pytest.mark.parametrize("call", PAIRS.values(), ids=PAIRS)
def test_two_data_arrays_lie_on_one_grid(call):
    call(grid(), grid())
    call(grid(), xr.DataArray(LABELS))  # which says nothing of itself
    call(grid(), grid().drop_vars(["y", "x"]))
    call(grid(), grid(x=np.array([0, 10, 20, 30], "f4") + np.float32(1e-6)))
    for other, message in (
        (grid(dims=("x", "y")), r"has the dimensions \('x', 'y'\) .*\.transpose\('y', 'x'\)"),
        (grid().rename(y="row", x="column"), r"must be the same: .*rename\({'row': 'y', "),
        (
            grid(x=(100, 110, 120, 130)),
            "its coordinate 'x' goes from 100.* to 130.*nearest., tolerance=5",
        ),
        (grid(y=(0, 10, 20, 30)), r"another grid .* 'y' .*isel\({'y': slice\(None, None, -1\)}\)"),
        (grid(x=(0, 20, 40, 60)), "another grid .* 'x' .* must be the same"),
        (grid(x=(0.5, 10.5, 20.5, 30.5)), "another grid .* 'x'"),
    ):
        with pytest.raises(ValueError, match=message):
            call(grid(), other)


def test_plots_of_one_grid():
    pytest.importorskip("matplotlib").use("agg")
    thiessen.plot(grid(), distance=ones(), sites=grid(), image=ones())
    for name in ("distance", "sites", "image"):
        with pytest.raises(ValueError, match=f"{name} lies on another grid than labels"):
            thiessen.plot(grid(), **{name: ones(x=(1, 2, 3, 4))})
    colours = xr.concat([ones()] * 3, "colour").transpose("y", "x", "colour")
    thiessen.plot(grid(), image=colours / 2)
    with pytest.raises(ValueError, match="image has the dimensions"):
        thiessen.overlay(colours.transpose("x", "y", "colour"), grid())


def test_dask_compares_too():
    da = pytest.importorskip("dask.array")
    cost = da.ones((4, 4), chunks=2)
    found = thiessen.cost_distance(grid(), stiffness=cost, initial_cost=ones()).distance
    wanted = thiessen.cost_distance(
        LABELS, stiffness=np.ones((4, 4)), initial_cost=np.ones((4, 4)), spacing=10
    )
    np.testing.assert_array_equal(found, wanted.distance)
    with pytest.raises(ValueError, match="initial_cost lies on another grid than sites"):
        thiessen.cost_distance(grid(), stiffness=cost, initial_cost=ones(x=(1, 2, 3, 4)))
    nodata = thiessen.cost_distance(grid().assign_attrs(_FillValue=4), stiffness=cost).labels
    assert 4 not in nodata.compute()
    with pytest.raises(TypeError, match="domain is an xarray.DataArray; must be domain.data"):
        thiessen.voronoi(da.zeros((1, 2)), (4, 4), domain=grid())


def test_coordinate_reference_systems_are_compared():
    pytest.importorskip("pyproj")
    from pyproj import CRS

    def at(code):
        attrs = {"crs_wkt": CRS.from_epsg(code).to_wkt()}
        return grid().assign_coords(spatial_ref=xr.DataArray(0, attrs=attrs))

    thiessen.compare(at(32631), at(32631))
    thiessen.compare(at(32631), grid())
    with pytest.raises(ValueError, match="b has the coordinate reference system .*33N and a .*31N"):
        thiessen.compare(at(32631), at(32633))


def test_the_grid_of_any_input_gives_the_spacing():
    plain = thiessen.cost_distance(LABELS, stiffness=LABELS + 1.0, spacing=10)
    for map, sites in ((LABELS + 1.0, grid()), (grid().drop_vars(["y", "x"]) + 1.0, grid())):
        found = thiessen.cost_distance(sites, stiffness=map)
        np.testing.assert_array_equal(found.distance, plain.distance)
    hill = ones() * np.arange(4.0)
    walked = thiessen.cost_distance(LABELS, stiffness=ones().drop_vars(["y", "x"]), elevation=hill)
    own = thiessen.cost_distance(
        LABELS, stiffness=np.ones((4, 4)), elevation=hill.values, spacing=10
    )
    np.testing.assert_array_equal(walked.distance, own.distance)
    statistics = thiessen.site_statistics(LABELS, field=ones())
    assert statistics.volume.tolist() == [100] * 4


def test_solvers_and_placing_take_grids():
    solver = thiessen.NearestSiteSolver(grid().assign_attrs(_FillValue=4))
    wanted = thiessen.nearest_site(LABELS, spacing=10, nodata=4)
    np.testing.assert_array_equal(solver.outputs.distance, wanted.distance)
    with pytest.raises(ValueError, match="outputs has 'direction'"):
        thiessen.NearestSiteSolver(grid()[::-1], outputs="direction")
    solver = thiessen.NearestSiteSolver.of_points([(0, 0)], (4, 4), domain=grid() + 1)
    assert solver.outputs.distance[0, 3] == 30
    cost = thiessen.CostSolver(grid(), cost=ones())
    plain = thiessen.cost_distance(LABELS, cost=np.ones((4, 4)), spacing=10)
    np.testing.assert_array_equal(cost.outputs.distance, plain.distance)
    assert thiessen.farthest_cost_sites(2, stiffness=ones()).radius == pytest.approx(
        10 * thiessen.farthest_cost_sites(2, stiffness=np.ones((4, 4))).radius
    )
    assert thiessen.farthest_sites((4, 4), 3, domain=ones().astype(int)).radius == (
        10 * thiessen.farthest_sites((4, 4), 3).radius
    )


def test_a_domain_is_a_grid():
    domain = grid(np.where(LABELS == 3, 0, 1), y=(0.0, 10.0, 20.0, 30.0)).assign_attrs(_FillValue=9)
    domain[3, 3] = 9
    found = thiessen.voronoi(
        [(0, 0)], (4, 4), domain=domain, outputs=("labels", "distance", "direction")
    )
    assert found.distance.sel(y=0, x=30) == 30
    assert found.direction.sel(y=30, x=0) == 180  # to a point in the south
    assert found.labels[3, 3] == found.labels[2, 1] == found.labels.attrs["_FillValue"] == -1
    degrees = domain.rename(y="lat", x="lon")
    with pytest.raises(ValueError, match='domain has .* in degrees.*metric="ellipsoidal"'):
        thiessen.voronoi([(0, 0)], (4, 4), domain=degrees)
    on_earth = thiessen.voronoi([(0, 0)], (4, 4), domain=degrees, metric="ellipsoidal")
    assert on_earth.distance.attrs["units"] == "m"
    assert float(on_earth.distance.sel(lat=0, lon=30)) == pytest.approx(3339584.7, abs=1)


# ---- direction, centroids, boxes and outlines


def azimuths(x, y, site_index):
    """On the map, of arrays of coordinates of cells."""
    to_x, to_y = x.ravel()[site_index] - x, y.ravel()[site_index] - y
    found = np.degrees(np.arctan2(to_x, to_y)) % 360
    found[found == 0] = 360
    found[(to_x == 0) & (to_y == 0)] = 0
    return found


@pytest.mark.parametrize("dims", [("y", "x"), ("x", "y")])
@pytest.mark.parametrize("names", [("y", "x"), ("northing", "easting"), ("lat", "lon"), ("a", "b")])
def test_directions_whichever_way_the_axes_run(dims, names):
    cells = np.zeros((4, 5), int)
    cells[1, 3], cells[3, 0] = 7, 9
    for y_way, x_way in itertools.product((-1, 1), (-1, 1)):
        y = ("y", y_way * 2.0 * np.arange(4), {"axis": "Y", "units": "m"})
        x = ("x", x_way * 3.0 * np.arange(5), {"axis": "X", "units": "m"})
        sites = xr.DataArray(cells, dims=("y", "x"), coords={"y": y, "x": x})
        sites = sites.rename(y=names[0], x=names[1])
        own = [names["yx".index(dim)] for dim in dims]
        sites = sites.transpose(*own)
        found = thiessen.nearest_site(sites, outputs=("direction", "site_index"))
        a, b = np.meshgrid(*(sites.coords[dim].values for dim in own), indexing="ij")
        wanted = azimuths(*((b, a) if dims[0] == "y" else (a, b)), found.site_index.values)
        apart = (found.direction.values - wanted + 180) % 360 - 180
        assert np.abs(apart).max() < 5e-5
        assert ((found.direction.values == 0) == (wanted == 0)).all()


def test_without_coordinates_row_0_is_north_in_either_order():
    sites = xr.DataArray(LABELS, dims=("y", "x"))
    wanted = thiessen.nearest_site(sites, outputs="direction").direction
    assert wanted[3, 0] == 45
    found = thiessen.nearest_site(sites == 3, outputs="direction").direction
    turned = thiessen.nearest_site((sites == 3).transpose(), outputs="direction").direction
    assert (found - turned).max() < 1e-4 and turned.dims == ("x", "y")
    assert turned[1, 3] == 360  # x = 1, below the site
    da = pytest.importorskip("dask.array")
    lazy = xr.DataArray(da.from_array(LABELS.T == 3, chunks=2), dims=("x", "y"))
    lazily = thiessen.nearest_site(lazy, outputs="direction").direction
    np.testing.assert_array_equal(lazily, turned)


def test_statistics_have_the_coordinates_of_the_grid():
    plain = thiessen.site_statistics(
        LABELS == 0, background=False, field=np.arange(16.0).reshape(4, 4)
    )
    for dims in (("y", "x"), ("x", "y")):
        for y in ((30.0, 20.0, 10.0, 0.0), (0.0, 10.0, 20.0, 30.0)):
            labels = grid((LABELS == 0).astype(int), dims, y=y)
            field = grid(np.arange(16.0).reshape(4, 4), dims, y=y)
            found = thiessen.site_statistics(labels, field=field)
            columns = found._asdict()
            assert found.axes == dims
            sign = 1 if y[0] < y[-1] else -1
            for name in ("centroid", "mass_centroid"):
                row, column = getattr(plain, name)[0]
                assert columns[f"{name}_y"][0] == pytest.approx(y[0] + sign * 10 * row)
                assert columns[f"{name}_x"][0] == pytest.approx(10 * column)
            moment = columns[f"second_moments_{''.join(dims)}"][0]
            assert moment == pytest.approx(sign * 100 * plain.second_moments[0, 0, 1])
            assert (columns["first_y"][0], columns["last_y"][0]) == (y[0], y[-1])
            assert (columns["first_x"][0], columns["last_x"][0]) == (0, 30)
    given = thiessen.site_statistics(grid(), spacing=3)
    assert given.centroid[2].tolist() == [10, 10] and given.volume[2] == 9
    bare = thiessen.site_statistics(xr.DataArray(LABELS, dims=("x", "y")), spacing=3)
    assert bare._asdict()["centroid_x"][2] == 6 and bare.first.dtype == np.int64
    volume = xr.DataArray(np.stack([LABELS] * 2), dims=("z", "y", "x"), coords={"z": [5.0, 7.0]})
    assert thiessen.site_statistics(volume).centroid[2].tolist() == [6, 2, 1]
    degrees = grid().rename(y="lat", x="lon")
    with pytest.raises(ValueError, match="'lat' in degrees") as error:
        thiessen.site_statistics(degrees)
    assert "metric" not in str(error.value)  # of which this function has none
    assert thiessen.site_statistics(degrees, spacing=1000).centroid[2].tolist() == [10, 10]


def test_outlines_have_the_coordinates_of_the_grid():
    shapely = pytest.importorskip("shapely")
    distance = thiessen.distance_transform(grid())
    calls = (
        lambda labels, _: thiessen.region_polygons(labels, background=None),
        lambda labels, _: thiessen.region_borders(labels, background=None),
        lambda _, distance: thiessen.contour_lines(distance, interval=7),
    )
    for call in calls:
        north_up = call(grid(), distance)
        assert north_up.to_shapely((0, 1, 0, 0, 0, 1))[0].bounds[0] >= 0  # as the caller wants it
        wanted = shapely.normalize(shapely.union_all(north_up.to_shapely()))
        plain = call(LABELS, distance.values).to_shapely((-5, 10, 0, 35, 0, -10))
        assert shapely.equals(wanted, shapely.union_all(plain))
        for y, dims in itertools.product(
            (slice(None), slice(None, None, -1)), (("y", "x"), ("x", "y"))
        ):
            labels = grid().isel(y=y).transpose(*dims)
            other = call(labels, distance.isel(y=y).transpose(*dims)).to_shapely()
            assert shapely.equals(wanted, shapely.union_all(other))
    assert call(grid(), distance.drop_vars(["y", "x"])).transform is None


# ---- rotated grids


def centres(transform, shape):
    """x and y of cells."""
    row, column = np.indices(shape) + 0.5
    a, b, c, d, e, f = transform[:6]
    return a * column + b * row + c, d * column + e * row + f


def rotated(angle=-30.0, cells=None, **options):
    rasterio = pytest.importorskip("rasterio")
    rioxarray = pytest.importorskip("rioxarray")
    affine = rasterio.transform.Affine
    turn = affine.rotation(angle)
    transform = affine(10 * turn.a, -20 * turn.b, 100, 10 * turn.d, -20 * turn.e, 260)
    if cells is None:
        cells = np.zeros((6, 8), np.uint8)
        cells[0, 3], cells[5, 6] = 1, 2
    with rasterio.io.MemoryFile() as memory:
        with memory.open(
            driver="GTiff", width=8, height=6, count=1, dtype=cells.dtype, crs="EPSG:32631",
            transform=transform,
        ) as file:  # fmt: skip
            file.write(cells, 1)
        array = rioxarray.open_rasterio(memory.name, **options).squeeze("band", drop=True).load()
    return array, centres(transform, cells.shape)


@pytest.mark.parametrize("angle", [-30.0, 30.0, 100.0, 180.0, 259.5])
@pytest.mark.parametrize("coordinates", [True, False])
def test_rotated_grids(angle, coordinates):
    sites, (x, y) = rotated(angle, parse_coordinates=coordinates)
    outputs = ("distance", "direction", "site_index", "labels")
    found = thiessen.nearest_site(sites, outputs=outputs)
    index = found.site_index.values
    wanted = np.hypot(x.ravel()[index] - x, y.ravel()[index] - y)
    np.testing.assert_allclose(found.distance, wanted, rtol=1e-6)
    apart = (found.direction.values - azimuths(x, y, index) + 180) % 360 - 180
    apart[found.distance == 0] = found.direction.values[found.distance == 0]
    assert np.abs(apart).max() < 5e-5
    assert found.distance.attrs["units"] == "metre"
    turned = thiessen.nearest_site(sites.transpose(), outputs="direction").direction
    assert np.abs((turned.values.T - found.direction.values + 180) % 360 - 180).max() < 1e-3
    statistics = thiessen.site_statistics(found.labels)
    for i, label in enumerate(statistics.labels):
        own = found.labels.values == label
        np.testing.assert_allclose(statistics.centroid[i], [y[own].mean(), x[own].mean()])
        covariance = np.cov(np.stack([y[own], x[own]]), bias=True)
        np.testing.assert_allclose(statistics.second_moments[i], covariance, atol=1e-6)


def test_outlines_and_points_on_rotated_grids():
    shapely = pytest.importorskip("shapely")
    geopandas = pytest.importorskip("geopandas")
    sites, (x, y) = rotated()
    labels = thiessen.nearest_site(sites).labels
    polygons = thiessen.region_polygons(labels).to_shapely()
    for polygon, label in zip(polygons, (1, 2)):
        inside = shapely.contains_xy(polygon, x.ravel(), y.ravel())
        np.testing.assert_array_equal(inside, labels.values.ravel() == label)
    points = geopandas.GeoSeries(geopandas.points_from_xy(x[[0, 5], [3, 6]], y[[0, 5], [3, 6]]))
    for like in (sites, sites.transpose()):
        found = thiessen.allocate(points, like=like, outputs=("labels", "direction")).labels
        assert found.dims == like.dims
        np.testing.assert_array_equal(found.transpose("y", "x"), labels)


def test_rotated_grids_that_are_no_grids_or_others():
    sites, _ = rotated()
    other, _ = rotated(-31.0)
    with pytest.raises(ValueError, match="b lies on another grid than a: its geotransform is"):
        thiessen.compare(sites, other)
    thiessen.compare(sites, sites.copy())
    sheared = sites.assign_coords(xc=sites.xc + 0.2 * sites.yc)
    with pytest.raises(ValueError, match="sites has a sheared geotransform"):
        thiessen.nearest_site(sheared)
    curved = sites.assign_coords(xc=sites.xc**2)
    with pytest.raises(ValueError, match="coordinates 'xc' and 'yc' of every cell, in steps that"):
        thiessen.nearest_site(curved)
    thiessen.nearest_site(curved, spacing=1)
    with pytest.raises(ValueError, match="raster has a geotransform, but no coordinates 'y' and"):
        thiessen.compat.xrspatial.proximity(sites)


def test_files_in_degrees(tmp_path):
    rasterio = pytest.importorskip("rasterio")
    cells = np.zeros((6, 8), np.uint8)
    cells[0, 3], cells[5, 6] = 1, 2
    path, out = tmp_path / "sites.tif", {"distance": np.zeros((6, 8), "f4")}
    for transform, crs, message in (
        (
            (0.1, 0, 8, 0, -0.1, 48),
            "EPSG:4326",
            "is in degrees.*spacing must be given.*ellipsoidal",
        ),
        ((1, 0.5, 8, 0, -1, 48), "EPSG:32631", "has a sheared georeference.*spacing must be given"),
    ):
        with rasterio.open(
            path, "w", driver="GTiff", width=8, height=6, count=1, dtype="uint8", crs=crs,
            transform=rasterio.transform.Affine(*transform),
        ) as file:  # fmt: skip
            file.write(cells, 1)
        with pytest.raises(ValueError, match=f"sites.tif'; {message}"):
            thiessen.nearest_site(path, out=out)
        thiessen.nearest_site(path, out=out, spacing=1)
