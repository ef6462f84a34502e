# SPDX-License-Identifier: Apache-2.0
"""Arrays of Dask: rasters larger than memory, or than one machine, with the bits of one call.

nearest_site        nearest site of every cell
distance_transform  distances alone
expand_labels       labels grown by a distance

`thiessen.nearest_site` and the others of these names call them for arrays of Dask, and for
DataArrays that hold one. Results are lazy, and any scheduler computes them. What slabs are and what
they need of each other is in `thiessen.slabs`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import inf, prod
from typing import Any, TypeVar, get_args

import numpy as np

try:
    import dask
    import dask.array as da
    from dask._task_spec import DataNode, GraphNode, Task, TaskRef, convert_legacy_graph
    from dask.highlevelgraph import HighLevelGraph
    from dask.utils import parse_bytes
except ImportError as error:
    raise ImportError("thiessen.dask needs Dask: pip install 'dask[array]'") from error

from . import slabs
from ._arrays import Raster, refuse_zero_for_nodata, result_dtype
from ._attributes import BOUNDARY_NAME, SIGNED_NAME, declared_nodata
from ._batch import check_axes
from ._devices import release_scratch
from ._options import to_float, to_number, to_switch, to_thread_count
from ._outputs import OUTPUTS, NearestSite, make_result, output_names
from ._unread import is_dask
from ._xarray import Frame, is_data_array, mirror
from .typing import DistanceTo, FloatDtype, Number, OtherOutput, Output, SlabMetric

Own = TypeVar("Own")

__all__ = ["distance_transform", "expand_labels", "nearest_site"]

_OUTPUTS = tuple(name for name in OUTPUTS if name not in get_args(OtherOutput))


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
    spacing, nodata, periodic, values, zero_is_site, unreached, signed, distance_dtype, outputs
        As of `thiessen.nearest_site`; there are no outputs of another label.
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
    each slab two summaries, of 8 bytes and two labels a column each. There is no `ThiessenWarning`.

    Source: as of `thiessen.nearest_site`, and of `thiessen.slabs`.

    Examples
    --------
    >>> import dask.array as da, thiessen
    >>> sites = da.zeros((6, 8), chunks=(2, 4), dtype="u1")
    >>> sites[1, 2], sites[4, 7] = 3, 5
    >>> labels, distance = thiessen.nearest_site(sites)
    >>> labels
    dask.array<concatenate, shape=(6, 8), dtype=uint8, chunksize=(2, 8), chunktype=numpy.ndarray>
    >>> labels.compute()[3]
    array([3, 3, 3, 3, 3, 5, 5, 5], dtype=uint8)
    """
    names = output_names(outputs, _OUTPUTS)
    raster = _to_raster("sites", sites, nodata)
    if values is None and not zero_is_site:
        refuse_zero_for_nodata(raster, nodata)
    work = _Work.of(
        raster, names, spacing=spacing, metric=metric, max_distance=max_distance,
        periodic=periodic, values=values, zero_is_site=zero_is_site, signed=signed, to="site",
        threads=to_thread_count(threads) or 1, unreached=unreached, distance_dtype=distance_dtype,
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
    to, signed, spacing, nodata, periodic, values, zero_is_site, distance_dtype
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
    if to == "site" and values is None and not zero_is_site:
        refuse_zero_for_nodata(raster, nodata)
    work = _Work.of(
        raster, ("distance",), spacing=spacing, metric=metric, max_distance=max_distance,
        periodic=periodic, values=values, zero_is_site=zero_is_site, signed=signed, to=to,
        threads=to_thread_count(threads) or 1, unreached=0, distance_dtype=distance_dtype,
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
    distance, spacing, nodata, periodic
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
    refuse_zero_for_nodata(raster, nodata)
    boolean = raster.cells.dtype.kind == "b"
    if boolean:  # one label, not numbers
        raster = replace(raster, cells=raster.cells.view(np.uint8))
    work = _Work.of(
        raster, ("labels",), spacing=spacing, metric=metric, max_distance=limit, periodic=periodic,
        values=None, zero_is_site=False, signed=False, to="site",
        threads=to_thread_count(threads) or 1, unreached=0, distance_dtype="float32",
    )  # fmt: skip
    (grown,) = work.results(raster.cells, to_switch("keep_sites", keep_sites))
    if boolean:
        grown = grown.view(np.bool_)
    return _like_input(raster, "labels", grown, "label, grown", None)


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


@dataclass(frozen=True)
class _Work:
    """What the tasks of a raster have in common."""

    shape: tuple[int, ...]
    common: dict[str, Any]
    """Arguments of slabs.summarise and slabs.finish."""
    of_results: dict[str, Any]
    """Arguments of slabs.finish alone."""
    mirrors: tuple[int, ...]
    """What mirror() does to directions, one after the other."""
    empty: tuple[np.ndarray, ...]
    """The outputs of a slab without a row."""

    @classmethod
    def of(
        cls,
        raster: Raster,
        names: tuple[str, ...],
        *,
        unreached: Any,
        distance_dtype: Any,
        **common: Any,
    ) -> _Work:
        """Checks the arguments: those are wrong by which a slab without a row cannot be done."""
        common["spacing"] = raster.spacing_or(common["spacing"])
        for name in ("spacing", "periodic", "values"):
            if np.iterable(common[name]):
                common[name] = tuple(common[name])
        common["nodata"] = raster.nodata
        mirrors = raster.frame.mirrors() if raster.frame and "direction" in names else ()
        work = cls(
            raster.cells.shape,
            common,
            {"unreached": unreached, "distance_dtype": distance_dtype, "outputs": names},
            mirrors,
            (),
        )
        cells = np.empty((0, *work.shape[1:]), raster.cells.dtype)
        return replace(work, empty=work.finish(cells, 0, [work.summarise(cells, 0)], 0))

    @property
    def goes_around(self) -> bool:
        """Whether the first axis is periodic."""
        periodic = self.common["periodic"]
        return bool(periodic[0] if isinstance(periodic, tuple) else periodic)

    def results(self, cells: Any, keep_sites: bool) -> list[Any]:
        """The outputs as Dask arrays."""
        sites = self._in_slabs(cells)
        depth = self._depth(sites)
        parts = (
            self._by_summaries(sites, keep_sites)
            if depth is None
            else self._by_rows_beside(sites, depth)
        )
        return [
            _output([part[i] for part in parts], sites.chunks[0], like)
            for i, like in enumerate(self.empty)
        ]

    def _in_slabs(self, cells: Any) -> Any:
        """The sites with slabs for chunks."""
        widths = [cells.dtype.itemsize]
        widths += [a.itemsize * prod(a.shape[: a.ndim - cells.ndim]) for a in self.empty]
        row = max(widths) * max(prod(self.shape[1:]), 1)
        most = max(1, parse_bytes(dask.config.get("array.chunk-size")) // row)
        heights = cells.chunks[0]
        if max(heights) > most:
            heights = _lower(max(heights), most)
        # Shuffled, all sites would be on their way at the same time.
        return cells.rechunk((heights, *[-1] * (cells.ndim - 1)), method="tasks")

    def _depth(self, sites: Any) -> int | None:
        """How many rows beside a slab hold all that it needs of the others; None if these are more
        than a slab, or if it needs more: the number of boolean sites above."""
        limit, spacing = self.common["max_distance"], self.common["spacing"]
        numbered = sites.dtype.kind == "b" and "labels" in self.of_results["outputs"]
        if limit is None or limit == inf or numbered or self.goes_around:
            return None
        step = 1 if spacing is None else spacing[0] if isinstance(spacing, tuple) else spacing
        depth = float(limit) / float(step) + 1  # one more than enough, whatever is rounded
        return int(depth) if depth <= min(sites.chunks[0]) else None

    def _by_rows_beside(self, sites: Any, depth: int) -> list[Any]:
        wide = da.overlap.overlap(sites, {0: depth}, "none", allow_rechunk=False)
        blocks = _blocks(wide)
        last = len(blocks) - 1
        finish = dask.delayed(_finish_between, pure=True)
        return [
            finish(self, block, first, depth if k > 0 else 0, depth if k < last else 0)
            for k, (block, first) in enumerate(zip(blocks, _firsts(sites)))
        ]

    def _by_summaries(self, sites: Any, keep_sites: bool) -> list[Any]:
        """Each slab gets the summaries of what lies above and of what lies below, so that no task
        needs those of all slabs; and its own where its rows have images beyond the ends."""
        summarise = dask.delayed(_summarise, pure=True)
        join = dask.delayed(slabs.join, pure=True)
        finish = dask.delayed(_finish, pure=True)
        firsts = _firsts(sites)
        own = [summarise(self, block, first) for block, first in zip(_blocks(sites), firsts)]
        above: list[list[Any]] = [[]]
        for each in own[:-1]:
            above.append([join(*above[-1], each) if above[-1] else each])
        below: list[list[Any]] = [[]]
        for each in reversed(own[1:]):
            below.append([join(each, *below[-1]) if below[-1] else each])
        below.reverse()
        itself = [[each] if self.goes_around else [] for each in own]
        if not keep_sites and len(own) > 1:
            sites = _computed_again(sites, dask.delayed(_end, pure=True)(above[-1], below[0]))
        return [
            finish(self, block, first, above[k], itself[k], below[k])
            for k, (block, first) in enumerate(zip(_blocks(sites), firsts))
        ]

    def summarise(self, cells: np.ndarray, first: int) -> bytes:
        return slabs.summarise(cells, shape=self.shape, first=first, **self.common)

    def finish(
        self, cells: np.ndarray, first: int, summaries: list[bytes], own: int
    ) -> tuple[np.ndarray, ...]:
        """The outputs of a slab from summaries, of which number `own` stands for itself."""
        periodic = self.common["periodic"]
        neighbours = slabs.combine(summaries, shape=self.shape, periodic=periodic)[own]
        found = slabs.finish(
            cells, neighbours, shape=self.shape, first=first, **self.common, **self.of_results
        )
        for total in self.mirrors:
            mirror(found.direction, total)
        return tuple(found)


def _blocks(array: Any) -> list[Any]:
    """Its chunks; all of a graph is optimised together when it is computed."""
    return list(array.to_delayed(optimize_graph=False).reshape(-1))


def _output(parts: list[Any], heights: tuple[int, ...], like: np.ndarray) -> Any:
    """The array of an output from those of the slabs; `like` is that of a slab without a row."""
    axis = like.shape.index(0)  # the components of an offset are in front
    meta = np.empty((0,) * like.ndim, like.dtype)
    shapes = [(*like.shape[:axis], rows, *like.shape[axis + 1 :]) for rows in heights]
    arrays = [da.from_delayed(part, shape, meta=meta) for part, shape in zip(parts, shapes)]
    return da.concatenate(arrays, axis)


def _firsts(sites: Any) -> list[int]:
    """The first row of each slab."""
    return [0, *accumulate(sites.chunks[0])][:-1]


def _lower(height: int, most: int) -> int:
    """Height of slabs of at most so many rows, a part of a higher one if that is not much less."""
    parts = (rows for rows in range(most, most // 2, -1) if height % rows == 0)
    return next(parts, most)


def _computed_again(array: Any, after: Any) -> Any:
    """The same array by tasks of their own, which begin when `after` is there: so no chunk waits in
    memory for both uses. (dask.graph_manipulation.bind is made for this, but leaves out graphs with
    slices or rechunked arrays.)"""
    given = dict(array.__dask_graph__())
    graph = {**given, **convert_legacy_graph(given)}  # what is computed elsewhere stays as it is
    names = {key: _again(key) for key in graph}
    tasks = {}
    for key, node in graph.items():
        if isinstance(node, Task) and all(
            isinstance(graph.get(each), DataNode) for each in node.dependencies
        ):
            node = Task(key, _first_of, node, TaskRef(after.key))
        tasks[names[key]] = (
            node.substitute(names, key=names[key]) if isinstance(node, GraphNode) else node
        )
    name = _again(array.name)
    layers = HighLevelGraph.from_collections(name, tasks, dependencies=[after])
    return da.Array(layers, name, array.chunks, meta=array._meta)


def _again(key: Any) -> Any:
    return (_again(key[0]), *key[1:]) if isinstance(key, tuple) else f"{key}-again"


def _first_of(value: Any, _after: None) -> Any:
    return value


def _end(*_: object) -> None:
    """What comes after its arguments."""


def _summarise(work: _Work, cells: np.ndarray, first: int) -> bytes:
    return work.summarise(cells, first)


def _finish(
    work: _Work,
    cells: np.ndarray,
    first: int,
    above: list[bytes],
    itself: list[bytes],
    below: list[bytes],
) -> tuple[np.ndarray, ...]:
    own = itself or [work.summarise(cells[:0], first)]
    found = work.finish(cells, first, [*above, *own, *below], len(above))
    release_scratch()  # a worker counts what a thread keeps for its next call
    return found


def _finish_between(
    work: _Work, cells: np.ndarray, first: int, above: int, below: int
) -> tuple[np.ndarray, ...]:
    """The outputs of a slab whose cells come with some rows of its neighbours."""
    end = len(cells) - below
    summaries = [
        work.summarise(cells[:above], first - above),
        work.summarise(cells[above:above], first),
        work.summarise(cells[end:], first + end - above),
    ]
    found = work.finish(cells[above:end], first, summaries, 1)
    release_scratch()
    return found
