# SPDX-License-Identifier: Apache-2.0
"""Verbs of rasters of sites: nearest sites, distances alone, labels that grow, areas."""

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
    NearestSiteOptions,
)
from .._kinds import call
from .._kinds.outputs import Components, NearestSite, One
from ..typing import AreaConnectivity, Number, Output, Several

Own = TypeVar("Own")
Kind = TypeVar("Kind", np.ndarray, np.ma.MaskedArray)
"""An array of NumPy: one with a mask has results with a mask."""


@overload
def nearest_site(
    sites: Kind, *, outputs: One = ..., **options: Unpack[NearestSiteOptions]
) -> NearestSite[One, Kind]: ...
@overload
def nearest_site(
    sites: Kind, *, outputs: Several[Output], **options: Unpack[NearestSiteOptions]
) -> NearestSite[Any, Kind]: ...
@overload
def nearest_site(
    sites: Sequence[Any],
    *,
    outputs: Output | Several[Output] = ...,
    **options: Unpack[NearestSiteOptions],
) -> NearestSite[Any, np.ndarray]: ...
@overload
def nearest_site(
    sites: Own, *, outputs: One = ..., **options: Unpack[NearestSiteOptions]
) -> NearestSite[One, Own]: ...
@overload
def nearest_site(
    sites: Own, *, outputs: Several[Output], **options: Unpack[NearestSiteOptions]
) -> NearestSite[Any, Own]: ...
@takes(NearestSiteOptions)
def nearest_site(
    sites: Any,
    *,
    outputs: Output | Sequence[Output] = ("labels", "distance"),
    **options: Unpack[NearestSiteOptions],
) -> NearestSite[Any, Any]:
    """Nearest site of every cell of a raster, by straight-line distance.

    Three axes are a volume, in which distances go along all three: of a stack of pictures say so by
    ``batch_axes=0``.

    Parameters
    ----------
    sites : array of shape (y, x) or (z, y, x), and the axes of a batch
        Any boolean, integer or float dtype, any strides and byte order; a masked array (its mask is
        nodata), an xarray.DataArray, or anything with ``__array__`` that has its cells in memory.
        An array in CUDA memory (CuPy, PyTorch, Numba, JAX, ...) stays there; arrays of Dask
        give lazy ones, tensors of PyTorch tensors, paths of files and arrays of stores opened
        files: see the notes. The
        cells that are neither zero nor NaN nor nodata are the sites, and their values the labels;
        many cells may share one. Boolean sites are numbered 1, 2, ... in row-major order.
    outputs : names of "labels", "distance", "squared", "site_index", "offset", "direction"
        What is computed, in this order. dtypes: labels as the sites (int32, from 2**31 cells on
        int64, for boolean sites and components); squared and site_index int64; offset int32 of the
        shape (axes of a raster, \\*shape), site minus cell, in cells in the order of the axes;
        direction float32 in degrees, 2-D only: 0 at the site, 90 east, 180 south, 270 west, 360
        north, where row 0 is north (a DataArray has the azimuth on its map). squared is for
        euclidean with a spacing of 1. "other_labels", "other_distance" and "other_site_index" are
        those of the nearest site of another label: what the call would find at a cell without the
        sites of the cell's label; by the method "exact" on the CPU, and without `signed_distance`.
        So is "ties": how many labels have a site at exactly the least distance, uint8, up to 255; 1
        where there is no tie.
    spacing : float or one per axis of a raster, optional
        World length of one cell, in array order (z, y, x); finite and > 0. Default: 1, or the steps
        of a DataArray's coordinates; degrees are refused.
    metric : str
        "euclidean", "manhattan" or "chessboard"; or, in 2-D with a spacing of 1, "octagonal",
        "chamfer-3-4" or "chamfer-5-7-11"; or on the Earth "ellipsoidal" or "great-circle", in
        metres, by "exact" and "brute-force" on the CPU.
    nodata : number, optional
        Cells of this value lie outside the domain: never a site, and nodata in every output. NaN is
        a value here. They do not block straight lines. Default: none, or what the metadata of a
        DataArray say (``rio.nodata``, ``_FillValue``).
    values : number or numbers, optional
        Exactly the cells of these values are the sites, zero and NaN too if they are listed; of
        boolean sites True or False.
    free_nodata : bool
        The nodata cells (of a masked array the masked ones) are the free ones, in the domain as
        any, and all others are sites, zero and NaN too: for rasters of sites and nodata alone. Not
        with `values`, nor with `components`.
    components : {4, 8} in 2-D, {6, 18, 26} in 3-D, optional
        The connected areas of equal non-zero value are the sites, numbered 1, 2, ... in the order
        of their first cells.
    periodic : bool or one per axis of a raster, optional
        Axes on which the raster goes on with its other end, as a torus does.
    k : int, optional
        The k nearest sites of every cell, from 1 to 1024, in place of the nearest one. labels,
        distance, squared and site_index then have one more axis in front, of k, nearest first;
        where there are fewer sites, the rest is unreached. Other outputs do not exist then. By the
        method "exact" on the CPU, of one raster, and without `signed_distance`.
    earth : Earth, optional
        For the metrics "ellipsoidal" and "great-circle": the latitude of each row and the longitude
        of each column. Default: the coordinates of a DataArray. squared and `signed_distance` do
        not exist there, and direction is the azimuth.
    method : str
        "exact"; with the same results "brute-force", which takes time cells * sites, and for some
        metrics each "raster-gpu", "chamfer", "circle-growing", "dilation" and "expansion"; or one
        of jump flooding, which is not exact: "jfa", "1+jfa", "jfa+1", "jfa+2", "jfa2", "jfa-noise",
        "jfa-plus", "jfa-star"; in 2-D, to the letter of papers, "jfa-coeurjolly", "jfa+1-paper",
        "jfa+-paper", "jfa-star-paper", "jfa-star+1-paper"; and on CUDA "jfa-thrust". "exact" and
        jump flooding have the first three metrics, "chamfer" alone the last two; by octagonal
        distance it is not exact.
    method_options : Flooding, Growing, Scanning or Spreading, optional
        What only one family of methods takes: `Flooding` of the methods of jump flooding,
        `Growing` of "circle-growing", `Scanning` of "raster-gpu" and "brute-force", `Spreading`
        of "dilation" and "expansion". Default: what the method does by itself.
    batch_axes : int or str, or several, optional
        Axes (names of dimensions, of a DataArray) along which rasters lie beside each other that
        have nothing to do with each other: 0 of (n, y, x), (0, 1) of (n, channel, y, x), (0, -1) of
        (n, y, x, channel). The result is that of a call for each raster: site indices, numbers of
        boolean sites and of components count within it.
    out : mapping of names to arrays, arrays in the order of outputs, or the array of the only one
        numpy.ndarrays that are written instead of new ones; any strides and byte order, but apart
        from each other and from the sites. A repeated call then allocates nothing.
        For sites in files or stores a mapping of names to paths or arrays, whose names are those of
        the outputs, too: see the notes.
    keep_sites : bool
        For arrays of Dask. False: the sites are computed twice, for summaries and for results, and
        no worker holds more than the slabs it works on; they must have the same cells each time.
        True: they are computed once, and stay in the workers' memory until the results are there.
    memory : int or str, optional
        For files and stores: bytes that the call may take, or "500M", "2 GB"; default: half of what
        is available. Slabs are as high as that allows; where all rows fit, any method will do.
    slab_rows : int, optional
        Height of slabs of files, whatever the memory is: rows, or planes of three axes.
    overwrite : bool
        Replace files that exist.
    device : str, optional
        "auto", "cpu", "cuda", "cuda:1", "opencl" or "opencl:1"; see `devices`. "auto" is the CPU,
        or the device of the sites. "cuda:0,cuda:1" or "cuda:all": a slab of the raster on each,
        for arrays of the host, by the method "exact" and the metrics "euclidean" and "manhattan".
    threads : int, optional
        Threads of the CPU; default: one for each processor.
    progress : optional
        A callable of one float from 0 to 1, True for a bar of tqdm, or such a bar.
    strict : bool, optional
        Raise an error in place of a `ThiessenWarning` (no site at all).

    Returns
    -------
    NearestSite
        Named tuple of the outputs. A masked array gives masked arrays (with its fill_value in the
        labels), a DataArray DataArrays with its coordinates (its CRS among them) and attributes of
        their own: long_name, units where they are known, _FillValue; an array in CUDA memory such
        arrays of its library. Special cells hold:

        =========  =========  ========  =======  ==========  ======  =========
        cell       labels     distance  squared  site_index  offset  direction
        =========  =========  ========  =======  ==========  ======  =========
        unreached  unreached  inf       -1       -1          -2**31  NaN
        nodata     nodata     NaN       -2       -2          -2**31  NaN
        =========  =========  ========  =======  ==========  ======  =========

    Raises
    ------
    ValueError, TypeError
        An argument breaks a rule; the message has its name, its value and the rule.
    RuntimeError
        No backend of this build can do it; an array lies on a GPU that cannot be used; the device
        failed.
    MemoryError
        With the number of bytes asked for.

    Notes
    -----
    The nearer of two sites wins; at equal distance the one with the smaller site index wins.
    "Nearer" is decided in integers: the same bits for every method, number of threads and machine.

    Time O(cells) (chessboard in 3-D O(cells * log(axis))), scratch memory 4 bytes a cell
    (chessboard 12, in 3-D 20), which is kept for the next call of this thread
    (`release_scratch`). No copy is made of arrays in native byte order; masked arrays, other byte
    orders, float16 and long double are copied. The GIL is released, and Ctrl-C ends the call.

    Sites in CUDA memory are neither copied to the host nor waited for: the work is put on the
    current stream of their library, and the call returns. What that library does with the results
    is in order; `synchronize` waits, and raises what only the device could find. A library without
    streams (JAX) gets results that are done. `out` must be in CUDA memory too. There 2-D rasters of
    a batch are done all at once, which is what makes hundreds of small ones worth its while.

    Sites of Dask, or DataArrays that hold such an array: results are lazy, and have slabs for
    chunks: some rows or planes with all their cells. Those that are computed together
    (``dask.compute(*result)``) are computed by the same tasks. docs/dask.md has the details.

    Tensors of PyTorch: results are tensors on the device of the sites, by operators that
    ``torch.compile``, ``torch.export`` and ``torch.vmap`` take. docs/torch.md has the details.

    Sites in files and stores: "sites.tif", ``FILE|band=N``, folders of Zarr and OME-Zarr, .npy;
    arrays of Zarr and h5py. They are read and written in slabs, within `memory`; an output file has
    its name when all is written. Results are opened files, which read what is asked of them, or the
    arrays of `out`. docs/slabs.md has the details.

    Source: A. Meijster, J. B. T. M. Roerdink, W. H. Hesselink, "A general algorithm for computing
    distance transforms in linear time" (2000).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> sites = np.zeros((3, 6), np.uint8)
    >>> sites[0, 1], sites[2, 5] = 7, 9
    >>> labels, distance = thiessen.nearest_site(sites)
    >>> labels
    array([[7, 7, 7, 7, 9, 9],
           [7, 7, 7, 7, 9, 9],
           [7, 7, 7, 9, 9, 9]], dtype=uint8)
    >>> distance[1]
    array([1.4142135, 1.       , 1.4142135, 2.236068 , 1.4142135, 1.       ],
          dtype=float32)

    Only what is asked for is computed:

    >>> thiessen.nearest_site(sites, outputs="site_index", max_distance=1).site_index
    array([[ 1,  1,  1, -1, -1, -1],
           [-1,  1, -1, -1, -1, 17],
           [-1, -1, -1, -1, 17, 17]])

    Jump flooding with steps of one's own:

    >>> options = thiessen.Flooding(steps=[4, 2, 1])
    >>> found = thiessen.nearest_site(
    ...     sites, method="jfa", method_options=options, outputs="labels"
    ... )
    >>> found.labels
    array([[7, 7, 7, 7, 9, 9],
           [7, 7, 7, 7, 9, 9],
           [7, 7, 7, 9, 9, 9]], dtype=uint8)

    The two nearest sites, and the cells that are as near to one as to the other:

    >>> wells = np.array([[7, 0, 0, 0, 9]], np.uint8)
    >>> thiessen.nearest_site(wells, k=2).labels
    array([[[7, 7, 7, 9, 9]],
    <BLANKLINE>
           [[9, 9, 9, 7, 7]]], dtype=uint8)
    >>> thiessen.nearest_site(wells, outputs="ties").ties
    array([[1, 1, 2, 1, 1]], dtype=uint8)
    """
    return call("nearest_site", sites, collect(nearest_site, options, outputs=outputs))


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
