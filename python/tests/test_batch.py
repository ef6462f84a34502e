# SPDX-License-Identifier: Apache-2.0
"""batch_axes: rasters beside each other in one array, as each of them alone."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
import thiessen
from on_cuda import OnCuda
from thiessen._kinds import batch as _batch

NAMES = ("labels", "distance", "squared", "site_index", "offset", "direction")
SHAPES = [
    ((5, 7, 8), 0),
    ((7, 5, 8), 1),
    ((7, 8, 5), -1),
    ((2, 3, 6, 7), (0, 1)),
    ((2, 6, 7, 3), (0, 3)),
    ((6, 2, 7, 3), (3, 1)),
    ((2, 3, 2, 5, 6), (0, 1, 2)),
    ((2, 5, 1, 6, 3), (0, 2, -1)),
    ((3, 2, 4, 5), 0),
    ((3, 2, 2, 4, 5), [0, 1]),
    ((1, 3, 4), 0),
    ((0, 3, 4), 0),
    ((2, 3, 0, 4), (0, 1)),
]


def make_sites(shape, dtype="int32", density=0.15, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.random(shape) < density).astype(dtype) * rng.integers(1, 9, shape).astype(dtype)


def axes_of(array, batch_axes):
    return tuple(axis % array.ndim for axis in np.atleast_1d(batch_axes))


def each_raster(function, sites, batch_axes, **options):
    """What `function` gives for each raster, put together as the sites are."""
    axes = sorted(axes_of(sites, batch_axes))
    moved = np.moveaxis(sites, axes, range(len(axes)))
    results = {}
    for place in np.ndindex(moved.shape[: len(axes)]):
        found = function(moved[place], **options)
        for name, array in found._asdict().items() if isinstance(found, tuple) else [("", found)]:
            more = array.ndim - (sites.ndim - len(axes))
            empty = np.empty(array.shape[:more] + sites.shape, array.dtype)
            result = results.setdefault(name, empty)
            there = np.moveaxis(
                result, [axis + more for axis in axes], range(more, more + len(axes))
            )
            there[(slice(None),) * more + place] = array
    return results


def outputs_of(sites, batch_axes):
    return NAMES if sites.ndim - np.size(batch_axes) == 2 else NAMES[:5]


@pytest.mark.parametrize("dtype", ["bool", "u1", "i4", "f4", ">i2", "f2"])
@pytest.mark.parametrize(("shape", "batch_axes"), SHAPES)
def test_is_that_of_each_raster(shape, batch_axes, dtype):
    sites = make_sites(shape, dtype)
    names = outputs_of(sites, batch_axes)
    batch = thiessen.nearest_site(sites, batch_axes=batch_axes, outputs=names)
    assert batch.labels.shape == shape
    truth = each_raster(thiessen.nearest_site, sites, batch_axes, outputs=names)
    for name, wanted in truth.items():
        found = getattr(batch, name)
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted, err_msg=name)


@pytest.mark.parametrize(("shape", "batch_axes"), SHAPES)
def test_other_functions(shape, batch_axes):
    sites = make_sites(shape)
    for function, options in (
        (thiessen.distance_transform, {"signed_distance": True}),
        (thiessen.distance_transform, {"distance_to": "boundary", "spacing": 2}),
        (thiessen.expand_labels, {"max_distance": 2}),
        (lambda array, **more: thiessen.expand_labels(array != 0, **more), {"max_distance": 2}),
    ):
        found = function(sites, batch_axes=batch_axes, **options)
        for wanted in each_raster(function, sites, batch_axes, **options).values():
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", ["bool", "i4"])
@pytest.mark.parametrize(("shape", "batch_axes"), SHAPES)
def test_components_count_within_each_raster(shape, batch_axes, dtype):
    sites = make_sites(shape, dtype, density=0.4)
    near = 8 if sites.ndim - np.size(batch_axes) == 2 else 26
    options = {"components": near, "outputs": ("labels", "distance")}
    found = thiessen.nearest_site(sites, batch_axes=batch_axes, **options)
    for name, wanted in each_raster(thiessen.nearest_site, sites, batch_axes, **options).items():
        np.testing.assert_array_equal(getattr(found, name), wanted)


@pytest.mark.parametrize("dtype", ["bool", "i4"])
@pytest.mark.parametrize(("shape", "batch_axes"), SHAPES[:9])
def test_masked_arrays(shape, batch_axes, dtype):
    mask = make_sites(shape, "bool", seed=5)
    sites = np.ma.MaskedArray(make_sites(shape, dtype), mask)
    names = outputs_of(sites, batch_axes)
    batch = thiessen.nearest_site(sites, batch_axes=batch_axes, outputs=names)

    def alone(raster, **options):
        found = thiessen.nearest_site(raster, **options)
        return thiessen._kinds.outputs.make_result(names, tuple(each.filled(-5) for each in found))

    axes = axes_of(sites, batch_axes)
    for name, wanted in each_raster(alone, sites, axes, outputs=names).items():
        found = getattr(batch, name)
        np.testing.assert_array_equal(found.mask, np.broadcast_to(mask, found.shape))
        np.testing.assert_array_equal(found.filled(-5), wanted)


@pytest.mark.parametrize(("shape", "batch_axes"), SHAPES[:11])
def test_options_and_out(shape, batch_axes):
    sites = make_sites(shape)
    options = {"spacing": 2, "periodic": True, "max_distance": 5, "unreached": -1}
    truth = each_raster(
        thiessen.nearest_site, sites, batch_axes, distance_type="float64", **options
    )
    twice = tuple(2 * extent for extent in shape)
    for out in (
        {"labels": np.empty(shape, "i4"), "distance": np.empty(shape)},
        {"labels": np.empty(shape, ">i4"), "distance": np.empty(shape[::-1]).T},
        {"labels": np.empty(twice, "i4")[tuple(slice(None, e) for e in shape)],
         "distance": np.empty(twice)[tuple(slice(None, None, -2) for _ in shape)]},
    ):  # fmt: skip
        found = thiessen.nearest_site(sites, batch_axes=batch_axes, out=out, **options)
        assert found.labels is out["labels"] and found.distance is out["distance"]
        np.testing.assert_array_equal(found.labels, truth["labels"])
        np.testing.assert_array_equal(found.distance, truth["distance"])


def test_spacing_and_periodic_are_those_of_a_raster():
    sites = make_sites((6, 4, 7))
    found = thiessen.distance_transform(sites, batch_axes=1, spacing=(3, 1), periodic=(True, False))
    for i in range(4):
        alone = thiessen.distance_transform(sites[:, i], spacing=(3, 1), periodic=(True, False))
        np.testing.assert_array_equal(found[:, i], alone)


@pytest.mark.parametrize("batch_axes", [0, (0, 1), (0, 3)])
def test_progress_grows_to_one(batch_axes):
    seen = []
    sites = make_sites((20, 30, 20, 20)[: 2 + np.size(batch_axes)])
    thiessen.nearest_site(sites, batch_axes=batch_axes, progress=seen.append, method="brute-force")
    assert seen == sorted(seen)
    assert seen[-1] == 1


def test_what_is_refused():
    sites = make_sites((3, 6, 7))
    wide = make_sites((2, 3, 6, 7))
    for array, batch_axes, error, message in (
        (sites[0], 0, ValueError, "batch_axes = 0; must leave 2 or 3 axes of sites, which has 2"),
        (wide, (0, 1, 2), ValueError, "must leave 2 or 3 axes of sites, which has 4"),
        (
            wide,
            None,
            ValueError,
            "sites has 4 axes; must have 2 or 3, besides those named in batch_ax",
        ),
        (np.zeros((2, 2, 2, 2, 2)), 0, ValueError, "must leave 2 or 3 axes of sites, which has 5"),
        (sites, 3, ValueError, "batch_axes = 3; sites has 3 axes"),
        (sites, -4, ValueError, "batch_axes = -4; sites has 3 axes"),
        (wide, (0, 0), ValueError, r"batch_axes = \(0, 0\); must name each axis once"),
        (wide, (0, -4), ValueError, r"batch_axes = \(0, -4\); must name each axis once"),
        (sites, "time", ValueError, "batch_axes = 'time'; sites is no DataArray"),
        (sites, 0.5, TypeError, "batch_axes = 0.5; must be integers, or names of dimensions"),
        (sites, [None], TypeError, "batch_axes = None; must be integers"),
    ):
        for call in (thiessen.nearest_site, thiessen.distance_transform):
            with pytest.raises(error, match=message):
                call(array, batch_axes=batch_axes)
    with pytest.raises(ValueError, match="^spacing has 3 values; .* each of 2 axes"):
        thiessen.nearest_site(sites, batch_axes=0, spacing=(1, 1, 1))
    with pytest.raises(ValueError, match=r"^out\['offset'\] has the shape \(3, 3, 6, 7\)"):
        out = np.empty((3, 3, 6, 7), "i4")
        thiessen.nearest_site(sites, batch_axes=0, outputs="offset", out=out)
    with pytest.raises(ValueError, match="components = 26; must be 4 or 8 in 2-D"):
        thiessen.nearest_site(sites, batch_axes=0, components=26)
    with pytest.raises(TypeError, match="positional"):
        thiessen.expand_labels(sites, *[None] * 9, 0)
    np.testing.assert_array_equal(
        thiessen.nearest_site(sites, batch_axes=()).labels, thiessen.nearest_site(sites).labels
    )


def test_out_upon_the_sites():
    sites = make_sites((2, 6, 7, 3))
    for batch_axes in ((0, 3), (0,)):
        for out in (sites, sites[::-1]):
            with pytest.raises(ValueError, match="overlaps"):
                thiessen.expand_labels(sites, 1, batch_axes=batch_axes, out=out)
    both = np.empty((2, 2, 6, 7, 3), "f4")
    found = thiessen.nearest_site(sites, batch_axes=(0, 3), outputs=("distance", "labels"),
                                  out=(both[0], both[1].view("i4")))  # fmt: skip
    np.testing.assert_array_equal(found.distance == 0, sites != 0)


# ---- DataArrays


def test_dimensions_by_name():
    xr = pytest.importorskip("xarray")
    cells = make_sites((2, 6, 7, 3))
    stack = xr.DataArray(
        cells,
        dims=("time", "y", "x", "band"),
        coords={
            "time": np.array(["2020-01-01", "2021-01-01"], "M8[ns]"), "y": 100 - 10.0 * np.arange(6),
            "x": 5.0 * np.arange(7), "band": ["r", "g", "b"], "year": ("time", [2020, 2021]),
        },
    )  # fmt: skip
    options = {"outputs": ("labels", "distance", "direction", "offset")}
    wanted = thiessen.nearest_site(cells, batch_axes=(0, 3), spacing=(10, 5), **options)
    for batch_axes in (("time", "band"), ["band", "time"], (0, "band"), (3, 0)):
        found = thiessen.nearest_site(stack, batch_axes=batch_axes, **options)
        for name, output in found._asdict().items():
            assert output.dims[-4:] == stack.dims
            assert set(output.coords) == set(stack.coords)
            np.testing.assert_array_equal(output, getattr(wanted, name))
    assert found.offset.dims == ("component", "time", "y", "x", "band")
    one = thiessen.nearest_site(stack[:, :, :, 0], batch_axes="time", **options)
    assert one.distance.identical(found.distance[:, :, :, 0])
    upright = stack.isel(y=slice(None, None, -1))
    turned = thiessen.nearest_site(upright, batch_axes=("time", "band"), outputs="direction")
    apart = thiessen.nearest_site(upright[0, :, :, 0], outputs="direction").direction
    np.testing.assert_array_equal(turned.direction[0, :, :, 0], apart)
    distance = thiessen.distance_transform(stack, batch_axes=("time", "band"))
    np.testing.assert_array_equal(distance, wanted.distance)
    grown = thiessen.expand_labels(stack, 9, batch_axes=("time", "band"))
    assert grown.coords.equals(stack.coords)
    with pytest.raises(ValueError, match=r"batch_axes = 'day'; sites has the dimensions \('time',"):
        thiessen.nearest_site(stack, batch_axes="day")


# ---- memory of a device


def memory_of(array):
    return array.ctypes.data, array.shape, array.strides, array.dtype.str


def at(memory):
    """The array on the host that a description of memory is one of."""
    address, shape, strides, typestr = memory
    lowest = address + sum(min(0, (n - 1) * step) for n, step in zip(shape, strides))
    highest = address + sum(max(0, (n - 1) * step) for n, step in zip(shape, strides))

    count = highest - lowest + np.dtype(typestr).itemsize
    held = np.ctypeslib.as_array((ctypes.c_uint8 * count).from_address(lowest))
    return np.ndarray(shape, typestr, held, address - lowest, strides)


@pytest.mark.parametrize(("shape", "batch_axes"), SHAPES[:11])
@pytest.mark.parametrize("turned", [False, True])
def test_memory_is_split_as_arrays_are(shape, batch_axes, turned):
    """Arrays in CUDA memory are but a description of it."""
    sites = np.arange(np.prod(shape)).reshape(shape)
    if turned:
        sites = np.ascontiguousarray(sites.T).T[..., ::-1]
    offset = np.stack([sites, -sites])
    batch = tuple(sorted(axes_of(sites, batch_axes)))
    here = _batch.split([sites, None, offset], batch, sites.ndim)
    there = _batch.split([memory_of(sites), None, memory_of(offset)], batch, sites.ndim)
    assert len(here) == len(there)
    for arrays, memories in zip(here, there):
        assert arrays[1] is memories[1] is None
        assert arrays[0].ndim == sites.ndim - len(batch) + 1
        for array, memory in ((arrays[0], memories[0]), (arrays[2], memories[2])):
            assert np.shares_memory(array, sites) or np.shares_memory(array, offset)
            np.testing.assert_array_equal(array, at(memory))


def test_an_output_upon_memory_that_is_split():
    sites = np.zeros((2, 5, 6, 3))
    with pytest.raises(ValueError, match="out overlaps the sites"):
        _batch.split([memory_of(sites), memory_of(sites[..., ::-1])], (0, 3), 4)


def test_what_the_core_gets_of_cuda_arrays(monkeypatch):
    """Without a device for them: test_cuda.py has the results of one."""
    calls = []
    monkeypatch.setattr("thiessen._kinds.cuda.problem", str)

    def take(operation, inputs, outputs, options):
        assert operation == "nearest_site_batch"
        calls.append((inputs["sites"], outputs, options))
        return {}, []  # results, warnings

    monkeypatch.setattr("thiessen._core.run", take)
    sites, out = OnCuda(1 << 12, (2, 5, 6, 3), "<i4"), OnCuda(1 << 20, (2, 5, 6, 3), "<f4")
    found = thiessen.distance_transform(sites, batch_axes=(0, 3), out=out, spacing=(2, 1))
    assert found is out
    assert [call[0] for call in calls] == [
        (4096 + i * 360, (3, 5, 6), (4, 72, 12), "<i4") for i in range(2)
    ]
    assert [call[1]["distance"] for call in calls] == [
        ((1 << 20) + i * 360, (3, 5, 6), (4, 72, 12), "<f4") for i in range(2)
    ]
    assert all(call[2]["spacing"] == [2, 1] for call in calls)
    assert all(call[2].device == "cuda:0" and call[2].stream == 7 for call in calls)
    calls.clear()
    thiessen.nearest_site(
        sites, batch_axes=3, outputs="offset", out=OnCuda(1 << 20, (3, 2, 5, 6, 3), "<i4")
    )
    assert calls[0][0][1:3] == ((3, 2, 5, 6), (4, 360, 72, 12))
    assert calls[0][1]["offset"][1:3] == ((3, 3, 2, 5, 6), (720, 4, 360, 72, 12))
    calls.clear()
    thiessen.nearest_site(OnCuda(4096, (2, 3, 5, 6), "|b1"), batch_axes=(0, 1), values=[False],
                          outputs="labels", out=OnCuda(1 << 20, (2, 3, 5, 6), "<i4"))  # fmt: skip
    assert calls[0][0] == (4096, (6, 5, 6), (30, 6, 1), "|b1")
    assert calls[0][2]["values"] == [0]
    with pytest.raises(ValueError, match="must leave 2 or 3 axes of sites"):
        thiessen.nearest_site(OnCuda(4096, (5, 6), "<i4"), batch_axes=0)
    with pytest.raises(ValueError, match="batch_axes = 'time'; sites is no DataArray"):
        thiessen.nearest_site(sites, batch_axes="time")
