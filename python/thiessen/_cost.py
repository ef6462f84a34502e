# SPDX-License-Identifier: Apache-2.0
"""Nearest sites by least cost over a map."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

import numpy as np

from . import _core
from ._arguments.checks import (
    is_held,
    require_held,
    to_cell_values,
    to_connectivity,
    to_extents,
    to_float,
    to_float_dtype,
    to_lengths,
    to_number,
    to_place,
    to_switch,
    to_text,
    to_whole,
)
from ._arguments.progress import reporter
from ._arguments.running import to_strict, to_thread_count
from ._arrays import (
    Raster,
    number_boolean_sites,
    to_array,
    to_coordinates,
    to_cuda_points,
    to_cuda_raster,
    to_field,
    to_point_labels,
    to_quantities,
    to_raster,
)
from ._attributes import COST_NAME, OTHER_COST_NAME
from ._batch import check_axes
from ._cuda import CudaArray, CudaRaster, find_cuda
from ._earth import METRICS, Earth, open_sides, to_core
from ._grids import one_grid
from ._outputs import COST_OUTPUTS, CudaTargets, NearestSite, Targets, have_labels, output_names
from ._unread import is_dask, refuse_for_dask
from ._walk import masked_with, set_langmuir, set_walk, spacing_of, to_heights
from ._warnings import tell, tell_of_colours
from ._xarray import is_data_array
from .typing import (
    Connectivity,
    CostMethod,
    CostMetric,
    CostOutput,
    EdgeWeight,
    FloatDtype,
    Material,
    Number,
    Several,
    Walk,
    WalkDirection,
    WalkMap,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._signatures import CostDistanceArguments

One = TypeVar("One", bound=CostOutput)
Own = TypeVar("Own")
Kind = TypeVar("Kind", np.ndarray, np.ma.MaskedArray)
"""An array of NumPy: one with a mask has results with a mask."""

__all__ = ["cost_distance", "least_cost_path", "material_map"]

_NODATA_LINK = 255


@overload
def cost_distance(
    map: Kind, sites: Any = None, **arguments: Unpack[CostDistanceArguments]
) -> NearestSite[Literal["labels", "distance"], Kind]: ...
@overload
def cost_distance(
    map: Kind, sites: Any = None, *, outputs: One, **arguments: Unpack[CostDistanceArguments]
) -> NearestSite[One, Kind]: ...
@overload
def cost_distance(
    map: Kind,
    sites: Any = None,
    *,
    outputs: Several[CostOutput],
    **arguments: Unpack[CostDistanceArguments],
) -> NearestSite[Any, Kind]: ...
@overload
def cost_distance(
    map: Sequence[Any],
    sites: Any = None,
    *,
    outputs: CostOutput | Several[CostOutput] = ...,
    **arguments: Unpack[CostDistanceArguments],
) -> NearestSite[Any, np.ndarray]: ...
@overload
def cost_distance(
    map: None,
    sites: Any = None,
    *,
    outputs: CostOutput | Several[CostOutput] = ...,
    **arguments: Unpack[CostDistanceArguments],
) -> NearestSite[Any, Any]: ...
@overload
def cost_distance(
    map: Own, sites: Any = None, **arguments: Unpack[CostDistanceArguments]
) -> NearestSite[Literal["labels", "distance"], Own]: ...
@overload
def cost_distance(
    map: Own, sites: Any = None, *, outputs: One, **arguments: Unpack[CostDistanceArguments]
) -> NearestSite[One, Own]: ...
@overload
def cost_distance(
    map: Own,
    sites: Any = None,
    *,
    outputs: Several[CostOutput],
    **arguments: Unpack[CostDistanceArguments],
) -> NearestSite[Any, Own]: ...
def cost_distance(
    map: Any,
    sites: Any = None,
    *,
    points: Any = None,
    labels: Any = None,
    edge_weight: EdgeWeight = "stiffness",
    connectivity: Connectivity | None = None,
    dtype: FloatDtype = "float32",
    spacing: Number | Iterable[Number] | None = None,
    metric: CostMetric = "euclidean",
    earth: Earth | None = None,
    initial_cost: Any = None,
    elevation: Any = None,
    walk: Walk | None = None,
    walk_direction: WalkDirection | None = None,
    walk_coefficients: Iterable[Number] | None = None,
    slope_factor: Number | None = None,
    walk_map: WalkMap | None = None,
    elevation_nodata: Number | None = None,
    tight_barriers: bool = False,
    method: CostMethod = "exact",
    labels_carried: bool = False,
    max_distance: Number | None = None,
    map_nodata: Number | None = None,
    site_nodata: Number | None = None,
    nodata_label: Number | None = None,
    values: Number | Iterable[Number] | None = None,
    zero_is_site: bool = False,
    unreached: Number = 0,
    outputs: CostOutput | Sequence[CostOutput] = ("labels", "distance"),
    out: Any = None,
    device: str | None = None,
    threads: int | None = None,
    progress: Any = None,
    strict: bool | None = None,
) -> NearestSite[Any, Any]:
    """Least-cost distance of every cell of a map, and the site that it belongs to.

    Parameters
    ----------
    map : array of shape (y, x) or (z, y, x)
        Stiffness or cost of every cell, integers or floats; a masked array (its mask is nodata), an
        xarray.DataArray, or anything with ``__array__``. Barriers: stiffness 0, cost inf, NaN and
        nodata. An array in CUDA memory (CuPy, PyTorch, Numba, JAX, ...) stays there: see the notes.
        None, with an elevation: all ones. DataArrays must lie on one grid; those of quantities have
        the scale and offset of their attributes, and nodata values of the cells before.
    sites : array of the shape of the map
        As of `nearest_site`; or None, and then `points`.
    edge_weight : {"stiffness", "cost"}
        What a step from p to its neighbour q costs: ``2 * |p-q| / (W_p + W_q)``, or
        ``|p-q| * (C_p + C_q) / 2``.
    connectivity : {4, 8, 16} in 2-D, {6, 18, 26} in 3-D, optional
        Neighbours of a cell; default: 8, in 3-D 26. 16 are 8 and the knight's moves.
    dtype : {"float32", "float64"}
        The float type that costs are computed in, and the dtype of the output distance.
    spacing : float or one per axis, optional
        World length of one cell, in array order; default: 1, or the steps of a DataArray's
        coordinates.
    metric : {"euclidean", "ellipsoidal", "great-circle"}
        What ``|p-q|`` is: in units of the spacing, or for 2-D rasters in degrees the length in
        metres of the shortest way on the Earth between the two cells, on the CPU. Columns do not
        join at the date line: paths end at the sides of the raster.
    earth : Earth, optional
        For the last two: where the cells lie, by even steps of longitude; default: the coordinates
        of a DataArray.
    initial_cost : array of the shape of the sites, or one per point, optional
        What a path starts with; read at sites only.
    elevation : array of shape (y, x), optional
        Elevation of every cell in metres, on the host: steps are walked. `walk` gives their
        seconds, which the map multiplies, or to which it adds (`walk_map`). The spacing is in
        metres. NaN is a barrier. On the CPU.
    walk : {"tobler", "langmuir"}, optional
        How fast one walks, ``slope`` being rise over length, negative downhill; default: "tobler",
        ``length * 0.6 * exp(3.5 * abs(slope + 0.05))`` seconds. "langmuir" is the rule of GRASS
        r.walk: ``0.72 * length``, 6 s more for each metre up, 1.9998 s less for each metre down,
        or more where the slope is below -0.2125.
    walk_direction : {"from-site", "to-site"}, optional
        Whether one walks from the site to the cell, the default, or from the cell to the site.
    walk_coefficients : four numbers, optional
        For "langmuir" alone: the seconds of a metre of length, and of a metre up, down and steeply
        down, as walk_coeff of r.walk; default: 0.72, 6, 1.9998, -1.9998. No slope may take less
        than no time.
    slope_factor : number, optional
        Slopes below it are steep; at most 0, default: -0.2125.
    walk_map : {"multiplies", "adds"}, optional
        Whether seconds take the place of ``|p-q|``, so that the map tells how many times as long
        ("cost"), or as fast ("stiffness"), one walks, the default; or a step takes its seconds and
        what it would cost without an elevation.
    elevation_nodata : number, optional
        Cells of this elevation lie outside the domain. Default: none, or what the metadata of a
        DataArray say.
    tight_barriers : bool
        Diagonal steps do not pass between two barriers.
    strict : bool, optional
        A site on a barrier, or a point outside, is an error; otherwise it is ignored with a
        warning. Every `ThiessenWarning` is an error then.
    method : {"exact", "dijkstra", "relaxation"}
        All have the same results.
    labels_carried : bool
        For "relaxation" on the CPU: labels are carried along with the costs, as in the paper, by
        one thread in ascending order of cells. Costs are the same; labels of some cells may be
        those of sites that do not explain their cost. Not with the output back_link.
    max_distance : float, optional
        Cells that cost more are unreached; inclusive.
    map_nodata : number, optional
        Cells of the map of this value lie outside the domain. Default: none, or what the metadata
        of a DataArray say.
    site_nodata : number, optional
        Cells of the sites of this value are no sites.
    nodata_label : number, optional
        Label of the cells outside the domain; default: map_nodata where a label can be that, else
        `unreached`.
    values, zero_is_site
        As of `nearest_site`.
    points : array of shape (n, 2) as (y, x), or (n, 3) as (z, y, x), optional
        Sites in the cells that they lie in, instead of a raster of sites. A cell has its left and
        upper edge, not the others: (0.5, 0) lies in cell [1, 0].
    labels : array of shape (n,), optional
        Labels of the points; default: 1, 2, ...
    unreached : number
        Label of an unreached cell.
    outputs : names of "labels", "distance", "site_index", "back_link"
        back_link, uint8, is which neighbour comes next on a least-cost path back, in ascending
        linear index from 1: see `least_cost_path`; 0 at the site, 254 unreached, 255 nodata.
        It leads to a cell that lies fewer steps from the site, by the shortest step.
        "other_labels", "other_distance" and "other_site_index" are those of the nearest site of
        another label, as of `nearest_site`; on the CPU.
    out : mapping of names to arrays, arrays in the order of outputs, or the array of the only one
        As of `nearest_site`.
    device, threads, progress
        As of `nearest_site`.

    Returns
    -------
    NearestSite
        Named tuple of the outputs, each as the map is: plain, masked, a DataArray, or in CUDA
        memory, of the map's library. Unreached cells have the distance inf and the site index -1,
        nodata cells NaN and -2.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`; an illegal cell of the map is named.

    Notes
    -----
    Labels are decided on the final costs: of all sites from which a cell is reached by steps that
    add up to its cost exactly, the first. So all methods, devices and numbers of threads give the
    same bits.

    Time of "exact" O(cells) on smooth maps with many sites, more where paths wind; scratch memory
    5 to 13 bytes a cell in 2-D and float32, 8 more with back links.

    With a map in CUDA memory the work is put on the current stream of its library, and the results
    lie there; the call waits, as it has to say which sites it ignored. Sites, points with their
    labels and initial costs may lie there or on the host; points, and sites that are many or have
    initial costs, are copied to the host. What is in CUDA memory must be on the map's device and
    stream. `out` must be in CUDA memory too. With a map on the host everything must be there.

    Source: J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled distance planes using
    CUDA" (2013). Walks: W. Tobler, "Three presentations on geographical analysis and modeling"
    (1993); E. Langmuir, "Mountaincraft and leadership" (1984).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> stiffness = np.array([[1, 1, 1, 0, 1], [1, 4, 1, 0, 1], [1, 4, 4, 4, 1]], np.float32)
    >>> sites = np.zeros((3, 5), np.uint8)
    >>> sites[0, 0], sites[0, 4] = 7, 9
    >>> result = thiessen.cost_distance(stiffness, sites, connectivity=4)
    >>> result.labels
    array([[7, 7, 7, 0, 9],
           [7, 7, 7, 0, 9],
           [7, 7, 7, 7, 9]], dtype=uint8)
    >>> result.distance[2]
    array([2.  , 1.65, 1.9 , 2.15, 2.  ], dtype=float32)

    Up a hill of 30 m and down again, by cells of 100 m, in seconds:

    >>> hill = np.array([[0, 10, 30, 20, 0]], np.float32)
    >>> walked = thiessen.cost_distance(
    ...     None, points=[(0, 0)], elevation=hill, spacing=100, outputs="distance"
    ... )
    >>> walked.distance.round(1)
    array([[  0. , 101.4, 245.4, 316.8, 418.3]], dtype=float32)
    """
    tell_of_colours("map", map, strict=strict)
    if is_dask(map) and not is_data_array(map):
        from . import dask

        refuse_for_dask(
            method=(method, "exact"), labels_carried=(labels_carried, False), out=(out, None),
            device=(device, None), progress=(progress, None), strict=(strict, None),
            elevation=(elevation, None), walk=(walk, None), walk_direction=(walk_direction, None),
            elevation_nodata=(elevation_nodata, None), metric=(metric, "euclidean"),
            earth=(earth, None), walk_coefficients=(walk_coefficients, None),
            slope_factor=(slope_factor, None), walk_map=(walk_map, None),
        )  # fmt: skip
        return dask.cost_distance(
            map, sites, points=points, labels=labels, edge_weight=edge_weight,
            connectivity=connectivity, dtype=dtype, spacing=spacing, initial_cost=initial_cost,
            tight_barriers=tight_barriers, max_distance=max_distance, map_nodata=map_nodata,
            site_nodata=site_nodata, nodata_label=nodata_label, values=values,
            zero_is_site=zero_is_site, unreached=unreached, outputs=outputs, threads=threads,
        )  # fmt: skip
    names = output_names(outputs, COST_OUTPUTS)
    wide = to_float_dtype("dtype", dtype) == np.float64
    zero_is_site = to_switch("zero_is_site", zero_is_site)
    threads = to_thread_count(threads)
    heights = to_heights(elevation, elevation_nodata)
    raster = heights if map is None and heights is not None else _to_map(map, map_nodata)
    map_cells = raster.cells if isinstance(raster, CudaRaster) else None
    if (sites is None) == (points is None):
        raise ValueError("sites and points: one of the two must be given")
    if sites is None:
        inputs = _point_sites(points, labels, site_nodata, raster.cells.ndim, map_cells)
    else:
        inputs = _raster_sites(sites, labels, site_nodata, values, zero_is_site, map_cells)
    costs = None if initial_cost is None else _initial_costs(initial_cost, map_cells)
    given = {"map": map, "elevation": elevation, "sites": sites}
    grid = one_grid(given if sites is None else {**given, "initial_cost": initial_cost})
    if heights is not None:
        inputs.unseen = (*inputs.unseen, *heights.unseen)
    targets = _targets_of(raster, inputs, names, out, dtype, unreached)
    options = _core.CostDistanceOptions()
    raster.set_device(options, device)
    options.threads = threads
    options.strict = to_strict(strict)
    options.method = to_text("method", method)
    options.edge_weight = to_text("edge_weight", edge_weight)
    if connectivity is not None:
        options.connectivity = to_connectivity("connectivity", connectivity, raster.cells.ndim)
    options.tight_barriers = to_switch("tight_barriers", tight_barriers)
    options.labels_carried = to_switch("labels_carried", labels_carried)
    options.unreached = to_number("unreached", unreached)
    if wide:
        options.in_float64 = True
    set_walk(options, heights, walk, walk_direction, elevation_nodata)
    set_langmuir(options, walk_coefficients, slope_factor)
    if walk_map is not None:
        options.walk_map = to_text("walk_map", walk_map)
    options.metric = to_text("metric", metric)
    own_earth, lengths = None, spacing
    if earth is not None or metric in METRICS:
        own_earth = options.earth = to_core(earth, metric, grid)
    elif spacing is None and grid is not None:
        lengths = spacing_of(grid, heights)
    of_sides = open_sides(own_earth, grid, options.strict)
    if lengths is not None:
        options.spacing = to_lengths("spacing", lengths, raster.cells.ndim)
    if max_distance is not None:
        options.max_distance = to_float("max_distance", max_distance)
    if values is not None and not inputs.selected:
        options.values = to_cell_values("values", values)
    options.zero_is_site = zero_is_site and not inputs.selected
    if inputs.nodata is not None:
        options.site_nodata = inputs.nodata
    if map is None and map_nodata is not None:
        options.map_nodata = to_number("map_nodata", map_nodata)
    elif map is not None and raster.nodata is not None:
        options.map_nodata = raster.nodata
    own_nodata = getattr(raster if raster.nodata is not None else heights, "own_nodata", None)
    if nodata_label is not None:
        options.nodata_label = to_number("nodata_label", nodata_label)
    elif own_nodata is not None:  # the core knows that of scaled cells
        held = is_held(own_nodata, inputs.label_dtypes[1])
        options.nodata_label = own_nodata if held else options.unreached
    with reporter(progress) as report:
        options.progress = report
        found = _core.cost_distance(
            None if raster is heights else raster.for_core(),
            sites=inputs.cells,
            points=inputs.points,
            labels=inputs.point_labels,
            initial_cost=costs,
            elevation=None if heights is None else heights.for_core(),
            outputs=targets.arrays(),
            options=options,
        )
    tell([*found, *of_sides])
    results = targets.finish()
    if isinstance(raster, Raster):
        raster = masked_with(raster, heights)
        raster = replace(raster, nodata=_label_nodata(raster, nodata_label, inputs))
    titles = {"distance": COST_NAME, "other_distance": OTHER_COST_NAME}
    units = dict.fromkeys(titles, "s") if heights is not None else {}
    return targets.result(
        {
            name: raster.like_input(name, results[name], titles.get(name), units.get(name))
            for name in names
        }
    )


def _label_nodata(raster: Raster, given: Any, inputs: _Sites) -> int | float | None:
    """The label of nodata cells; None where it is that of unreached ones."""
    if given is not None:
        return to_number("nodata_label", given)
    nodata = raster.nodata if raster.own_nodata is None else raster.own_nodata
    return nodata if nodata is not None and is_held(nodata, inputs.label_dtypes[1]) else None


def least_cost_path(
    back_links: Any, start: Iterable[int], *, connectivity: Connectivity | None = None
) -> np.ndarray:
    """The cells from `start` back to its site, both included.

    Parameters
    ----------
    back_links : array of shape (y, x) or (z, y, x), uint8
        The output back_link of `cost_distance`; masked cells are nodata.
    start : sequence of int
        A cell, in array order.
    connectivity : int, optional
        As it was given to `cost_distance`.

    Returns
    -------
    numpy.ndarray of int64 of the shape (cells, axes)
        Without rows if the cell is unreached or nodata.

    Raises
    ------
    ValueError, TypeError
        Also if the links lead out of the raster or in a circle.

    Notes
    -----
    Time and memory O(length of the path).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> sites = np.eye(3, 4, dtype=np.uint8) * np.array([[1], [0], [0]], np.uint8)
    >>> links = thiessen.cost_distance(np.ones((3, 4)), sites, outputs="back_link").back_link
    >>> thiessen.least_cost_path(links, (2, 2))
    array([[2, 2],
           [1, 1],
           [0, 0]])
    """
    if isinstance(back_links, np.ma.MaskedArray):
        back_links = back_links.filled(_NODATA_LINK)
    links = to_array("back_links", back_links)
    check_axes("back_links", links.ndim)
    cell = to_place("start", start)
    if len(cell) != links.ndim or any(place >= n for place, n in zip(cell, links.shape)):
        raise ValueError(f"start = {tuple(cell)}; must be a cell of the shape {links.shape}")
    neighbours = "corners"
    if connectivity is not None:
        neighbours = to_connectivity("connectivity", connectivity, links.ndim)
    cells = _core.least_cost_path(links, connectivity=neighbours, start=cell)
    path = np.unravel_index(np.asarray(cells, np.int64), links.shape)
    return np.stack(path, axis=1).astype(np.int64)


def material_map(
    shape: Iterable[int], material: Material, *, seed: int = 0, dtype: FloatDtype = "float32"
) -> np.ndarray:
    """Make a map for trying `cost_distance`.

    Parameters
    ----------
    shape : sequence of int
        Extents of the map, (y, x) or (z, y, x).
    material : {"uniform", "gradient", "Degrade", "noise", "maze"}
        All 1; from 0.1 in the first column to 1 in the last (Toss and Comba call it Degrade); each
        cell from 0.1 to 1; corridors of 1, three cells wide, between walls of 0.
    seed : int
        For noise and maze; 0 to 2**64 - 1. The same seed and shape give the same map on every
        machine, and in the command (``--map``).
    dtype : {"float32", "float64"}

    Returns
    -------
    numpy.ndarray

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    Time O(cells); a maze takes 9 bytes for each 16 cells. Values are those of float32 in either
    dtype.

    Examples
    --------
    >>> import thiessen
    >>> thiessen.material_map((2, 3), "gradient")
    array([[0.1 , 0.55, 1.  ],
           [0.1 , 0.55, 1.  ]], dtype=float32)
    """
    number = to_whole("seed", seed, 0, 2**64 - 1)
    cells = np.empty(to_extents(shape), to_float_dtype("dtype", dtype))
    _core.material_map(cells, material=to_text("material", material), seed=number)
    return cells


@dataclass(slots=True)
class _Sites:
    """The sites of a call as the core takes them: a raster, or points."""

    label_dtypes: tuple[np.dtype, np.dtype]
    """The dtypes of labels in the core and for the caller."""
    cells: Any = None
    nodata: float | None = None
    selected: bool = False
    """Whether `values` and `zero_is_site` have had their effect."""
    points: Any = None
    point_labels: Any = None
    unseen: tuple[np.ndarray, ...] = ()

    def arrays(self) -> tuple[np.ndarray, ...]:
        """The points on the host."""
        every = (self.cells, self.points, self.point_labels)
        return tuple(each for each in every if isinstance(each, np.ndarray))


def _to_map(map: Any, map_nodata: Any) -> Raster | CudaRaster:
    there = to_cuda_raster("map", map, map_nodata, nodata_name="map_nodata")
    return there or to_quantities("map", map, map_nodata, "map_nodata")


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


def _point_sites(
    points: Any, labels: Any, site_nodata: Any, axes: int, map_cells: CudaArray | None
) -> _Sites:
    """Points and labels on the host, or, with a map in CUDA memory, both there."""
    if site_nodata is not None:
        raise ValueError("site_nodata is given; it is for sites of a raster, not for points")
    there = _find_beside("points", points, map_cells)
    if there is not None:
        their_labels, dtype = to_cuda_points(there, labels, axes)
        if their_labels is not None:
            _check_beside("labels", their_labels, there)
        return _Sites(
            (dtype, dtype),
            points=there.memory,
            point_labels=None if their_labels is None else their_labels.memory,
        )
    given = to_array("points", points)
    coordinates = to_coordinates(given, axes)
    point_labels, label_dtypes = to_point_labels(
        None if labels is None else to_array("labels", labels), len(coordinates)
    )
    return _Sites(
        label_dtypes,
        points=coordinates,
        point_labels=point_labels,
        unseen=() if coordinates is given else (given,),
    )


def _raster_sites(
    sites: Any,
    labels: Any,
    site_nodata: Any,
    values: Any,
    zero_is_site: bool,
    map_cells: CudaArray | None,
) -> _Sites:
    """A raster on the host or, with a map in CUDA memory, there."""
    if labels is not None:
        raise ValueError("labels is given; it is for points, not for sites of a raster")
    nodata = None if site_nodata is None else to_number("site_nodata", site_nodata)
    there = (
        None
        if map_cells is None
        else to_cuda_raster("sites", sites, nodata, nodata_name="site_nodata")
    )
    if there is not None and map_cells is not None:
        _check_beside("sites", there.cells, map_cells)
        dtype = there.label_dtype
        return _Sites((dtype, dtype), cells=there.cells.memory, nodata=there.nodata)
    own = to_raster("sites", sites, nodata, nodata_name="site_nodata")
    selected = own.boolean
    if selected:
        own = number_boolean_sites(own, values, zero_is_site)
    return _Sites(
        (own.core_label_dtype, own.label_dtype),
        cells=own.cells,
        nodata=own.nodata,
        selected=selected,
        unseen=own.unseen,
    )


def _initial_costs(costs: Any, map_cells: CudaArray | None) -> Any:
    there = _find_beside("initial_cost", costs, map_cells)
    if there is not None:
        return there.memory
    initial = to_field("initial_cost", costs, masked=None)
    return initial if initial.dtype.char in "fd" else initial.astype(np.float64)


def _targets_of(
    raster: Raster | CudaRaster,
    inputs: _Sites,
    names: tuple[str, ...],
    out: Any,
    dtype: Any,
    unreached: Any,
) -> Targets | CudaTargets:
    core, wanted = inputs.label_dtypes
    if isinstance(raster, CudaRaster):
        if core != wanted and have_labels(names):
            raise TypeError(
                f"labels would have the dtype {wanted}, and are made as {core}; with a map in CUDA "
                "memory sites must be of a dtype that labels keep"
            )
        return CudaTargets(names, out, raster.shape, core, dtype, raster.cells, len(raster.shape))
    if core != wanted and have_labels(names):
        require_held("unreached", to_number("unreached", unreached), wanted)
    return Targets(
        names, out, raster.shape, inputs.label_dtypes, dtype, (raster.cells, *inputs.arrays()),
        (*raster.unseen, *inputs.unseen),
    )  # fmt: skip
