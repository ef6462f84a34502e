# SPDX-License-Identifier: Apache-2.0
"""The distance transforms of edt (Euclidean distance transforms of many labels): exact, and without
edt.

Distances are measured to the nearest cell of another label; 0 is the background, which has the
distance 0. Each value is the exact one, rounded once to float32.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import index
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .._kinds.host import to_array, to_cells
from .._verbs.rasters import distance_transform
from ._arguments import Array, spacing_of

__all__ = ["each", "edt", "edtsq", "sdf", "sdfsq"]


def __dir__() -> list[str]:
    return __all__


def edt(
    data: ArrayLike,
    anisotropy: float | Iterable[float] | None = None,
    black_border: bool = False,
    parallel: int = 1,
    voxel_graph: None = None,
    order: Any = None,
) -> Array:
    """Exact Euclidean distance from each cell to the nearest cell of another label.

    Parameters
    ----------
    data : array_like of one to three axes
        Labels: booleans, integers or floats, of which NaN is one label. 0 is the background. Read
        in place, in rows or in columns.
    anisotropy : float or sequence of float, optional
        Length of the cells, one for all axes or one per axis, in the order of the axes: finite and
        > 0. 1 by default.
    black_border : bool
        Whether all around the raster there is background.
    parallel : int
        Number of threads; 0 or less: one for each processor.
    voxel_graph : None
        Not supported.
    order
        Without effect, as in edt.

    Returns
    -------
    float32 array of the shape of data
        0 at the background; inf where there is no other label.

    Raises
    ------
    TypeError
        If data has no axis or more than three, or cells that are no numbers, or parallel is no
        integer.
    ValueError
        If anisotropy has a value that is not finite and > 0 or another number of values than there
        are axes, or voxel_graph is given.
    RuntimeError
        If data lies on a GPU.

    Notes
    -----
    Time O(cells), scratch memory 5 bytes a cell.

    Examples
    --------
    >>> import numpy as np
    >>> from thiessen.compat import edt
    >>> labels = np.array([[5, 5, 5, 8, 8, 0]])
    >>> edt.edt(labels)
    array([[3., 2., 1., 1., 1., 0.]], dtype=float32)
    >>> edt.edt(labels, anisotropy=(9, 2), black_border=True)
    array([[2., 4., 2., 2., 2., 0.]], dtype=float32)
    """
    return _Request(data, anisotropy, black_border, parallel, voxel_graph).distances(signed=False)


def edtsq(
    data: ArrayLike,
    anisotropy: float | Iterable[float] | None = None,
    black_border: bool = False,
    parallel: int = 1,
    voxel_graph: None = None,
    order: Any = None,
) -> Array:
    """The squares of the distances of `edt`.

    Parameters
    ----------
    data, anisotropy, black_border, parallel, voxel_graph, order
        As of `edt`.

    Returns
    -------
    float32 array of the shape of data
        If the lengths of the cells are whole numbers, the exact square, rounded once; otherwise
        perhaps the float32 beside it.

    Raises
    ------
    TypeError, ValueError, RuntimeError
        As of `edt`.

    Notes
    -----
    Time O(cells), scratch memory 13 bytes a cell, more than of `edt`.
    """
    return _Request(data, anisotropy, black_border, parallel, voxel_graph).squares(signed=False)


def sdf(
    data: ArrayLike,
    anisotropy: float | Iterable[float] | None = None,
    black_border: bool = False,
    parallel: int = 1,
    voxel_graph: None = None,
    order: Any = None,
) -> Array:
    """The distances of `edt`, and at the background minus the distance to the nearest label.

    Parameters
    ----------
    data, anisotropy, black_border, parallel, voxel_graph, order
        As of `edt`. With black_border the edge bounds the background, too, as in edt.

    Returns
    -------
    float32 array of the shape of data

    Raises
    ------
    TypeError, ValueError, RuntimeError
        As of `edt`.

    Examples
    --------
    >>> from thiessen.compat import edt
    >>> edt.sdf([0, 0, 7, 7, 7])
    array([-2., -1.,  1.,  2.,  3.], dtype=float32)
    """
    return _Request(data, anisotropy, black_border, parallel, voxel_graph).distances(signed=True)


def sdfsq(
    data: ArrayLike,
    anisotropy: float | Iterable[float] | None = None,
    black_border: bool = False,
    parallel: int = 1,
    voxel_graph: None = None,
) -> Array:
    """The squares of the distances of `sdf`, with its signs.

    Parameters
    ----------
    data, anisotropy, black_border, parallel, voxel_graph
        As of `sdf`.

    Returns
    -------
    float32 array of the shape of data
        As of `edtsq`.

    Raises
    ------
    TypeError, ValueError, RuntimeError
        As of `edt`.
    """
    return _Request(data, anisotropy, black_border, parallel, voxel_graph).squares(signed=True)


def each(labels: ArrayLike, dt: ArrayLike, in_place: bool = False) -> _Images:
    """The distances of each label by itself.

    Parameters
    ----------
    labels : array_like
        Labels, of which 0 (and NaN) are left out.
    dt : array_like of the shape of labels
        Their distances, such as those of `edt`.
    in_place : bool
        Whether the arrays are one and the same, read-only and overwritten by the next step: a step
        takes time O(cells of the label) instead of O(cells).

    Returns
    -------
    iterable of pairs (label, float32 array of the shape of labels), ascending, with a length
        The array has the distances of the cells of the label, and 0 elsewhere.

    Raises
    ------
    ValueError
        If dt has another shape than labels.
    TypeError, RuntimeError
        As of `edt`.

    Notes
    -----
    The cells are sorted once, in O(cells log cells), with 8 bytes a cell.

    Examples
    --------
    >>> from thiessen.compat import edt
    >>> labels = [5, 5, 5, 8, 8, 0]
    >>> {int(label): image.tolist() for label, image in edt.each(labels, edt.edt(labels))}
    {5: [3.0, 2.0, 1.0, 0.0, 0.0, 0.0], 8: [0.0, 0.0, 0.0, 1.0, 1.0, 0.0]}
    """
    return _Images(to_array("labels", labels), to_array("dt", dt), in_place)


class _Request:
    """The arguments of a function, and what is computed of them."""

    def __init__(
        self, data: Any, anisotropy: Any, black_border: Any, parallel: Any, voxel_graph: Any
    ) -> None:
        if voxel_graph is not None:
            raise ValueError("voxel_graph is given; must be None")
        self.labels = to_cells("data", to_array("data", data))
        axes = self.labels.ndim
        if axes not in (1, 2, 3):
            raise TypeError(f"data has {axes} axes; must have 1, 2 or 3")
        lengths = spacing_of(anisotropy, axes, "anisotropy", ValueError)
        self.spacing = lengths or [1.0] * axes
        self.black_border = bool(black_border)
        self.threads = max(index(parallel), 0) or None

    def distances(self, signed: bool) -> Array:
        return self._with_background(self._lengths(np.float32, signed), signed)

    def squares(self, signed: bool) -> Array:
        squares = self._lengths(np.float64, signed)
        np.square(squares, out=squares)
        if all(length.is_integer() for length in self.spacing):
            np.rint(squares, out=squares)  # those of roots that are rounded
        with np.errstate(over="ignore"):
            return self._with_background(squares.astype(np.float32), signed)

    def _lengths(self, dtype: type, signed: bool) -> Array:
        """Distances to another label, of the background too if it is to get a sign."""
        distance: Array = np.empty_like(self.labels, dtype)
        if distance.size == 0:
            return distance
        cells, out, spacing = self.labels, distance, self.spacing
        if cells.flags.f_contiguous:  # by rows, it is faster, and distances have no ties
            cells, out, spacing = cells.T, out.T, spacing[::-1]
        if cells.ndim == 1:
            cells, out, spacing = cells[np.newaxis], out[np.newaxis], spacing * 2
        binary = cells.dtype.kind == "b"
        if binary:
            cells = cells.view(np.uint8)
        distance_transform(
            cells,
            distance_to="sites" if binary and not signed else "boundary",
            values=[0] if binary and not signed else None,
            spacing=spacing,
            distance_type="float32" if dtype is np.float32 else "float64",
            out=out,
            device="cpu",
            threads=self.threads,
        )
        if self.black_border:
            self._limit_to_border(distance)
        return distance

    def _limit_to_border(self, distance: Array) -> None:
        """The nearest of the cells around the raster lies straight along an axis."""
        for axis, (extent, length) in enumerate(zip(distance.shape, self.spacing)):
            steps = np.arange(1, extent + 1)
            beyond = (np.minimum(steps, steps[::-1]) * length).astype(distance.dtype)
            shape = [-1 if k == axis else 1 for k in range(distance.ndim)]
            np.minimum(distance, beyond.reshape(shape), out=distance)

    def _with_background(self, distance: Array, signed: bool) -> Array:
        background = self.labels == 0
        if signed:
            np.negative(distance, out=distance, where=background)
        else:
            np.copyto(distance, 0, where=background)
        return distance


class _Images:
    """What `each` returns."""

    def __init__(self, labels: Array, dt: Array, in_place: bool) -> None:
        if dt.shape != labels.shape:
            raise ValueError(f"dt has the shape {dt.shape}; must be that of labels, {labels.shape}")
        self._order: Literal["C", "F"] = "F" if labels.flags.fnc else "C"  # of the cells in memory
        self._shape = labels.shape
        self._in_place = in_place
        flat = labels.ravel(self._order)
        self._cells = np.argsort(flat, kind="stable")
        self._values = dt.ravel(self._order)
        ascending = flat[self._cells]
        starts = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))[: flat.size]
        ends = np.append(starts[1:], flat.size)
        self._runs = [
            (ascending[start], start, end)
            for start, end in zip(starts, ends)
            if ascending[start] != 0 and ascending[start] == ascending[start]
        ]

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[tuple[Any, Array]]:
        flat = np.zeros(self._cells.size, np.float32)
        for label, start, end in self._runs:
            cells = self._cells[start:end]
            flat[cells] = self._values[cells]
            image = flat.reshape(self._shape, order=self._order)
            if self._in_place:
                image.flags.writeable = False
                yield label, image
                flat[cells] = 0
            else:
                yield label, image
                flat = np.zeros(self._cells.size, np.float32)
