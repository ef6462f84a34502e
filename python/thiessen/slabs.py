# SPDX-License-Identifier: Apache-2.0
"""A raster in slabs, larger than memory or than one machine, with the bits of one call.

A slab holds some rows of a raster of axes (y, x), or planes of one of axes (z, y, x), with all
their cells. For every column it needs the nearest site above and below, and summaries of the other
slabs contain that.

summarise   the summary of a slab, for the other slabs
combine     for each slab, the bytes that it needs of the other slabs
finish      the results of a slab
join        the summary of two slabs that lie one below the other, as if they were one
voronoi     the results of a slab for points, which needs nothing from other slabs

For costs a slab is visited again and again, until no slab changes another one:

CostSlab    a slab, its visits and its results
CostQueue   the order of visits
CostReport  the result of a visit
cost_rows   the rows that the arrays of a slab hold

summarise_components, combine_components and number_components give connected areas of a raster in
slabs their numbers.

Summaries and neighbours are bytes for files and for processes on machines with the same order of
bytes. `thiessen.nearest_site` and the other verbs do all this for arrays of Dask.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from ._arguments import tables
from ._arguments.calls import make_targets, nearest_options, raster_options, without_zeros
from ._arguments.checks import to_extents, to_grid, to_whole
from ._arguments.core_options import CoreOptions, core_options, run
from ._arguments.options import Options, Unpack, collect, takes
from ._kinds.host import Raster, number_dtype, to_array, to_raster
from ._kinds.outputs import NearestSite, Targets, check_component_labels, output_names
from ._kinds.points import sites_on_host
from ._kinds.xarray import is_data_array
from ._large.cost_slabs import CostQueue, CostReport, CostSlab, cost_rows
from .typing import AreaConnectivity, Number, Output

__all__ = [
    "CostQueue",
    "CostReport",
    "CostSlab",
    "combine",
    "combine_components",
    "cost_rows",
    "finish",
    "join",
    "number_components",
    "summarise",
    "summarise_components",
    "voronoi",
]


_ALONE = {"strict": False, "device": "auto"}
"""How the call of a slab runs: a slab without a site is not suspicious."""


def __dir__() -> list[str]:
    return __all__


@takes(tables.SlabOptions)
def summarise(
    cells: Any, *, shape: Iterable[int], first: int, **options: Unpack[tables.SlabOptions]
) -> bytes:
    """Summarise a slab for the other slabs.

    Parameters
    ----------
    cells : array of shape (rows, x) or (planes, y, x)
        The slab; any height, 0 too. Any boolean, integer or float dtype, any strides and byte
        order. No masked array and no DataArray: spacing and nodata must be given.
    shape : sequence of int
        Extents of the whole raster.
    first : int
        The slab's first row or plane in it.
    options as of `nearest_site`
        The same for all slabs; metric is "euclidean" or "manhattan".
    distance_to : {"sites", "zeros", "boundary"}
        As of `distance_transform`.
    threads : int, optional
        Threads of the CPU; default: one for each processor.

    Returns
    -------
    bytes
        8 and two labels for each column, of boolean sites 24; for signed distances 8 more, for
        distances to the boundary 8 and two values more.

    Raises
    ------
    ValueError, TypeError
        An argument breaks a rule; the message has its name, its value and the rule.
    RuntimeError
        The metric is another one.
    MemoryError
        With the number of bytes asked for.

    Notes
    -----
    Time O(cells) at most, since a column is read up to its first site. The GIL is released.

    Source: as of `nearest_site`.

    Examples
    --------
    >>> import numpy as np
    >>> from thiessen import slabs
    >>> sites = np.eye(4, 6, dtype=np.uint8)
    >>> type(slabs.summarise(sites[2:], shape=sites.shape, first=2))
    <class 'bytes'>
    """
    own = collect(summarise, options, **_ALONE)
    slab = to_slab("cells", cells, shape, own.nodata)
    settings = _slab_options("summarise_slab", slab, shape, first, own)
    return run("summarise_slab", {"sites": slab.cells}, settings, False)[0]["summary"]


def join(upper: bytes, lower: bytes) -> bytes:
    """The summary of two slabs that lie one below the other, as if they were one slab.

    It is associative, so no place needs all summaries at once. A slab needs the summary of all
    slabs above it, its own, and the summary of all slabs below.

    Parameters
    ----------
    upper, lower : bytes
        Summaries by `summarise` or `join`.

    Returns
    -------
    bytes
        As long as one of them.

    Raises
    ------
    ValueError
        The summaries belong to rasters with other columns or types. Different options are not
        detected.

    Notes
    -----
    Time O(columns).

    Examples
    --------
    >>> import numpy as np
    >>> from thiessen import slabs
    >>> sites = np.eye(4, 6, dtype=np.uint8)
    >>> upper = slabs.summarise(sites[:2], shape=sites.shape, first=0)
    >>> lower = slabs.summarise(sites[2:], shape=sites.shape, first=2)
    >>> slabs.join(upper, lower) == slabs.summarise(sites, shape=sites.shape, first=0)
    True
    """
    above, below = to_bytes("summaries", [upper, lower])
    found, _ = run("join_slabs", {"upper": above, "lower": below}, CoreOptions(), False)
    return found["summary"]


def combine(
    summaries: Iterable[bytes],
    *,
    shape: Iterable[int],
    periodic: bool | Iterable[bool] | None = None,
) -> list[bytes]:
    """Combine summaries into the bytes that each slab needs of the other slabs.

    Parameters
    ----------
    summaries : bytes
        Summaries by `summarise` or `join`, from the first slab to the last. The slabs lie side by
        side and together are the raster.
    shape : sequence of int
        Extents of the whole raster.
    periodic : bool or one per axis, optional
        As it was given to `summarise`.

    Returns
    -------
    list of bytes
        For each slab the neighbours that `finish` takes.

    Raises
    ------
    ValueError, TypeError
        As `summarise`; the summaries belong to rasters with other columns or types. A missing
        summary and different options are not detected.

    Notes
    -----
    Time and memory O(columns * slabs).

    Examples
    --------
    See `finish`.
    """
    extents = to_extents(shape)
    own = Options({"periodic": periodic, "shape": extents})
    options = core_options("combine_slabs", own, len(extents))
    found, _ = run("combine_slabs", packed("summaries", summaries), options, False)
    return apart(found["neighbours"], found["neighbour_sizes"])


@takes(tables.FinishedSlabOptions)
def finish(
    cells: Any,
    neighbours: bytes,
    *,
    shape: Iterable[int],
    first: int,
    outputs: Output | Sequence[Output] = ("labels", "distance"),
    **options: Unpack[tables.FinishedSlabOptions],
) -> NearestSite[Any, np.ndarray]:
    """Nearest site of every cell of a slab: what `nearest_site` of the whole raster has there, bit
    for bit.

    Parameters
    ----------
    cells, shape, first
        As they were given to `summarise`.
    neighbours : bytes
        The result of `combine` for this slab.
    options as of `nearest_site`
        The options as they were given to `summarise`.
    outputs : names of "labels", "distance", "squared", "site_index", "offset", "direction"
        As of `nearest_site`, without the outputs of another label. Site indices and numbers of
        boolean sites belong to the whole raster. With distance_to="boundary" there is the distance
        only.
    out : mapping of names to arrays, arrays in the order of outputs, or the array of the only one
        numpy.ndarrays of the slab's shape that are written instead of new ones: parts of a whole
        one, or of a file in memory (numpy.memmap).

    Returns
    -------
    NearestSite
        Named tuple of the outputs, numpy.ndarrays of the slab's shape.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `summarise`; the neighbours do not belong to this slab.

    Notes
    -----
    Time O(cells), scratch memory 4 to 20 bytes a cell, which is kept for the next call of this
    thread (`thiessen.release_scratch`). The GIL is released, and Ctrl-C ends the call. There is no
    `ThiessenWarning`, because a slab without a site is not suspicious.

    Source: as of `nearest_site`.

    Examples
    --------
    A raster in slabs of 1 and 3 rows:

    >>> import numpy as np, thiessen
    >>> from thiessen import slabs
    >>> sites = np.zeros((4, 6), np.uint8)
    >>> sites[0, 1], sites[3, 4] = 7, 9
    >>> parts = [(0, sites[:1]), (1, sites[1:])]
    >>> summaries = [slabs.summarise(part, shape=(4, 6), first=first) for first, part in parts]
    >>> neighbours = slabs.combine(summaries, shape=(4, 6))
    >>> labels = np.empty_like(sites)
    >>> for (first, part), beside in zip(parts, neighbours):
    ...     rows = labels[first : first + len(part)]
    ...     found = slabs.finish(
    ...         part, beside, shape=(4, 6), first=first, outputs="labels", out=rows
    ...     )
    >>> labels
    array([[7, 7, 7, 7, 7, 9],
           [7, 7, 7, 7, 9, 9],
           [7, 7, 7, 9, 9, 9],
           [7, 7, 9, 9, 9, 9]], dtype=uint8)
    >>> bool((labels == thiessen.nearest_site(sites, outputs="labels").labels).all())
    True
    """
    own = collect(finish, options, **_ALONE)
    names = output_names(outputs)
    slab = to_slab("cells", cells, shape, own.nodata)
    targets = make_targets(slab, names, own)
    settings = _slab_options("finish_slab", slab, shape, first, own)
    (beside,) = to_bytes("neighbours", [neighbours])
    arrays = {"sites": slab.cells, "neighbours": beside}
    run("finish_slab", arrays, settings, False, targets.core)
    return targets.result(targets.finish())


@takes(tables.SlabOfPointsOptions)
def voronoi(
    points: Any,
    *,
    shape: Iterable[int],
    first: int,
    count: int,
    outputs: Output | Sequence[Output] = ("labels", "distance"),
    **options: Unpack[tables.SlabOfPointsOptions],
) -> NearestSite[Any, np.ndarray]:
    """Nearest point of every cell of a slab: what `thiessen.voronoi` of the whole grid has there,
    bit for bit.

    Parameters
    ----------
    points : array of shape (n, 2) as (y, x), or (n, 3) as (z, y, x)
        All points of the grid, as of `thiessen.voronoi`.
    shape : sequence of int
        Extents of the whole grid.
    first, count : int
        The slab's first row or plane in it, and their number.
    outputs
        As of `thiessen.voronoi`.
    options as of `voronoi`
    domain : array of the shape of the slab, optional
        As of `thiessen.voronoi`.
    out : mapping of names to arrays, arrays in the order of outputs, or the array of the only one
        As of `finish`.
    threads : int, optional
        Threads of the CPU; default: one for each processor.

    Returns
    -------
    NearestSite
        Named tuple of the outputs, numpy.ndarrays of the slab's shape.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `thiessen.voronoi`.

    Notes
    -----
    Time and memory as of `thiessen.voronoi` of a grid of the slab's extents, and O(points).

    Examples
    --------
    >>> from thiessen import slabs
    >>> points = [(0.5, 1), (9, 2.25)]
    >>> slabs.voronoi(points, shape=(10, 4), first=4, count=2, outputs="labels").labels
    array([[1, 1, 1, 1],
           [2, 2, 2, 2]], dtype=int32)
    """
    own = collect(voronoi, options, **_ALONE)
    names = output_names(outputs)
    extents = to_grid(shape)
    rows = to_whole("count", count, 0, 2**30)
    of_slab = (rows, *extents[1:])
    sites = sites_on_host(points, own, of_slab, names)
    targets = Targets(
        names, own.out, of_slab, sites.label_dtypes, own.distance_type, sites.read(), sites.unseen
    )
    settings = nearest_options("voronoi_slab", len(extents), own)
    settings.update(shape=list(extents), first=_to_first(first), count=rows)
    run("voronoi_slab", sites.arrays(), settings, False, targets.core)
    return targets.result(targets.finish())


def _slab_options(
    operation: str, slab: Raster, shape: Any, first: Any, options: Options
) -> CoreOptions:
    own = raster_options(slab, without_zeros(options), operation=operation)
    own.update(shape=to_extents(shape), first=_to_first(first))
    return own


def _to_first(first: Any) -> int:
    return to_whole("first", first, 0, 2**30)


def summarise_components(
    image: Any,
    *,
    shape: Iterable[int],
    connectivity: AreaConnectivity | None = None,
    nodata: Number | None = None,
    out: np.ndarray | None = None,
) -> tuple[np.ndarray, bytes]:
    """Number the connected areas of a slab, and summarise them for the other slabs.

    Parameters
    ----------
    image : array of shape (rows, x) or (planes, y, x)
        The slab, as `image` of `thiessen.connected_components`; any height, 0 too. No DataArray.
    shape : sequence of int
        Extents of the whole raster.
    connectivity, nodata
        As of `thiessen.connected_components`, the same for all slabs.
    out : numpy.ndarray of int32 or int64, optional
        Written instead of a new array.

    Returns
    -------
    labels : numpy.ndarray
        Numbers within the slab, int32 or, where the raster has 2**31 cells and more, int64.
    summary : bytes
        16 and two values for each cell of the slab's face.

    Raises
    ------
    ValueError, TypeError, MemoryError
        As `thiessen.connected_components`.

    Notes
    -----
    Time close to linear in the cells. The GIL is released.

    Examples
    --------
    See `number_components`.
    """
    slab = to_slab("image", image, shape, nodata)
    if out is None:
        out = np.empty(slab.shape, number_dtype(prod(to_extents(shape))))
    else:
        check_component_labels(out, slab.shape, slab.unseen)
    own = Options({"connectivity": connectivity, "nodata": slab.nodata})
    options = core_options("summarise_components", own, slab.cells.ndim)
    found, _ = run("summarise_components", {"image": slab.cells}, options, False, {"labels": out})
    return out, found["summary"]


def combine_components(
    summaries: Iterable[bytes],
    *,
    shape: Iterable[int],
    connectivity: AreaConnectivity | None = None,
) -> list[bytes]:
    """The numbers that the areas of each slab have in the raster.

    Parameters
    ----------
    summaries : bytes
        Summaries of `summarise_components`, from the first slab to the last. The slabs lie side by
        side and are all of the raster.
    shape : sequence of int
        Extents of the whole raster.
    connectivity
        As it was given to `summarise_components`.

    Returns
    -------
    list of bytes
        For each slab what `number_components` takes.

    Raises
    ------
    ValueError, TypeError
        The summaries are of different rasters.

    Notes
    -----
    Time close to linear in the cells of all faces: union-find over the areas on them.

    Examples
    --------
    See `number_components`.
    """
    extents = to_extents(shape)
    own = Options({"connectivity": connectivity, "shape": extents})
    options = core_options("combine_components", own, len(extents))
    found, _ = run("combine_components", packed("summaries", summaries), options, False)
    return apart(found["numbers"], found["number_sizes"])


def number_components(labels: np.ndarray, numbers: bytes) -> int:
    """Turn numbers within a slab into numbers of the raster, the same as
    `thiessen.connected_components` of the whole raster gives.

    Parameters
    ----------
    labels : numpy.ndarray of int32 or int64
        Labels of `summarise_components`, or a part of them; they are changed. 0 and -1 stay.
    numbers : bytes
        The numbers of this slab, of `combine_components`.

    Returns
    -------
    int
        The number of areas of the raster.

    Raises
    ------
    ValueError, TypeError
        The labels hold a number that the slab does not have, or cannot hold one of the raster.

    Notes
    -----
    Time O(cells). The GIL is released.

    Examples
    --------
    The two arms of a shape meet in the lower slab:

    >>> import numpy as np
    >>> from thiessen import slabs
    >>> image = np.array([[1, 0, 1, 0, 2], [1, 0, 1, 0, 0], [1, 1, 1, 0, 3]], np.uint8)
    >>> parts = [
    ...     slabs.summarise_components(part, shape=image.shape) for part in (image[:2], image[2:])
    ... ]
    >>> numbers = slabs.combine_components([summary for _, summary in parts], shape=image.shape)
    >>> [slabs.number_components(labels, own) for (labels, _), own in zip(parts, numbers)]
    [3, 3]
    >>> np.concatenate([labels for labels, _ in parts])
    array([[1, 0, 1, 0, 2],
           [1, 0, 1, 0, 0],
           [1, 1, 1, 0, 3]], dtype=int32)
    """
    if not isinstance(labels, np.ndarray):
        raise TypeError(f"labels is a {type(labels).__name__}; must be a numpy.ndarray")
    if labels.dtype not in (np.int32, np.int64):
        raise TypeError(f"labels have the dtype {labels.dtype}; must be int32 or int64")
    (own,) = to_bytes("numbers", [numbers])
    options = CoreOptions()
    found, _ = run("number_components", {"numbers": own}, options, False, {"labels": labels})
    return int(found["count"])


def to_slab(name: str, cells: Any, shape: Iterable[int], nodata: Any) -> Raster:
    """The cells as a raster; boolean ones have labels in which the whole one can be numbered."""
    if is_data_array(cells):
        raise TypeError(
            f"{name} is an xarray.DataArray; must be {name}.values, with spacing and nodata given"
        )
    slab = to_raster(name, to_array(name, cells), nodata)
    if slab.cells.dtype.kind == "b":
        slab = replace(slab, label_dtype=number_dtype(prod(to_extents(shape))))
    return slab


def to_bytes(name: str, values: Any) -> list[bytes]:
    """The bytes that the core takes, checked."""
    packed = list(values)
    for each in packed:
        if not isinstance(each, bytes):
            raise TypeError(f"{name} has a {type(each).__name__}; must be bytes")
    return packed


def packed(name: str, values: Iterable[bytes]) -> dict[str, Any]:
    """Several pieces of bytes as the core takes them: one after the other, and their sizes."""
    pieces = to_bytes(name, values)
    sizes = np.array([len(piece) for piece in pieces], np.int64)
    return {"summaries": b"".join(pieces), "summary_sizes": sizes}


def apart(pieces: bytes, sizes: np.ndarray) -> list[bytes]:
    """The pieces that the core gives one after the other."""
    ends = np.cumsum(sizes).tolist()
    return [pieces[end - size : end] for end, size in zip(ends, sizes.tolist())]
