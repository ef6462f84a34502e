# SPDX-License-Identifier: Apache-2.0
"""The distance transforms of scipy.ndimage: its signatures, its polarity, its ties.

Distances are measured to the nearest cell that is zero. Where several are equally near, the indices
are those that SciPy gives. What differs from SciPy is listed in the documentation; in short, a
raster without any zero cell has the distance inf (edt, bf) or -1 (cdt) and the index -1 everywhere,
and distances are decided in integers, so that equal ones are equal for any sampling.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._arguments.core_options import CoreOptions
from ._arguments import Array, Outputs, cells_of, spacing_of
from ._many_axes import brute_force, fold_euclidean

__all__ = ["distance_transform_bf", "distance_transform_cdt", "distance_transform_edt"]


def __dir__() -> list[str]:
    return __all__


_UNREACHED = np.iinfo(np.int32).min
_EXACT_IN_FLOAT32 = 1 << 24
_KEPT = 1 << 14  # numbers of a small raster
_ROWS_BYTES = 1 << 18  # converted at once, so that it stays in the cache
_TAXICAB = ("taxicab", "cityblock", "manhattan")


def distance_transform_edt(
    input: ArrayLike,
    sampling: float | Iterable[float] | None = None,
    return_distances: bool = True,
    return_indices: bool = False,
    distances: Array | None = None,
    indices: Array | None = None,
) -> Any:
    """Exact Euclidean distance from each cell to the nearest zero cell, and where that is.

    Parameters
    ----------
    input : array_like
        Raster of any number of axes and any type; what is false is zero. It is read in place if its
        cells are integers, floats of 4 or 8 bytes, or booleans. One to three axes run in the
        library; more of them in NumPy around it, at a cost of extent² additions per further axis.
    sampling : float or sequence of float, optional
        Spacing of the cells, one for all axes or one per axis: finite and > 0. 1 by default.
    return_distances, return_indices : bool
        What to compute; at least one.
    distances : float64 array of the shape of input, optional
        Is filled with the distances instead of returning them. Any strides and byte order.
    indices : int32 array of shape (ndim, \\*shape), optional
        The same for the indices.

    Returns
    -------
    float64 array, int32 array, tuple of both, or None
        The distances (inf without any zero cell) and the coordinates of the nearest zero cell (-1),
        as far as wanted and not given an array. If several zero cells are at equal distance, the
        one with the smallest last coordinate wins, among these the smallest last but one, and so
        on.

    Raises
    ------
    RuntimeError
        If distances or indices has another shape or type, or what is asked for contradicts itself.
    ValueError
        If sampling has a value that is not finite and > 0, or an output is read-only.
    TypeError
        If distances or indices is no NumPy array.

    Examples
    --------
    >>> import numpy as np
    >>> distance_transform_edt(np.array([[1, 1, 0], [1, 1, 1]]), sampling=[2, 1])
    array([[2.        , 1.        , 0.        ],
           [2.82842712, 2.23606798, 2.        ]])
    >>> distance_transform_edt([0, 1, 1, 1, 0], return_distances=False, return_indices=True)
    array([[0, 0, 0, 4, 4]], dtype=int32)
    """
    outputs = Outputs(return_distances, return_indices, distances, indices)
    cells = np.atleast_1d(cells_of(input, by_truth=True))
    spacing = spacing_of(sampling, cells.ndim)
    cells = outputs.make(cells, np.float64)
    if cells.ndim > 3:
        fold_euclidean(cells, spacing, _offsets_of_three_axes, outputs.distances, outputs.indices)
    elif outputs.indices is None:  # distances have no ties
        _run(cells, "euclidean", spacing, outputs.distances, None)
    else:
        _run_transposed(cells, spacing, outputs.distances, outputs.indices)
        _add_coordinates(outputs.indices)
    return outputs.result()


def distance_transform_bf(
    input: ArrayLike,
    metric: str = "euclidean",
    sampling: float | Iterable[float] | None = None,
    return_distances: bool = True,
    return_indices: bool = False,
    distances: Array | None = None,
    indices: Array | None = None,
) -> Any:
    """Distance by one of three metrics to the nearest zero cell; of several the last counts.

    Not by brute force: it takes the time of the other two functions, except for more than three
    axes, where each cell is compared with every zero cell.

    Parameters
    ----------
    input : array_like
        As for `distance_transform_edt`; what equals 0 is zero.
    metric : str
        "euclidean", "taxicab" ("cityblock", "manhattan") or "chessboard", in any case of letters.
    sampling : float or sequence of float, optional
        As for `distance_transform_edt`; for "euclidean" only.
    return_distances, return_indices, distances, indices
        As for `distance_transform_edt`; distances are uint32 unless the metric is "euclidean".

    Returns
    -------
    float64 or uint32 array, int32 array, tuple of both, or None
        As for `distance_transform_edt`. Without any zero cell a distance is inf, or 4294967295 in
        uint32. The last of zero cells at equal distance, in row-major order, wins.

    Raises
    ------
    RuntimeError, ValueError, TypeError
        As for `distance_transform_edt`; RuntimeError for an unknown metric.

    Examples
    --------
    >>> distance_transform_bf([0, 1, 1, 1, 0], "taxicab", return_indices=True)
    (array([0, 1, 2, 1, 0], dtype=uint32), array([[0, 0, 4, 4, 4]], dtype=int32))
    """
    outputs = Outputs(return_distances, return_indices, distances, indices)
    cells = cells_of(input, by_truth=False)
    name = _metric_name(metric)
    spacing = spacing_of(sampling, cells.ndim)
    is_euclidean = name == "euclidean"
    cells = outputs.make(cells, np.float64 if is_euclidean else np.uint32)
    unreached = np.inf if is_euclidean else np.iinfo(np.uint32).max
    if not is_euclidean:
        spacing = None
    if cells.ndim > 3:
        brute_force(cells, name, spacing, unreached, outputs.distances, outputs.indices)
    elif is_euclidean:
        _run_flipped(cells, name, spacing, outputs.distances, outputs.indices)
    else:
        _run_in_steps(cells, name, outputs.distances, outputs.indices, unreached)
    return outputs.result()


def distance_transform_cdt(
    input: ArrayLike,
    metric: str | ArrayLike = "chessboard",
    return_distances: bool = True,
    return_indices: bool = False,
    distances: Array | None = None,
    indices: Array | None = None,
) -> Any:
    """Distance to the nearest zero cell in steps of a mask.

    Two scans of the raster by one thread, whatever its number of axes.

    Parameters
    ----------
    input : array_like
        As for `distance_transform_edt`, with one axis or more.
    metric : str or array_like
        "chessboard", "taxicab" ("cityblock", "manhattan"), or a mask with 3 cells along each axis:
        those that are not zero and come before its centre in row-major order are the neighbours
        that one step leads to, and so are their mirror images.
    return_distances, return_indices, distances, indices
        As for `distance_transform_edt`; distances are int32.

    Returns
    -------
    int32 array, int32 array, tuple of both, or None
        The steps to the nearest zero cell and its coordinates; both -1 where the mask leads to
        none. If there are several, the one wins that two scans of the raster meet first: forwards
        over the neighbours that come earlier, in their order in the mask, then backwards over their
        mirror images, where a cell changes only if that makes it nearer.

    Raises
    ------
    ValueError
        If metric is no known name or no such mask, or distances or indices has another shape or
        type or is read-only.
    RuntimeError
        If what is asked for contradicts itself.
    TypeError
        If distances or indices is no NumPy array, or input has no axis.

    Examples
    --------
    >>> distance_transform_cdt([[0, 1, 1], [1, 1, 1]], "taxicab")
    array([[0, 1, 2],
           [1, 2, 3]], dtype=int32)
    """
    outputs = Outputs(return_distances, return_indices, distances, indices)
    cells = cells_of(input, by_truth=True)
    if cells.ndim == 0:
        raise TypeError("input has no axis; must have one or more")
    mask = _mask(metric, cells.ndim)
    cells = outputs.make(cells, np.int32, ValueError)
    steps = np.empty(cells.shape, np.int32) if outputs.distances is None else outputs.distances
    np.not_equal(cells, 0, out=steps)
    _core.mask_scan(steps, features=outputs.indices, mask=mask)
    return outputs.result()


def _metric_name(metric: Any) -> str:
    lower = metric.lower() if isinstance(metric, str) else None
    if lower in _TAXICAB:
        return "manhattan"
    if lower not in ("euclidean", "chessboard"):
        raise RuntimeError(f"metric = {metric!r}; must be 'euclidean', 'taxicab' or 'chessboard'")
    return str(lower)


@functools.lru_cache(maxsize=8)
def _named_mask(metric: str, axes: int) -> Array:
    if metric == "chessboard":
        return np.ones((3,) * axes, bool)
    return np.asarray(np.abs(np.indices((3,) * axes) - 1).sum(axis=0) <= 1)


def _mask(metric: Any, axes: int) -> Array:
    if isinstance(metric, str):
        if metric not in (*_TAXICAB, "chessboard"):
            raise ValueError(
                f"invalid metric provided: {metric!r}; must be 'chessboard', 'taxicab' or a mask"
            )
        return _named_mask("chessboard" if metric == "chessboard" else "taxicab", axes)
    mask = np.asarray(metric)
    if mask.shape != (3,) * axes:
        raise ValueError(f"metric has shape {mask.shape}; must be {(3,) * axes}")
    return np.ascontiguousarray(mask.astype(bool))


def _run(
    cells: Array,
    metric: str,
    spacing: Sequence[float] | None,
    distance: Array | None,
    offset: Array | None,
) -> None:
    """Write distances and offsets of one to three axes; distances of float32 or float64."""
    if cells.size == 0:
        return
    if cells.ndim == 1:  # the library takes two axes or three
        offsets = None if offset is None else np.empty((2, 1, cells.size), np.int32)
        _run(
            cells[None],
            metric,
            spacing and [spacing[0], spacing[0]],
            None if distance is None else distance[None],
            offsets,
        )
        if offset is not None and offsets is not None:
            offset[0] = offsets[1, 0]
        return
    # Not by way of nearest_site(): on a small raster its checks, all made here already, would take
    # as long as the work.
    options = CoreOptions(metric=metric, values=[0])
    if spacing:
        options["spacing"] = list(spacing)
    outputs = {"distance": distance, "offset": offset}
    _core.run("nearest_site", {"sites": cells}, outputs, options)


def _run_transposed(
    cells: Array, spacing: Sequence[float] | None, distance: Array | None, offset: Array
) -> None:
    """As _run, with the ties of edt: the smallest index in reversed axis order."""
    axes = range(offset.ndim - 1, 0, -1)
    _run(
        cells.T,
        "euclidean",
        spacing and spacing[::-1],
        None if distance is None else distance.T,
        offset[::-1].transpose(0, *axes),
    )


def _run_flipped(
    cells: Array,
    metric: str,
    spacing: Sequence[float] | None,
    distance: Array | None,
    index: Array | None,
) -> None:
    """As _run, with the ties of bf, the last index; and with coordinates for offsets."""
    if cells.ndim == 0:  # has a distance, but no coordinates
        _run(
            cells.reshape(1), metric, None, None if distance is None else distance.reshape(1), None
        )
        return
    if index is None:  # distances have no ties
        _run(cells, metric, spacing, distance, None)
        return
    backwards = (slice(None, None, -1),) * cells.ndim
    all_components = (slice(None), *backwards)
    _run(
        cells[backwards],
        metric,
        spacing,
        None if distance is None else distance[backwards],
        index[all_components],
    )
    _add_coordinates(index, np.subtract)


def _offsets_of_three_axes(cells: Array, spacing: Sequence[float] | None) -> Array:
    offset = np.empty((3, *cells.shape), np.int32)
    _run_transposed(cells, spacing, None, offset)
    return offset


def _add_coordinates(offset: Array, combine: np.ufunc = np.add) -> None:
    """Turn offsets into coordinates, in place; -1 without any site."""
    if offset.size == 0:
        return
    if offset[(0,) * offset.ndim] == _UNREACHED:  # then all are
        offset.fill(-1)
        return
    if offset.size <= _KEPT:
        combine(_coordinates(offset.shape[1:]), offset, offset)
        return
    for axis, component in enumerate(offset):
        own = np.arange(component.shape[axis], dtype=np.int32)
        combine(own.reshape((-1, *(1,) * (offset.ndim - 2 - axis))), component, component)


@functools.lru_cache(maxsize=16)
def _coordinates(shape: tuple[int, ...]) -> Array:
    """Coordinates of all cells. Kept, because making them would take longer than the rest does on a
    small raster."""
    return np.indices(shape, dtype=np.int32)


def _run_in_steps(
    cells: Array, metric: str, distance: Array | None, index: Array | None, unreached: float
) -> None:
    """Distances that are whole numbers of 4 bytes: written as floats into the same memory first."""
    if distance is None or cells.size == 0:
        _run_flipped(cells, metric, None, None, index)
        return
    if sum(cells.shape) > _EXACT_IN_FLOAT32:
        steps = np.empty(cells.shape, np.float64)
    else:
        steps = distance.view(np.float32)
    _run_flipped(cells, metric, None, steps, index)
    if steps[(0,) * steps.ndim] == np.inf:  # then all are
        distance.fill(unreached)
        return
    to, of = np.atleast_1d(distance), np.atleast_1d(steps)
    rows = max(1, _ROWS_BYTES * len(to) // to.nbytes)
    for start in range(0, len(to), rows):
        to[start : start + rows] = of[start : start + rows]
