# SPDX-License-Identifier: Apache-2.0
"""Arrays of Dask: rasters larger than memory, or than one machine, with the bits of one call.

nearest_site          nearest site of every cell
distance_transform    distances alone
expand_labels         labels grown by a distance
connected_components  numbers of connected areas
voronoi               nearest point of every cell
cost_distance         least cost of every cell, by rounds of tasks

`thiessen.nearest_site` and the others of these names call them for arrays of Dask, and for
DataArrays that hold one. Results are lazy, and any scheduler computes them (costs are found at
once). Graphs have as many tasks as there are chunks and slabs. What slabs are and what they need of
each other is in `thiessen.slabs`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar, get_args

import numpy as np

try:
    import dask.array  # noqa: F401
except ImportError as error:
    raise ImportError("thiessen.dask needs Dask: pip install 'dask[array]'") from error

from ._arguments.checks import to_connectivity, to_extents, to_float, to_number, to_switch
from ._arguments.running import to_thread_count
from ._arrays import (
    Raster,
    label_of_unreached,
    refuse_with_components,
    refuse_zero_for_nodata,
    result_dtype,
)
from ._attributes import BOUNDARY_NAME, SIGNED_NAME, declared_nodata, scale_of
from ._batch import check_axes
from ._dask_components import components_in_slabs
from ._dask_cost import CostRounds
from ._dask_points import points_in_slabs
from ._dask_slabs import SlabWork
from ._grids import one_grid
from ._outputs import COST_OUTPUTS, OUTPUTS, NearestSite, make_result, output_names
from ._sites import Components
from ._unread import is_dask
from ._warnings import tell
from ._xarray import Frame, is_data_array
from .typing import (
    AreaConnectivity,
    Connectivity,
    CostOutput,
    DistanceTo,
    EdgeWeight,
    FloatDtype,
    Metric,
    Number,
    OtherOutput,
    Output,
    SlabMetric,
)

Own = TypeVar("Own")

__all__ = [
    "connected_components",
    "cost_distance",
    "distance_transform",
    "expand_labels",
    "nearest_site",
    "voronoi",
]


def __dir__() -> list[str]:
    return __all__


_OUTPUTS = tuple(name for name in OUTPUTS if name not in (*get_args(OtherOutput), "ties"))
_COST_OUTPUTS = tuple(name for name in COST_OUTPUTS if name not in get_args(OtherOutput))


def nearest_site(
    sites: Own,
    *,
    spacing: Number | Iterable[Number] | None = None,
    metric: SlabMetric = "euclidean",
    max_distance: Number | None = None,
    nodata: Number | None = None,
    periodic: bool | Iterable[bool] | None = None,
    values: Number | Iterable[Number] | None = None,
    zero_is_site: bool = False,
    free_nodata: bool = False,
    components: AreaConnectivity | None = None,
    unreached: Number = 0,
    signed: bool = False,
    distance_dtype: FloatDtype = "float32",
    outputs: Output | Sequence[Output] = ("labels", "distance"),
    keep_sites: bool = False,
    threads: int | None = None,
) -> NearestSite[Any, Own]:
    """Nearest site of every cell, lazily: what `thiessen.nearest_site` of the computed array gives,
    bit for bit.

    Parameters
    ----------
    sites : dask.array.Array of shape (y, x) or (z, y, x), or a DataArray that holds one
        As of `thiessen.nearest_site`; its chunks are numpy.ndarrays without masks, of known sizes.
    spacing, nodata, periodic, values, zero_is_site, free_nodata, unreached, signed, \
distance_dtype, outputs
        As of `thiessen.nearest_site`; there are no outputs of another label.
    components : {4, 8} in 2-D, {6, 18, 26} in 3-D, optional
        As of `thiessen.nearest_site`; the areas are found by `connected_components`. With all
        cells computed twice there and twice here, it is as well to store their labels first.
    metric : str
        "euclidean" or "manhattan".
    max_distance : float, optional
        As of `thiessen.nearest_site`. Where it is no longer than a slab is high, a slab needs its
        neighbours' nearest rows alone, and nothing waits for all of the raster.
    keep_sites : bool
        False: the sites are computed twice, for summaries and for results, and no worker holds more
        than the slabs it works on. They must have the same cells each time. True: they are computed
        once, and all of them stay in the workers' memory until their results are there.
    threads : int, optional
        Threads of one task; default: 1, as Dask runs one task on each thread of a worker.

    Returns
    -------
    NearestSite
        Named tuple of the outputs: Dask arrays, or DataArrays that hold them. Their chunks are the
        slabs: some rows or planes with all their cells. Those that are computed together
        (``dask.compute(*result)``, ``dask.array.store``) are computed by the same tasks.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `thiessen.nearest_site`, at once. What only the cells tell is raised when they are
        computed.

    Notes
    -----
    The sites are rechunked to slabs as high as their chunks are, or lower: so that no chunk of the
    sites or of an output is larger than Dask's ``array.chunk-size``. A task holds a slab of the
    sites, one of each output and 4 to 20 bytes of scratch memory a cell; between tasks there is for
    each slab two summaries, of 8 bytes and two labels a column each, or three (a periodic first
    axis, numbers of boolean sites). There is no `ThiessenWarning`.

    Source: as of `thiessen.nearest_site`, and of `thiessen.slabs`.

    Examples
    --------
    >>> import dask.array as da, thiessen
    >>> sites = da.zeros((6, 8), chunks=(2, 4), dtype="u1")
    >>> sites[1, 2], sites[4, 7] = 3, 5
    >>> labels, distance = thiessen.nearest_site(sites)
    >>> labels
    dask.array<labels, shape=(6, 8), dtype=uint8, chunksize=(2, 8), chunktype=numpy.ndarray>
    >>> labels.compute()[3]
    array([3, 3, 3, 3, 3, 5, 5, 5], dtype=uint8)
    """
    names = output_names(outputs, _OUTPUTS)
    raster = _to_raster("sites", sites, nodata)
    if values is None and not zero_is_site and not free_nodata:
        refuse_zero_for_nodata(raster, nodata)
    if components is not None:
        refuse_with_components(values, zero_is_site, free_nodata)
        raster, _ = _numbered(raster, components, "components", keep_sites)
    work = SlabWork.of(
        raster, names, spacing=spacing, metric=metric, max_distance=max_distance,
        periodic=periodic, values=values, zero_is_site=zero_is_site, free_nodata=free_nodata,
        signed=signed, to="site", threads=to_thread_count(threads) or 1, unreached=unreached,
        distance_dtype=distance_dtype,
    )  # fmt: skip
    titles = {"distance": SIGNED_NAME} if signed else {}
    units = raster.units_of(spacing)
    return make_result(
        names,
        tuple(
            _like_input(raster, name, result, titles.get(name), units)
            for name, result in zip(
                names, work.results(raster.cells, to_switch("keep_sites", keep_sites))
            )
        ),
    )


def distance_transform(
    sites: Own,
    *,
    to: DistanceTo = "site",
    signed: bool = False,
    spacing: Number | Iterable[Number] | None = None,
    metric: SlabMetric = "euclidean",
    max_distance: Number | None = None,
    nodata: Number | None = None,
    periodic: bool | Iterable[bool] | None = None,
    values: Number | Iterable[Number] | None = None,
    zero_is_site: bool = False,
    free_nodata: bool = False,
    distance_dtype: FloatDtype = "float32",
    keep_sites: bool = False,
    threads: int | None = None,
) -> Own:
    """Distance of every cell to the nearest site or to a boundary, lazily: what
    `thiessen.distance_transform` of the computed array gives, bit for bit.

    Parameters
    ----------
    sites, metric, max_distance, keep_sites, threads
        As of `nearest_site`.
    to, signed, spacing, nodata, periodic, values, zero_is_site, free_nodata, distance_dtype
        As of `thiessen.distance_transform`.

    Returns
    -------
    dask.array.Array, or a DataArray that holds one
        With slabs for chunks, as of `nearest_site`.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`.

    Notes
    -----
    Time, memory and source as of `nearest_site`.

    Examples
    --------
    >>> import dask.array as da, thiessen
    >>> labels = da.from_array([[5, 5, 5, 8, 8]], chunks=(1, 2))
    >>> thiessen.distance_transform(labels, to="boundary").compute()
    array([[3., 2., 1., 1., 2.]], dtype=float32)
    """
    raster = _to_raster("sites", sites, nodata)
    if to == "site" and values is None and not zero_is_site and not free_nodata:
        refuse_zero_for_nodata(raster, nodata)
    work = SlabWork.of(
        raster, ("distance",), spacing=spacing, metric=metric, max_distance=max_distance,
        periodic=periodic, values=values, zero_is_site=zero_is_site, free_nodata=free_nodata,
        signed=signed, to=to, threads=to_thread_count(threads) or 1, unreached=0,
        distance_dtype=distance_dtype,
    )  # fmt: skip
    title = SIGNED_NAME if signed else BOUNDARY_NAME if to == "boundary" else None
    (distance,) = work.results(raster.cells, to_switch("keep_sites", keep_sites))
    return _like_input(raster, "distance", distance, title, raster.units_of(spacing))


def expand_labels(
    labels: Own,
    distance: Number = 1,
    *,
    spacing: Number | Iterable[Number] | None = None,
    metric: SlabMetric = "euclidean",
    nodata: Number | None = None,
    free_nodata: bool = False,
    periodic: bool | Iterable[bool] | None = None,
    keep_sites: bool = False,
    threads: int | None = None,
) -> Own:
    """Grow every label by a distance, lazily: what `thiessen.expand_labels` of the computed array
    gives, bit for bit.

    Parameters
    ----------
    labels, metric, keep_sites, threads
        As the sites, and as the others, of `nearest_site`.
    distance, spacing, nodata, free_nodata, periodic
        As of `thiessen.expand_labels`.

    Returns
    -------
    dask.array.Array of the dtype of the labels, or a DataArray that holds one
        With slabs for chunks, as of `nearest_site`.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`.

    Notes
    -----
    Time, memory and source as of `nearest_site`.

    Examples
    --------
    >>> import dask.array as da, thiessen
    >>> labels = da.from_array([[0, 0, 0, 3, 0, 0, 8, 0]], chunks=(1, 4))
    >>> thiessen.expand_labels(labels, distance=2).compute()
    array([[0, 3, 3, 3, 3, 8, 8, 8]])
    """
    limit = to_float("distance", distance)
    if not limit >= 0:
        raise ValueError(f"distance = {distance}; must be >= 0")
    raster = _to_raster("labels", labels, nodata)
    if not free_nodata:
        refuse_zero_for_nodata(raster, nodata)
    boolean = raster.cells.dtype.kind == "b"
    if boolean:  # one label, not numbers
        raster = replace(raster, cells=raster.cells.view(np.uint8))
    work = SlabWork.of(
        raster, ("labels",), spacing=spacing, metric=metric, max_distance=limit, periodic=periodic,
        values=None, zero_is_site=False, free_nodata=free_nodata, signed=False, to="site",
        threads=to_thread_count(threads) or 1,
        unreached=label_of_unreached(raster.nodata, free_nodata), distance_dtype="float32",
    )  # fmt: skip
    (grown,) = work.results(raster.cells, to_switch("keep_sites", keep_sites))
    if boolean:
        grown = grown.view(np.bool_)
    return _like_input(raster, "labels", grown, "label, grown", None)


def connected_components(
    image: Any,
    *,
    connectivity: AreaConnectivity | None = None,
    nodata: Number | None = None,
    keep_sites: bool = False,
) -> Components:
    """Number the connected areas of equal non-zero value, lazily: what
    `thiessen.connected_components` of the computed array gives.

    Parameters
    ----------
    image : dask.array.Array of shape (y, x) or (z, y, x), or a DataArray that holds one
        As of `thiessen.connected_components`; its chunks as of `nearest_site`.
    connectivity, nodata
        As of `thiessen.connected_components`.
    keep_sites : bool
        As of `nearest_site`, of the image: False computes it twice.

    Returns
    -------
    Components
        Named tuple of the labels, with slabs for chunks as of `nearest_site`, and their number, a
        Dask array without axes.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`.

    Notes
    -----
    Each slab is numbered by itself; where two meet, areas are joined. The two faces of every slab,
    of 8 bytes and a value a cell each, come together in one task.

    Examples
    --------
    >>> import dask.array as da, thiessen
    >>> image = da.from_array([[1, 0, 1], [1, 0, 1], [1, 1, 1], [0, 2, 0]], chunks=(2, 3))
    >>> labels, count = thiessen.connected_components(image)
    >>> labels.compute()
    array([[1, 0, 1],
           [1, 0, 1],
           [1, 1, 1],
           [0, 2, 0]], dtype=int32)
    >>> int(count)
    2
    """
    raster = _to_raster("image", image, nodata)
    raster, count = _numbered(raster, connectivity, "connectivity", keep_sites)
    title = "number of the connected area"
    return Components(_like_input(raster, "labels", raster.cells, title, None), count)


def voronoi(
    points: Any,
    shape: Iterable[int],
    *,
    labels: Any = None,
    spacing: Number | Iterable[Number] | None = None,
    metric: Metric = "euclidean",
    max_distance: Number | None = None,
    periodic: bool | Iterable[bool] | None = None,
    domain: Any = None,
    nodata_label: Number | None = None,
    unreached: Number = 0,
    distance_dtype: FloatDtype = "float32",
    outputs: Output | Sequence[Output] = ("labels", "distance"),
    threads: int | None = None,
) -> NearestSite[Any, Any]:
    """Nearest point of every cell of a grid, lazily: what `thiessen.voronoi` gives, bit for bit.

    Parameters
    ----------
    points, shape, labels, spacing, metric, max_distance, periodic, nodata_label, unreached, \
distance_dtype, outputs
        As of `thiessen.voronoi`; arrays of the host. All points are part of the graph.
    domain : dask.array.Array or array of the shape of the grid, optional
        As of `thiessen.voronoi`.
    threads : int, optional
        As of `nearest_site`.

    Returns
    -------
    NearestSite
        Named tuple of Dask arrays, with slabs for chunks: some rows or planes with all their cells,
        so that no chunk is larger than Dask's ``array.chunk-size``.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `thiessen.voronoi`, at once, but for what only the domain tells.

    Notes
    -----
    Time and memory of a task as of `thiessen.slabs.voronoi`; slabs need nothing of each other.

    Examples
    --------
    >>> import thiessen.dask
    >>> thiessen.dask.voronoi([(0.5, 1), (9, 2.25)], (10, 4)).labels[4:6].compute()
    array([[1, 1, 1, 1],
           [2, 2, 2, 2]], dtype=int32)
    """
    names = output_names(outputs, _OUTPUTS)
    extents = tuple(to_extents(shape))
    options = {
        "spacing": spacing, "metric": metric, "max_distance": max_distance, "periodic": periodic,
        "nodata_label": nodata_label, "unreached": unreached, "distance_dtype": distance_dtype,
        "outputs": names, "threads": to_thread_count(threads) or 1,
    }  # fmt: skip
    check_axes("shape", len(extents))
    if is_data_array(domain):
        raise TypeError(
            "domain is an xarray.DataArray; must be domain.data, with spacing and nodata given"
        )
    if domain is not None and np.shape(domain) != extents:
        raise ValueError(f"domain has the shape {np.shape(domain)}; must have {extents}")
    return make_result(names, tuple(points_in_slabs(points, labels, domain, extents, options)))


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
    initial_cost: Any = None,
    tight_barriers: bool = False,
    max_distance: Number | None = None,
    map_nodata: Number | None = None,
    site_nodata: Number | None = None,
    nodata_label: Number | None = None,
    values: Number | Iterable[Number] | None = None,
    zero_is_site: bool = False,
    unreached: Number = 0,
    outputs: CostOutput | Sequence[CostOutput] = ("labels", "distance"),
    threads: int | None = None,
) -> NearestSite[Any, Any]:
    """Least-cost distance of every cell of a map, and the site that it belongs to: what
    `thiessen.cost_distance` of the computed arrays gives, bit for bit.

    Parameters
    ----------
    map : dask.array.Array of shape (y, x) or (z, y, x)
        As of `thiessen.cost_distance`; its chunks are numpy.ndarrays without masks.
    sites : dask.array.Array or array of the shape of the map
        As of `thiessen.cost_distance`; or None, and then `points`.
    initial_cost : dask.array.Array or array of the shape of the sites, optional
        As of `thiessen.cost_distance`. With points: one number per point.
    outputs : names of "labels", "distance", "site_index", "back_link"
        As of `thiessen.cost_distance`.
    points, labels, edge_weight, connectivity, dtype, spacing, tight_barriers, max_distance, \
map_nodata, site_nodata, nodata_label, values, zero_is_site, unreached
        As of `thiessen.cost_distance`.
    threads : int, optional
        As of `nearest_site`.

    Returns
    -------
    NearestSite
        Named tuple of Dask arrays, with slabs for chunks as of `nearest_site`.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `thiessen.cost_distance`.

    Notes
    -----
    There is a `ThiessenWarning` if no site counts, or if some lie on barriers.

    How far a path winds through the slabs is known only when it has been followed. So costs and
    sites are found **by this call**, in rounds of tasks: each round visits all slabs that another
    one has changed, and what is known of their cells stays with the scheduler (`dask.persist`): in
    the memory of the workers or, for schedulers of one machine, of this process; 8 bytes a cell for
    resistances and costs, 8 for the site index, and the labels. From that the results are made when
    they are asked for. The map and the sites are computed for each visit: those that are dear are
    better persisted. On smooth maps there are few rounds; a maze that crosses all slabs needs as
    many as it crosses.

    Source: as of `thiessen.cost_distance`, and of `thiessen.slabs`.

    Examples
    --------
    >>> import dask.array as da, thiessen
    >>> map = da.ones((6, 4), chunks=(2, 4), dtype="f4")
    >>> sites = da.zeros((6, 4), chunks=(2, 4), dtype="u1")
    >>> sites[0, 0], sites[5, 3] = 3, 5
    >>> labels, distance = thiessen.cost_distance(map, sites, connectivity=4)
    >>> distance[:, 0].compute()
    array([0., 1., 2., 3., 4., 3.], dtype=float32)
    """
    if not is_dask(map) or is_data_array(map):
        raise TypeError(f"map is a {type(map).__name__}; must be a dask.array.Array")
    of_cells = {"sites": sites}
    if points is None:
        of_cells["initial_cost"] = initial_cost
    for name, array in of_cells.items():
        if array is not None and np.shape(array) != map.shape:
            raise ValueError(f"{name} has the shape {np.shape(array)}; must have {map.shape}")
    raster = _to_raster("map", map, map_nodata)
    grid = one_grid(of_cells)
    if site_nodata is None and is_data_array(sites):
        site_nodata = declared_nodata(sites)
    if spacing is None and grid is not None:
        spacing = grid.spacing(None)
    options = {
        "points": points, "labels": labels, "edge_weight": edge_weight,
        "connectivity": connectivity, "dtype": dtype, "spacing": spacing,
        "tight_barriers": tight_barriers, "max_distance": max_distance, "map_nodata": map_nodata,
        "site_nodata": site_nodata, "nodata_label": nodata_label, "values": values,
        "zero_is_site": zero_is_site, "unreached": unreached,
        "outputs": output_names(outputs, _COST_OUTPUTS), "threads": to_thread_count(threads) or 1,
    }  # fmt: skip
    if points is not None:
        options["initial_cost"] = initial_cost
    costs = _scaled("initial_cost", of_cells.get("initial_cost"))
    rounds = CostRounds(raster.cells, sites, costs, options)
    tell(rounds.run())
    return make_result(options["outputs"], tuple(rounds.results()))


def _scaled(name: str, value: Any) -> Any:
    """A DataArray by its scale and offset, lazily; others as they are."""
    scale = scale_of(name, value) if is_data_array(value) else None
    return value if scale is None else value.data.astype(np.float64) * scale[0] + scale[1]


def _numbered(
    raster: Raster, connectivity: Any, argument: str, keep_sites: Any
) -> tuple[Raster, Any]:
    """The raster with the numbers of its connected areas for cells, and how many there are."""
    rank = raster.cells.ndim
    most = 8 if rank == 2 else 26
    neighbours = most if connectivity is None else connectivity
    to_connectivity(argument, neighbours, rank, most=most)
    labels, count = components_in_slabs(
        raster.cells, neighbours, raster.nodata, to_switch("keep_sites", keep_sites)
    )
    nodata = None if raster.nodata is None else -1
    return replace(raster, cells=labels, label_dtype=labels.dtype, nodata=nodata), count


def _to_raster(name: str, value: Any, nodata: Any) -> Raster:
    """The argument with a Dask array for cells, checked without looking at one of them."""
    if not is_dask(value):
        raise TypeError(
            f"{name} is a {type(value).__name__}; must be a dask.array.Array, or a DataArray that "
            "holds one"
        )
    number = None if nodata is None else to_number("nodata", nodata)
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


def _like_input(
    raster: Raster, name: str, result: Any, long_name: str | None, units: str | None
) -> Any:
    if raster.frame is None:
        return result
    return raster.frame.dress(name, result, raster.nodata, long_name, units)
