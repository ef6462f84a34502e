# SPDX-License-Identifier: Apache-2.0
"""Rasters in files and stores, read and written in slabs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from math import hypot, prod
from pathlib import Path
from typing import Any

import numpy as np

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
    cells: Any
    """It takes slices of rows, of an offset along its second axis."""
    path: Path | None = None
    hidden: Path | None = None
    """Where it is until all is written."""
    close: Callable[[], None] | None = None
    image: Path | None = None
    """The OME-Zarr that it is a label image of,"""
    version: str = ""
    """and the version of that."""

    def part(self, first: int, count: int) -> Any:
        rows = slice(first, first + count)
        return (slice(None), rows) if self.name == "offset" else rows


def open_source(stack: ExitStack, name: str, given: Any) -> Source:
    """The raster of a path, or an array as it is."""
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
    stack: ExitStack,
    out: Mapping[str, Any],
    overwrite: bool,
    describe: Callable[[str], tuple[tuple[int, ...], np.dtype, Any]],
    rows: int,
    source: Source,
) -> list[Target]:
    """Arrays as they are, and hidden files for paths; those are removed at the end of `stack`
    unless they have their names then. `describe` gives shape, dtype and nodata of an output."""
    paths = {name: Path(to) for name, to in out.items() if isinstance(to, str | os.PathLike)}
    places = [path.resolve() for path in paths.values()]
    for name, path in paths.items():
        if places.count(path.resolve()) > 1:
            raise ValueError(f"out[{name!r}] = {str(path)!r}; is given for two outputs")
        if path.exists() and not overwrite:
            raise FileExistsError(
                f"out[{name!r}] = {str(path)!r}; exists already, only overwrite=True replaces it"
            )
    targets = []
    for name, to in out.items():
        shape, dtype, nodata = describe(name)
        if name not in paths:
            _check_array(f"out[{name!r}]", to, shape, dtype)
            targets.append(Target(name, to))
            continue
        path = paths[name]
        image = _ome_zarr.image_of_labels(path)
        beside = path.parent if image is None else image
        if path.suffix.lower() != ".zarr" and not beside.is_dir():
            raise FileNotFoundError(f"out[{name!r}] = {str(path)!r}; there is no folder {beside}")
        hidden = beside / f".{path.stem}-{os.getpid()}{path.suffix}"
        stack.callback(_remove, hidden)
        plan = _plan(name, path, image, shape, dtype, source)
        if plan is not None:
            chunks = _chunks(name, shape, rows)
            cells = _ome_zarr.Writer(_zarr(path), hidden, dtype, plan, chunks)
            targets.append(Target(name, cells, path, hidden, None, image, plan.version))
            continue
        cells, close = _create(name, hidden, shape, dtype, rows, (nodata, source.georeference))
        if close is not None:
            stack.callback(close)
        targets.append(Target(name, cells, path, hidden, close))
    return targets


def _plan(
    name: str,
    path: Path,
    image: Path | None,
    shape: tuple[int, ...],
    dtype: np.dtype,
    source: Source,
) -> _ome_zarr.Plan | None:
    """How an output is written as OME-Zarr; None if it is another file."""
    if image is not None:
        group = _zarr(path).open_group(store=image, mode="r")
        found = _ome_zarr.read_image(f"out[{name!r}]", image, group)
        if found is not None:
            return _ome_zarr.plan_labels(name, found, shape, dtype)
    if not path.name.lower().endswith(".ome.zarr"):
        return None
    return _ome_zarr.plan_image(name, source.image, shape, source.spacing)


def commit(targets: list[Target]) -> None:
    """Ends all files, and then gives them their names."""
    for target in targets:
        if target.close is not None:
            target.close()
        elif hasattr(target.cells, "flush"):
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


def opened(out: Mapping[str, Any]) -> list[Any]:
    """The outputs when all is written: arrays as they are, files opened, of which nothing is read
    yet."""
    return [
        _opened(name, Path(to)) if isinstance(to, (str, os.PathLike)) else to
        for name, to in out.items()
    ]


def _opened(name: str, path: Path) -> Any:
    if path.suffix.lower() == ".npy":
        return np.load(path, mmap_mode="r")
    if path.is_dir():
        group = _zarr(path).open(store=path, mode="r")
        return group if hasattr(group, "shape") else next(iter(group.arrays()))[1]
    return FileRaster(path, whole=name == "offset")


def rows_together(cells: Any) -> int:
    """Rows that lie in one chunk or block of a store."""
    chunks = getattr(cells, "chunks", None)
    return int(chunks[0]) if isinstance(chunks, tuple) and isinstance(chunks[0], int) else 1


class ReadAhead:
    """Slabs of a raster with their first rows; a thread reads the next one."""

    def __init__(self, cells: Any, rows: int) -> None:
        self._cells = cells
        self._rows = rows
        self._first = 0
        self._pool = ThreadPoolExecutor(1)
        self._ahead = self._submit()

    def _submit(self) -> Future[np.ndarray] | None:
        first = self._first
        end = min(first + self._rows, self._cells.shape[0])
        return self._pool.submit(self._read, first, end) if first < end else None

    def _read(self, first: int, end: int) -> np.ndarray:
        return np.asarray(self._cells[first:end])

    def __iter__(self) -> Iterator[tuple[int, np.ndarray]]:
        return self

    def __next__(self) -> tuple[int, np.ndarray]:
        if self._ahead is None:
            raise StopIteration
        cells = self._ahead.result()
        first = self._first
        self._first += len(cells)
        self._ahead = self._submit()
        return first, cells

    def close(self) -> None:
        self._pool.shutdown()


class WriteBehind:
    """Writes slabs on a thread. Each output has two buffers: one is computed while the other is
    written. Arrays of NumPy need none."""

    def __init__(self, targets: list[Target], rows: int) -> None:
        self._targets = targets
        self._buffers: list[dict[str, np.ndarray]] = [{}, {}]
        for target in targets:
            if isinstance(target.cells, np.ndarray):
                continue
            shape = list(target.cells.shape)
            shape[1 if target.name == "offset" else 0] = rows
            for buffers in self._buffers:
                buffers[target.name] = np.empty(shape, target.cells.dtype)
        self._pool = ThreadPoolExecutor(1)
        self._behind: Future[None] | None = None

    def rows(self, first: int, count: int) -> dict[Any, np.ndarray]:
        """Where the results of the next slab go."""
        buffers = self._buffers[0]
        return {
            target.name: buffers[target.name][target.part(0, count)]
            if target.name in buffers
            else target.cells[target.part(first, count)]
            for target in self._targets
        }

    def write(self, first: int, count: int) -> None:
        """Writes what rows() gave."""
        self.wait()
        full = self._buffers[0]
        self._buffers.reverse()
        if full:
            self._behind = self._pool.submit(self._write, full, first, count)

    def _write(self, buffers: dict[str, np.ndarray], first: int, count: int) -> None:
        for target in self._targets:
            if target.name in buffers:
                rows = buffers[target.name][target.part(0, count)]
                target.cells[target.part(first, count)] = rows

    def wait(self) -> None:
        if self._behind is not None:
            behind, self._behind = self._behind, None
            behind.result()

    def close(self) -> None:
        self._pool.shutdown()


def to_bytes_of_memory(memory: int | str | None) -> int:
    """A number of bytes, or text such as "2G"; None: half of what is available."""
    if memory is None:
        return _available() // 2
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


def _available() -> int:
    with suppress(OSError), open("/proc/meminfo", encoding="ascii") as info:
        for line in info:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _check_array(name: str, array: Any, shape: tuple[int, ...], dtype: np.dtype) -> None:
    if not hasattr(array, "shape") or not hasattr(array, "__setitem__"):
        raise TypeError(f"{name} is a {type(array).__name__}; must be a path or an array")
    if tuple(array.shape) != shape:
        raise ValueError(f"{name} has the shape {tuple(array.shape)}; must be {shape}")
    if np.dtype(array.dtype) != dtype:
        raise TypeError(f"{name} has the dtype {array.dtype}; must be {dtype}")


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _create(
    name: str,
    path: Path,
    shape: tuple[int, ...],
    dtype: np.dtype,
    rows: int,
    facts: tuple[Any, dict[str, Any]],
) -> tuple[Any, Callable[[], None] | None]:
    """A new file as an array, and what ends it."""
    suffix = path.suffix.lower()
    if suffix == ".npy":
        if 0 in shape:
            np.save(path, np.empty(shape, dtype))
            return np.empty(shape, dtype), None
        return np.lib.format.open_memmap(path, "w+", dtype, shape), None
    if suffix == ".zarr":
        chunks = _chunks(name, shape, rows)
        return _zarr(path).create_array(store=path, shape=shape, chunks=chunks, dtype=dtype), None
    if suffix in (".tif", ".tiff"):
        written = GeoTiff(name, path, shape, dtype, rows, facts)
        return written, written.close
    raise ValueError(
        f"out[{name!r}] has the suffix {suffix!r}; must be one of .npy, .zarr, .tif and .tiff"
    )


def _chunks(name: str, shape: tuple[int, ...], rows: int) -> tuple[int, ...]:
    """Chunks that no two slabs share."""
    axes = shape[1:] if name == "offset" else shape
    most = BLOCK if len(axes) == 2 else PLANES
    height = next((each for each in range(min(most, rows), 0, -1) if rows % each == 0), 1)
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
    try:
        import zarr
    except ImportError:
        raise ImportError(f"{path}: needs the package zarr: pip install zarr") from None
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
    if dtype.kind not in "iu" or nodata != int(nodata):
        return None
    info = np.iinfo(dtype)
    return int(nodata) if info.min <= nodata <= info.max else None


def bytes_of_outputs(targets: Mapping[str, tuple[tuple[int, ...], np.dtype]], cells: int) -> int:
    """Bytes a cell of all outputs."""
    return sum(prod(shape) // max(cells, 1) * dtype.itemsize for shape, dtype in targets.values())
