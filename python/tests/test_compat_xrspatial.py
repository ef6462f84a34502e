# SPDX-License-Identifier: Apache-2.0
"""thiessen.compat.xrspatial, against brute force and against xarray-spatial where that is right."""

import inspect
import warnings

import numpy as np
import pytest
from thiessen.compat import xrspatial as ours

xarray = pytest.importorskip("xarray")

FUNCTIONS = (ours.proximity, ours.allocation, ours.direction)
METRICS = ("EUCLIDEAN", "MANHATTAN")


def raster_of(cells, y=None, x=None, **more):
    cells = np.asarray(cells)
    y = np.arange(cells.shape[0])[::-1] if y is None else y
    x = np.arange(cells.shape[1]) if x is None else x
    return xarray.DataArray(cells, dims=("y", "x"), coords={"y": y, "x": x}, **more)


def rasters(count, largest=16):
    """Random rasters with a target or more, coordinates that ascend and descend, lengths that
    differ, cells that are NaN and infinite."""
    rng = np.random.default_rng(6)
    for _ in range(count):
        shape = rng.integers(1, largest, 2)
        occupied = rng.random(shape) < rng.choice([0.02, 0.1, 0.4])
        occupied.flat[rng.integers(occupied.size)] = True
        cells = occupied * rng.integers(1, 9, shape).astype(rng.choice(["u1", "i4", "f4", "f8"]))
        if cells.dtype.kind == "f":
            free = np.flatnonzero(cells == 0)
            cells.flat[free[: free.size // 4]] = rng.choice([np.nan, np.inf, -np.inf])
        axes = []
        for size in shape:
            step = rng.choice([1.0, 0.5, 30.0]) * rng.choice([-1, 1])
            axes.append(rng.choice([0.0, 512.0]) + step * np.arange(size))
        yield raster_of(cells, *axes)


def brute_force(raster, metric="EUCLIDEAN", targets=None):
    """Distance to the first of the nearest targets, its value and the direction to it."""
    cells = raster.values
    chosen = np.isfinite(cells) & (cells != 0) if targets is None else np.isin(cells, targets)
    rows, columns = np.nonzero(chosen)
    y, x = (raster[dim].values.astype(float) for dim in ("y", "x"))
    down = y[rows] - y[:, None, None]
    right = x[columns] - x[None, :, None]
    every = down**2 + right**2 if metric == "EUCLIDEAN" else np.abs(down) + np.abs(right)
    nearest = every.argmin(-1)
    distance = every.min(-1)
    down, right = np.broadcast_arrays(down, right)
    down, right = (np.take_along_axis(a, nearest[..., None], -1)[..., 0] for a in (down, right))
    degrees = np.degrees(np.arctan2(right, -down))  # north is where y is less
    degrees = np.where(degrees <= 0, degrees + 360, degrees)
    degrees[distance == 0] = 0
    if metric == "EUCLIDEAN":
        distance = np.sqrt(distance)
    ties = (every == every.min(-1, keepdims=True)).sum(-1) > 1
    return distance, cells[rows, columns][nearest], degrees, ties


@pytest.mark.parametrize("metric", METRICS)
def test_all_three_are_those_of_brute_force(metric):
    for raster in rasters(80):
        distance, value, degrees, _ = brute_force(raster, metric)
        found = [function(raster, distance_metric=metric) for function in FUNCTIONS]
        np.testing.assert_array_equal(found[0].values, distance.astype(np.float32))
        np.testing.assert_array_equal(found[1].values, value.astype(np.float32))
        np.testing.assert_allclose(found[2].values, degrees, atol=5e-5, rtol=0)
        assert all(each.dtype == np.float32 for each in found)


def test_target_values():
    for raster in rasters(40):
        targets = [0, 3, 99, -1, 1.5, 300, 2**70, 10**400]
        if not np.isin(raster.values, targets).any():
            continue
        distance, value, degrees, _ = brute_force(raster, targets=targets)
        found = [function(raster, target_values=targets).values for function in FUNCTIONS]
        np.testing.assert_array_equal(found[0], distance.astype(np.float32))
        np.testing.assert_array_equal(found[1], value.astype(np.float32))
        np.testing.assert_allclose(found[2], degrees, atol=5e-5, rtol=0)


def test_target_values_of_several_kinds():
    raster = raster_of([[0, 2, 0, 3]])
    for targets in ([2], (2.0,), np.array([2]), [np.int16(2)], 2, range(2, 3)):
        found = ours.proximity(raster, target_values=targets).values
        np.testing.assert_array_equal(found, [[1, 0, 1, 2]])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_without_any_target(function):
    raster = raster_of([[0, 2, 0, np.nan]])
    for targets in ([99], [99, 98.5], [10**400]):
        assert np.isnan(function(raster, target_values=targets).values).all()
    for cells in ([[0, 0]], [[np.nan, np.inf]], [[np.nan, np.nan]], [[False, False]]):
        found = function(raster_of(cells))
        assert np.isnan(found.values).all() and found.dtype == np.float32
    for targets in ([1.5], [-1], [256], [2**70]):
        found = function(raster_of(np.ones((2, 3), np.uint8)), target_values=targets)
        assert np.isnan(found.values).all()


def test_special_cells_get_results():
    raster = raster_of([[0, 2, 0, np.nan, np.inf, 0, -3]])
    np.testing.assert_array_equal(ours.proximity(raster).values, [[1, 0, 1, 2, 2, 1, 0]])
    np.testing.assert_array_equal(ours.allocation(raster).values, [[2, 2, 2, 2, -3, -3, -3]])
    np.testing.assert_array_equal(ours.direction(raster).values, [[90, 0, 270, 270, 90, 90, 0]])
    assert np.isposinf(raster.values[0, 4])  # the argument is as it was
    zero = ours.allocation(raster, target_values=[0], max_distance=1)
    np.testing.assert_array_equal(zero.values, [[0, 0, 0, 0, 0, 0, 0]])


def test_north_is_where_y_is_less():
    cells = np.zeros((3, 3), int)
    cells[1, 1] = 1
    for y, rows in ((np.arange(3), [135, 180, 225]), (np.arange(3)[::-1], [45, 360, 315])):
        assert ours.direction(raster_of(cells, y)).values[0].tolist() == rows
    west = ours.direction(raster_of(cells, x=np.arange(3)[::-1])).values
    assert west[1].tolist() == [270, 0, 90]
    assert ours.direction(xarray.DataArray(cells, dims=("y", "x"))).values[0].tolist() == [
        135,
        180,
        225,
    ]


def test_ties_go_to_the_first_cell_whichever_way_coordinates_run():
    cells = [[0, 0, 4], [0, 0, 0], [7, 0, 0]]
    for y in ([0, 1, 2], [2, 1, 0]):
        for x in ([0, 1, 2], [2, 1, 0]):
            assert ours.allocation(raster_of(cells, y, x)).values[1, 1] == 4
            towards = 0 if y[0] < y[2] else 180
            towards += (45 if x[0] < x[2] else -45) * (1 if y[0] < y[2] else -1)
            assert ours.direction(raster_of(cells, y, x)).values[1, 1] == towards % 360


def test_max_distance_is_inclusive():
    raster = raster_of([[1, 0, 0, 0]], x=[0.0, 0.1, 0.2, 0.3])
    for function, fill in ((ours.proximity, 0.1), (ours.allocation, 1), (ours.direction, 270)):
        found = function(raster, max_distance=0.1).values[0]
        np.testing.assert_allclose(found[1], fill, rtol=1e-6)
        assert np.isnan(found[2:]).all()
    assert np.isnan(ours.proximity(raster, max_distance=0).values).sum() == 3
    assert not np.isnan(ours.proximity(raster, max_distance=None).values).any()


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i8", "u8", "f2", "f4", ">f4", ">i2", "g"])
def test_types(dtype):
    raster = raster_of(np.array([[0, 1, 0, 0]]).astype(dtype))
    np.testing.assert_array_equal(ours.proximity(raster).values, [[1, 0, 1, 2]])
    np.testing.assert_array_equal(ours.proximity(raster, target_values=[1]), [[1, 0, 1, 2]])
    allocated = ours.allocation(raster)
    np.testing.assert_array_equal(allocated.values, [[1, 1, 1, 1]])
    assert allocated.dtype == np.float32


def test_labels_are_rounded_to_float32():
    raster = raster_of(np.array([[2**24 + 1, 0]]))
    assert ours.allocation(raster).values.tolist() == [[2.0**24, 2.0**24]]
    assert np.isposinf(ours.allocation(raster_of([[1e300, 0.0]])).values).all()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_comes_with_the_raster_stays(function):
    raster = raster_of([[0, 2], [0, 0]], name="name", attrs={"unit": "m"})
    raster = raster.assign_coords(time=3, place=("x", ["a", "b"]))
    before = raster.copy(deep=True)
    found = function(raster)
    assert found.dims == raster.dims and found.attrs == raster.attrs and found.name is None
    assert set(found.coords) == {"y", "x", "time", "place"}
    assert raster.identical(before)
    data = xarray.Dataset({"a": raster, "b": raster + 1}, attrs={"key": 1})
    both = function(data)
    assert isinstance(both, xarray.Dataset) and both.attrs == {"key": 1}
    assert both["a"].identical(found.rename("a")) and set(both.data_vars) == {"a", "b"}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_read_only_strided_and_empty_rasters(function):
    cells = np.zeros((6, 8))
    cells[2, 4] = 3
    cells.flags.writeable = False
    wanted = function(raster_of(cells[::2, ::2].copy()))
    found = function(raster_of(cells)[::2, ::2].assign_coords(wanted.coords))
    assert found.identical(wanted)
    for shape in ((0, 3), (3, 0), (0, 0)):
        assert function(raster_of(np.zeros(shape))).shape == shape


def test_other_names_of_dimensions():
    raster = raster_of([[0, 1]]).rename(x="east", y="north")
    assert ours.proximity(raster, "east", y="north").values.tolist() == [[1, 0]]
    with pytest.raises(ValueError, match=r"raster has the dimensions \('north', 'east'\); must be"):
        ours.proximity(raster)
    with pytest.raises(ValueError, match=r"must be \(y, x\) = \('y', 'x'\)"):
        ours.proximity(raster_of([[0, 1]]).T)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_bad_rasters(function):
    for value in (None, np.eye(3), [[0, 1]], "raster"):
        with pytest.raises(TypeError, match=r"raster is a .*; must be an xarray.DataArray"):
            function(value)
    for shape, dims in (((), ()), ((3,), ("x",)), ((2, 2, 2), ("z", "y", "x"))):
        with pytest.raises(ValueError, match="raster has the dimensions"):
            function(xarray.DataArray(np.zeros(shape), dims=dims))
    for dtype in ("c16", "O", "U1", "M8[s]"):
        with pytest.raises(TypeError, match="raster has the dtype"):
            function(raster_of(np.zeros((2, 2), dtype)))


def test_bad_coordinates():
    cells = [[0, 1, 0, 0]]
    for x in ([0, 1, 3, 7.0], [0.0, 0, 0, 0]):
        with pytest.raises(ValueError, match=r"'x' with steps that differ.*nearest_site"):
            ours.proximity(raster_of(cells, x=x))
    with pytest.raises(ValueError, match=r"'x' of the dtype .*nearest_site"):
        ours.proximity(raster_of(cells, x=list("abcd")))
    raster = raster_of(cells)
    raster["x"] = ("x", [0, 0.5, 1, 1.5], {"units": "degrees_east"})
    with pytest.raises(ValueError, match=r"'x' in degrees.*nearest_site"):
        ours.proximity(raster)


def test_great_circle():
    """Haversine distances to all targets, on the sphere of xarray-spatial."""
    rng = np.random.default_rng(2)
    cells = np.where(rng.random((12, 17)) < 0.05, rng.integers(1, 9, (12, 17)), 0)
    raster = raster_of(cells, y=np.linspace(70, -60, 12), x=np.linspace(-50, 30, 17))
    y, x = np.meshgrid(np.radians(raster.y), np.radians(raster.x), indexing="ij")
    sites = np.flatnonzero(cells)
    dy = y.ravel()[:, None] - y.ravel()[sites]
    dx = x.ravel()[:, None] - x.ravel()[sites]
    chord = np.sin(dy / 2) ** 2 + (
        np.cos(y.ravel())[:, None] * np.cos(y.ravel()[sites]) * np.sin(dx / 2) ** 2
    )
    distance = 2 * 6378137 * np.arcsin(np.sqrt(chord))
    near = distance.argmin(axis=1)
    first, second = np.sort(distance, axis=1)[:, :2].T
    alone = second - first > 1e-3
    found = ours.proximity(raster, distance_metric="GREAT_CIRCLE")
    assert np.allclose(found.values.ravel(), distance.min(axis=1), rtol=1e-6)
    labels = ours.allocation(raster, distance_metric="GREAT_CIRCLE")
    assert (labels.values.ravel() == cells.ravel()[sites[near]])[alone].all()
    where = ours.direction(raster, distance_metric="GREAT_CIRCLE").values
    assert (where[cells != 0] == 0).all()
    expected = np.degrees(np.arctan2(-dx, dy))[np.arange(cells.size), near] % 360
    assert np.allclose((where.ravel() - expected + 180)[alone] % 360, 180, atol=1e-3)


def test_bad_arguments():
    raster = raster_of([[0, 1, 0, 0]])
    with pytest.raises(ValueError, match=r"no coordinate 'y'; GREAT_CIRCLE needs degrees"):
        ours.proximity(raster.drop_vars("y"), distance_metric="GREAT_CIRCLE")
    for metric in ("euclidean", "CHESSBOARD", None, 0, ["EUCLIDEAN"]):
        with pytest.raises(
            ValueError, match=r"distance_metric = .*; must be 'EUCLIDEAN', 'MANHATTAN' or"
        ):
            ours.proximity(raster, distance_metric=metric)
    for limit in (-1, np.nan):
        with pytest.raises(ValueError, match="max_distance"):
            ours.proximity(raster, max_distance=limit)
    with pytest.raises(TypeError, match="max_distance"):
        ours.proximity(raster, max_distance="far")
    for targets in (["a"], [None], [1j]):
        with pytest.raises(ValueError, match=r"target_values = .*; must be a number"):
            ours.proximity(raster, target_values=targets)
    for targets in ([np.nan], [2, np.inf], -np.inf):
        with pytest.raises(ValueError, match=r"target_values = (nan|inf|-inf); must be finite"):
            ours.proximity(raster, target_values=targets)


def test_cells_on_dask_stay_there_and_have_the_same_bits():
    array = pytest.importorskip("dask.array")
    computed = []
    for i, raster in enumerate(rasters(9)):
        if raster.size == 0:
            continue
        chunks = [(3, 2), (1, -1), (-1, 1)][i % 3]
        cells = array.from_array(raster.values, chunks=chunks)
        lazy = raster.copy(data=cells.map_blocks(lambda block: (computed.append(1), block)[1]))
        computed.clear()
        options = {
            "target_values": [None, [3, 99], [99.5]][i % 3],
            "max_distance": [np.inf, 1, 2.5][(i + i // 3) % 3],
            "distance_metric": METRICS[i % 2],
        }
        found = [function(lazy, **options) for function in FUNCTIONS]
        assert all(each.chunks is not None and each.dtype == np.float32 for each in found)
        assert len(computed) <= 3  # of no cells, to know the dtype
        for function, each in zip(FUNCTIONS, found):
            assert each.compute().identical(function(raster, **options))
        both = ours.proximity(xarray.Dataset({"a": lazy, "b": lazy}), **options)
        assert both["b"].chunks is not None


@pytest.mark.parametrize("function", FUNCTIONS)
def test_great_circle_on_dask(function):
    array = pytest.importorskip("dask.array")
    cells = np.zeros((12, 17), np.uint8)
    cells[3, 4], cells[10, 16] = 5, 9
    raster = raster_of(cells, y=np.linspace(70, -60, 12), x=np.linspace(-50, 30, 17))
    lazy = raster.copy(data=array.from_array(cells, chunks=5))
    for targets in (None, [9], [7]):
        found = function(lazy, target_values=targets, distance_metric="GREAT_CIRCLE")
        assert found.chunks is not None
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            computed = found.compute()
        wanted = function(raster, target_values=targets, distance_metric="GREAT_CIRCLE")
        assert computed.identical(wanted)


def test_signatures_are_those_of_xarray_spatial():
    theirs = pytest.importorskip("xrspatial")
    for function in FUNCTIONS:
        wanted = inspect.signature(getattr(theirs, function.__name__)).parameters.values()
        found = inspect.signature(function).parameters.values()
        assert [each.name for each in found] == [each.name for each in wanted]
        for own, other in zip(found, wanted, strict=True):
            assert own.default == other.default or own.name == "target_values"


def rasters_for_xarray_spatial():
    """Few and larger ones: it compiles itself anew in each call."""
    rng = np.random.default_rng(7)
    for y, x, share in ((-1.0, 1.0, 0.005), (0.5, -2.0, 0.02)):
        cells = (rng.random((90, 120)) < share) * rng.integers(1, 9, (90, 120)).astype(float)
        cells[rng.random(cells.shape) < 0.1] = np.nan
        yield raster_of(cells, 700 + y * np.arange(90), x * np.arange(120))


@pytest.mark.parametrize("metric", METRICS)
def test_xarray_spatial_says_the_same_where_it_is_right(metric):
    theirs = pytest.importorskip("xrspatial")
    cells = compared = longer = 0
    for raster in rasters_for_xarray_spatial():
        distance, _, _, ties = brute_force(raster, metric)
        their_distance = theirs.proximity(raster, distance_metric=metric).values
        right = np.isclose(their_distance, distance, rtol=1e-6, atol=0)
        assert (their_distance[~right] > distance[~right]).all()
        found = ours.proximity(raster, distance_metric=metric).values
        np.testing.assert_allclose(found[right], their_distance[right], rtol=1e-6)
        # A cell with several nearest targets may be given to any of them.
        clear = right & ~ties
        for name, tolerance in (("allocation", 0), ("direction", 1e-4)):
            np.testing.assert_allclose(
                getattr(ours, name)(raster, distance_metric=metric).values[clear],
                getattr(theirs, name)(raster, distance_metric=metric).values[clear],
                atol=tolerance,
                rtol=0,
            )
        cells += right.size
        longer += np.count_nonzero(~right)
        compared += np.count_nonzero(clear)
    print(f"\nxarray-spatial, {metric}: {longer} of {cells} distances too long")
    assert compared > cells / 4


def test_xarray_spatial_reaches_as_far():
    theirs = pytest.importorskip("xrspatial")
    raster = next(rasters_for_xarray_spatial())
    for limit in (0, 5):
        wanted = theirs.proximity(raster, max_distance=limit).values
        found = ours.proximity(raster, max_distance=limit).values
        np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
