# SPDX-License-Identifier: Apache-2.0
"""Rasters in files and stores that are larger than memory, with the bits of one call.

nearest_site        of a raster in a file: labels, distances, … into files
voronoi             the same for points, whose grid is larger than memory
distance_transform  distances alone: to sites, signed, or to the boundary of the own label

A raster is named by its path, or is an array that gives parts of itself:

- .npy: NumPy, through a memory map
- .zarr: a folder of Zarr, format 2 or 3, an array or a group with one; needs the package zarr,
  from 3.0 on
- OME-Zarr, version 0.4 or 0.5: an image, one of its labels, or a level of either, with its scale
  for spacing; an output beside the labels of an image becomes one of them, and one that ends with
  .ome.zarr an image of its own
- others: GeoTIFF, and for input what else GDAL reads, of 2 axes, ``FILE|band=N`` of several bands;
  needs the package rasterio
- arrays: numpy.ndarray and numpy.memmap, zarr.Array, h5py.Dataset: whatever has shape and dtype,
  and takes a slice of rows

An output file has its name when all is written. If a call fails or is interrupted, nothing is left
of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

import numpy as np

from . import slabs
from ._arguments.checks import to_extents, to_float_dtype, to_lengths, to_whole
from ._arguments.progress import reporter
from ._arrays import number_dtype, result_dtype, to_array, to_point_labels
from ._stores import (
    ReadAhead,
    Source,
    WriteBehind,
    bytes_of_outputs,
    commit,
    open_source,
    open_targets,
    rows_together,
    to_bytes_of_memory,
)
from ._warnings import tell
from .typing import DistanceTo, FloatDtype, Number, SlabMetric

__all__ = ["distance_transform", "nearest_site", "voronoi"]


def __dir__() -> list[str]:
    return __all__


Store: TypeAlias = Any
"""A path, or an array that gives or takes slices of rows."""

_DTYPES: dict[str, Any] = {
    "squared": np.int64,
    "site_index": np.int64,
    "offset": np.int32,
    "direction": np.float32,
}
_NODATA: dict[str, Any] = {
    "distance": np.nan,
    "squared": -2,
    "site_index": -2,
    "offset": int(np.iinfo(np.int32).min),
    "direction": np.nan,
}
_OUTPUTS = ("labels", *_NODATA)


def nearest_site(
    sites: Store,
    *,
    out: Mapping[str, Store],
    memory: int | str | None = None,
    slab_rows: int | None = None,
    overwrite: bool = False,
    spacing: Number | Iterable[Number] | None = None,
    metric: SlabMetric = "euclidean",
    max_distance: Number | None = None,
    nodata: Number | None = None,
    periodic: bool | Iterable[bool] | None = None,
    values: Number | Iterable[Number] | None = None,
    zero_is_site: bool = False,
    free_nodata: bool = False,
    unreached: Number = 0,
    signed: bool = False,
    distance_dtype: FloatDtype = "float32",
    threads: int | None = None,
    progress: Any = None,
) -> int:
    """Nearest site of every cell of a raster, as `thiessen.nearest_site`, from and into files.

    Parameters
    ----------
    sites : path or array
        The raster, of axes (y, x) or (z, y, x). ``FILE|band=N`` names one of several bands.
    out : mapping of names of outputs to paths or arrays
        "labels", "distance", "squared", "site_index", "offset", "direction". An array has the shape
        and dtype that the output has; a file gets them.
    memory : int or str, optional
        Bytes that the call may take, or "500M", "2G"; default: half of what is available. Slabs are
        as high as that allows.
    slab_rows : int, optional
        Height of slabs, whatever the memory is: rows, or planes of three axes.
    overwrite : bool
        Replace files that exist.
    spacing : float or one per axis, optional
        World length of one cell; default: that of a GeoTIFF's georeference, the scale of an
        OME-Zarr, else 1.
    nodata : number, optional
        Default: that of a GeoTIFF.
    metric, max_distance, periodic, values, zero_is_site, free_nodata, unreached, signed, \
distance_dtype, threads
        As of `thiessen.nearest_site`; metric is "euclidean" or "manhattan".
    progress : callable or bar of tqdm, optional
        As of `thiessen.nearest_site`.

    Returns
    -------
    int
        In how many slabs it was done.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `thiessen.nearest_site`; an argument of this function breaks a rule.
    FileExistsError
        A file of `out` exists, and overwrite is False.
    OSError, ImportError
        A file cannot be read or written; its package is missing.

    Notes
    -----
    The sites are read twice. A slab is read and written while another one is computed. Time
    O(cells); memory: some slabs, and 16 bytes and four labels for each column and slab. The only
    `ThiessenWarning` is that no cell is free, all being sites or nodata.

    A GeoTIFF has the georeference of the sites, blocks of 256 x 256 cells, DEFLATE, and the values
    of `thiessen.nearest_site`: unreached cells are infinite. With a georeference, "direction" is
    the azimuth on the map, whatever way the rows of the sites run.

    Source: as of `thiessen.nearest_site`.

    Examples
    --------
    >>> import numpy as np, tempfile, thiessen
    >>> from thiessen import files
    >>> folder = tempfile.mkdtemp()
    >>> sites = np.zeros((4, 6), np.uint8)
    >>> sites[0, 1], sites[3, 4] = 7, 9
    >>> np.save(f"{folder}/sites.npy", sites)
    >>> files.nearest_site(
    ...     f"{folder}/sites.npy", out={"labels": f"{folder}/nearest.npy"}, slab_rows=2
    ... )
    2
    >>> np.load(f"{folder}/nearest.npy", mmap_mode="r")
    memmap([[7, 7, 7, 7, 7, 9],
            [7, 7, 7, 7, 9, 9],
            [7, 7, 7, 9, 9, 9],
            [7, 7, 9, 9, 9, 9]], dtype=uint8)
    """
    common: dict[str, Any] = {
        "metric": metric, "max_distance": max_distance, "periodic": periodic, "values": values,
        "zero_is_site": zero_is_site, "free_nodata": free_nodata, "signed": signed,
        "threads": threads,
    }  # fmt: skip
    rest = {"unreached": unreached, "distance_dtype": distance_dtype}
    call = _Call(out, memory, slab_rows, overwrite, progress)
    return _solve(sites, spacing, nodata, call, common, rest)


def distance_transform(
    sites: Store,
    *,
    out: Store,
    to: DistanceTo = "site",
    memory: int | str | None = None,
    slab_rows: int | None = None,
    overwrite: bool = False,
    spacing: Number | Iterable[Number] | None = None,
    metric: SlabMetric = "euclidean",
    max_distance: Number | None = None,
    nodata: Number | None = None,
    periodic: bool | Iterable[bool] | None = None,
    values: Number | Iterable[Number] | None = None,
    zero_is_site: bool = False,
    free_nodata: bool = False,
    signed: bool = False,
    distance_dtype: FloatDtype = "float32",
    threads: int | None = None,
    progress: Any = None,
) -> int:
    """Distances alone, as `thiessen.distance_transform`, from and into files.

    Parameters
    ----------
    sites : path or array
        As of `nearest_site`.
    out : path or array
        The distances.
    to : {"site", "boundary"}
        As of `thiessen.distance_transform`.
    memory, slab_rows, overwrite, spacing, nodata, progress
        As of `nearest_site`.
    metric, max_distance, periodic, values, zero_is_site, free_nodata, signed, distance_dtype, \
threads
        As of `thiessen.distance_transform`; metric is "euclidean" or "manhattan".

    Returns
    -------
    int
        In how many slabs it was done.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError, FileExistsError, OSError, ImportError
        As `nearest_site`.

    Notes
    -----
    As of `nearest_site`.

    Source: as of `thiessen.distance_transform`.

    Examples
    --------
    >>> import numpy as np
    >>> from thiessen import files
    >>> distance = np.empty((3, 4), np.float32)
    >>> files.distance_transform(np.eye(3, 4), out=distance, slab_rows=1)
    3
    >>> distance[0]
    array([0.       , 1.       , 1.4142135, 2.236068 ], dtype=float32)
    """
    common: dict[str, Any] = {
        "metric": metric, "max_distance": max_distance, "periodic": periodic, "values": values,
        "zero_is_site": zero_is_site, "free_nodata": free_nodata, "signed": signed,
        "to": to, "threads": threads,
    }  # fmt: skip
    call = _Call({"distance": out}, memory, slab_rows, overwrite, progress)
    return _solve(sites, spacing, nodata, call, common, {"distance_dtype": distance_dtype})


def voronoi(
    points: Any,
    shape: Iterable[int],
    *,
    out: Mapping[str, Store],
    labels: Any = None,
    memory: int | str | None = None,
    slab_rows: int | None = None,
    overwrite: bool = False,
    spacing: Number | Iterable[Number] | None = None,
    metric: SlabMetric = "euclidean",
    max_distance: Number | None = None,
    periodic: bool | Iterable[bool] | None = None,
    unreached: Number = 0,
    distance_dtype: FloatDtype = "float32",
    threads: int | None = None,
    progress: Any = None,
) -> int:
    """Nearest point of every cell, as `thiessen.voronoi`, into files.

    Parameters
    ----------
    points, shape, labels
        As of `thiessen.voronoi`; the points are in memory.
    out, memory, slab_rows, overwrite, progress
        As of `nearest_site`.
    spacing, metric, max_distance, periodic, unreached, distance_dtype, threads
        As of `thiessen.voronoi`; metric is "euclidean" or "manhattan".

    Returns
    -------
    int
        In how many slabs it was done.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError, FileExistsError, OSError, ImportError
        As `nearest_site`.

    Notes
    -----
    A slab is written while the next one is computed. Time as of `thiessen.voronoi`, and O(points)
    for each slab.

    Source: as of `thiessen.voronoi`.

    Examples
    --------
    >>> import numpy as np
    >>> from thiessen import files
    >>> nearest = np.empty((10, 4), np.int32)
    >>> files.voronoi([(0.5, 1), (9, 2.25)], (10, 4), out={"labels": nearest}, slab_rows=3)
    4
    >>> nearest[:, 0]
    array([1, 1, 1, 1, 1, 2, 2, 2, 2, 2], dtype=int32)
    """
    extents = tuple(to_extents(shape))
    if len(extents) not in (2, 3):
        raise ValueError(f"shape = {extents}; must have 2 or 3 axes")
    given = None if labels is None else to_array("labels", labels)
    dtypes = (
        to_point_labels(given, len(points))[1][1],
        to_float_dtype("distance_dtype", distance_dtype),
    )
    options: dict[str, Any] = {
        "spacing": spacing, "metric": metric, "max_distance": max_distance, "periodic": periodic,
        "unreached": unreached, "distance_dtype": distance_dtype, "threads": threads,
    }  # fmt: skip
    call = _Call(out, memory, slab_rows, overwrite, progress)
    number = 4  # bytes: each cell of the grid gets the number of a point
    grid = Source(None, to_lengths("spacing", spacing, len(extents)) or None)
    with ExitStack() as stack:
        job = call.begin(stack, extents, dtypes, grid, number)

        def compute(first: int, rows: dict[Any, np.ndarray], count: int) -> None:
            slabs.voronoi(
                points, shape=extents, first=first, count=count, labels=labels,
                outputs=list(rows), out=rows, **options,
            )  # fmt: skip

        return job.run(compute)


@dataclass
class _Call:
    """The arguments that say where results go, and how."""

    out: Mapping[str, Store]
    memory: int | str | None
    slab_rows: int | None
    overwrite: bool
    progress: Any

    def begin(
        self,
        stack: ExitStack,
        shape: tuple[int, ...],
        dtypes: tuple[np.dtype, np.dtype],
        source: Source,
        bytes_of_sites: int,
    ) -> _Job:
        """Chooses slabs, and opens the outputs. `dtypes` are those of labels and distances;
        `bytes_of_sites` is what a cell takes of a slab."""
        if not isinstance(self.out, Mapping):
            raise TypeError(f"out is a {type(self.out).__name__}; must be a mapping from names")
        for name in self.out:
            if name not in _OUTPUTS:
                raise ValueError(f"out has {name!r}; must be among {', '.join(_OUTPUTS)}")
        if not self.out:
            raise ValueError("out is empty; must have one output or more")

        def describe(name: str) -> tuple[tuple[int, ...], np.dtype, Any]:
            given = {"labels": dtypes[0], "distance": dtypes[1]}
            dtype = np.dtype(given[name] if name in given else _DTYPES[name])
            nodata = source.nodata if name == "labels" else _NODATA[name]
            return ((len(shape), *shape) if name == "offset" else shape), dtype, nodata

        outputs = {name: describe(name)[:2] for name in self.out}
        bytes_of_cell = bytes_of_sites + 2 * bytes_of_outputs(outputs, prod(shape))
        together = [rows_together(source.cells)]
        together += [rows_together(to) for name, to in self.out.items() if name != "offset"]
        rows = self._rows(shape, bytes_of_cell, max(together))
        targets = open_targets(stack, self.out, self.overwrite, describe, rows, source)
        report = stack.enter_context(reporter(self.progress)) or _ignore
        return _Job(stack, shape[0], rows, targets, report)

    def _rows(self, shape: tuple[int, ...], bytes_of_cell: int, together: int) -> int:
        """The height of slabs: what memory allows, whole chunks if it allows one."""
        limit = to_bytes_of_memory(self.memory)
        if self.slab_rows is not None:
            return min(to_whole("slab_rows", self.slab_rows, 1, 2**30), max(shape[0], 1))
        columns = max(prod(shape[1:]), 1)
        most = limit // (columns * bytes_of_cell)
        if most < 1:
            raise ValueError(f"memory = {self.memory!r}; is too little even for slabs of one row")
        if most >= shape[0]:
            return max(shape[0], 1)
        block = together if together > 1 else 256 if len(shape) == 2 else 32
        return int(most // block * block if most >= block else most)


@dataclass
class _Job:
    """A call that has begun: slabs of so many rows, and the outputs."""

    stack: ExitStack
    length: int
    rows: int
    targets: list[Any]
    report: Callable[[float], object]
    begin: float = 0.0
    """The fraction of the call that is done before the results."""

    def run(self, compute: Callable[[int, dict[Any, np.ndarray], int], None]) -> int:
        """Has all slabs computed by compute(first, rows of the outputs, count), writes them, and
        gives the files their names. Returns their number."""
        with closing(WriteBehind(self.targets, self.rows)) as writer:
            for first in range(0, self.length, self.rows):
                count = min(self.rows, self.length - first)
                compute(first, writer.rows(first, count), count)
                writer.write(first, count)
                self.report(self.begin + (1 - self.begin) * (first + count) / self.length)
            writer.wait()
        commit(self.targets)
        return len(range(0, self.length, self.rows))


def _ignore(fraction: float) -> None:
    pass


def _solve(
    sites: Store,
    spacing: Any,
    nodata: Any,
    call: _Call,
    common: dict[str, Any],
    rest: dict[str, Any],
) -> int:
    """Summarises all slabs, then finishes them. `common` are the options of both steps."""
    with ExitStack() as stack:
        source = open_source(stack, "sites", sites)
        shape = tuple(int(size) for size in source.cells.shape)
        if len(shape) not in (2, 3):
            raise ValueError(f"sites has the shape {shape}; must have 2 or 3 axes")
        dtype = np.dtype(source.cells.dtype)
        is_mask = dtype.kind == "b"
        labels = number_dtype(prod(shape)) if is_mask else result_dtype(dtype)
        if spacing is None and source.without_spacing:
            raise ValueError(
                f"sites = {str(sites)!r}; {source.without_spacing}: must be projected, or "
                "spacing must be given (thiessen.nearest_site of an array in memory takes "
                'metric="ellipsoidal")'
            )
        source.spacing = common["spacing"] = source.spacing if spacing is None else spacing
        common["nodata"] = source.nodata if nodata is None else nodata
        source.nodata = common["nodata"]
        # Two slabs of sites, one of which is read; four times as many rows of sites in a call; what
        # a method of linear time takes.
        bytes_of_sites = 6 * dtype.itemsize + (5 * labels.itemsize if is_mask else 0) + 8
        dtypes = (labels, to_float_dtype("distance_dtype", rest["distance_dtype"]))
        job = call.begin(stack, shape, dtypes, source, bytes_of_sites)
        if shape[0] == 0:
            return job.run(lambda first, rows, count: None)
        own = []
        job.begin = 0.3
        free = _FreeCells(common)
        with closing(ReadAhead(source.cells, job.rows)) as slabs_read:
            for first, cells in slabs_read:
                free.look_at(cells)
                own.append(slabs.summarise(cells, shape=shape, first=first, **common))
                job.report(job.begin * (first + len(cells)) / shape[0])
        free.tell()
        beside = _Neighbours(own, shape, common["periodic"])
        with closing(ReadAhead(source.cells, job.rows)) as slabs_read:

            def compute(first: int, rows: dict[Any, np.ndarray], count: int) -> None:
                _, cells = next(slabs_read)
                slabs.finish(
                    cells, next(beside), shape=shape, first=first, outputs=list(rows), out=rows,
                    **common, **rest,
                )  # fmt: skip
                if "direction" in rows:
                    source.turn(rows["direction"])

            return job.run(compute)


class _FreeCells:
    """Looks for cells to which distances lead: those that are neither sites nor nodata."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._values = options["values"]
        self._all = bool(options["zero_is_site"])
        self._nodata = options["nodata"]
        # Where nodata cells are free, or distances are those within sites, nobody misses any.
        within = options["signed"] or options.get("to", "site") != "site"
        self._found = self._nodata is None or bool(options["free_nodata"]) or bool(within)
        self._sites = self._outside = False

    def look_at(self, cells: np.ndarray) -> None:
        if self._found:
            return
        own = np.asarray(cells)
        outside = np.isnan(own) if self._nodata != self._nodata else own == self._nodata
        if self._all:
            sites = np.ones_like(outside)
        elif self._values is None:
            sites = (own != 0) & (own == own)
        else:
            sites = np.isin(own, self._values)
        self._outside |= bool(outside.any())
        self._sites |= bool((sites & ~outside).any())
        self._found = not bool((sites | outside).all())

    def tell(self) -> None:
        if not self._found and self._sites and self._outside:
            tell(
                [
                    (
                        "no_free_cell",
                        1,
                        "no free cell: all are sites or nodata, so that distances reach no other "
                        "cell; with free_nodata the nodata cells are the free ones",
                    )
                ]
            )


class _Neighbours:
    """What each slab must know of the others, from the first one to the last. It keeps a summary of
    each slab, and one of all that lie below it."""

    def __init__(self, own: list[bytes], shape: tuple[int, ...], periodic: Any) -> None:
        self._own = own
        self._shape = shape
        self._periodic = periodic
        self._below: list[bytes | None] = [None] * len(own)
        for k in range(len(own) - 1, 0, -1):
            below = self._below[k]
            self._below[k - 1] = own[k] if below is None else slabs.join(own[k], below)
        self._above: bytes | None = None
        self._next = 0

    def __next__(self) -> bytes:
        k = self._next
        self._next += 1
        own, below, above = self._own[k], self._below[k], self._above
        parts = [each for each in (above, own, below) if each is not None]
        found = slabs.combine(parts, shape=self._shape, periodic=self._periodic)
        self._above = own if above is None else slabs.join(above, own)
        self._own[k], self._below[k] = b"", None
        return found[0 if above is None else 1]
