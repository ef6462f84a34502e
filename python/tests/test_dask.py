# SPDX-License-Identifier: Apache-2.0
"""Arrays of Dask: lazy results with the bits of one call, by every scheduler."""

from __future__ import annotations

import math
import os
import pickle
import signal
from pathlib import Path

import numpy as np
import pytest
import thiessen

pytest.importorskip("dask")
import dask
import dask.array as da
from processes import in_a_process

pytestmark = pytest.mark.filterwarnings("ignore::thiessen.ThiessenWarning")

ALL = ("labels", "distance", "squared", "site_index", "offset", "direction")


def sites_of(shape=(60, 41), sparsity=0.01, seed=1, dtype=np.uint16):
    random = np.random.default_rng(seed)
    labels = random.integers(1, 60000, shape)
    return np.where(random.random(shape) < sparsity, labels, 0).astype(dtype)


def assert_same(found, wanted):
    assert found._fields == wanted._fields
    for name, lazy in zip(found._fields, found):
        assert lazy.dtype == getattr(wanted, name).dtype
    for name, array in zip(found._fields, dask.compute(*found)):
        np.testing.assert_array_equal(array, getattr(wanted, name), err_msg=name)


@pytest.fixture(autouse=True)
def small_slabs():
    """Slabs of a few rows of what tests have."""
    with dask.config.set({"array.chunk-size": "8 kiB", "scheduler": "synchronous"}):
        yield


@pytest.mark.parametrize("max_distance", [0, 2.5, 6, 40, None])
@pytest.mark.parametrize("spacing", [None, 0.1, (3, 1)])
@pytest.mark.parametrize("signed", [False, True])
def test_distances_that_end(max_distance, spacing, signed):
    sites = sites_of(dtype=np.int64)
    options = {"max_distance": max_distance, "spacing": spacing, "signed_distance": signed}
    wanted = thiessen.nearest_site(sites, outputs=("labels", "distance", "site_index"), **options)
    lazy = da.from_array(sites, chunks=(7, 9))
    assert_same(thiessen.nearest_site(lazy, outputs=wanted._fields, **options), wanted)


def keys_of(result):
    return {str(key) for each in result for key in each.__dask_graph__()}


def test_what_is_near_needs_no_summaries():
    lazy = da.from_array(sites_of(), chunks=(10, 41))
    far = thiessen.nearest_site(lazy, max_distance=9.5)
    near = thiessen.nearest_site(lazy, max_distance=8.5)
    assert any("join" in key for key in keys_of(far))
    assert not any("join" in key for key in keys_of(near))
    numbered = thiessen.nearest_site(lazy != 0, max_distance=8.5)
    assert any("join" in key for key in keys_of(numbered))
    distance = thiessen.distance_transform(lazy != 0, max_distance=8.5)
    assert not any("join" in key for key in keys_of([distance]))


def test_chunks_are_slabs():
    lazy = da.from_array(sites_of((64, 50)), chunks=(16, 9))
    found = thiessen.nearest_site(lazy, outputs=("labels", "offset"))
    assert found.labels.chunks == ((16,) * 4, (50,))
    assert found.offset.chunks == ((2,), (16,) * 4, (50,))
    with dask.config.set({"array.chunk-size": 50 * 8 * 11}):
        lower = thiessen.nearest_site(lazy, outputs=("labels", "offset"))
    assert lower.labels.chunks == ((8,) * 8, (50,))
    with dask.config.set({"array.chunk-size": 1}):
        assert thiessen.distance_transform(lazy).chunks == ((1,) * 64, (50,))


CALLS = {
    "summaries": lambda x: thiessen.nearest_site(x).labels,
    "numbers": lambda x: thiessen.nearest_site(x != 0).labels,
    "rows beside": lambda x: thiessen.nearest_site(x, max_distance=3).distance,
    "boundary": lambda x: thiessen.distance_transform(x, distance_to="boundary"),
    "expanded": lambda x: thiessen.expand_labels(x, 2),
    "components": lambda x: thiessen.connected_components(x).labels,
    "of components": lambda x: thiessen.nearest_site(x, components=8).labels,
    "points": lambda x: thiessen.voronoi([(1, 2)], x.shape, domain=x).labels,
    "costs": lambda x: thiessen.cost_distance(x, stiffness=x + 1.0).labels,
}


@pytest.mark.parametrize("name", CALLS)
def test_tasks_are_as_many_as_chunks_and_slabs(name):
    def graph_of(slabs, columns):
        cells = np.zeros((8 * slabs, 8 * columns), np.uint8)
        cells[0, 0] = 1
        graph = CALLS[name](da.from_array(cells, chunks=8)).__dask_graph__()
        return len(graph), len(graph.layers)

    few, layers = graph_of(5, 3)
    more, _ = graph_of(10, 3)
    most, their_layers = graph_of(10, 6)
    assert more <= 2 * few + 20
    assert most - more <= 30 * 8  # chunks are in a few layers, and no slab needs those of all
    if name != "costs":  # each visit is kept by itself
        assert their_layers == layers < 12


def test_names_tell_what_is_the_same():
    lazy = da.from_array(sites_of(), chunks=(10, 41))
    assert thiessen.nearest_site(lazy).labels.name == thiessen.nearest_site(lazy).labels.name
    other = thiessen.nearest_site(lazy, spacing=2).labels.name
    assert thiessen.nearest_site(lazy).labels.name != other


@pytest.mark.parametrize("keep_sites", [False, True])
def test_how_often_sites_are_computed(keep_sites):
    computed = []

    def block(block_info=None):
        computed.append(block_info[None]["chunk-location"][0])
        return np.eye(10, 30, dtype=np.uint8)

    lazy = da.map_blocks(
        block, chunks=((10,) * 4, (30,)), dtype=np.uint8, meta=np.empty((0, 0), "u1")
    )
    found = thiessen.nearest_site(lazy, keep_sites=keep_sites)
    assert not computed
    dask.compute(*found)
    assert sorted(computed) == sorted([0, 1, 2, 3] * (1 if keep_sites else 2))
    if not keep_sites:
        assert set(computed[:4]) == {0, 1, 2, 3}


def test_other_functions():
    sites = sites_of()
    lazy = da.from_array(sites, chunks=(7, 9))
    boolean = lazy != 0
    for options in (
        {},
        {"distance_to": "boundary"},
        {"signed_distance": True},
        {"max_distance": 3},
    ):
        wanted = thiessen.distance_transform(sites, **options)
        np.testing.assert_array_equal(thiessen.distance_transform(lazy, **options), wanted)
        np.testing.assert_array_equal(
            thiessen.distance_transform(boolean, **options),
            thiessen.distance_transform(sites != 0, **options),
        )
    for distance in (1, 4.5, math.inf):
        wanted = thiessen.expand_labels(sites, distance)
        np.testing.assert_array_equal(thiessen.expand_labels(lazy, distance), wanted)
        grown = thiessen.expand_labels(boolean, distance)
        assert grown.dtype == bool
        np.testing.assert_array_equal(grown, thiessen.expand_labels(sites != 0, distance))


@pytest.mark.parametrize("shape", [(60, 41), (20, 9, 8), (0, 5), (5, 0)])
@pytest.mark.parametrize("nodata", [None, 2])
def test_components(shape, nodata):
    image = np.random.default_rng(3).integers(0, 3, shape).astype(np.uint8)
    lazy = da.from_array(image, chunks=(7, *[5] * (image.ndim - 1)))
    for connectivity in (None, 4, 8) if image.ndim == 2 else (None, 6, 18, 26):
        options = {"connectivity": connectivity, "nodata": nodata}
        wanted = thiessen.connected_components(image, **options)
        found = thiessen.connected_components(lazy, **options)
        assert found.labels.dtype == wanted.labels.dtype
        labels, count = dask.compute(*found)
        np.testing.assert_array_equal(labels, wanted.labels)
        assert count == wanted.count
    components = 4 if image.ndim == 2 else 6
    for keep in (False, True):
        assert_same(
            thiessen.nearest_site(lazy, components=components, nodata=nodata, keep_sites=keep),
            thiessen.nearest_site(image, components=components, nodata=nodata),
        )


def test_components_of_data_arrays():
    xr = pytest.importorskip("xarray")
    image = xr.DataArray(sites_of(sparsity=0.5), dims=("y", "x"), attrs={"_FillValue": 9})
    wanted = thiessen.connected_components(image)
    found = thiessen.connected_components(image.chunk({"y": 7}))
    xr.testing.assert_identical(found.labels.compute(), wanted.labels)


@pytest.mark.parametrize("shape", [(60, 41), (20, 9, 8), (0, 5)])
def test_points(shape):
    random = np.random.default_rng(5)
    points = random.random((30, len(shape))) * np.add(shape, 9) - 3
    labels = random.integers(1, 99, 30)
    domain = random.integers(0, 4, shape).astype(np.uint8)
    for options in (
        {},
        {"point_labels": labels, "unreached": 7, "max_distance": 4},
        {"domain": domain, "nodata_label": -5, "metric": "manhattan"},
        {"metric": "chessboard", "periodic": True},
        {"outputs": ("site_index", "distance"), "spacing": 0.5, "distance_type": "float64"},
    ):
        wanted = thiessen.voronoi(points, shape, **options)
        lazy = da.from_array(points, chunks=(7, 1))
        assert_same(thiessen.voronoi(lazy, shape, **options), wanted)
    own = da.from_array(domain, chunks=(7, *shape[1:]))
    assert_same(
        thiessen.voronoi(points, shape, domain=own),
        thiessen.voronoi(points, shape, domain=domain),
    )
    with pytest.raises(ValueError, match=r"domain has the shape \(3,\); must have"):
        thiessen.voronoi(lazy, shape, domain=np.ones(3))


def cost_problem(seed):
    random = np.random.default_rng(seed)
    shape = [(30, 17), (9, 8, 7), (23, 1), (1, 40)][seed % 4]
    map = random.integers(0, 9, shape).astype(np.float32)
    if seed % 3 == 0:
        map[::2, :-1] = 0  # walls with a gap at the end of each
    sites = np.where(random.random(shape) < 0.03, random.integers(1, 99, shape), 0)
    options = {
        "connectivity": [None, 4, 16][seed % 3] if len(shape) == 2 else [None, 6, 18][seed % 3],
        "outputs": ("labels", "distance", "site_index", "back_link"),
        "distance_type": "float64" if seed % 2 else "float32",
    }
    if seed % 4 == 1:
        options["max_distance"] = 2.5
    chunks = [1, 3, 7, 40][seed // 2 % 4]
    what = "cost" if seed % 5 == 0 else "stiffness"
    return what, map, sites.astype(np.uint8), options, (chunks, *[5] * (len(shape) - 1))


@pytest.mark.parametrize("seed", range(12))
def test_cost_distance(seed):
    what, map, sites, options, chunks = cost_problem(seed)
    lazy = da.from_array(map, chunks=chunks)
    wanted = thiessen.cost_distance(sites, **{what: map}, **options)
    assert_same(
        thiessen.cost_distance(da.from_array(sites, chunks=chunks), **{what: lazy}, **options),
        wanted,
    )
    assert_same(
        thiessen.cost_distance(sites != 0, **{what: lazy}, **options),
        thiessen.cost_distance(sites != 0, **{what: map}, **options),
    )
    initial = np.where(sites > 50, 2.25, 0.5)
    assert_same(
        thiessen.cost_distance(sites, **{what: lazy}, initial_cost=initial, **options),
        thiessen.cost_distance(sites, **{what: map}, initial_cost=initial, **options),
    )


def test_cost_distance_of_points():
    what, map, _, options, chunks = cost_problem(0)
    points = np.random.default_rng(1).random((6, 2)) * (30, 16)
    lazy = da.from_array(map, chunks=chunks)
    for more in ({}, {"point_labels": np.arange(6) + 3, "initial_cost": np.arange(6) / 4}):
        assert_same(
            thiessen.cost_distance(**{what: lazy}, points=points, **options, **more),
            thiessen.cost_distance(**{what: map}, points=points, **options, **more),
        )


@pytest.mark.filterwarnings("default::thiessen.ThiessenWarning")
def test_warnings_and_errors_of_costs():
    map = da.ones((6, 4), chunks=(2, 4))
    with pytest.warns(thiessen.ThiessenWarning, match="no site, so every cell is unreached"):
        found = thiessen.cost_distance(np.zeros((6, 4), np.uint8), stiffness=map)
    assert np.isinf(found.distance.compute()).all()
    walls = np.zeros((6, 4), np.float32)
    with pytest.warns(thiessen.ThiessenWarning, match="24 sites on barriers .* index 0"):
        thiessen.cost_distance(np.ones((6, 4), np.uint8), stiffness=da.from_array(walls))
    with pytest.raises(ValueError, match=r"sites has the shape \(3, 4\); must have \(6, 4\)"):
        thiessen.cost_distance(np.zeros((3, 4)), stiffness=map)
    with pytest.raises(ValueError, match="method = 'relaxation'; must be 'exact'"):
        thiessen.cost_distance(np.zeros((6, 4)), stiffness=map, method="relaxation")
    with pytest.raises(ValueError, match="sites and points"):
        thiessen.cost_distance(stiffness=map)
    with pytest.raises(ValueError, match="negative|-1"):
        thiessen.cost_distance(np.ones((6, 4), np.uint8), stiffness=map * -1)


@pytest.mark.parametrize("upwards", [False, True])
def test_data_arrays(upwards):
    xr = pytest.importorskip("xarray")
    y = np.arange(60) * 5.0
    frame = xr.DataArray(
        sites_of(dtype=np.int32),
        dims=("y", "x"),
        coords={"y": y if upwards else y[::-1], "x": np.arange(41) * -2.5},
        attrs={"_FillValue": 0 if upwards else 7},
        name="towns",
    )
    frame.coords["y"].attrs["units"] = frame.coords["x"].attrs["units"] = "metre"
    if upwards:
        with pytest.raises(ValueError, match="nodata value 0 in its metadata"):
            thiessen.nearest_site(frame.chunk({"y": 7}))
        lazy = thiessen.nearest_site(frame.chunk({"y": 7}), free_nodata=True)
        assert_same(lazy, thiessen.nearest_site(frame, free_nodata=True))
        frame.attrs = {}
    names = ("labels", "distance", "offset", "direction")
    wanted = thiessen.nearest_site(frame, outputs=names)
    found = thiessen.nearest_site(frame.chunk({"y": 7, "x": 11}), outputs=names)
    for name in names:
        lazy, eager = getattr(found, name), getattr(wanted, name)
        assert lazy.chunks is not None
        xr.testing.assert_identical(lazy.compute(), eager)
        assert lazy.attrs == eager.attrs or np.isnan(lazy.attrs["_FillValue"])
    distance = thiessen.distance_transform(frame.chunk({"y": 7}), distance_to="boundary")
    xr.testing.assert_identical(
        distance.compute(), thiessen.distance_transform(frame, distance_to="boundary")
    )


@pytest.mark.parametrize("keep_sites", [False, True])
def test_free_nodata(keep_sites):
    burned = sites_of(dtype=np.int32)
    burned[burned == 0] = -9
    burned[3, 4] = 0
    lazy = da.from_array(burned, chunks=(7, 41))
    options = {"nodata": -9, "free_nodata": True}
    wanted = thiessen.nearest_site(burned, **options)
    assert_same(thiessen.nearest_site(lazy, **options), wanted)
    kept = thiessen.nearest_site(lazy, **options, keep_sites=keep_sites)
    assert_same(kept, wanted)
    distance = thiessen.distance_transform(lazy, **options)
    np.testing.assert_array_equal(distance.compute(), wanted.distance)
    grown = thiessen.expand_labels(lazy, 2, **options)
    np.testing.assert_array_equal(grown, thiessen.expand_labels(burned, 2, **options))


def test_empty_rasters():
    for shape in ((0, 5), (5, 0), (0, 0, 3)):
        wanted = thiessen.nearest_site(np.zeros(shape, np.int16))
        assert_same(thiessen.nearest_site(da.zeros(shape, dtype=np.int16)), wanted)


def test_errors():
    lazy = da.from_array(sites_of(), chunks=(10, 41))
    with pytest.raises(RuntimeError, match="metric = chessboard; slabs have"):
        thiessen.nearest_site(lazy, metric="chessboard")
    with pytest.raises(ValueError, match="method = 'jfa'; must be 'exact' for arrays of Dask"):
        thiessen.nearest_site(lazy, method="jfa")
    with pytest.raises(ValueError, match="components = 6"):
        thiessen.nearest_site(lazy, components=6)
    with pytest.raises(ValueError, match="components is given; values, zero_is_site and"):
        thiessen.nearest_site(lazy, components=8, values=3)
    with pytest.raises(ValueError, match="out is a ndarray; must be None for arrays of Dask"):
        thiessen.connected_components(lazy, out=np.zeros((60, 41), np.int32))
    with pytest.raises(ValueError, match="out is a ndarray; must be None for arrays of Dask"):
        thiessen.distance_transform(lazy, out=np.zeros((60, 41), np.float32))
    with pytest.raises(ValueError, match=r"must be 1 to 1024"):
        thiessen.expand_labels(lazy, threads=0)
    with pytest.raises(ValueError, match="max_distance"):
        thiessen.nearest_site(lazy, max_distance=-1)
    with pytest.raises(ValueError, match="squared"):
        thiessen.nearest_site(lazy, outputs="squared", spacing=2)
    with pytest.raises(ValueError, match="outputs has 'other_labels'; must be among labels"):
        thiessen.nearest_site(lazy, outputs="other_labels")
    with pytest.raises(ValueError, match="sites has 1 axes"):
        thiessen.nearest_site(lazy[0])
    with pytest.raises(ValueError, match=r"chunks of unknown sizes; .*compute_chunk_sizes\(\)"):
        thiessen.nearest_site(lazy[lazy.max(axis=1) > 5])
    with pytest.raises(TypeError, match=r"chunks of numpy\.ma\.\S*MaskedArray"):
        thiessen.nearest_site(da.ma.masked_equal(lazy, 3))
    with pytest.raises(ValueError, match="keep_sites = True; must be False for arrays in memory"):
        thiessen.nearest_site(sites_of(), keep_sites=True)


def test_zarr_by_xarray(tmp_path):
    xr = pytest.importorskip("xarray")
    pytest.importorskip("zarr")
    sites = xr.DataArray(
        sites_of(), dims=("y", "x"), coords={"y": np.arange(60) * 2.0}, name="sites"
    )
    sites.chunk({"y": 16, "x": 16}).to_zarr(tmp_path / "sites.zarr")
    found = thiessen.nearest_site(xr.open_zarr(tmp_path / "sites.zarr").sites)
    xr.Dataset(found._asdict()).to_zarr(tmp_path / "nearest.zarr")
    with xr.open_zarr(tmp_path / "nearest.zarr") as written:
        wanted = thiessen.nearest_site(sites)
        for name in wanted._fields:
            np.testing.assert_array_equal(written[name], getattr(wanted, name))


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("scheduler", ["threads", "processes"])
@pytest.mark.parametrize("max_distance", [None, 3])
def test_schedulers(scheduler, max_distance):
    sites = sites_of()
    wanted = thiessen.nearest_site(sites, outputs=ALL, max_distance=max_distance)
    found = thiessen.nearest_site(
        da.from_array(sites, chunks=(7, 9)), outputs=ALL, max_distance=max_distance
    )
    with dask.config.set(scheduler=scheduler, num_workers=2):
        assert_same(found, wanted)


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.parametrize("keep_sites", [False, True])
@pytest.mark.parametrize("max_distance", [None, 3])
def test_a_cluster(client, keep_sites, max_distance):
    sites = sites_of()
    wanted = thiessen.nearest_site(sites, outputs=ALL, max_distance=max_distance)
    lazy = da.from_array(sites, chunks=(7, 9))
    for source in (lazy, client.persist(lazy)):
        found = thiessen.nearest_site(
            source, outputs=ALL, max_distance=max_distance, keep_sites=keep_sites
        )
        for name, array in zip(ALL, client.gather(client.compute(list(found)))):
            np.testing.assert_array_equal(array, getattr(wanted, name))


def test_costs_on_a_cluster(client):
    what, map, sites, options, chunks = cost_problem(3)
    found = thiessen.cost_distance(sites, **{what: da.from_array(map, chunks=chunks)}, **options)
    wanted = thiessen.cost_distance(sites, **{what: map}, **options)
    for name, array in zip(found._fields, client.gather(client.compute(list(found)))):
        np.testing.assert_array_equal(array, getattr(wanted, name))


def die_once(rows: np.ndarray, folder: str, deadly: int) -> np.ndarray:
    """The rows; the process that computes them for the given time is killed."""
    time = len(os.listdir(folder))
    try:
        Path(folder, str(time)).touch(exist_ok=False)
    except FileExistsError:
        return rows
    if time == deadly:
        os.kill(os.getpid(), signal.SIGKILL)
    return rows


@pytest.mark.parametrize("deadly", [3, 13], ids=["of summaries", "of results"])
def test_a_worker_that_is_killed(client, tmp_path, deadly):
    sites = sites_of()
    lazy = da.from_array(sites, chunks=(7, 41)).map_blocks(
        die_once, str(tmp_path), deadly, dtype=sites.dtype, meta=np.empty((0, 0), sites.dtype)
    )
    found = thiessen.nearest_site(lazy)
    wanted = thiessen.nearest_site(sites)
    computed = client.gather(client.compute(list(found), retries=2))
    for array, eager in zip(computed, wanted):
        np.testing.assert_array_equal(array, eager)
    assert len(os.listdir(tmp_path)) > deadly + 1


def test_results_travel():
    found = thiessen.nearest_site(da.from_array(sites_of(), chunks=(7, 9)))
    assert_same(pickle.loads(pickle.dumps(found)), thiessen.nearest_site(sites_of()))
    (labels, _distance), other = dask.compute(found, 3)
    np.testing.assert_array_equal(labels, thiessen.nearest_site(sites_of()).labels)
    assert other == 3


def test_dask_is_imported_only_with_its_arrays():
    program = """
    thiessen.nearest_site(np.eye(3))
    print([name for name in ("dask", "thiessen._kinds.dask") if name in sys.modules])
    import dask.array as da
    print(type(thiessen.nearest_site(da.eye(3)).labels).__module__)
    """
    assert in_a_process(program) == "[]\ndask.array.core\n"
