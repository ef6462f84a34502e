# SPDX-License-Identifier: Apache-2.0
"""Maps in memory, on the host or in that of a CUDA device, and costs on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .._arguments.calls import to_k
from .._arguments.checks import is_held, to_float_dtype, to_number, to_switch
from .._arguments.core_options import CoreOptions, core_options, run
from .._arguments.cost_options import check_sites, map_of, to_blocked_faces, to_costs
from .._arguments.earth import METRICS, open_sides, to_core
from .._arguments.options import Options
from .._arguments.running import to_strict
from .._arguments.warnings import tell, tell_of_colours
from .attributes import COST_NAME, OTHER_COST_NAME
from .cuda import CudaArray, find_cuda
from .grids import one_grid
from .host import (
    Raster,
    number_boolean_sites,
    to_cuda_raster,
    to_quantities,
    to_raster,
)
from .outputs import (
    COST_OUTPUTS,
    NearestSite,
    Targets,
    have_labels,
    output_names,
    require_held_labels,
)
from .points import Sites, to_cuda_points, to_points
from .xarray import Frame, is_data_array


def cost_distance_of(sites: Any, options: Options) -> NearestSite[Any, Any]:
    names = output_names(options.outputs, COST_OUTPUTS)
    to_float_dtype("distance_type", options.distance_type)
    to_switch("zero_is_site", options.zero_is_site)
    heights = to_heights(options.elevation, options.elevation_nodata)
    what, map = map_of(options, needed=heights is None)
    tell_of_colours(what, map, strict=options.strict)
    raster = heights if map is None and heights else _to_map(what, map, options.map_nodata)
    map_cells = raster.on_cuda
    check_sites(sites, options)
    if sites is None:
        inputs = _point_sites(options, raster.cells.ndim, map_cells)
    else:
        inputs = _raster_sites(sites, options, map_cells)
    initial = options.initial_cost
    costs = None if initial is None else _initial_costs(initial, map_cells)
    blocked = to_blocked_faces(options.blocked_faces, raster.shape)
    given = {
        what: map,
        "elevation": options.elevation,
        "blocked_faces": options.blocked_faces,
        "sites": sites,
    }
    grid = one_grid(given if sites is None else {**given, "initial_cost": initial})
    for more in (heights, blocked):
        if more is not None:
            inputs.unseen = (*inputs.unseen, *more.unseen)
    ranks = to_k(options.k, map_cells is not None)
    targets = _targets_of(raster, inputs, names, options, ranks)
    own = ground_options("cost_distance", options, raster, heights, grid)
    own.setdefault("unreached", 0)
    if ranks:
        own["k"] = ranks
    of_sides = open_sides(own.get("longitude"), grid, to_strict(options.strict))
    if inputs.selected:
        own.update(values=None, zero_is_site=False)
    own["site_nodata"] = inputs.nodata
    own_nodata = getattr(raster if raster.nodata is not None else heights, "own_nodata", None)
    if options.nodata_label is None and own_nodata is not None:  # the core knows the scaled one
        held = is_held(own_nodata, inputs.label_dtypes[1])
        own["nodata_label"] = own_nodata if held else own["unreached"]
    arrays = {
        "sites": inputs.cells,
        "points": inputs.points,
        "point_labels": inputs.point_labels,
        "initial_cost": costs,
        what: None if raster is heights else raster.for_core(),
        "elevation": None if heights is None else heights.for_core(),
        "blocked_faces": None if blocked is None else blocked.for_core(),
    }
    _, found = run("cost_distance", arrays, own, options.progress, targets.core)
    tell([*found, *of_sides])
    results = targets.finish()
    raster = masked_with(raster, heights)
    raster = replace(raster, nodata=_label_nodata(raster, options.nodata_label, inputs))
    titles = {"distance": COST_NAME, "other_distance": OTHER_COST_NAME}
    units = (
        dict.fromkeys(titles, cost_unit(options, raster is not heights))
        if heights is not None
        else {}
    )
    return targets.result(
        {
            name: raster.like_input(name, results[name], titles.get(name), units.get(name))
            for name in names
        }
    )


def cost_unit(options: Options, has_map: bool) -> str | None:
    """The unit of what stands in the place of lengths where there is an elevation."""
    if options.walk == "table" or (options.walk == "surface" and has_map):
        return None
    return "m" if options.walk == "surface" else "s"


def ground_options(
    operation: str, options: Options, raster: Raster, heights: Raster | None, grid: Frame | None
) -> CoreOptions:
    """The options of an operation that do not depend on the sites."""
    nodata = options.map_nodata if raster is heights else raster.nodata
    if options.earth is None and options.metric not in METRICS:
        if options.spacing is None and grid is not None:
            options = options.but(spacing=spacing_of(grid, heights))
        earth = {}
    else:
        earth = to_core(options.earth, options.metric, grid)
    heights_nodata = options.elevation_nodata if heights is None else heights.nodata
    options = options.but(elevation_nodata=heights_nodata)
    own = core_options(operation, options.but(map_nodata=nodata), raster.cells.ndim)
    own.update(earth)
    raster.set_device(own, options.device)
    return own


def _label_nodata(raster: Raster, given: Any, inputs: Sites) -> int | float | None:
    """The label of nodata cells; None where it is that of unreached ones."""
    if given is not None:
        return to_number("nodata_label", given)
    nodata = raster.nodata if raster.own_nodata is None else raster.own_nodata
    return nodata if nodata is not None and is_held(nodata, inputs.label_dtypes[1]) else None


def _to_map(name: str, map: Any, map_nodata: Any) -> Raster:
    there = to_cuda_raster(name, map, map_nodata, nodata_name="map_nodata")
    return there or to_quantities(name, map, map_nodata, "map_nodata")


def _find_beside(name: str, value: Any, map_cells: CudaArray | None) -> CudaArray | None:
    """An array in CUDA memory, where the map's cells are and on their stream; None if it is on the
    host, or they are."""
    if map_cells is None:
        return None
    there = find_cuda(name, value)
    if there is not None:
        _check_beside(name, there, map_cells)
    return there


def _check_beside(name: str, array: CudaArray, map_cells: CudaArray) -> None:
    if array.device != map_cells.device:
        raise ValueError(
            f"{name} is on cuda:{array.device}; must be where the map is, "
            f"on cuda:{map_cells.device}"
        )
    if array.stream != map_cells.stream:
        raise ValueError(
            f"{name} is on the stream {array.stream:#x}; must be on that of the map, "
            f"{map_cells.stream:#x}"
        )


def _point_sites(options: Options, axes: int, map_cells: CudaArray | None) -> Sites:
    """Points and labels on the host, or, with a map in CUDA memory, both there."""
    points, labels = options.points, options.point_labels
    if options.site_nodata is not None:
        raise ValueError("site_nodata is given; it is for sites of a raster, not for points")
    there = _find_beside("points", points, map_cells)
    if there is not None:
        their_labels, dtype = to_cuda_points(there, labels, axes)
        if their_labels is not None:
            _check_beside("point_labels", their_labels, there)
        return Sites(
            (dtype, dtype), there.memory, None if their_labels is None else their_labels.memory
        )
    return to_points(points, labels, axes)


def _raster_sites(sites: Any, options: Options, map_cells: CudaArray | None) -> Sites:
    """A raster on the host or, with a map in CUDA memory, there."""
    site_nodata = options.site_nodata
    nodata = None if site_nodata is None else to_number("site_nodata", site_nodata)
    own = None
    if map_cells is not None:
        own = to_cuda_raster("sites", sites, nodata, nodata_name="site_nodata")
        if own is not None:
            _check_beside("sites", own.cells, map_cells)
    own = own or to_raster("sites", sites, nodata, nodata_name="site_nodata")
    selected = own.boolean
    if selected:
        own = number_boolean_sites(own, options.values, options.zero_is_site)
    return Sites(
        (own.core_label_dtype, own.label_dtype),
        cells=own.for_core(),
        nodata=own.nodata,
        selected=selected,
        unseen=own.unseen,
    )


def _initial_costs(costs: Any, map_cells: CudaArray | None) -> Any:
    there = _find_beside("initial_cost", costs, map_cells)
    return to_costs("initial_cost", costs) if there is None else there.memory


def _targets_of(
    raster: Raster,
    inputs: Sites,
    names: tuple[str, ...],
    options: Options,
    k: int,
) -> Targets:
    core, wanted = inputs.label_dtypes
    if core != wanted and have_labels(names) and raster.on_cuda is not None:
        raise TypeError(
            f"labels would have the dtype {wanted}, and are made as {core}; with a map in CUDA "
            "memory sites must be of a dtype that labels keep"
        )
    require_held_labels(names, inputs.label_dtypes, options)
    return Targets(
        names, options.out, raster.shape, inputs.label_dtypes, options.distance_type,
        (raster.cells, *inputs.read()), (*raster.unseen, *inputs.unseen), k=k,
        like=raster.on_cuda,
    )  # fmt: skip


_METRES = frozenset({"m", "metre", "metres", "meter", "meters"})
_OTHER_LENGTHS = frozenset({"ft", "foot", "feet", "us-ft", "us_ft", "yd", "mm", "cm", "dm", "km"})


def to_heights(elevation: Any, nodata: Any) -> Raster | None:
    """The elevation as the core takes it; None if there is none."""
    if elevation is None:
        return None
    units = str(elevation.attrs.get("units", "")) if is_data_array(elevation) else ""
    if units.lower() in _OTHER_LENGTHS:
        raise ValueError(f"elevation is in {units}, by its attributes; must be in metres")
    return to_quantities("elevation", elevation, nodata, "elevation_nodata")


def spacing_of(grid: Frame, heights: Raster | None) -> list[float]:
    """The spacing from coordinates. Raise ValueError for those of a walk in other units than
    metres."""
    found = grid.spacing()
    units = grid.units()
    if heights is not None and units is not None and units.lower() not in _METRES:
        raise ValueError(
            f"the coordinates are in {units}; walks are in metres, so that spacing must be given"
        )
    return found


def masked_with(raster: Raster, heights: Raster | None) -> Raster:
    """A raster whose results are masked, or nodata, where the elevation is."""
    if heights is None or heights is raster:
        return raster
    if raster.mask is not None and heights.mask is not None:
        raster = replace(raster, mask=np.logical_or(raster.mask, heights.mask))
    if raster.nodata is None:
        raster = replace(raster, nodata=heights.nodata, own_nodata=heights.own_nodata)
    return raster
