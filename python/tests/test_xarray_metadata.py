# SPDX-License-Identifier: Apache-2.0
"""What a DataArray says about its cells besides their values: attributes, nodata, degrees, axes."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest
import thiessen
from thiessen import metrics

xr = pytest.importorskip("xarray")


@pytest.fixture(autouse=True)
def without_rioxarray(monkeypatch):
    """Another test may have imported it; it has units and nodata of its own. Returns it, if so."""
    imported = sys.modules.get("rioxarray")
    monkeypatch.delitem(sys.modules, "rioxarray", raising=False)
    return imported


@pytest.fixture(params=["plain", "rioxarray"])
def reader(request, without_rioxarray, monkeypatch):
    """For what rioxarray must not change."""
    if request.param == "rioxarray":
        module = without_rioxarray or pytest.importorskip("rioxarray")
        monkeypatch.setitem(sys.modules, "rioxarray", module)


COVER = np.zeros((6, 8), np.uint8)
COVER[1, 2], COVER[4, 6], COVER[0, 0] = 7, 9, 255
ATTRIBUTES = {
    "units": "class",
    "long_name": "land cover",
    "scale_factor": 0.5,
    "add_offset": 1.0,
    "_FillValue": np.uint8(255),
}
OUTPUTS = ("labels", "distance", "squared", "site_index", "offset", "direction")


def cover(cells=COVER, dims=("y", "x"), attrs=ATTRIBUTES, step=1.0, **coords):
    """Land cover as rioxarray reads it, of which only the last two dimensions have coordinates."""
    y, x = cells.shape[-2:]
    coords = {
        dims[-2]: 50.0 - step * np.arange(y),
        dims[-1]: 10.0 + step * np.arange(x),
        "spatial_ref": xr.DataArray(0, attrs={"grid_mapping_name": "transverse_mercator"}),
        **coords,
    }
    array = xr.DataArray(cells, dims=dims, coords=coords, attrs=attrs, name="land")
    array.encoding["grid_mapping"] = "spatial_ref"
    return array


def every_result(sites):
    """Outputs of all functions that return DataArrays, by name."""
    results = {
        f"nearest_site {k}": v
        for k, v in thiessen.nearest_site(sites, spacing=1, outputs=OUTPUTS)._asdict().items()
    }
    costs = sites.copy(data=np.where(sites.values == 255, 255, 1).astype("f4"))
    names = ("labels", "distance", "site_index", "back_link")
    found = thiessen.cost_distance(sites, cost=costs, outputs=names)
    results |= {f"cost_distance {name}": array for name, array in found._asdict().items()}
    results["distance_transform"] = thiessen.distance_transform(sites)
    results["signed"] = thiessen.distance_transform(sites, signed_distance=True)
    results["boundary"] = thiessen.distance_transform(sites, distance_to="boundary")
    results["expand_labels"] = thiessen.expand_labels(sites, 3)
    results["connected_components"] = thiessen.connected_components(sites).labels
    stack = xr.concat([sites, sites], "time")
    stack.encoding = sites.encoding
    batch = thiessen.nearest_site(stack, batch_axes="time")
    return results | {f"batch {name}": array for name, array in batch._asdict().items()}


def test_outputs_have_attributes_of_their_own():
    sites = cover()
    results = every_result(sites)
    for name, result in results.items():
        assert not {"scale_factor", "add_offset"} & {*result.attrs, *result.encoding}, name
        assert result.attrs["long_name"] != "land cover"
        assert result.attrs.get("units") in (None, "degree"), name
        assert result.encoding == {"grid_mapping": "spatial_ref"}, name
        assert result.coords["spatial_ref"].identical(sites.coords["spatial_ref"]), name
        assert result.coords["y"].identical(sites.coords["y"]), name
    assert len({result.attrs["long_name"] for result in results.values()}) == 12
    assert sites.identical(cover())


def test_nodata_of_outputs():
    fill_values = {
        "labels": 255, "distance": np.nan, "squared": -2, "site_index": -2, "offset": -(2**31),
        "direction": np.nan, "back_link": 255,
    }  # fmt: skip
    for name, result in every_result(cover()).items():
        kind = name.split()[-1]
        wanted = fill_values.get(kind, np.nan)
        wanted = {"expand_labels": 255, "connected_components": -1}.get(name, wanted)
        given = result.attrs["_FillValue"]
        assert given.dtype == result.dtype, name
        np.testing.assert_array_equal(given, wanted, err_msg=name)
        np.testing.assert_array_equal(result.values[..., 0, 0], wanted, err_msg=name)
    without = cover(np.minimum(COVER, 9), attrs={})
    assert "_FillValue" not in thiessen.nearest_site(without).labels.attrs
    assert np.isnan(thiessen.nearest_site(without).distance.attrs["_FillValue"])
    assert "_FillValue" not in thiessen.expand_labels(without > 0, 1).attrs
    given = thiessen.nearest_site(without, nodata=9).labels
    assert given.attrs["_FillValue"] == 9 and given.attrs["_FillValue"].dtype == np.uint8


def test_label_of_nodata_cells_of_a_map():
    costs = cover(np.where(COVER == 255, -9999, 1).astype("f4"), attrs={"_FillValue": -9999.0})
    sites = np.where(COVER == 255, 0, COVER).astype("i2")
    found = thiessen.cost_distance(sites, cost=costs)
    assert np.isnan(found.distance[0, 0])
    assert found.labels[0, 0] == found.labels.attrs["_FillValue"] == -9999
    found = thiessen.cost_distance(sites, cost=costs, nodata_label=3)
    assert found.labels[0, 0] == found.labels.attrs["_FillValue"] == 3
    found = thiessen.cost_distance(sites.astype("u1"), cost=costs)  # cannot hold -9999
    assert found.labels[0, 0] == 0
    assert "_FillValue" not in found.labels.attrs


def test_units_of_distances():
    sites = cover()
    for dim in ("y", "x"):
        sites.coords[dim].attrs["units"] = "km"
    assert thiessen.distance_transform(sites).attrs["units"] == "km"
    assert thiessen.nearest_site(sites).distance.attrs["units"] == "km"
    assert "units" not in thiessen.nearest_site(sites).labels.attrs
    assert "units" not in thiessen.distance_transform(sites, spacing=1).attrs
    assert "units" not in thiessen.cost_distance(sites, stiffness=sites * 0 + 1).distance.attrs
    sites.coords["x"].attrs["units"] = "m"
    assert "units" not in thiessen.distance_transform(sites).attrs
    assert "units" not in thiessen.distance_transform(cover()).attrs


def test_facade_copies_attributes_as_its_peer():
    sites = cover(attrs={"units": "class", "long_name": "land cover"})
    assert thiessen.compat.xrspatial.proximity(sites).attrs == sites.attrs


# ---- nodata


@pytest.mark.parametrize("name", ["_FillValue", "missing_value", "nodata"])
def test_nodata_is_that_of_the_attributes(name, reader):
    wanted = thiessen.nearest_site(COVER, nodata=255)
    for value in (255, np.uint8(255), np.array([255], np.uint8), 255.0):
        found = thiessen.nearest_site(cover(attrs={name: value}))
        np.testing.assert_array_equal(found.labels, wanted.labels)
        np.testing.assert_array_equal(found.distance, wanted.distance)
    given = thiessen.nearest_site(cover(attrs={name: 255}), nodata=9)
    np.testing.assert_array_equal(given.labels, thiessen.nearest_site(COVER, nodata=9).labels)


def test_nodata_that_no_cell_can_have(reader):
    wanted = thiessen.nearest_site(COVER).labels
    for value in (-9999, 300, 1.5, np.nan, "none", None, [1, 2]):
        found = thiessen.nearest_site(cover(attrs={"_FillValue": value})).labels
        np.testing.assert_array_equal(found, wanted)
        assert "_FillValue" not in found.attrs
    mask = cover(COVER > 0, attrs={"_FillValue": 0})
    np.testing.assert_array_equal(thiessen.distance_transform(mask) == 0, COVER > 0)


def test_zero_for_nodata_leaves_nothing_to_measure_from():
    """As rasters of burned sites often have it."""
    burned = cover(attrs={"_FillValue": 0})
    for name, call in (
        ("sites", thiessen.nearest_site),
        ("sites", thiessen.distance_transform),
        ("labels", thiessen.expand_labels),
    ):
        with pytest.raises(ValueError, match=f"^{name} has the nodata value 0 in its metadata"):
            call(burned)
        with pytest.warns(thiessen.ThiessenWarning, match="^no free cell"):
            call(burned, nodata=0)
    for call in (thiessen.nearest_site, thiessen.distance_transform, thiessen.expand_labels):
        found, plain = call(burned, free_nodata=True), call(COVER)
        np.testing.assert_array_equal(found, plain)
    lost = cover(np.where(COVER == 0, np.nan, COVER).astype("f4"), attrs={})
    lost.encoding["_FillValue"] = -9999.0
    found = thiessen.nearest_site(lost, free_nodata=True)
    np.testing.assert_array_equal(found.distance, thiessen.nearest_site(COVER).distance)
    wanted = thiessen.nearest_site(COVER, nodata=0, values=[7]).distance
    np.testing.assert_array_equal(thiessen.nearest_site(burned, values=[7]).distance, wanted)
    assert np.isnan(thiessen.distance_transform(burned, distance_to="boundary")[0, 1])
    assert thiessen.cost_distance(burned, stiffness=np.ones(COVER.shape)).labels[0, 0] == 255


def test_nodata_of_the_encoding():
    """xarray has put NaN for what a file calls nodata; the file's own value is in the encoding."""
    masked = cover(np.where(COVER == 255, np.nan, COVER).astype("f4"), attrs={})
    free = thiessen.nearest_site(masked)
    assert free.distance[0, 0] > 0
    masked.encoding["_FillValue"] = np.uint8(255)
    found = thiessen.nearest_site(masked)
    assert np.isnan(found.labels[0, 0]) and np.isnan(found.distance[0, 0])
    np.testing.assert_array_equal(found.distance, thiessen.nearest_site(COVER, nodata=255).distance)
    whole = cover(attrs={})
    whole.encoding["_FillValue"] = np.uint8(255)
    assert thiessen.nearest_site(whole).labels[0, 0] == 255
    assert np.isnan(thiessen.nearest_site(whole).distance[0, 0])


def test_nodata_of_a_map_and_of_its_sites():
    costs = cover(
        np.where(np.arange(8) == 7, 99, 1) + 0 * COVER.astype("i4"), attrs={"_FillValue": 99}
    )
    found = thiessen.cost_distance(cover(), cost=costs)
    assert np.isnan(found.distance[:, 7]).all()
    assert found.labels[0, 0] == 7  # 255 is no site
    assert thiessen.connected_components(cover()).count == 2
    picture = thiessen.render(cover(), background="#ffffff")
    assert (picture[0, 0] != 255).all()  # nodata, not a label of its own


# ---- degrees

MERIDIAN, PARALLEL = 111277.0, 68678.0
"""Metres of a degree at the latitude 52, by tables for WGS 84."""


def spacing_of(error):
    return [
        float(each) for each in re.search(r"spacing=\(([^)]*)\)", str(error.value))[1].split(",")
    ]


@pytest.mark.parametrize(
    "attrs",
    [
        {"grid_mapping_name": "latitude_longitude"},
        {"crs_wkt": 'GEOGCRS["WGS 84",DATUM["World Geodetic System 1984"]]'},
        {"spatial_ref": 'GEOGCS["WGS 84",DATUM["WGS_1984"]]'},
    ],
)
@pytest.mark.parametrize("name", ["spatial_ref", "crs"])
def test_geographic_reference_systems_are_refused(attrs, name, reader):
    sites = cover(step=0.01, y=52.025 - 0.01 * np.arange(6)).drop_vars("spatial_ref")
    sites = sites.assign_coords({name: xr.DataArray(0, attrs=attrs)})
    sites.encoding["grid_mapping"] = name
    for call in (
        lambda: thiessen.nearest_site(sites),
        lambda: thiessen.distance_transform(sites),
        lambda: thiessen.expand_labels(sites),
        lambda: thiessen.cost_distance(sites, stiffness=sites),
        lambda: thiessen.compat.xrspatial.proximity(sites),
    ):
        with pytest.raises(
            ValueError, match="geographic coordinate reference system in deg"
        ) as error:
            call()
        np.testing.assert_allclose(spacing_of(error), [MERIDIAN / 100, PARALLEL / 100], rtol=1e-4)
        assert "latitude 52" in str(error.value)
    found = thiessen.nearest_site(sites, spacing=spacing_of(error))
    assert float(found.distance[1, 3]) == pytest.approx(PARALLEL / 100, rel=1e-4)


@pytest.mark.parametrize(
    "attrs",
    [
        {"grid_mapping_name": "transverse_mercator", "crs_wkt": 'PROJCRS["a",BASEGEOGCRS["b"]]'},
        {"crs_wkt": 'PROJCS["UTM",GEOGCS["WGS 84"]]'},
        {},
    ],
)
def test_other_reference_systems_are_not(attrs, reader):
    sites = cover(spatial_ref=xr.DataArray(0, attrs=attrs))
    assert thiessen.distance_transform(sites)[1, 3] == 1


def test_advice_for_degrees_is_that_of_the_raster_at_hand():
    def advice(array):
        with pytest.raises(ValueError, match="in degrees") as error:
            thiessen.distance_transform(array)
        return error

    south = cover(dims=("lat", "lon"), step=0.5, lat=np.linspace(-54.5, -49.5, 6))
    np.testing.assert_allclose(spacing_of(advice(south)), [MERIDIAN, PARALLEL / 2], rtol=1e-4)
    turned = xr.DataArray(COVER.T, dims=("lon", "lat"), coords={"lon": south.lon, "lat": south.lat})
    np.testing.assert_allclose(spacing_of(advice(turned)), [PARALLEL / 2, MERIDIAN], rtol=1e-4)
    named = cover(y=south.lat.values, step=0.5)
    named.coords["y"].attrs["units"] = "degrees_north"
    named.coords["x"].attrs["units"] = "degrees_east"
    np.testing.assert_allclose(spacing_of(advice(named)), [MERIDIAN, PARALLEL / 2], rtol=1e-4)
    deep = south.expand_dims(depth=[0.0, 20.0])
    np.testing.assert_allclose(spacing_of(advice(deep)), [20, MERIDIAN, PARALLEL / 2], rtol=1e-4)
    # Where nobody can tell the lengths no numbers are made up.
    one_axis = cover(dims=("y", "lon"))
    for array in (one_axis, south.assign_coords(lat=np.linspace(90, 100, 6))):
        assert "spacing=" not in str(advice(array).value)
        assert "1, 1" not in str(advice(array).value)


def test_wrong_cells_of_advice_for_degrees():
    """What the docs say of spacing=1 and of the advised spacing, against the sphere."""
    rng = np.random.default_rng(1)
    lat, lon = 52.5 - np.arange(100) / 100, np.arange(100) / 100
    cells = np.zeros((100, 100), np.int32)
    cells.flat[rng.choice(cells.size, 60, replace=False)] = np.arange(1, 61)
    rows, columns = np.nonzero(cells)
    down = np.radians(lat[:, None, None] - lat[rows])
    across = np.radians(lon[None, :, None] - lon[columns])
    along = np.cos(np.radians(lat))[:, None, None] * np.cos(np.radians(lat[rows]))
    half_chord = np.sin(down / 2) ** 2 + along * np.sin(across / 2) ** 2
    truth = cells[rows, columns][half_chord.argmin(-1)]
    sites = xr.DataArray(cells, coords={"lat": lat, "lon": lon}, dims=("lat", "lon"))
    with pytest.raises(ValueError, match="in degrees") as error:
        thiessen.nearest_site(sites)
    wrong = [(thiessen.nearest_site(sites, spacing=s).labels != truth).mean().item()
             for s in (1, spacing_of(error))]  # fmt: skip
    assert wrong[0] > 0.1
    assert wrong[1] < 0.01


def in_degrees(call):
    with pytest.raises(ValueError, match="in degrees, of which straight lines") as error:
        call()
    return str(error.value)


def test_the_message_names_the_metric_first():
    sites = cover(dims=("lat", "lon"), step=0.5)
    by_metric = 'have no length; metric="ellipsoidal" measures on the Earth, or it must be proj'
    for call in (
        lambda: thiessen.nearest_site(sites),
        lambda: thiessen.distance_transform(sites),
        lambda: thiessen.expand_labels(sites),
        lambda: thiessen.cost_distance(sites, stiffness=sites),
        lambda: thiessen.cost_distance(sites, elevation=sites),
        lambda: thiessen.cost_distance(sites, stiffness=COVER),
        lambda: thiessen.voronoi([(0, 0)], (6, 8), domain=sites),
    ):
        assert by_metric in in_degrees(call)
    assert 'distance_metric="GREAT_CIRCLE" measures' in in_degrees(
        lambda: thiessen.compat.xrspatial.proximity(sites, "lon", "lat")
    )
    for call in (  # which have no such metric
        lambda: thiessen.site_statistics(sites),
        lambda: thiessen.adjacency(sites),
        lambda: thiessen.touching(sites),
        lambda: metrics.local_thickness(sites),
        lambda: metrics.medial_axis(sites),
        lambda: metrics.surface_distances(sites, sites),
        lambda: thiessen.distance_transform(sites, signed_distance=True),
        lambda: thiessen.distance_transform(sites, distance_to="boundary"),
        lambda: thiessen.NearestSiteSolver(sites),
        lambda: thiessen.CostSolver(sites, stiffness=sites),
        lambda: thiessen.farthest_cost_sites(1, stiffness=sites),
        lambda: thiessen.relax_sites([(0, 0)], (6, 8), domain=sites),
    ):
        assert "have no length; it must be projected" in in_degrees(call)
    pytest.importorskip("dask")
    lazy = in_degrees(lambda: thiessen.nearest_site(sites.chunk()))
    assert 'metric="ellipsoidal" measures on the Earth, once it is in memory (sites.comp' in lazy


def test_no_spacing_fits_from_pole_to_pole():
    globe = xr.DataArray(
        np.eye(18, 36), dims=("lat", "lon"),
        coords={"lat": 85.0 - 10 * np.arange(18), "lon": -175.0 + 10 * np.arange(36)},
    )  # fmt: skip
    for sites, latitudes in (
        (globe, "from -90 to 90"),
        (globe[::-1].T, "from -90 to 90"),
        (globe[:6], "from 30 to 90"),
        (globe.rename(lat="y", lon="x"), "from -90 to 90"),  # which nothing but a globe has
    ):
        message = in_degrees(lambda: thiessen.nearest_site(sites))  # noqa: B023
        assert 'metric="ellipsoidal" measures' in message
        assert message.endswith(f"no spacing fits latitudes {latitudes}")
        assert "spacing=" not in message and "utm" not in message
    assert "spacing=(" in in_degrees(lambda: thiessen.nearest_site(globe[4:8]))
    thiessen.nearest_site(globe.rename(lat="y", lon="x")[1:])


def test_degrees_beside_the_dimensions():
    y, x = np.meshgrid(np.linspace(40, 50, 6), np.linspace(0, 10, 8), indexing="ij")
    bare = xr.DataArray(COVER, dims=("row", "column"))
    lat, lon = (("row", "column"), y), (("row", "column"), x)
    aside = bare.assign_coords(lat=("row", y[:, 0]), lon=("column", x[0]))
    for sites, what in (
        (bare.rename(row="lat", column="lon"), "the dimension 'lat' in"),
        (bare.assign_coords(lat=lat, lon=lon), "the coordinates 'lat' and 'lon' in"),
        (bare.assign_coords(XLAT=(*lat, {"units": "degree_north"})), "the coordinates 'XLAT' in"),
        (bare.assign_coords(lat=lat, lon=lon, row=range(6), column=range(8)), "'lat' and 'lon' in"),
        (aside, "the coordinates 'lat' and 'lon' in"),
        (cover(y=("y", y[:, 0], {"standard_name": "latitude"})), "the coordinate 'y' in"),
        (cover(attrs={"crs": "+proj=longlat +datum=WGS84"}).drop_vars("spatial_ref"), "reference"),
        (cover(dims=("rlat", "rlon")).drop_vars("spatial_ref"), "the coordinate 'rlat' in"),
        (cover(dims=("lat", "lon"))[1:2, 2:3], "the coordinate 'lat' in"),
    ):
        assert what in in_degrees(lambda: thiessen.nearest_site(sites))  # noqa: B023
        assert thiessen.nearest_site(sites, spacing=1).labels.shape == sites.shape
    needs = "measures on the Earth, if latitudes and longitudes are coordinates of its dimensions"
    assert needs in in_degrees(lambda: thiessen.nearest_site(aside))
    projected = cover(lat=(("y", "x"), y), lon=(("y", "x"), x))
    assert thiessen.distance_transform(projected)[1, 3] == 1


# ---- axes that are none of space


@pytest.mark.parametrize("dim", ["band", "time", "Time", "channel"])
def test_dimensions_that_are_none_of_space_are_refused(dim):
    stack = cover(np.stack([COVER, COVER]), (dim, "y", "x"))
    one = stack[:1]
    for name, call in (
        ("sites", thiessen.nearest_site),
        ("sites", thiessen.distance_transform),
        ("labels", thiessen.expand_labels),
    ):
        message = rf"{name} has the dimension '{dim}', which is no axis of space: {name}\."
        with pytest.raises(ValueError, match=message + rf"isel.*batch_axes='{dim}'"):
            call(stack)
        with pytest.raises(ValueError, match=message + rf"squeeze\('{dim}'\)"):
            call(one, spacing=1)
        assert call(one.squeeze(dim)) is not None
        assert call(stack, batch_axes=dim) is not None
        call(stack.rename({dim: "depth"}), spacing=1)
    for name, call in (
        ("stiffness", lambda array: thiessen.cost_distance(COVER, stiffness=array)),
        ("image", thiessen.connected_components),
    ):
        with pytest.raises(ValueError, match=f"^{name} has the dimension '{dim}'") as error:
            call(stack)
        assert "batch_axes" not in str(error.value)


# ---- rioxarray


@pytest.fixture
def geotiff(tmp_path):
    rasterio = pytest.importorskip("rasterio")
    pytest.importorskip("rioxarray")

    def write(crs, step=30.0, cells=COVER, nodata=255):
        path = tmp_path / "cover.tif"
        with rasterio.open(
            path, "w", driver="GTiff", height=6, width=8, count=1, dtype=cells.dtype, crs=crs,
            nodata=nodata, transform=rasterio.transform.from_origin(10, 52 + 3 * step, step, step),
        ) as file:  # fmt: skip
            file.write(cells, 1)
            file.scales, file.offsets, file.units = [0.5], [1.0], ["class"]
            file.set_band_description(1, "land cover")
        return path

    return write


def test_geotiffs_come_back_as_they_were_written(geotiff, tmp_path):
    import rioxarray

    sites = rioxarray.open_rasterio(geotiff("EPSG:32633")).squeeze("band", drop=True)
    assert sites.attrs["scale_factor"] == 0.5
    wanted = thiessen.nearest_site(COVER, nodata=255, spacing=30)
    for array in (sites, sites.rio.write_nodata(None).rio.set_nodata(255)):
        found = thiessen.nearest_site(array)
        assert found.distance.attrs["units"] == "metre"
        for name, output in found._asdict().items():
            output.rio.to_raster(tmp_path / f"{name}.tif")
            for masked in (False, True):
                back = rioxarray.open_rasterio(tmp_path / f"{name}.tif", mask_and_scale=masked)
                values = getattr(wanted, name).astype("f4" if masked else output.dtype)
                values[0, 0] = np.nan if masked or name == "distance" else 255
                np.testing.assert_array_equal(back.squeeze(), values)
                assert back.rio.crs == sites.rio.crs
                assert back.rio.transform() == sites.rio.transform()


def test_masked_geotiffs(geotiff, tmp_path):
    import rioxarray

    sites = rioxarray.open_rasterio(geotiff("EPSG:32633"), masked=True).squeeze("band", drop=True)
    found = thiessen.nearest_site(sites)
    wanted = thiessen.nearest_site(COVER, nodata=255, spacing=30)
    np.testing.assert_array_equal(found.distance, wanted.distance)
    found.labels.rio.to_raster(tmp_path / "labels.tif")
    back = rioxarray.open_rasterio(tmp_path / "labels.tif", masked=True).squeeze()
    np.testing.assert_array_equal(back, np.where(COVER == 255, np.nan, wanted.labels))


def test_geotiffs_in_degrees(geotiff):
    import rioxarray

    sites = rioxarray.open_rasterio(geotiff("EPSG:4326", 0.01)).squeeze("band", drop=True)
    with pytest.raises(ValueError, match="geographic coordinate reference system in deg") as error:
        thiessen.nearest_site(sites)
    np.testing.assert_allclose(spacing_of(error), [MERIDIAN / 100, PARALLEL / 100], rtol=1e-4)
    bare = sites.drop_vars(["y", "x"])
    with pytest.raises(ValueError, match="spacing must be given, in metres"):
        thiessen.nearest_site(bare)
    with pytest.raises(ValueError, match="in degrees"):
        thiessen.nearest_site(sites.drop_vars("spatial_ref").rio.set_crs("EPSG:4326"))
