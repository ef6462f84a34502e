# SPDX-License-Identifier: Apache-2.0
"""Arrays of Dask, and DataArrays that hold one: rasters larger than memory, or than one machine.

Results are lazy, with the bits of one call, and any scheduler computes them (costs are found at
once). Graphs have as many tasks as there are chunks and slabs. What slabs are and what they need of
each other is in `thiessen.slabs`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import numpy as np

from .._arguments import tables
from .._arguments.checks import to_connectivity, to_extents, to_number, to_switch
from .._arguments.cost_options import map_of
from .._arguments.options import Options, refuse_others
from .._arguments.running import to_thread_count
from .._arguments.warnings import tell
from .._kinds.outputs import Components
from .._large.dask_cost import CostRounds
from .._large.dask_slabs import SlabWork, components_in_slabs, points_in_slabs
from ..typing import OtherOutput
from .attributes import declared_nodata, distance_name, scale_of
from .batch import check_axes
from .grids import one_grid
from .host import (
    Raster,
    label_of_unreached,
    refuse_with_components,
    refuse_zero_for_nodata,
    result_dtype,
)
from .outputs import COST_OUTPUTS, OUTPUTS, NearestSite, make_result, output_names
from .unread import is_dask, refuse_unread
from .xarray import Frame, is_data_array

_OUTPUTS = tuple(name for name in OUTPUTS if name not in (*get_args(OtherOutput), "ties"))
_COST_OUTPUTS = tuple(name for name in COST_OUTPUTS if name not in get_args(OtherOutput))

_OF_SLABS = frozenset(
    (*tables.FinishedSlabOptions.__annotations__, "outputs", "components", "connectivity",
     "keep_sites")
) - {"out"}  # fmt: skip
_OF_POINTS = frozenset((*tables.SlabOfPointsOptions.__annotations__, "outputs")) - {"out"}
_OF_COSTS = frozenset((*tables.CostSlabOptions.__annotations__, "outputs"))
"""The options that are passed on."""
_WHERE = "for arrays of Dask"


def nearest_site_of(sites: Any, options: Options) -> NearestSite[Any, Any]:
    refuse_others(options, _OF_SLABS, _WHERE)
    names = output_names(options.outputs, _OUTPUTS)
    raster = _to_raster("sites", sites, options.nodata)
    refuse_zero_for_nodata(raster, options)
    if options.components is not None:
        refuse_with_components(options)
        raster, _ = _numbered(raster, options.components, "components", options)
    units = raster.units_of(options)
    titles = {"distance": distance_name(options)}
    results = _results(raster, names, options)
    return make_result(
        names,
        tuple(
            raster.like_input(name, result, titles.get(name), units)
            for name, result in zip(names, results)
        ),
    )


def distance_transform_of(sites: Any, options: Options) -> Any:
    refuse_others(options, _OF_SLABS, _WHERE)
    raster = _to_raster("sites", sites, options.nodata)
    if options.distance_to == "sites":
        refuse_zero_for_nodata(raster, options)
    (distance,) = _results(raster, ("distance",), options)
    return raster.like_input("distance", distance, distance_name(options), raster.units_of(options))


def expand_labels_of(labels: Any, options: Options) -> Any:
    refuse_others(options, _OF_SLABS, _WHERE)
    raster = _to_raster("labels", labels, options.nodata)
    refuse_zero_for_nodata(raster, options)
    boolean = raster.cells.dtype.kind == "b"
    if boolean:  # one label, not numbers
        raster = replace(raster, cells=raster.cells.view(np.uint8))
    options = options.but(unreached=label_of_unreached(raster.nodata, options.free_nodata))
    (grown,) = _results(raster, ("labels",), options)
    if boolean:
        grown = grown.view(np.bool_)
    return raster.like_input("labels", grown, "label, grown")


def connected_components_of(image: Any, options: Options) -> Components:
    refuse_others(options, _OF_SLABS, _WHERE)
    raster = _to_raster("image", image, options.nodata)
    raster, count = _numbered(raster, options.connectivity, "connectivity", options)
    title = "number of the connected area"
    return Components(raster.like_input("labels", raster.cells, title), count)


def voronoi_of(points: Any, options: Options) -> NearestSite[Any, Any]:
    refuse_others(options, _OF_POINTS, _WHERE)
    names = output_names(options.outputs, _OUTPUTS)
    extents = tuple(to_extents(options.shape))
    check_axes("shape", len(extents))
    domain = options.domain
    if is_data_array(points):
        refuse_unread("points", points)
    if is_data_array(domain):
        raise TypeError(
            "domain is an xarray.DataArray; must be domain.data, with spacing and nodata given"
        )
    if domain is not None and np.shape(domain) != extents:
        raise ValueError(f"domain has the shape {np.shape(domain)}; must have {extents}")
    common = options.some(_OF_POINTS - {"domain", "point_labels", "weights", "metrics"})
    common |= {"outputs": names, "threads": to_thread_count(options.threads) or 1}
    found = points_in_slabs(
        points, options.point_labels, options.weights, options.metrics, domain, extents, common
    )
    return make_result(names, tuple(found))


def cost_distance_of(sites: Any, options: Options) -> NearestSite[Any, Any]:
    refuse_others(options, _OF_COSTS, _WHERE)
    what, map = map_of(options)
    if is_data_array(map) and is_dask(map) and is_dask(sites):
        raise TypeError(f"{what} is a DataArray; must be a dask.array.Array: {what}.data")
    if not is_dask(map) or is_data_array(map):
        refuse_unread(what, map)
        raise TypeError(f"{what} is a {type(map).__name__}; must be a dask.array.Array")
    of_cells = {"sites": sites}
    if options.points is None:
        of_cells["initial_cost"] = options.initial_cost
    for name, array in of_cells.items():
        if array is not None and np.shape(array) != map.shape:
            raise ValueError(f"{name} has the shape {np.shape(array)}; must have {map.shape}")
    raster = _to_raster(what, map, options.map_nodata, "map_nodata")
    grid = one_grid(of_cells)
    if options.site_nodata is None and is_data_array(sites):
        options = options.but(site_nodata=declared_nodata(sites))
    if options.spacing is None and grid is not None:
        options = options.but(spacing=grid.spacing(None))
    common = options.some(_OF_COSTS - {"cost", "stiffness", "initial_cost"})
    common["what"] = what
    common["outputs"] = output_names(options.outputs, _COST_OUTPUTS)
    common["threads"] = to_thread_count(options.threads) or 1
    if options.points is not None:
        common["initial_cost"] = options.initial_cost
    costs = _scaled("initial_cost", of_cells.get("initial_cost"))
    rounds = CostRounds(raster.cells, sites, costs, common)
    tell(rounds.run())
    return make_result(common["outputs"], tuple(rounds.results()))


def _results(raster: Raster, names: tuple[str, ...], options: Options) -> list[Any]:
    work = SlabWork.of(raster, names, options)
    return work.results(raster.cells, to_switch("keep_sites", options.keep_sites))


def _scaled(name: str, value: Any) -> Any:
    """A DataArray by its scale and offset, lazily; others as they are."""
    scale = scale_of(name, value) if is_data_array(value) else None
    return value if scale is None else value.data.astype(np.float64) * scale[0] + scale[1]


def _numbered(
    raster: Raster, connectivity: Any, argument: str, options: Options
) -> tuple[Raster, Any]:
    """The raster with the numbers of its connected areas for cells, and how many there are."""
    rank = raster.cells.ndim
    most = 8 if rank == 2 else 26
    neighbours = most if connectivity is None else connectivity
    to_connectivity(argument, neighbours, rank)
    labels, count = components_in_slabs(
        raster.cells, neighbours, raster.nodata, to_switch("keep_sites", options.keep_sites)
    )
    nodata = None if raster.nodata is None else -1
    return replace(raster, cells=labels, label_dtype=labels.dtype, nodata=nodata), count


def _to_raster(name: str, value: Any, nodata: Any, nodata_name: str = "nodata") -> Raster:
    """The argument with a Dask array for cells, checked without looking at one of them."""
    if not is_dask(value):
        raise TypeError(
            f"{name} is a {type(value).__name__}; must be a dask.array.Array, or a DataArray that "
            "holds one"
        )
    number = None if nodata is None else to_number(nodata_name, nodata)
    frame = None
    cells = value
    if is_data_array(value):
        frame = Frame(name, value)
        frame.refuse_other_axes(False)
        cells = value.data
        number = declared_nodata(value) if nodata is None else number
    check_axes(name, cells.ndim)
    if not all(extent == extent for extent in cells.shape):
        raise ValueError(
            f"{name} has chunks of unknown sizes; must be known: {name}.compute_chunk_sizes()"
        )
    if type(cells._meta) is not np.ndarray:
        kind = type(cells._meta)
        raise TypeError(
            f"{name} has chunks of {kind.__module__}.{kind.__name__}; must be numpy.ndarrays"
        )
    return Raster(cells, result_dtype(cells.dtype), number, frame=frame)
