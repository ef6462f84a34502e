# SPDX-License-Identifier: Apache-2.0
"""Scale and offset of a DataArray: quantities have them, labels do not."""

from __future__ import annotations

import numpy as np
import pytest
import thiessen

xr = pytest.importorskip("xarray")

SITES = np.zeros((3, 4), np.uint8)
SITES[0, 0], SITES[2, 3] = 3, 5
RAW = np.array([[0, 10, 20, 30], [5, 5, -99, 5], [1, 2, 3, 4]], np.int16)
QUANTITY = RAW * 0.1 + 2
FREE = RAW != -99
SCALED = {"scale_factor": np.float64(0.1), "add_offset": 2, "_FillValue": np.int16(-99)}


def raw(cells=RAW, **attrs):
    return xr.DataArray(cells, dims=("y", "x"), attrs={**SCALED, **attrs})


def assert_same(found, wanted):
    for name in wanted._fields:
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name), err_msg=name)


def test_maps_and_elevations():
    masked = np.ma.MaskedArray(QUANTITY, ~FREE)
    for dtype in ("float32", "float64"):
        options = {"distance_type": dtype}
        found = thiessen.cost_distance(SITES, cost=raw(), **options)
        wanted = thiessen.cost_distance(SITES, cost=masked, **options)
        np.testing.assert_array_equal(found.distance, wanted.distance.filled(np.nan))
        np.testing.assert_array_equal(found.labels.values[FREE], wanted.labels[FREE])
    assert np.isnan(found.distance[1, 2]) and found.labels[1, 2] == 0
    signed = thiessen.cost_distance(SITES.astype("i2"), cost=raw()).labels
    assert signed[1, 2] == signed.attrs["_FillValue"] == -99
    assert "scale_factor" not in signed.attrs
    given = thiessen.cost_distance(SITES, cost=raw(_FillValue=7), map_nodata=-99)
    np.testing.assert_array_equal(np.isnan(given.distance), ~FREE)
    for map in (None, np.ones((3, 4))):
        found = thiessen.cost_distance(SITES, stiffness=map, elevation=raw(), spacing=10)
        wanted = thiessen.cost_distance(SITES, stiffness=map, elevation=masked, spacing=10)
        np.testing.assert_array_equal(found.distance, np.ma.filled(wanted.distance, np.nan))


def test_nodata_that_a_scaled_cell_could_be():
    cells = np.array([[1, 0, 5, 1]], np.int16)  # 5 - 5 is the nodata value
    map = raw(cells, scale_factor=1, add_offset=-5, _FillValue=0)
    found = thiessen.cost_distance(SITES[:1], stiffness=map.assign_attrs(add_offset=0.5))
    assert np.isnan(found.distance).values.tolist() == [[False, True, False, False]]
    hill = map.assign_attrs(scale_factor=2)
    walked = thiessen.cost_distance(SITES[:1], elevation=hill, outputs="distance").distance
    assert np.isnan(walked).values.tolist() == [[False, True, False, False]]


def test_solvers_and_placing():
    costs = np.where(FREE, QUANTITY, np.inf)
    solver = thiessen.CostSolver(SITES, cost=raw())
    wanted = thiessen.cost_distance(SITES, cost=costs)
    np.testing.assert_array_equal(solver.outputs.distance[FREE], wanted.distance[FREE])
    assert np.isnan(solver.outputs.distance[1, 2]) and solver.outputs.labels[1, 2] == 0
    solver.update_map([0], [9.5])
    solver.solve()
    costs[0, 0] = 9.5
    wanted = thiessen.cost_distance(SITES, cost=costs)
    np.testing.assert_array_equal(solver.outputs.distance[FREE], wanted.distance[FREE])
    whole = np.maximum(RAW, 0)
    for call in (
        lambda map: thiessen.farthest_cost_sites(3, cost=map).radius,
        lambda map: thiessen.relax_cost_sites([0, 5], cost=map).energy.tolist(),
        lambda map: thiessen.relax_sites([(0, 0), (2, 1)], (3, 4), density=map).sites.tolist(),
        lambda map: thiessen.farthest_sites((3, 4), 3, density=map).distance.tolist(),
    ):
        assert call(raw(whole)) == call(whole * 0.1 + 2)


def test_fields_and_distances():
    labels = np.where(FREE, 1, 0)
    found = thiessen.site_statistics(labels, field=raw(), distance=raw())
    wanted = thiessen.site_statistics(labels, field=QUANTITY, distance=QUANTITY)
    assert found.mass == wanted.mass and found.greatest_distance == wanted.greatest_distance == 5
    every = thiessen.site_statistics(labels + 1, distance=raw())
    assert every.greatest_distance.tolist()[1] == 5 and np.isnan(every.greatest_distance[0])
    whole = np.maximum(RAW, 0)
    lines = thiessen.contour_lines(raw(whole), interval=1.0)
    np.testing.assert_array_equal(
        lines.coordinates, thiessen.contour_lines(whole * 0.1 + 2, interval=1.0).coordinates
    )
    borders = thiessen.region_borders(SITES, background=None, distance=raw(whole))
    plain = thiessen.region_borders(SITES, background=None, distance=whole * 0.1 + 2)
    np.testing.assert_array_equal(borders.distance, plain.distance)
    assert thiessen.compare({"distance": raw(whole)}, {"distance": whole * 0.1 + 2}).equal
    options = {"mode": "distance", "range": (2, 5)}
    np.testing.assert_array_equal(
        thiessen.render(distance=raw(whole), **options),
        thiessen.render(distance=whole * 0.1 + 2, **options),
    )
    costs = thiessen.cost_distance(SITES, stiffness=np.ones((3, 4)), initial_cost=raw(whole))
    plain = thiessen.cost_distance(SITES, stiffness=np.ones((3, 4)), initial_cost=whole * 0.1 + 2)
    assert_same(costs, plain)


def test_dask_and_coverage():
    whole = np.maximum(RAW, 0)
    percent = xr.DataArray(
        np.array([[0, 25, 100]], np.uint8), dims=("y", "x"), attrs={"scale_factor": 0.01}
    )
    options = {"signed_distance": True, "coverage": True}
    found = thiessen.distance_transform(percent, **options)
    np.testing.assert_array_equal(
        found, thiessen.distance_transform(np.array([[0, 0.25, 1]]), **options)
    )
    da = pytest.importorskip("dask.array")
    for initial_cost in (raw(whole), raw(whole).chunk()):
        lazy = thiessen.cost_distance(
            SITES, stiffness=da.ones((3, 4), chunks=2), initial_cost=initial_cost
        )
        plain = thiessen.cost_distance(
            SITES, stiffness=np.ones((3, 4)), initial_cost=whole * 0.1 + 2
        )
        np.testing.assert_array_equal(lazy.distance, plain.distance)


def test_labels_stay_raw():
    sites = raw(SITES, _FillValue=9)
    assert_same(thiessen.nearest_site(sites), thiessen.nearest_site(SITES))
    assert_same(
        thiessen.cost_distance(sites, stiffness=np.ones((3, 4))),
        thiessen.cost_distance(SITES, stiffness=np.ones((3, 4))),
    )
    assert thiessen.site_statistics(sites).labels.tolist() == [3, 5]
    assert thiessen.expand_labels(sites, 9).dtype == np.uint8
    assert thiessen.compare(sites, SITES).equal
    domain = raw(np.array([[0, 1]], np.uint8), _FillValue=9)
    assert np.isnan(thiessen.voronoi([(0, 0)], (1, 2), domain=domain).distance[0, 0])


def test_what_has_been_applied_is_not_applied_again(tmp_path):
    decoded = xr.DataArray(np.where(FREE, QUANTITY, np.nan), dims=("y", "x"))
    decoded.encoding = {"scale_factor": 0.1, "add_offset": 2.0, "_FillValue": -99, "dtype": "int16"}
    wanted = thiessen.cost_distance(SITES, cost=raw()).distance
    np.testing.assert_array_equal(thiessen.cost_distance(SITES, cost=decoded).distance, wanted)
    decoded.to_dataset(name="cost").to_netcdf(tmp_path / "cost.nc", engine="scipy")
    for mask_and_scale in (False, True):
        with xr.open_dataset(
            tmp_path / "cost.nc", engine="scipy", mask_and_scale=mask_and_scale
        ) as data:
            found = thiessen.cost_distance(SITES, cost=data.cost.load()).distance
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_geotiffs(tmp_path):
    rasterio = pytest.importorskip("rasterio")
    rioxarray = pytest.importorskip("rioxarray")
    path = tmp_path / "dem.tif"
    with rasterio.open(
        path, "w", driver="GTiff", height=3, width=4, count=2, dtype="int16", nodata=-99,
        transform=rasterio.transform.from_origin(0, 30, 10, 10), crs="EPSG:32631",
    ) as file:  # fmt: skip
        file.write(np.stack([RAW, RAW]))
        file.scales, file.offsets = (0.1, 0.5), (2, 2)
    for band, scale in ((1, 0.1), (2, 0.5)):
        hill = np.where(FREE, RAW * scale + 2, np.nan)
        wanted = thiessen.cost_distance(SITES, elevation=hill, spacing=10).distance
        with pytest.warns(UserWarning, match="differ across bands"):
            raster = rioxarray.open_rasterio(path).sel(band=band)
        found = thiessen.cost_distance(SITES, elevation=raster).distance
        np.testing.assert_array_equal(found.values[FREE], wanted[FREE])
    with pytest.raises(ValueError, match="elevation has scales or offsets of several bands"):
        thiessen.cost_distance(SITES, elevation=raster.drop_vars("band"))


@pytest.mark.parametrize("value", [0, np.nan, np.inf, "0.1", [1, 2]])
def test_scales_that_are_none(value):
    with pytest.raises(
        ValueError, match=r"^stiffness has the attributes scale_factor = .*; must be"
    ):
        thiessen.cost_distance(SITES, stiffness=raw(scale_factor=value))
