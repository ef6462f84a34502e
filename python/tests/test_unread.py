# SPDX-License-Identifier: Apache-2.0
"""What is passed for an array and is none yet: names of files, open files, arrays elsewhere."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import types

import numpy as np
import pytest
import thiessen
from thiessen import compat

CELLS = np.eye(4, 5, dtype=np.int32)
LINKS = thiessen.cost_distance(CELLS, stiffness=np.ones((4, 5)), outputs="back_link").back_link

CALLS = {
    "nearest_site": ("sites", thiessen.nearest_site),
    "nearest_site of a batch": ("sites", lambda v: thiessen.nearest_site(v, batch_axes=0)),
    "distance_transform": ("sites", thiessen.distance_transform),
    "expand_labels": ("labels", thiessen.expand_labels),
    "connected_components": ("image", thiessen.connected_components),
    "map": ("stiffness", lambda v: thiessen.cost_distance(CELLS, stiffness=v)),
    "sites of a map": ("sites", lambda v: thiessen.cost_distance(v, stiffness=CELLS + 1)),
    "points of a map": ("points", lambda v: thiessen.cost_distance(stiffness=CELLS + 1, points=v)),
    "labels of a map": ("point_labels", lambda v: thiessen.cost_distance(stiffness=CELLS + 1, points=[(0, 0)], point_labels=v)),
    "initial_cost": ("initial_cost", lambda v: thiessen.cost_distance(CELLS, stiffness=CELLS + 1, initial_cost=v)),
    "elevation": ("elevation", lambda v: thiessen.cost_distance(CELLS, stiffness=CELLS + 1, elevation=v)),
    "blocked_faces": ("blocked_faces", lambda v: thiessen.cost_distance(CELLS, stiffness=CELLS + 1, blocked_faces=v)),
    "blocked_faces of an axis": (r"blocked_faces\[0\]", lambda v: thiessen.cost_distance(CELLS, stiffness=CELLS + 1, blocked_faces=(v, None))),
    "least_cost_path": ("back_link", lambda v: thiessen.least_cost_path(v, (0, 0))),
    "cost_table": ("origins", lambda v: thiessen.cost_table(v, cost=CELLS + 1)),
    "destinations": ("destinations", lambda v: thiessen.cost_table([(0, 0)], v, cost=CELLS + 1)),
    "map of ways": ("cost", lambda v: thiessen.least_cost_network([(0, 0)], cost=v)),
    "voronoi": ("points", lambda v: thiessen.voronoi(v, (4, 5))),
    "labels of points": ("point_labels", lambda v: thiessen.voronoi([(0, 0)], (4, 5), point_labels=v)),
    "compare": ("a", lambda v: thiessen.compare(v, CELLS)),
    "compare b": ("b", lambda v: thiessen.compare(CELLS, v)),
    "render": ("labels", thiessen.render),
    "render distance": ("distance", lambda v: thiessen.render(distance=v)),
    "render sites": ("sites", lambda v: thiessen.render(CELLS, sites=v)),
    "edt": ("input", compat.scipy.distance_transform_edt),
    "cdt": ("input", compat.scipy.distance_transform_cdt),
    "bf": ("input", compat.scipy.distance_transform_bf),
    "skimage": ("label_image", compat.skimage.expand_labels),
    "cv2": ("src", lambda v: compat.cv2.distanceTransform(v, 2, 0)),
    "edt's edt": ("data", compat.edt.edt),
    "cupy": ("image", compat.cupy.distance_transform_edt),
    "cucim": ("label_image", compat.cucim.expand_labels),
    "monai": ("img", compat.monai.distance_transform_edt),
}  # fmt: skip

LAZY = (
    "nearest_site", "nearest_site of a batch", "distance_transform", "expand_labels",
    "connected_components",
)  # fmt: skip
"""What takes arrays of Dask, and DataArrays that hold one: test_dask.py."""

LAZY_BUT_NO_DATA_ARRAYS = ("map", "voronoi")


def pytest_generate_tests(metafunc):
    """Gives each test of `call` the calls that refuse what it tests."""
    if "call" not in metafunc.fixturenames:
        return
    test = metafunc.function.__name__
    taken = LAZY if test.startswith("test_dask") else ()
    if test == "test_dask":
        taken += LAZY_BUT_NO_DATA_ARRAYS
    metafunc.parametrize("call", [key for key in CALLS if key not in taken], indirect=True)


@pytest.fixture
def call(request):
    name, function = CALLS[request.param]

    def refused(value, message):
        with pytest.raises(TypeError, match=f"^{name} is {message}") as error:
            function(value)
        return str(error.value)

    return refused


def test_names_of_files(call):
    message = call("a.tif", "the text 'a.tif'; must be an array: read the file first, with ")
    assert "rasterio.open('a.tif').read(1, masked=True)" in message
    assert "tifffile.imread('a.tif')" in message
    call(b"a.tif", "the text b'a.tif'; must be an array")
    assert "numpy.load('x/a.npy')" in call(pathlib.PurePosixPath("x/a.npy"), "the text 'x/a.npy'")
    assert "PIL.Image.open('a.PNG')" in call("a.PNG", "the text")
    assert "open_dataarray('a.zarr/')" in call("a.zarr/", "the text")
    assert "geopandas.read_file('wells.gpkg')" in call("wells.gpkg", "the text")
    assert "rasterio, rioxarray, tifffile or another" in call("", "the text ''")


def test_dask(call):
    array = pytest.importorskip("dask.array")
    delayed = pytest.importorskip("dask").delayed
    computed = []
    lazy = array.from_delayed(delayed(lambda: computed.append(1) or CELLS)(), (4, 5), "i4")
    message = "a dask Array, whose cells are computed when asked for; must be an array in memory"
    assert call(lazy, message).endswith(".compute()")
    assert not computed


def test_dask_in_data_arrays(call):
    pytest.importorskip("dask.array")
    xr = pytest.importorskip("xarray")
    lazy = xr.DataArray(np.stack([CELLS, CELLS]), dims=("z", "y", "x")).chunk({"x": 2})
    assert call(lazy, "a dask Array, whose cells are computed").endswith(".compute()")


def test_zarr(call):
    zarr = pytest.importorskip("zarr")
    stored = zarr.array(CELLS)
    message = call(stored, "a zarr Array, whose cells are in a store; must be an array in memory: ")
    assert message.endswith("[...]")


def test_hdf5(call, tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        call(file.create_dataset("a", data=CELLS), r"a h5py Dataset, whose cells are in a file")


def test_open_files(call):
    """Readers of rasterio and GDAL, by the modules that their types are from."""
    for library, way in (("rasterio.io", "read(1, masked=True)"), ("osgeo.gdal", "ReadAsArray()")):
        kind = types.new_class(
            "DatasetReader", exec_body=lambda body, m=library: body.update(__module__=m)
        )
        subclass = type("Own", (kind,), {})
        assert way in call(
            kind(), f"a {library.partition('.')[0]} DatasetReader, whose cells are in"
        )
        assert way in call(
            subclass(), f"a {library.partition('.')[0]} Own, whose cells are in a file"
        )


def test_datasets_of_xarray():
    xr = pytest.importorskip("xarray")
    data = xr.Dataset({"roads": (("y", "x"), CELLS), "huts": (("y", "x"), CELLS)})
    with pytest.raises(TypeError, match=r"sites is an xarray.Dataset; .* of 'roads', 'huts'"):
        thiessen.nearest_site(data)


def test_nothing_is_imported_to_find_out():
    program = (
        "import sys, numpy, thiessen; thiessen.nearest_site(numpy.eye(3));"
        "print([m for m in ('dask', 'zarr', 'xarray', 'rioxarray', 'rasterio') if m in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
