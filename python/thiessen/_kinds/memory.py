# SPDX-License-Identifier: Apache-2.0
"""Arrays in memory: of NumPy, with masks or without, of xarray, and of whatever library in CUDA
memory. How each becomes what the core takes, and how results go back, is in `Raster`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .. import _core
from .._arguments.calls import make_targets, raster_options, run_raster, to_k
from .._arguments.checks import to_switch
from .._arguments.core_options import core_options
from .._arguments.fields import FIELDS
from .._arguments.options import Options, refuse_others
from .._arguments.running import reporter
from .._arguments.warnings import tell_of_colours
from .._kinds.outputs import Components
from .attributes import COVERAGE_NAME, distance_name, units_of
from .batch import share_of, split
from .cuda import find_cuda
from .grids import one_grid
from .host import (
    Raster,
    label_of_unreached,
    number_boolean_sites,
    number_components,
    refuse_with_components,
    refuse_zero_for_nodata,
    to_cuda_raster,
    to_quantities,
    to_raster,
    to_site_weights,
)
from .outputs import NearestSite, Targets, check_component_labels, output_names


def nearest_site_of(sites: Any, options: Options) -> NearestSite[Any, Any]:
    tell_of_colours("sites", sites, strict=options.strict, batch_axes=options.batch_axes)
    names = output_names(options.outputs)
    free_nodata = to_switch("free_nodata", options.free_nodata)
    zero_is_site = to_switch("zero_is_site", options.zero_is_site)
    if free_nodata and options.values is not None:
        raise ValueError("free_nodata = True; must be False when values are given")
    raster = _to_raster("sites", sites, options)
    if raster.on_cuda is not None and options.components is not None:
        raise ValueError("components is given; areas of sites on a GPU must be found before")
    refuse_zero_for_nodata(raster, options)
    if options.components is not None:
        refuse_with_components(options)
        raster = number_components(raster, options.components, "components", options)
    elif raster.boolean:
        raster = number_boolean_sites(raster, options.values, zero_is_site or free_nodata)
        options = options.but(values=None, zero_is_site=False)
    if free_nodata:
        raster = raster.without_mask()
    ranks = to_k(options.k, raster.on_cuda is not None, raster.batch)
    one_grid({"sites": sites, "weights": options.weights}, raster.batch)
    weights = to_site_weights(raster, options.weights)
    if weights is not None:
        raster = replace(raster, unseen=(*raster.unseen, weights))
    targets = make_targets(raster, names, options, ranks)
    core = raster_options(raster, options, ranks)
    run_raster(raster, targets, core, options.progress, weights)
    results = targets.finish()
    if raster.hands_back_plain:
        return targets.result(results)
    raster, units = raster.measured(options)
    titles = {"distance": distance_name(options)}
    return targets.result(
        {
            name: raster.like_input(
                name, results[name], titles.get(name), units_of(name, units, options)
            )
            for name in names
        }
    )


def distance_transform_of(sites: Any, options: Options) -> Any:
    tell_of_colours("sites", sites, strict=options.strict, batch_axes=options.batch_axes)
    if to_switch("coverage", options.coverage):
        return coverage_distance(sites, options)
    raster = _to_raster("sites", sites, options)
    if options.distance_to == "sites":
        refuse_zero_for_nodata(raster, options)
    if to_switch("free_nodata", options.free_nodata):
        raster = raster.without_mask()
    targets = make_targets(raster, ("distance",), options)
    run_raster(raster, targets, raster_options(raster, options), options.progress)
    distance = targets.finish()["distance"]
    raster, units = raster.measured(options)
    return raster.like_input("distance", distance, distance_name(options), units)


def _to_raster(name: str, value: Any, options: Options) -> Raster:
    given = options.nodata, options.batch_axes
    return to_cuda_raster(name, value, *given) or to_raster(name, value, *given)


def expand_labels_of(labels: Any, options: Options) -> Any:
    tell_of_colours("labels", labels, strict=options.strict, batch_axes=options.batch_axes)
    free_nodata = to_switch("free_nodata", options.free_nodata)
    raster = _to_raster("labels", labels, options)
    refuse_zero_for_nodata(raster, options)
    boolean = raster.boolean or raster.cells.dtype.kind == "b"
    if boolean:  # one label, not numbers
        byte = np.dtype(np.uint8)
        on_cuda = raster.on_cuda
        cells = raster.cells.view(byte) if on_cuda is None else on_cuda.as_bytes()
        raster = replace(raster, cells=cells, label_dtype=byte, boolean=False)
    dtype = np.dtype(np.bool_) if boolean else raster.label_dtype
    targets = Targets(
        ("labels",), options.out, raster.shape, (raster.core_label_dtype, dtype), "float32",
        (raster.cells,), raster.unseen, like=raster.on_cuda,
    )  # fmt: skip
    options = options.but(unreached=label_of_unreached(raster.nodata, free_nodata))
    run_raster(raster, targets, raster_options(raster, options), options.progress)
    grown = targets.finish()["labels"]
    if free_nodata and raster.mask is not None:
        cells = targets.core["labels"]
        is_nodata = cells == raster.nodata if raster.nodata == raster.nodata else np.isnan(cells)
        raster = replace(raster, mask=is_nodata)
    if boolean and raster.on_cuda is None:
        grown = targets.core["labels"].view(np.bool_)
    if boolean and raster.mask is not None:
        grown[raster.mask] = False
    return raster.like_input("labels", grown, "label, grown")


def connected_components_of(image: Any, options: Options) -> Components:
    tell_of_colours("image", image)
    raster = to_raster("image", image, options.nodata)
    chosen = options.connectivity
    if chosen is None:
        chosen = 8 if raster.cells.ndim == 2 else 26
    check_component_labels(options.out, raster.shape, raster.unseen)
    numbered = number_components(raster, chosen, "connectivity", options, options.out)
    labels = numbered.like_input("labels", numbered.cells, "number of the connected area")
    return Components(labels, int(numbered.cells.max(initial=0)))


_OF_COVERAGE = frozenset(
    (
        *FIELDS["coverage_distance"],
        "coverage",
        "signed_distance",
        "out",
        "batch_axes",
        "threads",
        "progress",
    )
)
"""The options that distances from coverage take."""


def coverage_distance(coverage: Any, options: Options) -> Any:
    """The signed distances of an antialiased mask, as the kind of array that it is."""
    if not to_switch("signed_distance", options.signed_distance):
        raise ValueError("signed_distance = False; must be True with coverage=True")
    device = None if options.device in ("auto", "cpu") else options.device
    refuse_others(options.but(device=device), _OF_COVERAGE, "with coverage=True")
    raster = _to_coverage(coverage, options.batch_axes)
    axes = raster.cells.ndim - len(raster.batch)
    targets = Targets(
        ("distance",), options.out, raster.shape, None, options.distance_type, (raster.cells,),
        raster.unseen, axes,
    )  # fmt: skip
    spacing = raster.spacing_or(options.spacing, False)
    own = core_options("coverage_distance", options.but(spacing=spacing), axes, device="cpu")
    pieces = _pieces(raster.cells, targets.core["distance"], raster.batch)
    with reporter(options.progress) as report:
        for i, (cells, distance) in enumerate(pieces):
            own.progress = share_of(report, i, len(pieces))
            _core.run("coverage_distance", {"coverage": cells}, {"distance": distance}, own)
    distance = targets.finish()["distance"]
    return raster.like_input("distance", distance, COVERAGE_NAME, raster.units_of(options))


def _to_coverage(coverage: Any, batch_axes: Any) -> Raster:
    if find_cuda("sites", coverage) is not None:
        raise RuntimeError("sites is in CUDA memory; must be on the host with coverage=True")
    if isinstance(coverage, np.ma.MaskedArray):
        raise TypeError("sites is a masked array; must be without a mask with coverage=True")
    raster = to_quantities("sites", coverage, batch_axes=batch_axes)
    if raster.nodata is not None:
        nodata = raster.nodata if raster.own_nodata is None else raster.own_nodata
        raise ValueError(
            f"sites has the nodata value {nodata} in its metadata; must have none with "
            "coverage=True"
        )
    return raster


def _pieces(
    cells: np.ndarray, distance: np.ndarray, batch: tuple[int, ...]
) -> list[tuple[np.ndarray, np.ndarray]]:
    """The rasters of a batch, each with its distances."""
    if not batch:
        return [(cells, distance)]
    found = split([cells, distance], batch, cells.ndim)
    return [pair for rasters, distances in found for pair in zip(rasters, distances)]
