# SPDX-License-Identifier: Apache-2.0
"""Areas and random cells as sites."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ._arguments.checks import to_extents, to_whole
from ._arguments.core_options import on_one_thread, run
from ._kinds.host import number_dtype


class Components(NamedTuple):
    """Numbered connected areas."""

    labels: Any
    count: Any  # tuple.count() is not needed of it


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
