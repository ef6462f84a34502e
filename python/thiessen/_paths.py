# SPDX-License-Identifier: Apache-2.0
"""Paths back to the site of least cost; maps and random sites to try it on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ._arguments.checks import (
    to_connectivity,
    to_extents,
    to_float_dtype,
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
    if isinstance(back_link, np.ma.MaskedArray):
        back_link = back_link.filled(_NODATA_LINK)
    links = to_array("back_link", back_link)
    check_axes("back_link", links.ndim)
    cell = to_place("start", start)
    if len(cell) != links.ndim or any(place >= n for place, n in zip(cell, links.shape)):
        raise ValueError(f"start = {tuple(cell)}; must be a cell of the shape {links.shape}")
    neighbours = "corners"
    if connectivity is not None:
        neighbours = to_connectivity("connectivity", connectivity, links.ndim)
    options = CoreOptions(connectivity=neighbours)
    options["from"] = cell
    found, _ = run("least_cost_path", {"back_link": links}, options, False)
    path = np.unravel_index(found["path"], links.shape)
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
