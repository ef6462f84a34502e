# SPDX-License-Identifier: Apache-2.0
"""Areas and random cells as sites."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arguments.checks import to_extents, to_whole
from ._arrays import number_components, number_dtype, to_raster
from ._outputs import check_component_labels
from ._unread import is_dask, refuse_for_dask
from ._warnings import tell_of_colours
from .typing import AreaConnectivity, Number

__all__ = ["Components", "connected_components", "random_sites"]


class Components(NamedTuple):
    """Numbered connected areas."""

    labels: Any
    count: Any  # tuple.count() is not needed of it


def connected_components(
    image: Any,
    *,
    connectivity: AreaConnectivity | None = None,
    nodata: Number | None = None,
    out: np.ndarray | None = None,
) -> Components:
    """Number the connected areas of equal non-zero value 1, 2, ... by their first cells.

    Parameters
    ----------
    image : array of shape (y, x) or (z, y, x)
        As the sites of `nearest_site`; zero and NaN cells are background.
    connectivity : {4, 8} in 2-D, {6, 18, 26} in 3-D, optional
        Neighbours that belong together: those that share a face (4, 6), also an edge (18), or also
        a corner (8, 26; the default).
    nodata : number, optional
        Cells of this value (and of the mask) belong to none and get the label -1.
    out : numpy.ndarray of int32 or int64, optional
        Written instead of a new array; int32 must hold the number of cells.

    Returns
    -------
    Components
        Named tuple of the labels (int32, from 2**31 cells on int64) and their number. For arrays of
        Dask both are lazy (`thiessen.dask`).

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    Time close to linear in the cells; no memory but the labels and 5 bytes a column (3-D: 14).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> labels, count = thiessen.connected_components(np.array([[1, 1, 0], [0, 0, 1], [2, 0, 1]]))
    >>> labels
    array([[1, 1, 0],
           [0, 0, 1],
           [2, 0, 1]], dtype=int32)
    >>> count
    2
    """
    tell_of_colours("image", image)
    if is_dask(image):
        from . import dask

        refuse_for_dask(out=(out, None))
        return dask.connected_components(image, connectivity=connectivity, nodata=nodata)
    raster = to_raster("image", image, nodata)
    chosen = (8 if raster.cells.ndim == 2 else 26) if connectivity is None else connectivity
    check_component_labels(out, raster.shape, raster.unseen)
    numbered = number_components(raster, chosen, "connectivity", out=out)
    labels = numbered.like_input("labels", numbered.cells, "number of the connected area")
    return Components(labels, int(numbered.cells.max(initial=0)))


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
    _core.random_sites(sites, count=number, seed=seed)
    return sites
