# SPDX-License-Identifier: Apache-2.0
"""Verbs with one output of nearest sites: distances alone, labels that grow, areas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, overload

import numpy as np

from .._arguments.checks import to_length
from .._arguments.options import Unpack, collect, takes
from .._arguments.tables import (
    ConnectedComponentsOptions,
    DistanceTransformOptions,
    ExpandLabelsOptions,
)
from .._kinds import call
from .._sites import Components
from ..typing import AreaConnectivity, Number

Own = TypeVar("Own")
Kind = TypeVar("Kind", np.ndarray, np.ma.MaskedArray)
"""An array of NumPy: one with a mask has results with a mask."""


@overload
def distance_transform(sites: Kind, **options: Unpack[DistanceTransformOptions]) -> Kind: ...
@overload
def distance_transform(
    sites: Sequence[Any], **options: Unpack[DistanceTransformOptions]
) -> np.ndarray: ...
@overload
def distance_transform(sites: Own, **options: Unpack[DistanceTransformOptions]) -> Own: ...
@takes(DistanceTransformOptions)
def distance_transform(sites: Any, **options: Unpack[DistanceTransformOptions]) -> Any:
    """Distance of every cell to the nearest site, or to the boundary of its own label.

    Mind the polarity: distances are *to* the non-zero cells, where SciPy's and OpenCV's are to the
    zero cells: ``distance_to="zeros"`` says so. Three axes are a volume: of a stack of pictures say
    so by ``batch_axes=0``.

    Parameters
    ----------
    sites : array of shape (y, x) or (z, y, x), and the axes of a batch
        As of `nearest_site`.
    distance_to : {"sites", "zeros", "boundary"}
        "zeros": the cells of value 0, as SciPy and OpenCV measure. "boundary": the nearest cell
        that does not hold the same value, where zero is a value like any other, and the edge of the
        raster no boundary. The last by the method "exact" only.
    spacing, metric, max_distance, nodata, values, zero_is_site, free_nodata, periodic, \
distance_type, earth, method, method_options, batch_axes
        As of `nearest_site`.
    signed_distance : bool
        Site cells get minus the distance to the nearest cell that is no site (-inf if there is
        none in range). Not with distance_to="boundary".
    coverage : bool
        With signed_distance=True: the cells tell how much of each the shape covers, as an
        antialiased mask does: uint8 from 0 to 255, uint16 from 0 to 65535, floats from 0 to 1, or
        booleans. Distances are approximate, and to the edge of the shape, which lies within cells;
        below 0 inside. On the host, and with no other argument than `spacing`, `max_distance`,
        `distance_type`, `out`, `batch_axes`, `threads` and `progress`.
    out : numpy.ndarray, optional
        Has the shape of the sites, float32 or float64; written instead of a new array. For sites in
        files a path or an array.
    keep_sites, memory, slab_rows, overwrite, device, threads, progress, strict
        As of `nearest_site`.

    Returns
    -------
    array of the shape of the sites
        inf where nothing is in range, NaN at nodata cells; the kind of array that the sites are.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`.

    Notes
    -----
    Time O(cells), scratch memory 4 bytes a cell and more, as `nearest_site`, which has the source.
    With coverage, scratch memory is 12 bytes a cell and some hundred a cell with an edge; the
    same bits on every machine, and with any number of threads. Sources: S. Gustavson and R. Strand,
    "Anti-aliased Euclidean distance transform" (2011); J. E. Pilliod and E. G. Puckett,
    "Second-order accurate volume-of-fluid algorithms for tracking material interfaces" (2004).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> thiessen.distance_transform(np.array([[0, 0, 1, 1, 0]]))
    array([[2., 1., 0., 0., 1.]], dtype=float32)
    >>> thiessen.distance_transform(np.array([[0, 0, 1, 1, 0]]), signed_distance=True)
    array([[ 2.,  1., -1., -1.,  1.]], dtype=float32)
    >>> thiessen.distance_transform(np.array([[5, 5, 5, 8, 8]]), distance_to="boundary")
    array([[3., 2., 1., 1., 2.]], dtype=float32)
    >>> mask = np.array([[0, 0.25, 1, 1, 0.5]])
    >>> thiessen.distance_transform(mask, signed_distance=True, coverage=True)
    array([[ 1.25,  0.25, -0.75, -1.  ,  0.  ]], dtype=float32)
    """
    return call("distance_transform", sites, collect(distance_transform, options))


@overload
def expand_labels(
    labels: Kind, max_distance: Number = 1, **options: Unpack[ExpandLabelsOptions]
) -> Kind: ...
@overload
def expand_labels(
    labels: Sequence[Any], max_distance: Number = 1, **options: Unpack[ExpandLabelsOptions]
) -> np.ndarray: ...
@overload
def expand_labels(
    labels: Own, max_distance: Number = 1, **options: Unpack[ExpandLabelsOptions]
) -> Own: ...
@takes(ExpandLabelsOptions)
def expand_labels(
    labels: Any, max_distance: Number = 1, **options: Unpack[ExpandLabelsOptions]
) -> Any:
    """Grow every label by a distance, without overlaps: each free cell in range takes the label of
    the nearest labelled one.

    Parameters
    ----------
    labels : array of shape (y, x) or (z, y, x), and the axes of a batch
        As the sites of `nearest_site`: zero (or NaN) is free. A boolean array is grown as one
        label.
    max_distance : float
        How far to grow, in units of the spacing, inclusive; math.inf fills the raster.
    free_nodata : bool
        As of `nearest_site`: labels grow into the nodata cells, and all others are labelled, zero
        too. Cells out of range stay nodata, those of a masked array masked.
    out : numpy.ndarray, optional
        Has the shape and dtype of the labels; written instead of a new array.
    spacing, metric, nodata, periodic, batch_axes, device, threads, progress, strict
        As of `nearest_site`.
    keep_sites : bool
        As of `nearest_site`, for arrays of Dask.

    Returns
    -------
    array of the shape and dtype of the labels

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`.

    Notes
    -----
    Between labels at equal distance, that of the cell with the smaller site index wins.
    Time O(cells), scratch memory 4 bytes a cell and more, as `nearest_site`, which has the source.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> thiessen.expand_labels(np.array([[0, 0, 0, 3, 0, 0, 8, 0]]), max_distance=2)
    array([[0, 3, 3, 3, 3, 8, 8, 8]])
    """
    if not to_length("max_distance", max_distance) >= 0:
        raise ValueError(f"max_distance = {max_distance}; must be >= 0")
    return call("expand_labels", labels, collect(expand_labels, options, max_distance=max_distance))


@takes(ConnectedComponentsOptions)
def connected_components(
    image: Any,
    *,
    connectivity: AreaConnectivity | None = None,
    **options: Unpack[ConnectedComponentsOptions],
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
    keep_sites : bool
        As of `nearest_site`, of an image of Dask: False computes it twice.

    Returns
    -------
    Components
        Named tuple of the labels (int32, from 2**31 cells on int64) and their number. For arrays of
        Dask both are lazy.

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
    return call(
        "connected_components",
        image,
        collect(connected_components, options, connectivity=connectivity),
    )
