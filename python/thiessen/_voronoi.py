# SPDX-License-Identifier: Apache-2.0
"""Nearest points of every cell of a grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from . import _core
from ._arrays import to_array, to_coordinates, to_cuda_points, to_point_labels
from ._cuda import CudaArray, find_cuda
from ._options import (
    MethodOptions,
    require_held,
    to_extents,
    to_flags,
    to_lengths,
    to_limit,
    to_method_options,
    to_number,
    to_text,
    to_thread_count,
)
from ._outputs import CudaTargets, NearestSite, Targets, output_names
from ._progress import reporter

__all__ = ["voronoi"]


def voronoi(
    points: Any,
    shape: Iterable[int],
    labels: Any = None,
    spacing: float | Iterable[float] | None = None,
    metric: str = "euclidean",
    method: str = "exact",
    max_distance: float | None = None,
    periodic: bool | Iterable[bool] | None = None,
    unreached: float = 0,
    distance_dtype: Any = "float32",
    outputs: str | Sequence[str] = ("labels", "distance"),
    out: Any = None,
    device: str = "auto",
    threads: int | None = None,
    progress: Any = None,
    **method_options: Any,
) -> NearestSite:
    """Nearest point of every cell of a grid: a raster Voronoi diagram of points.

    Parameters
    ----------
    points : array of shape (n, 2) as (y, x), or (n, 3) as (z, y, x)
        In cells, where the centre of the first cell is 0: the point (2, 3) lies on the cell [2, 3].
        Rounded half to even to 2**-16 of a cell. Points outside of the grid count. Finite, at most
        2**31 cells away. float32 or float64 in CUDA memory stay there, as the sites of
        `nearest_site` do; what is wrong with them is raised by `synchronize`.
    shape : sequence of int
        Extents of the grid, (y, x) or (z, y, x).
    labels : array of shape (n,), optional
        Labels of the points, integers or floats; default: 1, 2, ... as int32.
    spacing, metric, method, max_distance, periodic, unreached, distance_dtype, outputs, out, \
device, threads, progress, method_options
        As of `nearest_site`. squared and offset exist only if all points lie on centres of cells;
        site_index is the position in the list.

    Returns
    -------
    NearestSite
        Named tuple of the outputs, as `nearest_site` returns it.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`; a coordinate that is not finite is named with its point.

    Notes
    -----
    Of two points the nearer wins, and at equal distance the one that comes first in the list.
    Distances are to the rounded points, exactly.

    If all points lie in cells of the grid, no axis is periodic and the metric is not chessboard:
    time O(cells + n), as of `nearest_site`, and 5 bytes of scratch a cell. Otherwise
    time O(n log n) for a tree of the points and some searches in it for each row and region;
    points on a circle cost O(n) in the few cells near its centre. Scratch: about 80 bytes a point.

    Source: as of `nearest_site`; J. L. Bentley, "Multidimensional binary search trees used for
    associative searching" (1975).

    Examples
    --------
    >>> import thiessen
    >>> thiessen.voronoi([(0.5, 0.25), (1.5, 3.75)], shape=(3, 5)).labels
    array([[1, 1, 1, 2, 2],
           [1, 1, 1, 2, 2],
           [1, 1, 2, 2, 2]], dtype=int32)
    """
    options = to_method_options("voronoi", method_options)
    names = output_names(outputs)
    threads = to_thread_count(threads)
    extents = to_extents(shape)
    if len(extents) not in (2, 3):
        raise ValueError(f"shape = {tuple(extents)}; must have 2 or 3 axes")
    on_device = find_cuda("points", points)
    if on_device is not None:
        return _voronoi_on_device(
            on_device, extents, labels, spacing, metric, method, max_distance, periodic, unreached,
            distance_dtype, names, out, device, threads, progress, options,
        )  # fmt: skip
    given = to_array("points", points)
    coordinates = to_coordinates(given, len(extents))
    given_labels = None if labels is None else to_array("labels", labels)
    point_labels, label_dtypes = to_point_labels(given_labels, len(coordinates))
    if label_dtypes[0] != label_dtypes[1] and "labels" in names:
        require_held("unreached", to_number("unreached", unreached), label_dtypes[1])
    read = tuple(each for each in (coordinates, point_labels) if each is not None)
    unseen = tuple(each for each in (given, given_labels) if each is not None)
    unseen = tuple(each for each in unseen if each is not coordinates and each is not point_labels)
    targets = Targets(names, out, tuple(extents), label_dtypes, distance_dtype, read, unseen)
    with reporter(progress) as report:
        _core.nearest_site_of_points(
            coordinates,
            point_labels,
            extents,
            targets.arrays(),
            to_text("method", method),
            to_text("metric", metric),
            to_lengths("spacing", spacing, len(extents)),
            to_flags("periodic", periodic, len(extents)),
            to_limit(max_distance),
            to_number("unreached", unreached),
            to_text("device", device),
            threads,
            report,
            0,
            False,
            options,
        )
    return targets.result(targets.finish())


def _voronoi_on_device(
    points: CudaArray,
    extents: list[int],
    labels: Any,
    spacing: Any,
    metric: str,
    method: str,
    max_distance: float | None,
    periodic: Any,
    unreached: Any,
    distance_dtype: Any,
    names: tuple[str, ...],
    out: Any,
    device: str,
    threads: int,
    progress: Any,
    options: MethodOptions,
) -> NearestSite:
    rank = len(extents)
    point_labels, label_dtype = to_cuda_points(points, labels, rank)
    targets = CudaTargets(names, out, tuple(extents), label_dtype, distance_dtype, points, rank)
    with reporter(progress) as report:
        _core.nearest_site_of_points(
            points.memory,
            None if point_labels is None else point_labels.memory,
            extents,
            targets.arrays(),
            to_text("method", method),
            to_text("metric", metric),
            to_lengths("spacing", spacing, rank),
            to_flags("periodic", periodic, rank),
            to_limit(max_distance),
            to_number("unreached", unreached),
            points.device_name(device),
            threads,
            report,
            points.stream,
            points.wait,
            options,
        )
    return targets.result(targets.finish())
