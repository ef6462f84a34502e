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

from collections.abc import Mapping
from contextlib import ExitStack
from math import prod
from typing import Any

import numpy as np

from .. import _core
from .._arguments import checks, tables
from .._arguments.calls import nearest_options, raster_options
from .._arguments.core_options import CoreOptions
from .._arguments.fields import OUTPUTS
from .._arguments.options import Options, refuse_others
from .._arguments.running import reporter, set_device
from .._arguments.tables import DEFAULTS
from .._arguments.warnings import tell
from .._large import stores
from .._large.stores import Source, Target
from . import OF_STORES
from .host import number_dtype, to_array, to_raster
from .outputs import DTYPES, NearestSite, make_result, output_names, require_held_labels, shape_of
from .points import sites_on_host
from .unread import refuse_unread

_OUTPUTS = ("labels", "distance", "squared", "site_index", "offset", "direction")
_OF_FILES = frozenset(tables.DEFAULTS) - {
    "k", "distinct_labels", "ties_unreached", "earth", "components", "batch_axes", "keep_sites",
    "domain", "nodata_label", "coverage", "weights", "weighting", "metrics",
}  # fmt: skip
"""The options that are passed on."""
_WHERE = "for files"


def nearest_site_of(sites: Any, options: Options) -> NearestSite[Any, Any]:
    _require_out(sites, options)
    refuse_others(options, _OF_FILES, _WHERE)
    out = _to_out(options)
    return make_result(tuple(out), tuple(_of_raster(sites, options, out)))


def distance_transform_of(sites: Any, options: Options) -> Any:
    _require_out(sites, options)
    refuse_others(options, _OF_FILES, _WHERE)
    (distance,) = _of_raster(sites, options, {"distance": options.out})
    return distance


def voronoi_of(points: Any, options: Options) -> NearestSite[Any, Any]:
    points = to_array("points", points)
    refuse_others(options, _OF_FILES, _WHERE)
    out = _to_out(options)
    shape = checks.to_grid(options.shape)
    given = sites_on_host(points, options, shape, tuple(out))
    own = nearest_options("voronoi", len(shape), options)
    set_device(own, options.device)
    grid = Source(None, checks.to_lengths("spacing", options.spacing, len(shape)) or None)
    inputs = None, given.points, given.point_labels
    found = _run(inputs, own, options, out, shape, given.label_dtypes, grid)
    return make_result(tuple(out), tuple(found))


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


def _of_raster(sites: Any, options: Options, out: Mapping[str, Any]) -> list[Any]:
    with ExitStack() as stack:
        source = stores.open_source(stack, "sites", sites)
        shape, dtype = source.shape, np.dtype(source.cells.dtype)
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
        no_rows = to_raster("sites", np.empty((0, *shape[1:]), dtype), source.nodata)
        own = raster_options(no_rows, options.but(spacing=source.spacing))
        labels = no_rows.core_label_dtype, no_rows.label_dtype
        if dtype.kind == "b":
            labels = (number_dtype(prod(shape)),) * 2
        require_held_labels(tuple(out), labels, options)
        return _run((source, None, None), own, options, out, shape, labels, source)


def _run(
    inputs: tuple[Source | None, Any, Any],
    own: CoreOptions,
    options: Options,
    out: Mapping[str, Any],
    shape: tuple[int, ...],
    labels: tuple[np.dtype, np.dtype],
    source: Source,
) -> list[Any]:
    """Runs a call by rows, and gives the opened outputs. `inputs` are sites, points and their
    labels; `labels` the core's dtype and the caller's; `source` tells what outputs have of it."""
    distance = checks.to_float_dtype("distance_type", options.distance_type)
    dtypes = {name: (dtype, dtype) for name, dtype in DTYPES.items()}
    dtypes.update(labels=labels, distance=(distance, distance))
    nodata = {**{name: each.nodata for name, each in OUTPUTS.items()}, "labels": source.nodata}
    targets = {
        name: Target(name, to, *dtypes[name], shape_of(name, shape, len(shape)), nodata[name])
        for name, to in out.items()
    }
    overwrite = checks.to_switch("overwrite", options.overwrite)
    with ExitStack() as stack:
        own.progress = stack.enter_context(reporter(options.progress))
        stream = _core.Stream(*inputs, targets, own)
        rows = _rows(stream, options, shape, [source.cells, *out.values()])
        stores.open_targets(stack, [*targets.values()], overwrite, rows, source)
        found = stream.run()
        stores.commit([*targets.values()])
    tell(found)
    return [each.opened() for each in targets.values()]


def _rows(stream: Any, options: Options, shape: tuple[int, ...], rasters: list[Any]) -> int:
    """The height of slabs: what memory allows, whole chunks of rasters if it allows one."""
    memory, slab_rows = stores.to_bytes_of_memory(options.memory), options.slab_rows
    wanted = 0 if slab_rows is None else checks.to_whole("slab_rows", slab_rows, 1, 2**30)
    together = max(stores.rows_together(each, len(shape)) for each in rasters)
    block = together if together > 1 else 256 if len(shape) == 2 else 32
    try:
        rows, _, _ = stream.plan(memory, wanted, block)
    except ValueError as error:
        told = str(error).replace(f"memory = {memory};", f"memory = {options.memory!r};")
        raise ValueError(told) from None
    return int(rows)
