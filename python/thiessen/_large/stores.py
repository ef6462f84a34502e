# SPDX-License-Identifier: Apache-2.0
"""Rasters in files and stores, read and written in slabs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from math import hypot, prod
from pathlib import Path
from typing import Any

import numpy as np

from .._arguments.checks import is_held, needed
from .._kinds.host import is_native, to_array, to_cells
from .._kinds.place import mirrors_of
from .._kinds.xarray import mirror
from . import ome_zarr as _ome_zarr
from .geotiff import BLOCK, Band, FileRaster, GeoTiff, open_rasterio

PLANES = 32
"""Planes of a chunk of an array of three axes."""
CHUNK = 128
"""Cells of such a chunk along its other axes."""


@dataclass
class Source:
    """A raster that is read, and what its file says."""

    cells: Any
    """It has shape and dtype, and gives slices of rows."""
    spacing: Any = None
    """Lengths of a cell, one for each axis or for all."""
    without_spacing: str = ""
    """Why the file has cells of no length, where it has a georeference."""
    nodata: Any = None
    georeference: dict[str, Any] = field(default_factory=dict)
    """As rasterio takes it."""
    image: _ome_zarr.Image | None = None
    """The OME-Zarr that it is a level of."""
    name: str = ""
    """What messages call it."""

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(int(size) for size in self.cells.shape)

    @property
    def like(self) -> np.ndarray:
        """An array of its shape and its dtype in the core."""
        return np.broadcast_to(to_cells(self.name, np.zeros((), self.cells.dtype)), self.shape)

    def rows(self, first: int, count: int) -> np.ndarray:
        """Rows as the core takes them."""
        cells = to_array(self.name, self.cells[first : first + count])
        return np.ascontiguousarray(to_cells(self.name, cells))

    def turn(self, direction: np.ndarray) -> None:
        """Make azimuths on the map of directions whose north is row 0."""
        if self.georeference:
            t = self.georeference["transform"]
            mirrors = mirrors_of((t.b, t.e), (t.a, t.d))
            if mirrors:
                mirror(direction, *mirrors)


@dataclass
class Target:
    """A raster that is written."""

    name: str
    to: Any
    """A path, or an array."""
    core: np.dtype
    """The dtype in which the core computes it."""
    dtype: np.dtype
    shape: tuple[int, ...]
    nodata: Any
    cells: Any = None
    """It takes slices of rows, of an offset along its second axis."""
    hidden: Path | None = None
    """Where it is until all is written."""
    image: Path | None = None
    """The OME-Zarr that it is a label image of,"""
    version: str = ""
    """and the version of that."""
    turn: Callable[[np.ndarray], None] | None = None
    """What rows still need."""
    _computed: dict[int, np.ndarray] = field(default_factory=dict)
    _spare: list[Any] = field(default_factory=list)

    @property
    def path(self) -> Path | None:
        return Path(self.to) if isinstance(self.to, (str, os.PathLike)) else None

    @property
    def like(self) -> np.ndarray:
        return np.empty(0, self.core)

    @property
    def _is_direct(self) -> bool:
        """Whether the core writes into the cells themselves."""
        cells = self.cells
        return isinstance(cells, np.ndarray) and cells.dtype == self.core and is_native(cells)

    def _part(self, first: int, count: int) -> Any:
        part = slice(first, first + count)
        return (slice(None), part) if self.name == "offset" else part

    def rows(self, first: int, count: int) -> np.ndarray:
        """Where rows are computed: in an array of NumPy, or in a buffer, while another one is
        written."""
        if self._is_direct:
            self._computed[first] = self.cells[self._part(first, count)]
            return self._computed[first]
        shape = list(self.shape)
        shape[self.name == "offset"] = count
        buffer = self._spare.pop() if self._spare else np.empty(prod(shape), self.core)
        self._computed[first] = buffer[: prod(shape)].reshape(shape)
        return self._computed[first]

    def write(self, first: int, count: int) -> None:
        """Writes rows that have been computed."""
        rows = self._computed.pop(first)
        if self.turn is not None:
            self.turn(rows)
        if not self._is_direct and rows.size > 0:
            self.cells[self._part(first, count)] = rows.astype(self.dtype, copy=False)
            self._spare.append(rows.base)

    def opened(self) -> Any:
        """The output when all is written: an array as it is, a file opened, of which nothing is
        read yet."""
        path = self.path
        if path is None:
            return self.to
        if path.suffix.lower() == ".npy":
            return np.load(path, mmap_mode="r")
        if path.is_dir():
            group = _zarr(path).open(store=path, mode="r")
            return group if hasattr(group, "shape") else next(iter(group.arrays()))[1]
        return FileRaster(path, whole=self.name == "offset")


def open_source(stack: ExitStack, name: str, given: Any) -> Source:
    """The raster of a path, or an array as it is."""
    source = _open(stack, name, given)
    source.name = name
    if len(source.shape) not in (2, 3):
        raise ValueError(f"{name} has the shape {source.shape}; must have 2 or 3 axes")
    return source


def _open(stack: ExitStack, name: str, given: Any) -> Source:
    if not isinstance(given, str | os.PathLike):
        if not hasattr(given, "shape") or not hasattr(given, "dtype"):
            raise TypeError(f"{name} is a {type(given).__name__}; must be a path or an array")
        module = type(given).__module__.partition(".")[0]
        if module in ("dask", "xarray"):
            raise TypeError(
                f"{name} is an array of {module}; with files for outputs it must be one that gives "
                "slices of rows at once"
            )
        return Source(given)
    path, band = _part_of(name, given)
    if not path.exists() and not _is_name_of_gdal(os.fspath(path)):
        raise FileNotFoundError(f"{name} = {str(path)!r}; there is no such file or folder")
    if band not in (None, 1) and (path.suffix.lower() == ".npy" or path.is_dir()):
        raise ValueError(f"{name} = {str(given)!r}; {path} has one band")
    if path.suffix.lower() == ".npy":
        try:
            cells = np.load(path, mmap_mode="r")
        except (ValueError, EOFError) as error:
            raise ValueError(f"{name} = {str(path)!r}; is no .npy file: {error}") from error
        if cells.flags.f_contiguous and not cells.flags.c_contiguous:
            raise ValueError(f"{name} = {str(path)!r}; is in Fortran order, must be in C order")
        return Source(cells)
    if path.is_dir():
        return _open_zarr(name, path)
    return _open_gdal(stack, name, path, band)


def _part_of(name: str, given: Any) -> tuple[Path, int | None]:
    """The file of FILE|band=N, and the band; what exists under the whole name is that file."""
    path = Path(given)
    file, bar, piece = str(path).rpartition("|")
    if not bar or path.exists():
        return path, None
    key, _, value = piece.partition("=")
    if key == "band" and value.isdecimal() and int(value) > 0:
        return Path(file), int(value)
    if not Path(file).exists():
        return path, None
    raise ValueError(
        f"{name} = {str(path)!r}; must be FILE or FILE|band=N, with N from 1 on, and there is no "
        "file of the whole name"
    )


def _is_name_of_gdal(text: str) -> bool:
    """Whether it is no path, but what GDAL alone knows: netCDF:file:variable, /vsicurl/..."""
    return ":" in text or text.startswith("/vsi")


def open_targets(
    stack: ExitStack, targets: list[Target], overwrite: bool, rows: int, source: Source
) -> None:
    """Arrays as they are, and hidden files for paths; those are removed at the end of `stack`
    unless they have their names then. `rows` are those of a slab."""
    places = [each.path.resolve() for each in targets if each.path is not None]
    for target in targets:
        name, path = target.name, target.path
        if path is None:
            continue
        if places.count(path.resolve()) > 1:
            raise ValueError(f"out[{name!r}] = {str(path)!r}; is given for two outputs")
        if path.exists() and not overwrite:
            raise FileExistsError(
                f"out[{name!r}] = {str(path)!r}; exists already, only overwrite=True replaces it"
            )
    for target in targets:
        if target.name == "direction":
            target.turn = source.turn
        if target.path is None:
            _check_array(f"out[{target.name!r}]", target.to, target.shape, target.dtype)
            target.cells = target.to
        else:
            _begin(stack, target, target.path, rows, source)


def _begin(stack: ExitStack, target: Target, path: Path, rows: int, source: Source) -> None:
    """Begins a file."""
    name = target.name
    image = _ome_zarr.image_of_labels(path)
    beside = path.parent if image is None else image
    if path.suffix.lower() != ".zarr" and not beside.is_dir():
        raise FileNotFoundError(f"out[{name!r}] = {str(path)!r}; there is no folder {beside}")
    target.hidden = beside / f".{path.stem}-{os.getpid()}{path.suffix}"
    stack.callback(_remove, target.hidden)
    plan = _plan(target, path, image, source)
    suffix = path.suffix.lower()
    shape, chunks = target.shape, _chunks(name, target.shape, rows)
    if plan is not None:
        target.cells = _ome_zarr.Writer(_zarr(path), target.hidden, target.dtype, plan, chunks)
        target.image, target.version = image, plan.version
    elif suffix == ".npy" and 0 in shape:
        target.cells = np.empty(shape, target.dtype)
        np.save(target.hidden, target.cells)
    elif suffix == ".npy":
        target.cells = np.lib.format.open_memmap(target.hidden, "w+", target.dtype, shape)
    elif suffix == ".zarr":
        target.cells = _zarr(path).create_array(
            store=target.hidden, shape=shape, chunks=chunks, dtype=target.dtype
        )
    elif suffix in (".tif", ".tiff"):
        target.cells = GeoTiff(target, target.hidden, rows, source.georeference)
        stack.callback(target.cells.flush)
    else:
        raise ValueError(
            f"out[{name!r}] has the suffix {suffix!r}; must be one of .npy, .zarr, .tif and .tiff"
        )


def _plan(target: Target, path: Path, image: Path | None, source: Source) -> _ome_zarr.Plan | None:
    """How an output is written as OME-Zarr; None if it is another file."""
    name, shape = target.name, target.shape
    if image is not None:
        group = _zarr(path).open_group(store=image, mode="r")
        found = _ome_zarr.read_image(f"out[{name!r}]", image, group)
        if found is not None:
            return _ome_zarr.plan_labels(name, found, shape, target.dtype)
    if not path.name.lower().endswith(".ome.zarr"):
        return None
    return _ome_zarr.plan_image(name, source.image, shape, source.spacing)


def commit(targets: list[Target]) -> None:
    """Ends all files, and then gives them their names."""
    for target in targets:
        if hasattr(target.cells, "flush"):
            target.cells.flush()
    for target in targets:
        if target.path is None or target.hidden is None:
            continue
        target.path.parent.mkdir(exist_ok=True)  # of the first label image
        if target.path.is_dir():
            aside = target.hidden.with_suffix(".old")
            target.path.rename(aside)
            target.hidden.rename(target.path)
            _remove(aside)
        else:
            target.hidden.replace(target.path)
        if target.image is not None:
            _ome_zarr.list_label(_zarr(target.path), target.image, target.version, target.path.name)


def rows_together(cells: Any, axes: int) -> int:
    """Rows that lie in one chunk or block of a raster of so many axes in a store."""
    chunks = getattr(cells, "chunks", None)
    if isinstance(chunks, tuple) and len(chunks) == axes and isinstance(chunks[0], int):
        return chunks[0]
    return 1


def to_bytes_of_memory(memory: int | str | None) -> int:
    """A number of bytes, or text such as "2G"; 0 for None."""
    if memory is None:
        return 0
    if isinstance(memory, str):
        shift = 0
        digits = memory.strip().upper().removesuffix("B").rstrip()
        letter = "KMGT".find(digits[-1:]) if digits else -1
        if letter >= 0:
            digits, shift = digits[:-1].rstrip(), 10 * (letter + 1)
        if not digits.isdecimal() or int(digits) == 0:
            raise ValueError(
                f"memory = {memory!r}; must be a number of bytes, or one with K, M, G or T: '2 GB'"
            )
        return int(digits) << shift
    if isinstance(memory, bool) or not isinstance(memory, int | np.integer):
        raise TypeError(f"memory = {memory!r}; must be an integer, text such as '2G', or None")
    if memory < 1:
        raise ValueError(f"memory = {memory}; must be at least 1")
    return int(memory)


def _check_array(name: str, array: Any, shape: tuple[int, ...], dtype: np.dtype) -> None:
    if not hasattr(array, "shape") or not hasattr(array, "__setitem__"):
        raise TypeError(f"{name} is a {type(array).__name__}; must be a path or an array")
    if isinstance(array, np.ndarray) and not array.flags.writeable:
        raise ValueError(f"{name} is read-only; must be writable")
    if tuple(array.shape) != shape:
        raise ValueError(f"{name} has the shape {tuple(array.shape)}; must be {shape}")
    if np.dtype(array.dtype) != dtype:
        raise TypeError(f"{name} has the dtype {array.dtype}; must be {dtype}")


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _chunks(name: str, shape: tuple[int, ...], rows: int) -> tuple[int, ...]:
    """Chunks that no two slabs share."""
    axes = shape[1:] if name == "offset" else shape
    most = BLOCK if len(axes) == 2 else PLANES
    whole = rows >= axes[0]  # one slab
    heights = range(min(most, rows), 0, -1)
    height = next((each for each in heights if whole or rows % each == 0), 1)
    width = BLOCK if len(axes) == 2 else CHUNK
    chunks = (height, *(max(min(width, size), 1) for size in axes[1:]))
    return (1, *chunks) if name == "offset" else chunks


def _open_zarr(name: str, path: Path) -> Source:
    """An array, the one of a group beside its coordinates, as the command writes it, or a level of
    an OME-Zarr, by default the first."""
    zarr = _zarr(path)
    opened = zarr.open(store=path, mode="r")
    if hasattr(opened, "shape"):
        return _level_of(name, path, opened, zarr) or Source(opened)
    image = _ome_zarr.read_image(name, path, opened)
    if image is not None:
        first = image.levels[0]
        cells, spacing = _ome_zarr.open_level(name, path, opened[first.path], image, first)
        return Source(cells, spacing, image=image)
    arrays = [array for _, array in opened.arrays() if array.ndim > 1]
    if len(arrays) != 1:
        raise ValueError(
            f"{name} = {str(path)!r}; is a group of {len(arrays)} arrays of two or more axes; must "
            "be an array, or have one"
        )
    return Source(arrays[0])


def _level_of(name: str, path: Path, array: Any, zarr: Any) -> Source | None:
    """An array that is named as a level of the OME-Zarr that it lies in."""
    folder = path.resolve()
    if not _ome_zarr.is_group(folder.parent):
        return None
    image = _ome_zarr.read_image(name, path, zarr.open_group(store=folder.parent, mode="r"))
    for i, level in enumerate(image.levels if image is not None else ()):
        if image is not None and level.path == folder.name:
            cells, spacing = _ome_zarr.open_level(name, path, array, image, level)
            return Source(cells, spacing, image=replace(image, levels=image.levels[i:]))
    return None


def _zarr(path: Path) -> Any:
    zarr = needed("zarr", f"{path}: needs")
    if not hasattr(zarr, "create_array"):
        raise ImportError(f"{path}: needs zarr 3.0 or later, and this is {zarr.__version__}")
    return zarr


def _open_gdal(stack: ExitStack, name: str, path: Path, band: int | None) -> Source:
    rasterio = open_rasterio(path)
    dataset = stack.enter_context(rasterio.open(path))
    if band is None and dataset.count != 1:
        raise ValueError(
            f"{name} = {str(path)!r}; has {dataset.count} bands, must have one, or be FILE|band=N"
        )
    number = band or 1
    if number > dataset.count:
        raise ValueError(f"{name} = {str(path)!r}; has {dataset.count} bands, and no band {number}")
    flags = dataset.mask_flag_enums[number - 1]
    if rasterio.enums.MaskFlags.per_dataset in flags:
        raise ValueError(f"{name} = {str(path)!r}; has a mask, must have a nodata value instead")
    cells = Band(dataset, number)
    source = Source(cells, nodata=_held(dataset.nodatavals[number - 1], cells.dtype))
    transform = dataset.transform
    if not transform.is_identity:
        source.georeference = {"transform": transform, "crs": dataset.crs}
        down, along = hypot(transform.b, transform.e), hypot(transform.a, transform.d)
        if dataset.crs is not None and dataset.crs.is_geographic:
            source.without_spacing = "is in degrees, of which straight lines have no length"
        elif abs(transform.a * transform.b + transform.d * transform.e) > 1e-9 * along * down:
            source.without_spacing = "has a sheared georeference, whose cells are no rectangles"
        else:
            source.spacing = down, along
    return source


def _held(nodata: float | None, dtype: np.dtype) -> Any:
    """The nodata value, if a cell can hold it."""
    if nodata is None or dtype.kind == "f":
        return nodata
    return int(nodata) if dtype.kind in "iu" and is_held(nodata, dtype) else None
