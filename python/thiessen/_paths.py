# SPDX-License-Identifier: Apache-2.0
"""Paths back to the site of least cost; maps and random sites to try it on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ._arguments.checks import (
    to_connectivity,
    to_extents,
    to_float_dtype,
    to_floats,
    to_place,
    to_text,
    to_whole,
)
from ._arguments.core_options import CoreOptions, on_one_thread, run
from ._kinds.batch import check_axes
from ._kinds.host import number_dtype, to_array
from .typing import Connectivity, FloatDtype, Material

_NODATA_LINK = 255
_OF_PAPERS = {"Degrade": "gradient"}
"""Maps by the names that papers have for them."""


def least_cost_path(
    back_link: Any, start: Iterable[int], *, connectivity: Connectivity | None = None
) -> np.ndarray:
    """The cells from `start` back to its site, both included.

    Parameters
    ----------
    back_link : array of shape (y, x) or (z, y, x), uint8
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
    >>> links = thiessen.cost_distance(
    ...     sites, cost=np.ones((3, 4)), outputs="back_link"
    ... ).back_link
    >>> thiessen.least_cost_path(links, (2, 2))
    array([[2, 2],
           [1, 1],
           [0, 0]])
    """
    links = to_array("back_link", _filled(back_link, _NODATA_LINK))
    check_axes("back_link", links.ndim)
    cell = to_place("start", start)
    if len(cell) != links.ndim or any(place >= n for place, n in zip(cell, links.shape)):
        raise ValueError(f"start = {tuple(cell)}; must be a cell of the shape {links.shape}")
    options = CoreOptions(connectivity=_neighbours(connectivity, links.ndim))
    options["from"] = cell
    found, _ = run("least_cost_path", {"back_link": links}, options, False)
    path = np.unravel_index(found["path"], links.shape)
    return np.stack(path, axis=1).astype(np.int64)


def least_cost_line(
    found: Any,
    start: Iterable[float],
    *,
    points: Any = None,
    spacing: float | Sequence[float] | None = None,
    connectivity: Connectivity | None = None,
) -> np.ndarray:
    """The way from a place back to its site, as a line that crosses cells in any direction.

    Parameters
    ----------
    found : NearestSite
        A 2-D result of `cost_distance` with the outputs direction, back_link and site_index; with
        method="eikonal", because other methods know the directions of steps alone.
    start : sequence of float
        A place (y, x) in cells.
    points : array of shape (n, 2), optional
        The sites of the call in cells, if they were points.
    spacing, connectivity : optional
        As they were given to `cost_distance`.

    Returns
    -------
    numpy.ndarray of float64 of the shape (points, 2)
        Places (y, x) in cells, from `start` to the site. Without rows if the place is unreached or
        nodata.

    Raises
    ------
    ValueError, TypeError

    Notes
    -----
    The line runs along the directions, interpolated between cells, in steps of a quarter of a cell.
    Where it would enter a barrier, or a cell that it has left before, it goes to the centre of the
    next cell on the way of back links instead. Time and memory O(length of the line), and a bit for
    each cell.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> sites = np.zeros((40, 40), np.uint8)
    >>> sites[3, 4] = 1
    >>> found = thiessen.cost_distance(
    ...     sites, cost=np.ones((40, 40)), method="eikonal",
    ...     outputs=("direction", "back_link", "site_index", "distance"),
    ... )
    >>> line = thiessen.least_cost_line(found, (30, 17))
    >>> length = np.hypot(*np.diff(line, axis=0).T).sum()
    >>> round(float(length / np.hypot(27, 13)), 3)
    1.0
    """
    inputs = {
        name: to_array(name, _filled(getattr(found, name), special))
        for name, special in (
            ("direction", np.nan),
            ("back_link", _NODATA_LINK),
            ("site_index", -2),
        )
    }
    inputs["direction"] = np.asarray(inputs["direction"], np.float32)
    rank = inputs["direction"].ndim
    options = CoreOptions(connectivity=_neighbours(connectivity, rank))
    if points is not None:
        inputs["points"] = to_array("points", points)
    if spacing is not None:
        options["spacing"] = to_floats(
            "spacing", spacing if np.iterable(spacing) else [spacing] * 2
        )
    options["from"] = to_floats("start", start)
    line = run("least_cost_line", inputs, options, False)[0]["line"]
    return np.asarray(line, np.float64).reshape(-1, 2)


def _filled(cells: Any, special: float) -> Any:
    return cells.filled(special) if isinstance(cells, np.ma.MaskedArray) else cells


def _neighbours(connectivity: Connectivity | None, axes: int) -> str:
    if connectivity is None:
        return "corners"
    return to_connectivity("connectivity", connectivity, axes)


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
    word = to_text("material", material)
    kind = _OF_PAPERS.get(word, word)
    options = on_one_thread(shape=list(cells.shape), material=kind, seed=number)
    run("material_map", {}, options, False, {"map": cells})
    return cells


def random_sites(shape: Iterable[int], count: int, *, seed: int = 0) -> np.ndarray:
    """Draw distinct cells of a raster and label them 1, 2, ... in row-major order.

    Parameters
    ----------
    shape : sequence of int
        Extents of the raster, (y, x) or (z, y, x).
    count : int
        Number of sites, at most the number of cells.
    seed : int
        0 to 2**64 - 1. The same seed, count and shape give the same sites on every machine, in
        every version, and in the command (``--random``).

    Returns
    -------
    numpy.ndarray of int32 (from 2**31 sites on int64), zero where there is no site

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    The i-th draw is the image of i under a keyed permutation of the cells, so draws never collide.
    Time O(cells).

    Examples
    --------
    >>> import thiessen
    >>> thiessen.random_sites((3, 8), count=4, seed=1)
    array([[0, 0, 0, 0, 0, 0, 0, 0],
           [0, 1, 0, 0, 0, 0, 0, 0],
           [2, 3, 0, 0, 0, 0, 0, 4]], dtype=int32)
    """
    extents = to_extents(shape)
    number = to_whole("count", count, 0, 2**60)
    seed = to_whole("seed", seed, 0, 2**64 - 1)
    sites = np.empty(extents, number_dtype(number))
    options = on_one_thread(shape=extents, count=number, seed=seed)
    run("random_sites", {}, options, False, {"sites": sites})
    return sites
