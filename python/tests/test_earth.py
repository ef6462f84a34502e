# SPDX-License-Identifier: Apache-2.0
"""Distances on the Earth: rows and columns in degrees, DataArrays, and what is refused."""

import numpy as np
import pytest
import thiessen

LATITUDE = 89.5 - np.arange(180)
LONGITUDE = -179.5 + np.arange(360)


def two_cities():
    sites = np.zeros((180, 360), np.uint8)
    sites[38, 180], sites[54, 319] = 1, 2
    return sites


def haversine(y, x, site_y, site_x):
    """The length on a sphere of the mean radius."""
    a, b = np.radians(LATITUDE[y]), np.radians(LATITUDE[site_y])
    across = np.radians(LONGITUDE[x] - LONGITUDE[site_x])
    inner = np.sin((a - b) / 2) ** 2 + np.cos(a) * np.cos(b) * np.sin(across / 2) ** 2
    return 2 * 6371008.8 * np.arcsin(np.sqrt(inner))


def test_a_sphere_has_the_lengths_of_the_haversine_formula():
    earth = thiessen.Earth(LATITUDE, LONGITUDE)
    found = thiessen.nearest_site(
        two_cities(), metric="great-circle", earth=earth, distance_type="float64"
    )
    y, x = np.indices((180, 360))
    expected = np.minimum(haversine(y, x, 38, 180), haversine(y, x, 54, 319))
    np.testing.assert_allclose(found.distance, expected, rtol=0, atol=1e-3)


def test_methods_agree_and_points_are_sites_too():
    earth = thiessen.Earth(LATITUDE, LONGITUDE)
    outputs = ("labels", "distance", "site_index", "direction")
    exact, force = (
        thiessen.nearest_site(
            two_cities(), metric="ellipsoidal", earth=earth, method=method, outputs=outputs
        )
        for method in ("exact", "brute-force")
    )
    for name in outputs:
        np.testing.assert_array_equal(getattr(exact, name), getattr(force, name))
    points = thiessen.voronoi(
        [(38, 180), (54, 319)], (180, 360), metric="ellipsoidal", earth=earth, outputs=outputs[:2]
    )
    np.testing.assert_array_equal(points.labels, exact.labels)
    np.testing.assert_array_equal(points.distance, exact.distance)


def test_ellipsoid_and_sphere_may_be_given():
    earth = thiessen.Earth([0, 1], [0, 1], radius=1000, flattening=0)
    sites = np.eye(1, 2, dtype=np.uint8).repeat(2, axis=0) * [[1], [0]]
    found = thiessen.distance_transform(sites, metric="ellipsoidal", earth=earth)
    assert found[1, 0] == pytest.approx(1000 * np.pi / 180, abs=1e-4)


def test_a_data_array_has_its_coordinates():
    xarray = pytest.importorskip("xarray")
    latitude, longitude = LATITUDE[::-1], LONGITUDE
    sites = xarray.DataArray(
        two_cities()[::-1], dims=("lat", "lon"), coords={"lat": latitude, "lon": longitude}
    )
    outputs = ("labels", "distance", "direction")
    found = thiessen.nearest_site(sites, metric="ellipsoidal", outputs=outputs)
    plain = thiessen.nearest_site(
        two_cities(), metric="ellipsoidal", earth=thiessen.Earth(LATITUDE, LONGITUDE),
        outputs=outputs,
    )  # fmt: skip
    for name in outputs:
        np.testing.assert_array_equal(getattr(found, name).values[::-1], getattr(plain, name))
    assert found.distance.attrs["units"] == "m"
    distance = thiessen.distance_transform(sites, metric="ellipsoidal")
    np.testing.assert_array_equal(distance, found.distance)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"earth": None}, "needs earth"),
        ({"earth": 5}, "must be a thiessen.Earth"),
        ({"earth": thiessen.Earth([0], LONGITUDE)}, "earth.latitude has 1 values"),
        ({"earth": thiessen.Earth(LATITUDE, [[0]])}, "must be a list of numbers"),
        ({"metric": "euclidean"}, "earth is given"),
        ({"spacing": 2}, "spacing and metric = ellipsoidal"),
        ({"signed_distance": True}, "signed"),
        ({"outputs": "squared"}, "squared"),
    ],
)
def test_refuses(change, words):
    arguments = {"metric": "ellipsoidal", "earth": thiessen.Earth(LATITUDE, LONGITUDE), **change}
    with pytest.raises((ValueError, TypeError), match=words):
        thiessen.nearest_site(two_cities(), **arguments)


def test_refuses_coordinates_that_are_no_degrees():
    xarray = pytest.importorskip("xarray")
    sites = xarray.DataArray(two_cities()[:3, :4], dims=("y", "x"))
    with pytest.raises(ValueError, match="no coordinate 'y'"):
        thiessen.nearest_site(sites, metric="ellipsoidal")
    metres = sites.assign_coords(y=[3.0, 2.0, 1.0], x=[1.0, 2.0, 3.0, 4.0])
    with pytest.raises(ValueError, match="do not say that they are degrees"):
        thiessen.nearest_site(metres, metric="ellipsoidal")
    turned = sites.rename(y="lon", x="lat").assign_coords(lon=[3.0, 2.0, 1.0], lat=[1.0, 2, 3, 4])
    with pytest.raises(ValueError, match="transpose"):
        thiessen.nearest_site(turned, metric="ellipsoidal")


@pytest.mark.filterwarnings("ignore:the map goes once round the Earth")
def test_costs_add_up_the_lengths_of_steps():
    earth = thiessen.Earth(LATITUDE, LONGITUDE)
    arguments = {"points": [(38, 180)], "metric": "great-circle", "earth": earth}
    found = thiessen.cost_distance(
        stiffness=np.ones((180, 360)), distance_type="float64", **arguments
    )
    down = np.radians(1) * 6371008.8
    assert found.distance[58, 180] == pytest.approx(20 * down, abs=1e-3)
    assert found.distance[38, 181] == pytest.approx(haversine(38, 181, 38, 180), abs=1e-5)
    straight = thiessen.voronoi(
        [(38, 180)], (180, 360), metric="great-circle", earth=earth, outputs="distance"
    ).distance
    near = straight < 5e6  # where no way over the date line is shorter
    assert (found.distance[near] > straight[near] - 1).all()
    for method in ("dijkstra", "relaxation"):
        other = thiessen.cost_distance(
            stiffness=np.ones((180, 360)), distance_type="float64", method=method, **arguments
        )
        np.testing.assert_array_equal(other.distance, found.distance)


@pytest.mark.filterwarnings("ignore:the map goes once round the Earth")
def test_costs_of_a_data_array_have_its_coordinates():
    xarray = pytest.importorskip("xarray")
    ones = xarray.DataArray(
        np.ones((180, 360), np.float32),
        dims=("lat", "lon"),
        coords={"lat": LATITUDE, "lon": LONGITUDE},
    )
    earth = thiessen.Earth(LATITUDE, LONGITUDE)
    found = thiessen.cost_distance(two_cities(), stiffness=ones, metric="ellipsoidal")
    plain = thiessen.cost_distance(
        two_cities(), stiffness=ones.values, metric="ellipsoidal", earth=earth
    )
    np.testing.assert_array_equal(found.distance, plain.distance)
    np.testing.assert_array_equal(found.labels, plain.labels)
    walked = thiessen.cost_distance(
        two_cities(), elevation=0 * ones, metric="ellipsoidal", walk="langmuir"
    )
    np.testing.assert_allclose(walked.distance, 0.72 * plain.distance, rtol=1e-5)
    assert walked.distance.attrs["units"] == "s"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"earth": None}, "needs earth"),
        ({"earth": thiessen.Earth(LATITUDE, LONGITUDE**3 / 1e5)}, "steps must be even"),
        ({"metric": "manhattan"}, "metric"),
        ({"metric": "euclidean"}, "earth is given"),
        ({"spacing": 2}, "spacing and metric = ellipsoidal"),
    ],
)
def test_costs_refuse(change, words):
    arguments = {"metric": "ellipsoidal", "earth": thiessen.Earth(LATITUDE, LONGITUDE), **change}
    with pytest.raises((ValueError, TypeError), match=words):
        thiessen.cost_distance(two_cities(), stiffness=np.ones((180, 360)), **arguments)


def test_a_map_around_the_earth_does_not_join_at_its_sides():
    xarray = pytest.importorskip("xarray")
    sea, sites = np.ones((180, 360), np.float32), two_cities()
    earth = thiessen.Earth(LATITUDE, LONGITUDE)
    at_sides = "goes once round the Earth, but paths end at its sides"
    with pytest.warns(thiessen.ThiessenWarning, match=at_sides) as told:
        thiessen.cost_distance(sites, stiffness=sea, metric="ellipsoidal", earth=earth)
    assert told[0].message.kind == "open_sides" and len(told) == 1
    with pytest.raises(ValueError, match=at_sides):
        thiessen.cost_distance(sites, stiffness=sea, metric="ellipsoidal", earth=earth, strict=True)
    ocean = xarray.DataArray(sea, dims=("lat", "lon"), coords={"lat": LATITUDE, "lon": LONGITUDE})
    for call in (
        lambda: thiessen.cost_distance(sites, stiffness=ocean, metric="great-circle"),
        lambda: thiessen.cost_distance(sites, stiffness=ocean, spacing=1),
        lambda: thiessen.cost_distance(sites, stiffness=ocean[:, ::-1], spacing=1),
        lambda: thiessen.cost_distance(sites.T, stiffness=ocean.transpose(), spacing=1),
        lambda: thiessen.CostSolver(sites, stiffness=ocean, spacing=1),
        lambda: thiessen.farthest_cost_sites(1, stiffness=ocean, spacing=1),
    ):
        with pytest.warns(thiessen.ThiessenWarning, match=at_sides):
            call()


def test_other_maps_have_sides(recwarn):
    xarray = pytest.importorskip("xarray")
    half = thiessen.Earth(LATITUDE, LONGITUDE[:358])
    thiessen.cost_distance(
        stiffness=np.ones((180, 358)), points=[(9, 9)], metric="ellipsoidal", earth=half
    )
    metres = xarray.DataArray(
        np.ones((3, 360)), dims=("y", "x"), coords={"y": [0, 1, 2], "x": LONGITUDE}
    )
    thiessen.cost_distance(stiffness=metres, points=[(1, 1)])
    thiessen.cost_distance(stiffness=metres.values, points=[(1, 1)])
    assert not recwarn.list


def test_longitudes_before_latitudes_are_refused():
    xarray = pytest.importorskip("xarray")
    crs = xarray.DataArray(0, attrs={"grid_mapping_name": "latitude_longitude"})
    sites = xarray.DataArray(
        np.eye(3), dims=("x", "y"),
        coords={"x": [5.0, 6, 7], "y": [50.0, 51, 52], "spatial_ref": crs},
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"sites.transpose\('y', 'x'\)"):
        thiessen.nearest_site(sites, metric="ellipsoidal")
    thiessen.nearest_site(sites.transpose(), metric="ellipsoidal")
    turned = sites.drop_vars("spatial_ref").rename(x="rlat", y="rlon")
    with pytest.raises(ValueError, match="coordinate 'rlat' of a rotated pole"):
        thiessen.nearest_site(turned, metric="ellipsoidal")
