# SPDX-License-Identifier: Apache-2.0
"""xarray.DataArray in and out: coordinates, attributes, spacing."""

from __future__ import annotations

import numpy as np
import oracle
import pytest
import thiessen

xr = pytest.importorskip("xarray")
NAMES = ("labels", "distance", "squared", "site_index", "offset", "direction")
SITES = np.array([[0, 3, 0, 0], [0, 0, 0, 7], [5, 0, 3, 0]])


def make(cells=SITES, **coords):
    coords = coords or {"y": [30.0, 20.0, 10.0], "x": [1, 2, 3, 4], "band": 7}
    return xr.DataArray(
        cells, dims=("y", "x"), coords=coords, attrs={"crs": "EPSG:2154"}, name="land"
    )


def test_coordinates_stay():
    sites = make()
    names = tuple(name for name in NAMES if name != "squared")
    result = thiessen.nearest_site(sites, outputs=names, distance_type="float64")
    oracle.assert_equal(result, oracle.nearest_site(SITES, spacing=(10, 1)))
    for name, output in result._asdict().items():
        assert isinstance(output, xr.DataArray)
        assert output.name == name
        assert output.attrs["crs"] == sites.attrs["crs"]
        assert output.dims == (("component", "y", "x") if name == "offset" else ("y", "x"))
        for coordinate in ("y", "x", "band"):
            assert output.coords[coordinate].equals(sites.coords[coordinate])
    assert sites.identical(make())


def test_other_functions():
    sites = make()
    distance = thiessen.distance_transform(sites, distance_type="float64")
    np.testing.assert_array_equal(distance, oracle.nearest_site(SITES, spacing=(10, 1))["distance"])
    assert distance.dims == ("y", "x")
    assert thiessen.expand_labels(sites, 2).coords.equals(sites.coords)
    assert thiessen.expand_labels(sites != 0, 2).dtype == bool
    found = thiessen.connected_components(sites)
    assert found.labels.dims == ("y", "x")
    assert found.count == 4


@pytest.mark.parametrize(
    ("y", "spacing"),
    [
        ([30.0, 20.0, 10.0], 10),
        ([1, 3, 5], 2),
        (np.array([20, 10, 0], "u1"), 10),
        (np.array([0.1, 0.1 + 0.1, 0.1 + 0.1 + 0.1]), 0.1),
        (np.array([0.1, 0.2, 0.3], "f4"), 0.1),
        (np.array([4000000, 4000030, 4000060], "f4"), 30),
        (np.array([4e6 + 0.3, 4e6 + 0.6, 4e6 + 0.9]), 0.3),
    ],
)
def test_spacing_is_the_step_of_the_coordinates(y, spacing):
    got = thiessen.distance_transform(make(y=y))
    np.testing.assert_array_equal(got, thiessen.distance_transform(SITES, spacing=(spacing, 1)))


def test_without_coordinates_or_with_one_cell_the_spacing_is_1():
    bare = xr.DataArray(SITES, dims=("y", "x"))
    oracle.assert_equal(thiessen.nearest_site(bare, outputs=NAMES), oracle.nearest_site(SITES))
    row = xr.DataArray(SITES[:1], dims=("y", "x"), coords={"y": [77.0], "x": [2, 4, 6, 8]})
    np.testing.assert_array_equal(
        thiessen.distance_transform(row), thiessen.distance_transform(SITES[:1], spacing=2)
    )


@pytest.mark.parametrize(
    ("y", "why"),
    [
        ([0, 1, 2.5], "steps that differ"),
        ([0, 0, 0], "steps that differ"),
        ([0, np.nan, 2], "steps that differ"),
        ([0, 1, np.inf], "steps that differ"),
        ([0, 1, -1], "steps that differ"),
        (np.array(["2020-01-01", "2020-01-02", "2020-01-03"], "M8[ns]"), "must be numbers"),
        (["a", "b", "c"], "must be numbers"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_coordinates_without_a_spacing_are_refused(y, why):
    sites = make(y=y)
    with pytest.raises(ValueError, match=f"sites has the coordinate 'y' .*{why}.*spacing must"):
        thiessen.nearest_site(sites)
    result = thiessen.nearest_site(sites, spacing=(2, 1), distance_type="float64")
    oracle.assert_equal(result, oracle.nearest_site(SITES, spacing=(2, 1)))


def test_degrees_are_refused():
    lat = xr.DataArray(SITES, dims=("lat", "lon"), coords={"lat": [3, 2, 1], "lon": [1, 2, 3, 4]})
    with pytest.raises(ValueError, match="coordinate 'lat' in degrees"):
        thiessen.nearest_site(lat)
    assert thiessen.nearest_site(lat, spacing=1).labels.dims == ("lat", "lon")
    lat.coords["lat"].attrs["units"] = lat.coords["lon"].attrs["units"] = "m"
    assert thiessen.nearest_site(lat).labels.dims == ("lat", "lon")
    y = make()
    y.coords["x"].attrs["units"] = "degrees_east"
    with pytest.raises(ValueError, match="coordinate 'x' in degrees"):
        thiessen.nearest_site(y)


@pytest.mark.parametrize("dtype", ["bool", "u1", ">i4", "f2", ">f8"])
def test_dtypes(dtype):
    result = thiessen.nearest_site(make(SITES.astype(dtype)), spacing=1, outputs=NAMES)
    oracle.assert_equal(result, oracle.nearest_site(SITES.astype(dtype)))


def test_in_3d():
    cells = np.stack([SITES, 0 * SITES])
    sites = xr.DataArray(cells, dims=("z", "y", "x"), coords={"z": [0, 5]})
    result = thiessen.nearest_site(sites, outputs=("distance", "offset"))
    oracle.assert_equal(result, oracle.nearest_site(cells, spacing=(5, 1, 1)))
    assert result.offset.dims == ("component", "z", "y", "x")


def test_a_dimension_named_component():
    sites = xr.DataArray(SITES, dims=("component", "x"))
    result = thiessen.nearest_site(sites, outputs=("labels", "offset"))
    assert result.offset.shape == (2, 3, 4)
    assert len(set(result.offset.dims)) == 3


def test_out_is_a_numpy_array():
    out = np.zeros(SITES.shape, "f4")
    got = thiessen.distance_transform(make(), out=out)
    assert np.shares_memory(got.data, out)
    with pytest.raises(TypeError, match=r"out\['distance'\] is a DataArray; must be a numpy"):
        thiessen.distance_transform(make(), out=make(out))
    with pytest.raises(TypeError, match=r"out\['distance'\] is a DataArray; must be a numpy"):
        thiessen.nearest_site(SITES, out=xr.Dataset({"distance": make(out)}))


def test_scalars_as_options():
    result = thiessen.nearest_site(
        SITES, nodata=xr.DataArray(3), max_distance=xr.DataArray(np.float32(2)),
        values=xr.DataArray([5, 7]),
    )  # fmt: skip
    oracle.assert_equal(result, oracle.nearest_site(SITES, nodata=3, max_distance=2, values=[5, 7]))


def test_memory_on_a_gpu():
    class Gpu:
        def __dlpack_device__(self):
            return (2, 0)

    class OnGpu(xr.DataArray):
        __slots__ = ()
        data = property(lambda self: Gpu())

    with pytest.raises(RuntimeError, match="^sites is a .*Gpu in memory of the DLPack device"):
        thiessen.nearest_site(OnGpu(make()))


@pytest.mark.parametrize("y_step", [-30.0, 30.0])
@pytest.mark.parametrize("x_step", [-30.0, 30.0])
def test_north_is_where_y_grows_and_east_where_x_grows(y_step, x_step):
    sites = np.zeros((3, 4))
    sites[1, 2] = 5
    y, x = 1000 + y_step * np.arange(3), 500 + x_step * np.arange(4)
    raster = xr.DataArray(sites, coords={"y": y, "x": x}, dims=("y", "x"))
    direction = thiessen.nearest_site(raster, outputs="direction").direction
    north = y[1] - y[:, None] + 0 * x
    east = x[2] - x + 0 * y[:, None]
    expected = np.degrees(np.arctan2(east, north)) % 360
    expected[expected == 0] = 360
    expected[1, 2] = 0
    np.testing.assert_allclose(direction, expected, rtol=0, atol=1e-4)
    assert (thiessen.nearest_site(sites, outputs="direction").direction == direction).all() == (
        y_step < 0 < x_step
    )
