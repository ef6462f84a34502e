# SPDX-License-Identifier: Apache-2.0
"""Files and stores, in slabs of any height, have the bits of one call."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import thiessen

pytestmark = pytest.mark.filterwarnings("ignore::thiessen.ThiessenWarning")

ALL = ("labels", "distance", "squared", "site_index", "offset", "direction")


def draw(shape, seed, dtype=np.uint16):
    rng = np.random.default_rng(seed)
    sites = np.zeros(shape, dtype)
    places = rng.random(shape) < 0.004
    sites[places] = rng.integers(1, 200, places.sum())
    return sites


def assert_same(found, wanted):
    assert found.dtype == wanted.dtype
    assert np.array_equal(found, wanted, equal_nan=wanted.dtype.kind == "f")


@pytest.mark.parametrize("slab_rows", [1, 7, 64, 1000])
def test_npy_files(tmp_path, slab_rows):
    sites = draw((130, 75), 1)
    np.save(tmp_path / "sites.npy", sites)
    out = {name: tmp_path / f"{name}.npy" for name in ALL}
    thiessen.nearest_site(tmp_path / "sites.npy", out=out, slab_rows=slab_rows)
    wanted = thiessen.nearest_site(sites, outputs=ALL)
    for name in ALL:
        assert_same(np.load(out[name]), getattr(wanted, name))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["sites.npy", *(f"{name}.npy" for name in ALL)]
    )


@pytest.mark.parametrize(
    "options",
    [
        {"periodic": True, "max_distance": 20, "unreached": 7},
        {"nodata": 9, "metric": "manhattan", "spacing": (2, 1)},
        {"values": [3, 4, 5], "periodic": (True, False), "distance_type": "float64"},
        {"zero_is_site": True, "nodata": 0},
        {"free_nodata": True, "nodata": 0},
    ],
)
def test_options(options):
    sites = draw((90, 61), 2)
    labels = np.empty_like(sites)
    distance = np.empty(sites.shape, options.get("distance_type", "float32"))
    thiessen.nearest_site(
        sites, out={"labels": labels, "distance": distance}, slab_rows=13, **options
    )
    wanted = thiessen.nearest_site(sites, **options)
    assert_same(labels, wanted.labels)
    assert_same(distance, wanted.distance)


def test_masks_and_volumes(tmp_path):
    mask = draw((31, 40, 22), 3) > 0
    np.save(tmp_path / "mask.npy", mask)
    labels = np.lib.format.open_memmap(tmp_path / "labels.npy", "w+", np.int32, mask.shape)
    offset = tmp_path / "offset.npy"
    thiessen.nearest_site(
        tmp_path / "mask.npy", out={"labels": labels, "offset": offset}, slab_rows=5
    )
    wanted = thiessen.nearest_site(mask, outputs=("labels", "offset"))
    assert_same(np.asarray(labels), wanted.labels)
    assert_same(np.load(offset), wanted.offset)


@pytest.mark.parametrize("version", [2, 3])
def test_zarr(tmp_path, version):
    zarr = pytest.importorskip("zarr", "3.0")
    sites = draw((100, 300), 4)
    source = zarr.create_array(
        tmp_path / "sites.zarr", shape=sites.shape, chunks=(16, 50), dtype=sites.dtype,
        zarr_format=version,
    )  # fmt: skip
    source[...] = sites
    distance = zarr.create_array(
        tmp_path / "distance.zarr", shape=sites.shape, chunks=(32, 300), dtype="f4",
        zarr_format=version,
    )  # fmt: skip
    labels, offset = tmp_path / "labels.zarr", tmp_path / "offset.zarr"
    out = {"labels": labels, "distance": distance, "offset": offset}
    thiessen.nearest_site(tmp_path / "sites.zarr", out=out, memory=300_000)
    wanted = thiessen.nearest_site(sites, outputs=("labels", "distance", "offset"))
    assert_same(zarr.open_array(labels, mode="r")[...], wanted.labels)
    assert_same(distance[...], wanted.distance)
    assert_same(zarr.open_array(offset, mode="r")[...], wanted.offset)
    thiessen.nearest_site(source, out={"labels": labels}, overwrite=True, max_distance=3)
    assert_same(
        zarr.open_array(labels, mode="r")[...],
        thiessen.nearest_site(sites, max_distance=3).labels,
    )
    assert len(list(tmp_path.iterdir())) == 4


def test_groups_of_zarr(tmp_path):
    zarr = pytest.importorskip("zarr", "3.0")
    sites = draw((40, 30), 4)
    group = zarr.open_group(tmp_path / "sites.zarr", mode="w", zarr_format=2)
    group.create_array("X", data=np.arange(30.0))
    group.create_array("sites", data=sites)
    labels = np.zeros((40, 30), sites.dtype)
    thiessen.nearest_site(tmp_path / "sites.zarr", out={"labels": labels})
    assert_same(labels, thiessen.nearest_site(sites).labels)
    group.create_array("others", data=sites)
    with pytest.raises(ValueError, match="a group of 2 arrays"):
        thiessen.nearest_site(tmp_path / "sites.zarr", out={"labels": labels})


@pytest.mark.parametrize("slab_rows", [100, 256])
def test_geotiff(tmp_path, slab_rows):
    rasterio = pytest.importorskip("rasterio")
    sites = draw((600, 310), 5)
    facts = {
        "transform": rasterio.Affine(20, 0, 5000, 0, -30, 9000), "crs": "EPSG:32631", "nodata": 9,
    }  # fmt: skip
    with rasterio.open(
        tmp_path / "sites.tif", "w", driver="GTiff", height=600, width=310, count=1,
        dtype="uint16", **facts,
    ) as dataset:  # fmt: skip
        dataset.write(sites, 1)
    out = {name: tmp_path / f"{name}.tif" for name in ("labels", "distance", "offset")}
    thiessen.nearest_site(tmp_path / "sites.tif", out=out, slab_rows=slab_rows)
    wanted = thiessen.nearest_site(sites, spacing=(30, 20), nodata=9, outputs=tuple(out))
    for name, path in out.items():
        with rasterio.open(path) as dataset:
            array = getattr(wanted, name)
            assert_same(dataset.read() if name == "offset" else dataset.read(1), array)
            assert dataset.transform == facts["transform"]
            assert dataset.crs == facts["crs"]
            assert dataset.block_shapes[0] == ((256, 256) if slab_rows == 256 else (100, 310))


@pytest.mark.parametrize(
    "along",
    [
        (10, 0, 0, -10),
        (10, 0, 0, 10),
        (-10, 0, 0, -10),
        (-10, 0, 0, 30),
        (8, 6, 6, -8),
        (8, -12, 6, 16),
    ],
)
def test_directions_are_azimuths_on_the_map(tmp_path, along):
    rasterio = pytest.importorskip("rasterio")
    sites = draw((12, 17), 3)
    height, width = sites.shape
    transform = rasterio.Affine(along[0], along[1], 5000, along[2], along[3], 9000)
    facts = {
        "driver": "GTiff", "height": height, "width": width, "count": 1, "dtype": "uint16",
        "transform": transform, "crs": "EPSG:32631",
    }  # fmt: skip
    with rasterio.open(tmp_path / "sites.tif", "w", **facts) as dataset:
        dataset.write(sites, 1)
    out = {"direction": np.empty(sites.shape, np.float32), "site_index": np.empty(sites.shape, int)}
    thiessen.nearest_site(tmp_path / "sites.tif", out=out, slab_rows=5)
    index = out["site_index"]
    row, column = np.indices(sites.shape)
    down, right = index // width - row, index % width - column
    a, b, c, d = along
    azimuth = np.degrees(np.arctan2(a * right + b * down, c * right + d * down))
    away = (down != 0) | (right != 0)
    apart = (out["direction"] - azimuth + 180) % 360 - 180
    assert np.abs(apart[away]).max() < 5e-5
    assert (out["direction"][~away] == 0).all()
    assert (out["direction"][away] > 0).all() and (out["direction"] <= 360).all()


def test_a_band_of_several(tmp_path):
    rasterio = pytest.importorskip("rasterio")
    bands = np.stack([draw((30, 20), seed) for seed in (1, 2)])
    several = tmp_path / "several.tif"
    with rasterio.open(
        several, "w", driver="GTiff", height=30, width=20, count=2, dtype="uint16", nodata=0,
    ) as dataset:  # fmt: skip
        dataset.write(bands)
    found = np.empty((30, 20), np.uint16)
    thiessen.nearest_site(f"{several}|band=2", out={"labels": found})
    assert_same(found, thiessen.nearest_site(bands[1], nodata=0).labels)
    np.save(tmp_path / "a|b.npy", bands[0])
    thiessen.nearest_site(tmp_path / "a|b.npy", out={"labels": found})
    assert_same(found, thiessen.nearest_site(bands[0]).labels)
    for part, words in (
        ("", r"has 2 bands, must have one, or be FILE\|band=N"), ("|band=3", "no band 3"),
        ("|band=0", r"must be FILE or FILE\|band=N"), ("|layer=a", r"must be FILE or FILE\|band=N"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            thiessen.nearest_site(f"{several}{part}", out={"labels": found})
    with pytest.raises(ValueError, match="has one band"):
        thiessen.nearest_site(f"{tmp_path}/a|b.npy|band=2", out={"labels": found})


def test_distances(tmp_path):
    sites = draw((80, 70), 6)
    for options in (
        {"distance_to": "boundary"},
        {"signed_distance": True, "distance_type": "float64"},
    ):
        path = tmp_path / f"{len(options)}.npy"
        thiessen.distance_transform(sites, out=path, slab_rows=9, **options)
        assert_same(np.load(path), thiessen.distance_transform(sites, **options))


def test_points(tmp_path):
    rng = np.random.default_rng(7)
    points = rng.random((90, 2)) * (200, 100)
    labels = rng.integers(1, 9, 90)
    seen = []
    for options in ({}, {"point_labels": labels, "periodic": True, "max_distance": 12}):
        found = tmp_path / f"{len(options)}.npy"
        thiessen.voronoi(
            points, (200, 100), out={"labels": found}, slab_rows=17, progress=seen.append, **options
        )
        assert_same(np.load(found), thiessen.voronoi(points, (200, 100), **options).labels)
    assert seen[-1] == 1


def test_nothing_is_left_of_a_failed_call(tmp_path):
    sites = draw((80, 70), 8)

    def stop(fraction):
        if fraction > 0.6:
            raise RuntimeError("stopped")

    out = {"labels": tmp_path / "labels.npy", "distance": tmp_path / "distance.npy"}
    with pytest.raises(RuntimeError, match="stopped"):
        thiessen.nearest_site(sites, out=out, slab_rows=8, progress=stop)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"out": {"labels": "taken.npy"}}, FileExistsError, "exists already"),
        ({"out": {"labels": "a.bin"}}, ValueError, "has the suffix '.bin'"),
        ({"out": {"labels": "a.npy", "distance": "a.npy"}}, ValueError, "given for two outputs"),
        ({"out": {"labels": np.empty((3, 3), "u2")}}, ValueError, "has the shape"),
        ({"out": {"labels": np.empty((8, 9), "u1")}}, TypeError, "has the dtype uint8"),
        ({"out": {"labels": np.broadcast_to(np.uint16(0), (8, 9))}}, ValueError, "is read-only"),
        ({"out": {}, "memory": "1 GB"}, ValueError, "out is empty"),
        ({"out": {"label": "a.npy"}}, ValueError, "out has 'label'; must be among labels, dist"),
        ({"out": {"other_labels": "a.npy"}}, ValueError, "out has 'other_labels'; must be among"),
        ({"out": {"ties": "a.npy"}}, ValueError, "out has 'ties'; must be among"),
        ({"out": {"back_link": "a.npy"}}, ValueError, "out has 'back_link'; must be among"),
        (
            {"out": {"labels": "no/a.npy"}},
            FileNotFoundError,
            r"out\['labels'\] = 'no/a.npy'; there is",
        ),
        (
            {"out": {"labels": "no/a.tif"}},
            FileNotFoundError,
            r"out\['labels'\] = 'no/a.tif'; there is",
        ),
        (
            {"out": {"labels": "a.npy"}, "memory": True},
            TypeError,
            "memory = True; must be an integer",
        ),
        (
            {"out": {"labels": "a.npy"}, "slab_rows": True},
            TypeError,
            "slab_rows = True; must be an",
        ),
        ({"out": "a.npy"}, TypeError, "must be a mapping"),
        ({"out": {"labels": "a.npy"}, "memory": "2X"}, ValueError, "memory = '2X'"),
        ({"out": {"labels": "a.npy"}, "memory": 1}, ValueError, "is too little"),
        ({"out": {"labels": "a.npy"}, "slab_rows": 0}, ValueError, "slab_rows = 0"),
        (
            {"out": {"labels": "a.npy"}, "slab_rows": 2, "metric": "chessboard"},
            ValueError,
            "slab_rows = 2; the call is not done in slabs: metric = chessboard",
        ),
        (
            {"out": {"labels": "a.npy"}, "memory": "9 B"},
            ValueError,
            "memory = '9 B'; is too little",
        ),
    ],
)
def test_what_is_refused(tmp_path, monkeypatch, arguments, error, words):
    monkeypatch.chdir(tmp_path)
    np.save("taken.npy", np.zeros(3))
    with pytest.raises(error, match=words):
        thiessen.nearest_site(draw((8, 9), 9), **arguments)
    assert [path.name for path in tmp_path.iterdir()] == ["taken.npy"]


def test_sites_that_are_no_rasters(tmp_path):
    da = pytest.importorskip("dask.array")
    with pytest.raises(ValueError, match="out is a dict; must be None for arrays of Dask"):
        thiessen.nearest_site(da.zeros((3, 3)), out={"labels": "a.npy"})
    for name in ("a.zarr", "a.npy", "a.tif", "folder/a.ome.zarr"):
        with pytest.raises(FileNotFoundError, match=f"sites = '.*{name}'; there is no such file"):
            thiessen.nearest_site(tmp_path / name, out={"labels": "b.npy"})
    (tmp_path / "text.npy").write_text("no array")
    with pytest.raises(ValueError, match="sites = '.*text.npy'; is no .npy file"):
        thiessen.nearest_site(tmp_path / "text.npy", out={"labels": "b.npy"})
    with pytest.raises(TypeError, match="must be a path or an array"):
        thiessen.nearest_site([[1, 0]], out={"labels": "a.npy"})
    np.save(tmp_path / "fortran.npy", np.zeros((3, 4), order="F"))
    with pytest.raises(ValueError, match="Fortran"):
        thiessen.nearest_site(tmp_path / "fortran.npy", out={"labels": "a.npy"})


@pytest.mark.parametrize(
    "options",
    [{"metric": "chessboard"}, {"method": "jfa"}, {"method": "brute-force", "metric": "octagonal"}],
)
def test_what_slabs_do_not_have_is_done_at_once(tmp_path, options):
    sites = draw((60, 50), 4)
    out = {"labels": tmp_path / "labels.npy", "direction": np.empty(sites.shape, np.float32)}
    labels, direction = thiessen.nearest_site(sites, out=out, **options)
    wanted = thiessen.nearest_site(sites, outputs=("labels", "direction"), **options)
    assert_same(labels, wanted.labels)
    assert_same(direction, wanted.direction)


@pytest.mark.parametrize("rows", [{"slab_rows": 3}, {}])
def test_what_is_odd_is_told_as_in_memory(tmp_path, rows):
    out = {"labels": tmp_path / "labels.npy"}
    none = np.zeros((8, 9), np.uint8)
    with pytest.warns(thiessen.ThiessenWarning, match="no site"):
        thiessen.nearest_site(none, out=out, **rows)
    with pytest.raises(ValueError, match="no site"):
        thiessen.nearest_site(none, out=out, strict=True, overwrite=True, **rows)
    with pytest.warns(thiessen.ThiessenWarning) as told:
        thiessen.voronoi([(1, 1), (1, 1)], (8, 9), out={"labels": none.astype(np.int32)}, **rows)
    assert [each.message.kind for each in told] == ["same_place"]


class Rows:
    """An array that is not NumPy's, which does something before rows are read or written."""

    def __init__(self, cells, act=lambda first: None):
        self.cells, self.shape, self.dtype, self.act = cells, cells.shape, cells.dtype, act

    def __getitem__(self, rows):
        self.act(rows.start)
        return self.cells[rows]

    def __setitem__(self, part, cells):
        self.act(part[1].start if isinstance(part, tuple) else part.start)
        self.cells[part] = cells


class Stop(Exception):
    pass


def stop_at(row):
    def act(first):
        if first >= row:
            raise Stop

    return act


@pytest.mark.parametrize("row", [0, 9, 42, 78])
@pytest.mark.parametrize("thrower", ["source", "sink", "offset"])
def test_a_raster_that_throws(tmp_path, thrower, row):
    sites = draw((80, 70), 8)
    labels, offset = np.empty_like(sites), np.empty((2, 80, 70), np.int32)
    out = {"distance": tmp_path / "distance.npy", "labels": Rows(labels), "offset": Rows(offset)}
    act = stop_at(row)
    if thrower != "source":
        out["labels" if thrower == "sink" else "offset"].act = act
    with pytest.raises(Stop) as caught:
        given = Rows(sites, act) if thrower == "source" else Rows(sites)
        thiessen.nearest_site(given, out=out, slab_rows=3)
    assert caught.traceback[-1].name == "act"
    assert not list(tmp_path.iterdir())
    for each in (out["labels"], out["offset"]):
        each.act = lambda first: None
    thiessen.nearest_site(Rows(sites), out=out, slab_rows=3)
    assert_same(labels, thiessen.nearest_site(sites).labels)
    assert_same(offset, thiessen.nearest_site(sites, outputs="offset").offset)


@pytest.mark.parametrize(
    ("change", "words"), [(lambda rows: rows[:-1], "shape"), (lambda rows: rows != 0, "dtype")]
)
def test_rows_that_are_not_what_the_raster_says(tmp_path, change, words):
    class Other(Rows):
        def __getitem__(self, rows):
            return change(super().__getitem__(rows))

    with pytest.raises(ValueError, match=f"sites has given rows of another {words} than its own"):
        thiessen.nearest_site(Other(draw((9, 8), 1)), out={"labels": tmp_path / "a.npy"})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("where", ["source", "sink"])
def test_an_interrupt(tmp_path, where):
    sites = draw((80, 70), 8)

    def interrupt(first):
        if first == 40:
            signal.raise_signal(signal.SIGINT)

    acts = {"source": interrupt} if where == "source" else {"sink": interrupt}
    given = Rows(sites, acts.get("source", lambda first: None))
    labels = Rows(np.empty_like(sites), acts.get("sink", lambda first: None))
    out = {"labels": labels, "distance": tmp_path / "distance.npy"}
    with pytest.raises(KeyboardInterrupt):
        thiessen.nearest_site(given, out=out, slab_rows=8)
    assert not list(tmp_path.iterdir())


def draw_case(rng):
    """A raster and options of whatever kind."""
    shape = tuple(int(size) for size in rng.integers(1, 40, rng.integers(2, 4)))
    dtype = rng.choice(["?", "u1", ">i2", "f2", "f4", "i8"])
    sites = np.where(rng.random(shape) < rng.choice([0.01, 0.3]), rng.integers(1, 9, shape), 0)
    sites = sites.astype(dtype)
    options = {
        "metric": rng.choice(["euclidean", "manhattan"]), "periodic": bool(rng.random() < 0.3),
        "max_distance": None if rng.random() < 0.5 else float(rng.integers(1, 30)),
        "distance_type": rng.choice(["float32", "float64"]),
        "nodata": None if dtype == "?" or rng.random() < 0.7 else 3,
    }  # fmt: skip
    names = [name for name in ALL if name != "squared" or options["metric"] == "euclidean"]
    return sites, options, [name for name in names if name != "direction" or len(shape) == 2]


@pytest.mark.parametrize("seed", range(40))
def test_random_rasters(tmp_path, seed):
    rng = np.random.default_rng(seed)
    sites, options, names = draw_case(rng)
    wanted = thiessen.nearest_site(sites, outputs=names, **options)
    given = sites
    if rng.random() < 0.5:
        given = tmp_path / "sites.npy"
        np.save(given, sites)
    elif rng.random() < 0.5:
        given = Rows(sites[::-1].copy()[::-1])
    out = {}
    for name, array in zip(wanted._fields, wanted):
        kinds = [tmp_path / f"{name}.npy", np.empty_like(array), Rows(np.empty_like(array))]
        out[name] = kinds[rng.integers(3)]
    rows = {"slab_rows": int(rng.integers(1, 45))} if rng.random() < 0.8 else {"memory": "1 GB"}
    found = thiessen.nearest_site(given, out=out, **rows, **options)
    for name, array in zip(wanted._fields, wanted):
        cells = getattr(found, name)
        assert_same(cells.cells if isinstance(cells, Rows) else np.asarray(cells), array)


def test_two_threads_at_once(tmp_path):
    rasters = [draw((300, 200), seed) for seed in range(8)]

    def work(i):
        out = {name: tmp_path / f"{name}-{i}.npy" for name in ("labels", "distance")}
        return thiessen.nearest_site(Rows(rasters[i]), out=out, slab_rows=7 + i)

    with ThreadPoolExecutor(2) as pool:
        for sites, found in zip(rasters, pool.map(work, range(len(rasters)))):
            wanted = thiessen.nearest_site(sites)
            assert_same(found.labels, wanted.labels)
            assert_same(found.distance, wanted.distance)
