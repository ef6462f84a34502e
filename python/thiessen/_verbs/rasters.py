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

    Three axes are a volume, and distances go along all three. For a stack of pictures give
    ``batch_axes=0``.

    Parameters
    ----------
    sites : array of shape (y, x) or (z, y, x), and the axes of a batch
        Any boolean, integer or float dtype, any strides and byte order; a masked array (its mask is
        nodata), an xarray.DataArray, or anything with ``__array__`` that has its cells in memory.
        An array in CUDA memory (CuPy, PyTorch, Numba, JAX, ...) stays there. Arrays of Dask give
        lazy results, tensors of PyTorch give tensors, and paths of files and arrays of stores give
        opened files: see the notes.
        The sites are all cells except zero, NaN and nodata, and their values are the labels. Many
        cells may share a label. Boolean sites are numbered 1, 2, ... in row-major order.
    outputs : names of "labels", "distance", "squared", "site_index", "offset", "direction"
        The outputs to compute, in this order.
        The dtypes are: labels as the sites (int32, from 2**31 cells on int64, for boolean sites and
        components); squared and site_index int64; offset int32 of the shape (axes of a raster,
        \\*shape), site minus cell, in cells in the order of the axes; direction float32 in degrees,
        2-D only. Direction is 0 at the site, 90 east, 180 south, 270 west, 360 north, where row 0
        is north (a DataArray has the azimuth on its map). squared is for euclidean with a spacing
        of 1.
        "other_labels", "other_distance" and "other_site_index" describe the nearest site of another
        label: the answer of the call if all sites of the cell's own label were taken away. "ties"
        is the number of labels that have a site at exactly the least distance, uint8, up to 255; it
        is 1 where there is no tie. These four need the method "exact" on the CPU, without
        `signed_distance`. With weights there is "weighted_distance", the key.
    weights : array of the shape of the sites, optional
        The weight of each cell that is a site; others are not read. Integers or floats, each as it
        is typed. Masked cells are NaN. On the host, by the method "exact" on the CPU, without
        `signed_distance`.
    weighting : str, optional
        How weights enter: each cell goes to the site with the least key. "power": the squared
        distance minus w. "additive": the distance minus w. "multiplicative": the distance divided
        by w > 0. The output "weighted_distance" is the key, and `max_distance` limits it.
        docs/weights.md has pictures.
    spacing : float or one per axis of a raster, optional
        World length of one cell, in array order (z, y, x); finite and > 0. Default: 1, or the steps
        of a DataArray's coordinates. Degrees are refused.
    metric : str
        "euclidean", "manhattan" or "chessboard"; or, in 2-D with a spacing of 1, "octagonal",
        "chamfer-3-4" or "chamfer-5-7-11"; or on the Earth "ellipsoidal" or "great-circle", in
        metres, by "exact" and "brute-force" on the CPU.
    nodata : number, optional
        Cells of this value lie outside of the domain: they are never sites, and nodata in every
        output. NaN may be the value. They do not block straight lines. Default: none, or the nodata
        value in the metadata of a DataArray (``rio.nodata``, ``_FillValue``).
    values : number or numbers, optional
        Exactly the cells of these values are the sites. Zero and NaN are sites if they are listed.
        For boolean sites give True or False.
    free_nodata : bool
        The nodata cells (of a masked array the masked cells) are the free cells and belong to the
        domain. All others are sites, also zero and NaN. This is for rasters of sites and nodata
        alone. Not with `values`, nor with `components`.
    components : {4, 8} in 2-D, {6, 18, 26} in 3-D, optional
        The connected areas of equal non-zero value are the sites, numbered 1, 2, ... in the order
        of their first cells.
    periodic : bool or one per axis of a raster, optional
        Axes on which the raster continues at its other end, as on a torus.
    k : int, optional
        Every cell gets its k nearest sites, from 1 to 1024, instead of the nearest one. labels,
        distance, squared and site_index then have one more axis in front, of length k, nearest
        first. If there are fewer sites, the rest is unreached. Other outputs do not exist then. By
        the method "exact" on the CPU, for one raster, without `signed_distance`.
    earth : Earth, optional
        Latitude of each row and longitude of each column, for the metrics "ellipsoidal" and
        "great-circle". Default: the coordinates of a DataArray. squared and `signed_distance` do
        not exist there, and direction is the azimuth.
    method : str
        "exact", or one of these:
        Some methods give the same results. "brute-force" takes time cells * sites. "raster-gpu",
        "chamfer", "circle-growing", "dilation" and "expansion" take some metrics each.
        The methods of jump flooding are not exact: "jfa", "1+jfa", "jfa+1", "jfa+2", "jfa2",
        "jfa-noise", "jfa-plus", "jfa-star". In 2-D, to the letter of papers: "jfa-coeurjolly",
        "jfa+1-paper", "jfa+-paper", "jfa-star-paper", "jfa-star+1-paper"; and on CUDA "jfa-thrust".
        "exact" and jump flooding take the first three metrics. Only "chamfer" takes the metrics of
        its name, and by octagonal distance it is not exact.
    method_options : Flooding, Growing, Scanning or Spreading, optional
        Options of one family of methods: `Flooding` for jump flooding, `Growing` for
        "circle-growing", `Scanning` for "raster-gpu" and "brute-force", `Spreading` for "dilation"
        and "expansion". Default: the method's own.
    batch_axes : int or str, or several, optional
        Axes along which independent rasters lie beside each other, by number or, for a DataArray,
        by the name of the dimension: 0 of (n, y, x), (0, 1) of (n, channel, y, x), (0, -1) of (n,
        y, x, channel). The result equals one call for each raster: site indices, numbers of boolean
        sites and of components count within it.
    out : mapping of names to arrays, arrays in the order of outputs, or the array of the only one
        numpy.ndarrays that are written instead of new ones. They may have any strides and byte
        order, but must not overlap each other or the sites. A repeated call then allocates nothing.
        For sites in files or stores: a mapping of names to paths or arrays. Its names are then also
        the names of the outputs; see the notes.
    keep_sites : bool
        For arrays of Dask. False: the sites are computed twice, for summaries and for results, so
        that no worker holds more than the slabs on which it works. They must have the same cells
        each time. True: they are computed once, and stay in the workers' memory until the results
        are there.
    memory : int or str, optional
        For files and stores: bytes that the call may take, or "500M", "2 GB". Default: half of the
        available memory. Slabs are as high as the memory allows. If all rows fit, any method will
        do.
    slab_rows : int, optional
        Height of slabs of files, whatever the memory is: rows, or planes of three axes.
    overwrite : bool
        Replace files that exist.
    device : str, optional
        "auto", "cpu", "cuda", "cuda:1", "opencl" or "opencl:1"; see `devices`. "auto" is the CPU,
        or the device of the sites. "cuda:0,cuda:1" or "cuda:all" computes a slab of the raster on
        each device, for arrays of the host, by the method "exact" and the metrics "euclidean" and
        "manhattan".
    threads : int, optional
        Threads of the CPU; default: one for each processor.
    progress : optional
        A callable of one float from 0 to 1, True for a bar of tqdm, or such a bar.
    strict : bool, optional
        Raise an error instead of a `ThiessenWarning` (no site at all).

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
    The nearer of two sites wins, and at equal distance the site with the smaller index. Distances
    are compared as integers, so every method, number of threads and machine gives the same bits.

    Time O(cells) (chessboard in 3-D O(cells * log(axis))), scratch memory 4 bytes a cell
    (chessboard 12, in 3-D 20), which is kept for the next call of this thread
    (`release_scratch`). No copy is made of arrays in native byte order; masked arrays, other byte
    orders, float16 and long double are copied. The GIL is released, and Ctrl-C ends the call.

    Sites in CUDA memory are not copied to the host, and the call does not wait. The work goes on
    the current stream of their library, so later operations of that library on the results are in
    order. `synchronize` waits, and raises errors that only the device can find. A library without
    streams (JAX) gets finished results. `out` must be in CUDA memory too. 2-D rasters of a batch
    are computed all at once there, which makes hundreds of small rasters fast.

    Sites of Dask, or DataArrays that hold such an array: results are lazy. Their chunks are slabs,
    some rows or planes with all their cells. Results that are computed together
    (``dask.compute(*result)``) are computed by the same tasks. docs/dask.md has the details.

    Tensors of PyTorch: results are tensors on the device of the sites, by operators that
    ``torch.compile``, ``torch.export`` and ``torch.vmap`` take. docs/torch.md has the details.

    Sites in files and stores: "sites.tif", ``FILE|band=N``, folders of Zarr and OME-Zarr, .npy;
    arrays of Zarr and h5py. They are read and written in slabs, within `memory`. An output file
    appears under its name only after it is complete. Results are opened files, which read on
    demand, or the arrays of `out`. docs/slabs.md has the details.

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

    Jump flooding with your own steps:

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

    Mind the polarity: distances are measured *to* the non-zero cells. SciPy and OpenCV measure to
    the zero cells; ``distance_to="zeros"`` does the same. Three axes are a volume. For a stack of
    pictures give ``batch_axes=0``.

    Parameters
    ----------
    sites : array of shape (y, x) or (z, y, x), and the axes of a batch
        As of `nearest_site`.
    distance_to : {"sites", "zeros", "boundary"}
        "zeros": the cells of value 0, as SciPy and OpenCV measure. "boundary": the nearest cell
        with another value. Zero is then a value like any other, and the edge of the raster is no
        boundary. "boundary" needs the method "exact".
    spacing, metric, max_distance, nodata, values, zero_is_site, free_nodata, periodic, \
distance_type, earth, method, method_options, batch_axes
        As of `nearest_site`.
    signed_distance : bool
        Site cells get minus the distance to the nearest cell that is no site (-inf if there is none
        in range). Not with distance_to="boundary".
    coverage : bool
        With signed_distance=True: the cells hold the share that the shape covers, as in an
        antialiased mask. uint8 from 0 to 255, uint16 from 0 to 65535, floats from 0 to 1, or
        booleans. Distances are approximate, and measured to the edge of the shape within cells;
        they are below 0 inside. On the host, and with no other argument than `spacing`,
        `max_distance`, `distance_type`, `out`, `batch_axes`, `threads` and `progress`.
    out : numpy.ndarray, optional
        An array that is written instead of a new one, float32 or float64, with the shape of the
        sites. For sites in files a path or an array.
    keep_sites, memory, slab_rows, overwrite, device, threads, progress, strict
        As of `nearest_site`.

    Returns
    -------
    array of the shape of the sites
        Distances: inf where nothing is in range, NaN at nodata cells. The kind of array is that of
        the sites.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`.

    Notes
    -----
    Time O(cells), scratch memory 4 bytes a cell and more, as in `nearest_site`, which names the
    source. With coverage, scratch memory is 12 bytes a cell and some hundred a cell with an edge.
    The bits are the same on every machine, and with any number of threads. Sources: S. Gustavson
    and R. Strand, "Anti-aliased Euclidean distance transform" (2011); J. E. Pilliod and E. G.
    Puckett, "Second-order accurate volume-of-fluid algorithms for tracking material interfaces"
    (2004).

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
        Distance by which labels grow, in units of the spacing, inclusive; math.inf fills the
        raster.
    free_nodata : bool
        As of `nearest_site`: labels grow into the nodata cells, and all other cells are labelled,
        zero too. Cells out of range stay nodata, or stay masked in a masked array.
    out : numpy.ndarray, optional
        An array that is written instead of a new one, with the shape and dtype of the labels.
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
    Between labels at equal distance, the label of the cell with the smaller site index wins. Time
    O(cells), scratch memory 4 bytes a cell and more, as in `nearest_site`, which names the source.

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
