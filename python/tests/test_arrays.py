# SPDX-License-Identifier: Apache-2.0
"""What may stand for an array: masked arrays, objects with __array__, arrays on a GPU."""

from __future__ import annotations

import array
import re

import numpy as np
import oracle
import pytest
import thiessen

pytestmark = pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
NAMES = ("labels", "distance", "squared", "site_index", "offset", "direction")
SITES = np.array([[0, 3, 0, 0], [0, 0, 0, 7], [5, 0, 3, 0]])
MASK = np.array([[0, 0, 0, 1], [0, 1, 0, 1], [0, 0, 0, 0]], bool)


def check_masked(masked, outputs=NAMES, **options):
    before = masked.copy()
    result = thiessen.nearest_site(masked, outputs=outputs, distance_type="float64", **options)
    mask = np.ma.getmaskarray(masked)
    wanted = oracle.nearest_site(masked.data, mask=mask, **options)
    for name, output in result._asdict().items():
        assert type(output) is np.ma.MaskedArray
        np.testing.assert_array_equal(output.mask, np.broadcast_to(mask, output.shape))
        if name == "direction":
            np.testing.assert_allclose(output.compressed(), wanted[name][~mask], rtol=1e-6)
        elif name == "offset":
            np.testing.assert_array_equal(output.data[:, ~mask], wanted[name][:, ~mask])
        else:
            np.testing.assert_array_equal(output.compressed(), wanted[name][~mask], name)
        if name in ("distance", "squared", "site_index", "direction"):
            np.testing.assert_array_equal(output.data[mask], wanted[name][mask], name)
    np.testing.assert_array_equal(masked.data, before.data)
    np.testing.assert_array_equal(np.ma.getmaskarray(masked), np.ma.getmaskarray(before))
    return result


@pytest.mark.parametrize(
    "dtype",
    ["bool", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", "g", ">i2", ">f8"],
)
@pytest.mark.parametrize("mask", [MASK, np.ma.nomask, np.ones_like(MASK), np.zeros_like(MASK)])
def test_masked_arrays_of_every_dtype(dtype, mask):
    masked = np.ma.MaskedArray(SITES.astype(dtype), mask)
    labels = check_masked(masked).labels
    number = np.dtype(np.int32) if dtype == "bool" else masked.dtype.newbyteorder("=")
    assert labels.dtype == number


@pytest.mark.parametrize("dtype", ["u1", "i1"])
def test_masked_array_that_uses_every_value_of_its_dtype(dtype):
    cells = np.roll(np.arange(256, dtype="u1"), 100).reshape(16, 16).view(dtype)
    masked = np.ma.MaskedArray(cells, np.zeros((16, 16), bool))
    masked[3, 4] = np.ma.masked
    assert check_masked(masked).labels.dtype == dtype
    check_masked(masked, max_distance=0, unreached=100)
    check_masked(masked, zero_is_site=True)
    check_masked(masked, values=[255 if dtype == "u1" else -128])
    with pytest.raises(ValueError, match=r"unreached = 300; must be a value of the dtype"):
        thiessen.nearest_site(masked, unreached=300)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4", "u4", "i8", "u8", "g"])
def test_masked_array_with_the_extreme_values_of_its_dtype(dtype):
    kind = np.dtype(dtype).kind
    limits = np.finfo("f8" if dtype == "g" else dtype) if kind == "f" else np.iinfo(dtype)
    row = [limits.min, limits.max, 0, 1, 2, 7]
    if kind == "f":
        row = [*row, np.nan, np.inf, -np.inf, -0.0]
    cells = np.array([row, row], dtype)
    mask = np.zeros(cells.shape, bool)
    mask[0, 2] = mask[1, 0] = True
    check_masked(np.ma.MaskedArray(cells, mask))
    check_masked(np.ma.MaskedArray(cells, mask), zero_is_site=True)


@pytest.mark.parametrize("dtype", ["bool", "u1", "i2", "f4", "f2", ">i4"])
def test_masked_cells_may_be_the_free_ones(dtype):
    masked = np.ma.MaskedArray(SITES.astype(dtype), ~MASK)  # sites among masked cells
    names = ("labels", "distance", "site_index")
    found = thiessen.nearest_site(masked, free_nodata=True, outputs=names)
    wanted = oracle.nearest_site(masked.data, mask=~MASK, free_nodata=True)
    for name in names:
        output = getattr(found, name)
        assert type(output) is np.ma.MaskedArray
        assert not np.ma.getmaskarray(output).any()
        np.testing.assert_array_equal(output.data, wanted[name].astype(output.dtype))
    distance = thiessen.distance_transform(masked, free_nodata=True)
    np.testing.assert_array_equal(distance.data, found.distance.data)
    grown = thiessen.expand_labels(masked, 1, free_nodata=True)
    np.testing.assert_array_equal(np.ma.getmaskarray(grown), found.distance.data > 1)
    if dtype != "bool":
        np.testing.assert_array_equal(
            grown.compressed(), found.labels.data[found.distance.data <= 1]
        )
    with pytest.raises(ValueError, match="free_nodata = True; must be False when values"):
        thiessen.nearest_site(masked, free_nodata=True, values=[0])


def test_what_is_masked_does_not_count():
    huge = np.finfo(np.longdouble).max
    masked = np.ma.MaskedArray(np.array([[1, huge, 0, 2]], "g"), [[0, 1, 0, 0]])
    check_masked(masked, outputs="distance")
    if np.float64(huge) != huge:
        with pytest.raises(
            ValueError, match="sites has values of the dtype .* that float64 cannot"
        ):
            thiessen.nearest_site(masked.data)


@pytest.mark.parametrize("dtype", ["i4", "u1", "f4"])
def test_mask_with_nodata(dtype):
    masked = np.ma.MaskedArray(SITES.astype(dtype), MASK)
    result = thiessen.nearest_site(masked, nodata=3, outputs=NAMES)
    wanted = oracle.nearest_site(SITES.astype(dtype), nodata=3, mask=MASK)
    np.testing.assert_array_equal(result.distance.data, wanted["distance"].astype("f4"))
    np.testing.assert_array_equal(result.site_index.data, wanted["site_index"])
    np.testing.assert_array_equal(result.labels[SITES == 3].compressed(), 3)
    np.testing.assert_array_equal(result.labels.mask, MASK)


@pytest.mark.parametrize(
    ("dtype", "nodata"), [("u1", 300), ("u1", -1), ("i2", 1.5), ("i4", np.nan), ("f2", 0.1), ("f2", 1e9)]
)  # fmt: skip
def test_mask_with_nodata_that_does_not_fit(dtype, nodata):
    with pytest.raises(ValueError, match=r"nodata = .*; must be a value of the dtype"):
        thiessen.nearest_site(np.ma.MaskedArray(SITES.astype(dtype), MASK), nodata=nodata)


def test_fill_value_of_float_labels():
    masked = np.ma.MaskedArray(SITES.astype("f4"), MASK)
    labels = thiessen.nearest_site(masked).labels
    assert np.isnan(labels.fill_value)
    assert np.isnan(labels.filled()[MASK]).all()


@pytest.mark.parametrize("near", [4, 8])
@pytest.mark.parametrize("dtype", ["bool", "i2", "f4"])
def test_components_of_masked_arrays(dtype, near):
    cells = np.array([[1, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1]]).astype(dtype)
    masked = np.ma.MaskedArray(cells, MASK)
    labels, count = oracle.number_components(cells, near, MASK)
    found = thiessen.connected_components(masked, connectivity=near)
    assert found.count == count
    np.testing.assert_array_equal(found.labels.mask, MASK)
    np.testing.assert_array_equal(found.labels.compressed(), labels[~MASK])
    check_masked(masked, components=near)


def test_boundary_of_masked_booleans():
    cells = np.array([[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 1]], bool)
    got = thiessen.distance_transform(np.ma.MaskedArray(cells, MASK), distance_to="boundary")
    wanted = oracle.nearest_site(cells, distance_to="boundary", mask=MASK)["distance"]
    np.testing.assert_array_equal(got.data, wanted.astype("f4"))


CHOICES = [
    ({"values": [False]}, (0,)), ({"values": 0}, (0,)), ({"values": np.array([False])}, (0,)),
    ({"values": True}, (1,)), ({"values": [1, np.True_]}, (1,)), ({"values": [0.0, 1]}, (0, 1)),
    ({"zero_is_site": True}, (0, 1)), ({}, (1,)),
]  # fmt: skip


@pytest.mark.parametrize(("options", "chosen"), CHOICES, ids=lambda value: str(value)[:30])
@pytest.mark.parametrize("shape", [(6, 7), (3, 4, 5)])
def test_values_of_boolean_sites(options, chosen, shape):
    mask = np.random.default_rng(4).random(shape) < 0.6
    sites = np.isin(mask, chosen)  # of which the true cells are the sites
    names = NAMES if len(shape) == 2 else NAMES[:-1]
    for signed in (False, True):
        wanted = thiessen.nearest_site(sites, outputs=names, signed_distance=signed)
        for given in (mask, mask.tolist(), mask[::-1].copy()[::-1], mask.astype("u1").view(bool)):
            found = thiessen.nearest_site(given, outputs=names, signed_distance=signed, **options)
            for name in names:
                np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name))
            distance = thiessen.distance_transform(given, signed_distance=signed, **options)
            np.testing.assert_array_equal(distance, wanted.distance)
    for method in ("brute-force", "jfa"):
        found = thiessen.nearest_site(mask, method=method, **options)
        plain = thiessen.nearest_site(sites, method=method)
        np.testing.assert_array_equal(found.labels, plain.labels)
    batch = thiessen.nearest_site(np.stack([mask, mask]), batch_axes=0, **options)
    np.testing.assert_array_equal(batch.labels[1], wanted.labels)
    costs = np.ones(shape)
    names = ("labels", "distance", "site_index")
    found = thiessen.cost_distance(mask, stiffness=costs, outputs=names, **options)
    wanted = thiessen.cost_distance(sites, stiffness=costs, outputs=names)
    for name in names:
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name))


@pytest.mark.parametrize(("options", "chosen"), CHOICES, ids=lambda value: str(value)[:30])
def test_values_of_masked_boolean_sites(options, chosen):
    truth = np.random.default_rng(4).random(MASK.shape) < 0.6
    sites = np.ma.MaskedArray(np.isin(truth, chosen), MASK)
    masked = np.ma.MaskedArray(truth, MASK)
    found = thiessen.nearest_site(masked, outputs=NAMES, **options)
    for name, wanted in thiessen.nearest_site(sites, outputs=NAMES)._asdict().items():
        np.testing.assert_array_equal(getattr(found, name).filled(), wanted.filled(), err_msg=name)
    distance = thiessen.distance_transform(masked, **options)
    np.testing.assert_array_equal(distance.filled(), found.distance.filled())
    costs = thiessen.cost_distance(masked, stiffness=np.ones(MASK.shape), **options)
    np.testing.assert_array_equal(
        costs.labels, thiessen.cost_distance(sites, stiffness=np.ones(MASK.shape)).labels
    )


def test_what_boolean_sites_refuse():
    for sites in (SITES != 0, np.ma.MaskedArray(SITES != 0, MASK)):
        for function in (
            thiessen.nearest_site,
            thiessen.distance_transform,
            lambda array, **options: thiessen.cost_distance(
                array, stiffness=np.ones(SITES.shape), **options
            ),
        ):
            for value in (2, -1, 0.5):
                with pytest.raises(ValueError, match=f"values = {value}; must be a value of the"):
                    function(sites, values=[value])
            with pytest.raises(
                ValueError,
                match="values is given; must not be with zero_is_site|zero_is_site = True; must be",
            ):
                function(sites, values=[0], zero_is_site=True)
        with pytest.raises(ValueError, match="nodata is given; boolean"):
            thiessen.nearest_site(sites, nodata=0)
        with pytest.raises(ValueError, match="nodata is given; boolean"):
            thiessen.expand_labels(sites, nodata=0)
        with pytest.raises(ValueError, match="nodata is given; boolean"):
            thiessen.connected_components(sites, nodata=0)


def test_booleans_are_expanded_as_one_label_whatever_holds_them():
    sites = np.zeros((3, 6), bool)
    sites[0, 0] = sites[2, 5] = True
    mask = np.zeros_like(sites)
    mask[1, 1] = True
    wanted = thiessen.expand_labels(sites, 2)
    assert wanted.dtype == bool
    np.testing.assert_array_equal(thiessen.expand_labels(sites.tolist(), 2), wanted)
    np.testing.assert_array_equal(thiessen.expand_labels(np.matrix(sites), 2), wanted)
    grown = thiessen.expand_labels(np.ma.MaskedArray(sites, mask), 2)
    assert grown.dtype == bool
    np.testing.assert_array_equal(grown.mask, mask)
    np.testing.assert_array_equal(grown.compressed(), wanted[~mask])
    assert set(grown.data.view("u1").ravel()) <= {0, 1}
    out = np.zeros((3, 6), bool)
    thiessen.expand_labels(np.ma.MaskedArray(sites, mask), 2, out=out)
    np.testing.assert_array_equal(out[~mask], wanted[~mask])


def test_masked_results_are_filled_with_nodata():
    mask = [[True, False, False]]
    cells = np.ma.MaskedArray(np.array([[4, 0, 7]], np.uint8), mask)
    result = thiessen.nearest_site(cells, outputs=("squared", "site_index", "offset", "distance"))
    assert [output.filled().flat[0] for output in result[:3]] == [-2, -2, -(2**31)]
    assert np.isnan(result.distance.filled()[0, 0])
    np.testing.assert_array_equal(result.site_index.filled(), [[-2, 2, 2]])
    labels = thiessen.nearest_site(cells, nodata=9).labels
    np.testing.assert_array_equal(labels.filled(), [[9, 7, 7]])
    cells.fill_value = 255
    for grown in (thiessen.nearest_site(cells).labels, thiessen.expand_labels(cells, 5)):
        assert grown.dtype == np.uint8
        np.testing.assert_array_equal(grown.filled(), [[255, 7, 7]])
    heights = np.ma.MaskedArray([[1.0, 0.0, 2.5]], mask, fill_value=-9999.0)
    np.testing.assert_array_equal(
        thiessen.nearest_site(heights).labels.filled(), [[-9999.0, 2.5, 2.5]]
    )
    for numbered in (
        thiessen.nearest_site(cells, components=8).labels,
        thiessen.nearest_site(np.ma.MaskedArray([[True, False, True]], mask)).labels,
        thiessen.connected_components(cells).labels,
    ):
        assert numbered.filled()[0, 0] == -1


def test_out_of_a_masked_array():
    masked = np.ma.MaskedArray(SITES, MASK)
    out = np.zeros(SITES.shape, SITES.dtype)
    labels = thiessen.nearest_site(masked, outputs="labels", out=out).labels
    assert labels.data.base is out or labels.data is out
    np.testing.assert_array_equal(labels.mask, MASK)
    for alias in (masked.mask.view("u1"), masked.mask.view("u1")[::-1]):
        bytes_ = np.ma.MaskedArray(SITES.astype("u1"), masked.mask)
        with pytest.raises(ValueError, match=r"out\['labels'\] overlaps"):
            thiessen.nearest_site(bytes_, outputs="labels", out=alias)
    with pytest.raises(ValueError, match=r"out\['labels'\] overlaps"):
        thiessen.nearest_site(masked, outputs="labels", out=masked.data)
    with pytest.raises(ValueError, match="out overlaps"):
        thiessen.connected_components(masked, out=masked.data)
    with pytest.raises(TypeError, match=r"out\['labels'\] is a MaskedArray"):
        thiessen.nearest_site(masked, outputs="labels", out=masked.copy())


def test_masked_points_are_refused():
    with pytest.raises(TypeError, match="points is a masked array"):
        thiessen.voronoi(np.ma.MaskedArray([[0, 1]], [[0, 1]]), (3, 3))
    with pytest.raises(TypeError, match="labels is a masked array"):
        thiessen.voronoi([[0, 1]], (3, 3), point_labels=np.ma.MaskedArray([1], [1]))


class WithArray:
    """As tensors and tables are."""

    def __init__(self, cells):
        self.cells = cells

    def __array__(self, dtype=None, copy=None):
        return self.cells


class WithDlpack:
    """Host memory by DLPack alone."""

    def __init__(self, cells):
        self.cells = cells

    def __dlpack__(self, **options):
        return self.cells.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.cells.__dlpack_device__()


class WithInterface:
    def __init__(self, cells):
        self.cells = cells
        self.__array_interface__ = cells.__array_interface__


@pytest.mark.parametrize(
    "convert",
    [np.ndarray.tolist, lambda a: tuple(map(tuple, a.tolist())), WithArray, WithDlpack,
     WithInterface, np.asmatrix, memoryview, lambda a: [list(row) for row in a],
     lambda a: a.view(type("Sub", (np.ndarray,), {}))],
)  # fmt: skip
def test_what_numpy_takes_for_an_array(convert):
    for cells in (SITES, SITES.astype(float), SITES.astype("u1")):
        result = thiessen.nearest_site(convert(cells), outputs=NAMES)
        oracle.assert_equal(result, oracle.nearest_site(cells))
        assert all(type(each) is np.ndarray for each in result)


def test_memory_that_is_mapped(tmp_path):
    np.save(tmp_path / "sites.npy", SITES)
    for mode in ("r", "c", "r+"):
        sites = np.load(tmp_path / "sites.npy", mmap_mode=mode)
        oracle.assert_equal(thiessen.nearest_site(sites), oracle.nearest_site(SITES))
    out = np.lib.format.open_memmap(tmp_path / "out.npy", "w+", SITES.dtype, SITES.shape)
    assert thiessen.nearest_site(SITES, outputs="labels", out=out).labels is out
    out.flush()
    np.testing.assert_array_equal(
        np.load(tmp_path / "out.npy"), oracle.nearest_site(SITES)["labels"]
    )


def test_points_and_labels_of_other_kinds():
    wanted = oracle.voronoi([(0, 1), (2, 3)], (3, 4), point_labels=[5, 6])
    for points in (WithArray(np.array([(0.0, 1), (2, 3)])), WithDlpack(np.array([(0, 1), (2, 3)]))):
        for labels in ([5, 6], (5, 6), array.array("l", [5, 6]), WithArray(np.array([5, 6]))):
            oracle.assert_equal(thiessen.voronoi(points, (3, 4), point_labels=labels), wanted)


def test_what_an_array_method_raises_is_raised():
    class Broken:
        def __array__(self, dtype=None, copy=None):
            raise ZeroDivisionError("no cells today")

    with pytest.raises(ZeroDivisionError, match="no cells today"):
        thiessen.nearest_site(Broken())


# CUDA arrays: what CuPy, Numba, PyTorch and JAX show of them.


class Cupy:
    @property
    def __cuda_array_interface__(self):
        return {"shape": (3, 4), "typestr": "<i4", "data": (16, False), "version": 3}

    def __array__(self, *_, **__):
        raise TypeError("Implicit conversion to a NumPy array is not allowed")


class Torch:
    def __dlpack__(self, **_):
        raise AssertionError("nobody may ask for the memory")

    def __dlpack_device__(self):
        return (2, 0)


class Jax(Torch):
    def __array__(self, *_, **__):
        raise AssertionError("nobody may copy it in secret")


class Rocm(Torch):
    def __dlpack_device__(self):
        return (10, 1)


class TorchOnTheHost(WithArray):
    def __dlpack__(self, **_):
        raise AssertionError("__array__ is enough")

    def __dlpack_device__(self):
        return (1, 0)

    @property
    def __cuda_array_interface__(self):
        raise AttributeError("not on CUDA")


GPU_ARRAYS = [Cupy, Torch, Jax, Rocm]


@pytest.mark.skipif(
    any(device.available and device.name.startswith("cuda") for device in thiessen.devices()),
    reason="there is a device for them (test_cuda.py)",
)
@pytest.mark.parametrize("kind", GPU_ARRAYS)
def test_gpu_arrays_are_refused_without_a_device(kind):
    gpu = kind()
    kind_name = re.escape(f"{kind.__module__}.{kind.__qualname__}")
    calls = {
        "sites": lambda: thiessen.nearest_site(gpu),
        "points": lambda: thiessen.voronoi(gpu, (3, 4)),
        "labels": lambda: thiessen.expand_labels(gpu),
        "image": lambda: thiessen.connected_components(gpu),
        r"out\['distance'\]": lambda: thiessen.distance_transform(SITES, out=gpu),
        r"out\['labels'\]": lambda: thiessen.nearest_site(SITES, out=(gpu, None)),
        r"out\['site_index'\]": lambda: thiessen.nearest_site(
            SITES, outputs="site_index", out={"site_index": gpu}
        ),
        "stiffness": lambda: thiessen.cost_distance(SITES, stiffness=gpu),
        "initial_cost": lambda: thiessen.cost_distance(SITES, stiffness=SITES, initial_cost=gpu),
        "elevation": lambda: thiessen.cost_distance(SITES, stiffness=SITES, elevation=gpu),
        "back_link": lambda: thiessen.least_cost_path(gpu, (0, 0)),
        "a": lambda: thiessen.compare(gpu, SITES),
        "b.labels": lambda: thiessen.compare(SITES, {"labels": gpu}),
        "distance": lambda: thiessen.render(distance=gpu),
        "out": lambda: thiessen.connected_components(SITES, out=gpu),
    }
    for name, call in calls.items():
        with pytest.raises(
            RuntimeError, match=rf"^{name} is a {kind_name} in .*copy it to the host"
        ):
            call()
    with pytest.raises(
        RuntimeError, match="^point_labels is a .*(no CUDA backend|no CUDA device|the host)"
    ):
        thiessen.voronoi([(0, 0)], (3, 4), point_labels=gpu)
    with pytest.raises(RuntimeError, match="^sites is a .*copy it to the host"):
        thiessen.cost_distance(gpu, stiffness=SITES)
    with pytest.raises(RuntimeError, match="^points is a .*copy it to the host"):
        thiessen.cost_distance(stiffness=SITES, points=gpu)


def test_tensors_on_the_host_are_taken():
    oracle.assert_equal(thiessen.nearest_site(TorchOnTheHost(SITES)), oracle.nearest_site(SITES))


@pytest.mark.parametrize(
    "make", [np.int64, np.float32, np.float16, np.longdouble, np.array, lambda v: np.array([v]), float]
)  # fmt: skip
def test_scalars_of_numpy_as_options(make):
    result = thiessen.nearest_site(
        SITES, spacing=[make(1), make(1)], max_distance=make(2), nodata=make(3), unreached=make(9),
        values=make(7), outputs=NAMES,
    )  # fmt: skip
    oracle.assert_equal(
        result, oracle.nearest_site(SITES, max_distance=2, nodata=3, unreached=9, values=[7])
    )


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_least_value_of_a_float_is_a_nodata_value(dtype):
    low = float(np.finfo(dtype).min)
    cells = np.ma.array([[0, 1, low]], dtype=dtype, mask=[[True, False, False]])
    distance = thiessen.nearest_site(cells, nodata=low, outputs="distance").distance
    np.testing.assert_array_equal(distance.data, [[np.nan, 0, np.nan]])


CELLS = np.eye(4, 5, dtype=np.int32)
ONES = np.ones((4, 5), np.float32)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("initial_cost", lambda: thiessen.cost_distance(CELLS, stiffness=ONES, initial_cost=5.0)),
        ("domain", lambda: thiessen.voronoi([(0, 1), (2, 3)], (4, 5), domain=True)),
        ("distance", lambda: thiessen.region_borders(CELLS, distance=np.float32(3))),
        ("density", lambda: thiessen.farthest_sites((4, 5), 2, density=1.0)),
        ("field", lambda: thiessen.site_statistics(CELLS, field=1.0)),
        ("distance", lambda: thiessen.render(distance=2.0)),
    ],
)
def test_a_number_is_no_array(name, call):
    with pytest.raises(ValueError, match=rf"{name} has (0 axes; must|the shape \(\)[ ;])"):
        call()
