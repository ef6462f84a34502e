# SPDX-License-Identifier: Apache-2.0
"""Arguments that are not arrays yet: names of files, open files, arrays whose cells
are somewhere else. Nothing is read or computed behind their backs; they are told how to."""

from __future__ import annotations

import os
import sys
from typing import Any

from .xarray import is_data_array

_READERS = {
    "rasterio.open({0}).read(1, masked=True), rioxarray.open_rasterio({0}, masked=True)"
    ".squeeze('band', drop=True) or tifffile.imread({0})": (".tif", ".tiff", ".vrt", ".img"),
    "numpy.load({0})": (".npy",),
    "numpy.asarray(PIL.Image.open({0}))": (".png", ".jpg", ".jpeg", ".bmp", ".gif"),
    "xarray.open_dataarray({0})": (".nc", ".nc4", ".h5", ".grib", ".zarr"),
    "numpy.loadtxt({0}, delimiter=',')": (".csv", ".txt"),
    "geopandas.read_file({0})": (".gpkg", ".shp", ".geojson"),
}
_ANY_READER = "rasterio, rioxarray, tifffile or another library"

_ELSEWHERE = {
    "dask": ("computed when asked for", "{name}.compute()"),
    "cubed": ("computed when asked for", "{name}.compute()"),
    "zarr": ("in a store", "{name}[...]"),
    "h5py": ("in a file", "{name}[...]"),
    "netCDF4": ("in a file", "{name}[...]"),
    "tensorstore": ("in a store", "{name}.read().result()"),
    "rasterio": ("in a file", "{name}.read(1, masked=True)"),
    "osgeo": ("in a file", "{name}.ReadAsArray()"),
}
"""Where the cells of a library's arrays are, and how to get them."""


def is_dask(value: Any) -> bool:
    """Whether it is an array of Dask, or a DataArray that holds one."""
    array = sys.modules.get("dask.array")
    if array is None:
        return False
    if is_data_array(value):
        return value.chunks is not None and isinstance(value.data, array.Array)
    return isinstance(value, array.Array)


def refuse_unread(name: str, value: Any, more: str = "") -> None:
    """Raise TypeError for arguments that must be read or computed first, and say how; `more` is
    another way for files."""
    if isinstance(value, (str, bytes, os.PathLike)):
        path = os.fspath(value)
        raise TypeError(
            f"{name} is the text {path!r}; must be an array: read the file first, with "
            f"{_reader_of(path)}{more}"
        )
    for base in type(value).__mro__:
        library = base.__module__.partition(".")[0]
        if library in _ELSEWHERE:
            place, way = _ELSEWHERE[library]
            raise TypeError(
                f"{name} is a {library} {type(value).__name__}, whose cells are {place}; must be "
                f"an array in memory: {way.format(name=name)}"
            )
        if library == "xarray" and base.__name__ == "DataArray" and value.chunks is not None:
            refuse_unread(name, value.data)
        if library == "xarray" and base.__name__ == "Dataset":
            variables = ", ".join(map(repr, value.data_vars))
            raise TypeError(
                f"{name} is an xarray.Dataset; must be one of its variables: {name}[...] of "
                f"{variables or 'none'}"
            )


def _reader_of(path: str | bytes) -> str:
    text = os.fsdecode(path)
    suffix = os.path.splitext(text.rstrip("/\\"))[1].lower()
    for reader, suffixes in _READERS.items():
        if suffix in suffixes:
            return reader.format(repr(text))
    return _ANY_READER
