# SPDX-License-Identifier: Apache-2.0
"""Rasters in files and stores that are larger than memory, with the bits of one call.

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

from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from .. import slabs
from .._arguments import tables
from .._arguments.checks import to_extents, to_float_dtype, to_lengths, to_switch, to_whole
from .._arguments.fields import OUTPUTS
from .._arguments.options import Options, refuse_others
from .._arguments.progress import reporter
from .._arguments.tables import DEFAULTS
from .._arguments.warnings import tell
from .._large.stores import (
    ReadAhead,
    Source,
    WriteBehind,
    bytes_of_outputs,
    commit,
    open_source,
    open_targets,
    opened,
    rows_together,
    to_bytes_of_memory,
)
from . import OF_STORES
from .host import number_dtype, result_dtype, to_array
from .outputs import DTYPES, NearestSite, make_result, output_names, shape_of
from .point_lists import to_point_labels
from .unread import refuse_unread

_OUTPUTS = ("labels", "distance", "squared", "site_index", "offset", "direction")
_OF_CALL = frozenset(("outputs", "out", "memory", "slab_rows", "overwrite", "progress"))
_OF_SLABS = _OF_CALL | frozenset(tables.FinishedSlabOptions.__annotations__)
_OF_POINTS = _OF_CALL | frozenset((*tables.SlabOfPointsOptions.__annotations__, "shape")) - {
    "domain", "nodata_label",
}  # fmt: skip
"""The options that are passed on."""
_WHERE = "for files"


def nearest_site_of(sites: Any, options: Options) -> NearestSite[Any, Any]:
    _require_out(sites, options)
    refuse_others(options, _OF_SLABS, _WHERE)
    out = _to_out(options)
    return make_result(tuple(out), tuple(_solve(sites, options, out)))


def distance_transform_of(sites: Any, options: Options) -> Any:
    _require_out(sites, options)
    refuse_others(options, _OF_SLABS, _WHERE)
    (distance,) = _solve(sites, options, {"distance": options.out})
    return distance


def voronoi_of(points: Any, options: Options) -> NearestSite[Any, Any]:
    coordinates = to_array("points", points)
    refuse_others(options, _OF_POINTS, _WHERE)
    out = _to_out(options)
    extents = tuple(to_extents(options.shape))
    if len(extents) not in (2, 3):
        raise ValueError(f"shape = {extents}; must have 2 or 3 axes")
    labels = options.point_labels
    given = None if labels is None else to_array("point_labels", labels)
    dtypes = (
        to_point_labels(given, len(coordinates))[1][1],
        to_float_dtype("distance_type", options.distance_type),
    )
    passed = options.some(_OF_POINTS - _OF_CALL - {"shape"})
    number = 4  # bytes: each cell of the grid gets the number of a point
    grid = Source(None, to_lengths("spacing", options.spacing, len(extents)) or None)
    with ExitStack() as stack:
        job = _begin(stack, options, out, extents, dtypes, grid, number)

        def compute(first: int, rows: dict[Any, np.ndarray], count: int) -> None:
            slabs.voronoi(
                points, shape=extents, first=first, count=count, outputs=list(rows), out=rows,
                **passed,
            )  # fmt: skip

        job.run(compute)
    return make_result(tuple(out), tuple(opened(out)))


def _require_out(sites: Any, options: Options) -> None:
    if options.out is None:
        refuse_unread("sites", sites, ", or out must say where the outputs go")
        given = ", ".join(sorted(OF_STORES.intersection(vars(options))))
        raise TypeError(f"out = None; must say where the outputs go, with {given}")


def _to_out(options: Options) -> Mapping[str, Any]:
    """Where the outputs go, by their names."""
    out = options.out
    if not isinstance(out, Mapping):
        shown = "= None" if out is None else f"is a {type(out).__name__}"
        raise TypeError(
            f"out {shown}; must be a mapping from names of outputs to paths or arrays, for files"
        )
    for name in out:
        if name not in _OUTPUTS:
            raise ValueError(f"out has {name!r}; must be among {', '.join(_OUTPUTS)}")
    if not out:
        raise ValueError("out is empty; must have one output or more")
    names = output_names(options.outputs, _OUTPUTS)
    if {*names} == {*out}:
        return {name: out[name] for name in names}
    if names == DEFAULTS["outputs"]:  # nobody asked for others than `out` has
        return out
    raise ValueError(f"out has the names {tuple(out)}; must have those of outputs, {names}")


def _begin(
    stack: ExitStack,
    options: Options,
    out: Mapping[str, Any],
    shape: tuple[int, ...],
    dtypes: tuple[np.dtype, np.dtype],
    source: Source,
    bytes_of_sites: int,
) -> _Job:
    """Chooses slabs, and opens the outputs. `dtypes` are those of labels and distances;
    `bytes_of_sites` is what a cell takes of a slab."""

    def describe(name: str) -> tuple[tuple[int, ...], np.dtype, Any]:
        given = {"labels": dtypes[0], "distance": dtypes[1]}
        dtype = np.dtype(given[name] if name in given else DTYPES[name])
        nodata = source.nodata if name == "labels" else OUTPUTS[name].nodata
        return shape_of(name, shape, len(shape)), dtype, nodata

    outputs = {name: describe(name)[:2] for name in out}
    bytes_of_cell = bytes_of_sites + 2 * bytes_of_outputs(outputs, prod(shape))
    together = [rows_together(source.cells)]
    together += [rows_together(to) for name, to in out.items() if name != "offset"]
    rows = _rows(options, shape, bytes_of_cell, max(together))
    overwrite = to_switch("overwrite", options.overwrite)
    targets = open_targets(stack, out, overwrite, describe, rows, source)
    report = stack.enter_context(reporter(options.progress)) or _ignore
    return _Job(shape[0], rows, targets, report)


def _rows(options: Options, shape: tuple[int, ...], bytes_of_cell: int, together: int) -> int:
    """The height of slabs: what memory allows, whole chunks if it allows one."""
    limit = to_bytes_of_memory(options.memory)
    if options.slab_rows is not None:
        return min(to_whole("slab_rows", options.slab_rows, 1, 2**30), max(shape[0], 1))
    columns = max(prod(shape[1:]), 1)
    most = limit // (columns * bytes_of_cell)
    if most < 1:
        raise ValueError(f"memory = {options.memory!r}; is too little even for slabs of one row")
    if most >= shape[0]:
        return max(shape[0], 1)
    block = together if together > 1 else 256 if len(shape) == 2 else 32
    return int(most // block * block if most >= block else most)


@dataclass
class _Job:
    """A call that has begun: slabs of so many rows, and the outputs."""

    length: int
    rows: int
    targets: list[Any]
    report: Callable[[float], object]
    begin: float = 0.0
    """The fraction of the call that is done before the results."""

    def run(self, compute: Callable[[int, dict[Any, np.ndarray], int], None]) -> None:
        """Has all slabs computed by compute(first, rows of the outputs, count), writes them, and
        gives the files their names."""
        with closing(WriteBehind(self.targets, self.rows)) as writer:
            for first in range(0, self.length, self.rows):
                count = min(self.rows, self.length - first)
                compute(first, writer.rows(first, count), count)
                writer.write(first, count)
                self.report(self.begin + (1 - self.begin) * (first + count) / self.length)
            writer.wait()
        commit(self.targets)


def _ignore(fraction: float) -> None:
    pass


def _solve(sites: Any, options: Options, out: Mapping[str, Any]) -> list[Any]:
    """Summarises all slabs, then finishes them. Gives the opened outputs."""
    with ExitStack() as stack:
        source = open_source(stack, "sites", sites)
        shape = tuple(int(size) for size in source.cells.shape)
        if len(shape) not in (2, 3):
            raise ValueError(f"sites has the shape {shape}; must have 2 or 3 axes")
        dtype = np.dtype(source.cells.dtype)
        is_mask = dtype.kind == "b"
        labels = number_dtype(prod(shape)) if is_mask else result_dtype(dtype)
        if options.spacing is None and source.without_spacing:
            raise ValueError(
                f"sites = {str(sites)!r}; {source.without_spacing}: must be projected, or "
                "spacing must be given (thiessen.nearest_site of an array in memory takes "
                'metric="ellipsoidal")'
            )
        if options.spacing is not None:
            source.spacing = options.spacing
        if options.nodata is not None:
            source.nodata = options.nodata
        common = options.some(tables.SlabOptions.__annotations__)
        common |= {"spacing": source.spacing, "nodata": source.nodata}
        # Two slabs of sites, one of which is read; four times as many rows of sites in a call; what
        # a method of linear time takes.
        bytes_of_sites = 6 * dtype.itemsize + (5 * labels.itemsize if is_mask else 0) + 8
        dtypes = (labels, to_float_dtype("distance_type", options.distance_type))
        job = _begin(stack, options, out, shape, dtypes, source, bytes_of_sites)
        if shape[0] == 0:
            job.run(lambda first, rows, count: None)
            return opened(out)
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
                    unreached=options.unreached, distance_type=options.distance_type, **common,
                )  # fmt: skip
                if "direction" in rows:
                    source.turn(rows["direction"])

            job.run(compute)
    return opened(out)


class _FreeCells:
    """Looks for cells to which distances lead: those that are neither sites nor nodata."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._values = options["values"]
        self._all = bool(options["zero_is_site"])
        self._nodata = options["nodata"]
        # Where nodata cells are free, or distances are those within sites, nobody misses any.
        within = options["signed_distance"] or options["distance_to"] != "sites"
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
