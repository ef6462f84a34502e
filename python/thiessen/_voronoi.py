# SPDX-License-Identifier: Apache-2.0
"""Nearest points of every cell of a grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

import numpy as np

from . import _core
from ._arguments.checks import require_held, to_extents, to_number
from ._arguments.progress import reporter
from ._arguments.running import set_device, to_thread_count
from ._arrays import to_array, to_cells, to_coordinates, to_cuda_points, to_point_labels
from ._attributes import declared_nodata
from ._calls import nearest_options, to_k
from ._cuda import CudaArray, find_cuda
from ._earth import METRICS, UNIT, Earth, to_core
from ._method_options import MethodOptions
from ._outputs import CudaTargets, NearestSite, Targets, have_labels, output_names
from ._warnings import tell
from ._xarray import Frame, is_data_array
from .typing import FloatDtype, HostArray, MethodName, Metric, Number, Output, Several

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._signatures import VoronoiArguments

One = TypeVar("One", bound=Output)
Own = TypeVar("Own")

__all__ = ["voronoi"]


@overload
def voronoi(
    points: HostArray, shape: Iterable[int], **arguments: Unpack[VoronoiArguments]
) -> NearestSite[Literal["labels", "distance"], np.ndarray]: ...
@overload
def voronoi(
    points: HostArray, shape: Iterable[int], *, outputs: One, **arguments: Unpack[VoronoiArguments]
) -> NearestSite[One, np.ndarray]: ...
@overload
def voronoi(
    points: HostArray,
    shape: Iterable[int],
    *,
    outputs: Several[Output],
    **arguments: Unpack[VoronoiArguments],
) -> NearestSite[Any, np.ndarray]: ...
@overload
def voronoi(
    points: Own, shape: Iterable[int], **arguments: Unpack[VoronoiArguments]
) -> NearestSite[Literal["labels", "distance"], Own]: ...
@overload
def voronoi(
    points: Own, shape: Iterable[int], *, outputs: One, **arguments: Unpack[VoronoiArguments]
) -> NearestSite[One, Own]: ...
@overload
def voronoi(
    points: Own,
    shape: Iterable[int],
    *,
    outputs: Several[Output],
    **arguments: Unpack[VoronoiArguments],
) -> NearestSite[Any, Own]: ...
def voronoi(
    points: Any,
    shape: Iterable[int],
    *,
    labels: Any = None,
    spacing: Number | Iterable[Number] | None = None,
    metric: Metric = "euclidean",
    earth: Earth | None = None,
    method: MethodName = "exact",
    method_options: MethodOptions | None = None,
    max_distance: Number | None = None,
    periodic: bool | Iterable[bool] | None = None,
    domain: Any = None,
    nodata_label: Number | None = None,
    unreached: Number = 0,
    k: int | None = None,
    distinct_labels: bool = False,
    ties_unreached: bool = False,
    distance_dtype: FloatDtype = "float32",
    outputs: Output | Sequence[Output] = ("labels", "distance"),
    out: Any = None,
    device: str | None = None,
    threads: int | None = None,
    progress: Any = None,
    strict: bool | None = None,
) -> NearestSite[Any, Any]:
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
    spacing, metric, earth, method, method_options, max_distance, periodic, unreached, k, \
distinct_labels, ties_unreached, distance_dtype, outputs, out, device, threads, progress
        As of `nearest_site`. squared and offset exist only if all points lie on centres of cells;
        site_index is the position in the list.
    domain : array of the shape of the grid, optional
        Booleans or integers; cells where it is False or 0 (or masked, or nodata by the metadata of
        a DataArray) are nodata in every output, but points there count. In CUDA memory if the
        points are. Default: all cells. A DataArray gives the spacing, and results are DataArrays.
    nodata_label : number, optional
        Label of these cells; default: -1 where the points are numbered.
    strict : bool, optional
        What is told by a `ThiessenWarning` is an error: no point, all outside of the grid, points
        at one place, labels that are `unreached`. Points in CUDA memory are not looked at.

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
    The nearer of two points wins; at equal distance the one that comes first in the list wins.
    Distances are to the rounded points, exactly.

    If all points lie in cells of the grid, no axis is periodic and the metric is not chessboard:
    time O(cells + n), as of `nearest_site`, and 5 bytes of scratch a cell. Otherwise blocks of
    cells hand lists of points down to their halves, in O(n log(cells) + cells) where points are
    spread; points on a circle cost O(n) in the few cells near its centre. Scratch: about 70 bytes
    a point.

    Source: as of `nearest_site`; docs/methods.md has the proof for blocks.

    Examples
    --------
    >>> import thiessen
    >>> thiessen.voronoi([(0.5, 0.25), (1.5, 3.75)], shape=(3, 5)).labels
    array([[1, 1, 1, 2, 2],
           [1, 1, 1, 2, 2],
           [1, 1, 2, 2, 2]], dtype=int32)
    """
    names = output_names(outputs)
    threads = to_thread_count(threads)
    extents = to_extents(shape)
    if len(extents) not in (2, 3):
        raise ValueError(f"shape = {tuple(extents)}; must have 2 or 3 axes")
    inputs: _Inputs
    targets: Targets | CudaTargets
    on_device = find_cuda("points", points)
    ranks = to_k(k, on_device is not None)
    if on_device is not None:
        inputs = _inputs_on_device(on_device, labels, domain, tuple(extents))
        targets = CudaTargets(
            names, out, tuple(extents), inputs.label_dtypes[1], distance_dtype, on_device,
            len(extents),
        )  # fmt: skip
    else:
        inputs = inputs_on_host(points, labels, domain, tuple(extents))
        if inputs.label_dtypes[0] != inputs.label_dtypes[1] and have_labels(names):
            require_held_labels(inputs.label_dtypes[1], unreached, nodata_label)
        targets = Targets(
            names, out, tuple(extents), inputs.label_dtypes, distance_dtype, inputs.read,
            inputs.unseen, k=ranks,
        )  # fmt: skip
    frame = _frame_of(domain, metric)
    units = UNIT if metric in METRICS else None
    if frame is not None and spacing is None and units is None:
        spacing, units = frame.spacing(), frame.units()
    options = nearest_options(
        len(extents), spacing=spacing, metric=metric, earth=to_core(earth, metric, frame),
        method=method, method_options=method_options, max_distance=max_distance, periodic=periodic,
        unreached=unreached, threads=threads, strict=strict, k=ranks,
        distinct_labels=distinct_labels, ties_unreached=ties_unreached,
    )  # fmt: skip
    if nodata_label is not None:
        options.nodata_label = to_number("nodata_label", nodata_label)
    if on_device is not None:
        on_device.set_device(options, device)
    else:
        set_device(options, device)
    with reporter(progress) as report:
        options.progress = report
        found = _core.voronoi(
            inputs.points,
            labels=inputs.labels,
            domain=inputs.domain,
            shape=extents,
            outputs=targets.arrays(),
            options=options,
        )
    tell(found)
    results = targets.finish()
    if frame is not None:
        outside = None if nodata_label is None else to_number("nodata_label", nodata_label)
        if outside is None and labels is None:
            outside = -1
        results = {
            name: frame.wrap(name, result, outside, units=units) for name, result in results.items()
        }
    return targets.result(results)


def _frame_of(domain: Any, metric: Any) -> Frame | None:
    """What a domain is besides its cells."""
    if not is_data_array(domain):
        return None
    frame = Frame("domain", domain, on_earth=metric in METRICS)
    frame.refuse_other_axes(False)
    return frame


@dataclass(slots=True)
class _Inputs:
    """The points of a call as the core takes them."""

    points: Any
    labels: Any
    domain: Any
    label_dtypes: tuple[np.dtype, np.dtype]
    """The core's and the caller's."""
    unseen: tuple[np.ndarray, ...] = ()
    """Arrays of the caller that the core has copies of."""

    @property
    def read(self) -> tuple[np.ndarray, ...]:
        """What the core reads on the host."""
        return _given(self.points, self.labels, self.domain)


def inputs_on_host(points: Any, labels: Any, domain: Any, shape: tuple[int, ...]) -> _Inputs:
    given = to_array("points", points)
    coordinates = to_coordinates(given, len(shape))
    given_labels = None if labels is None else to_array("labels", labels)
    point_labels, label_dtypes = to_point_labels(given_labels, len(coordinates))
    given_domain, cells = to_domain(domain, shape)
    read = (coordinates, point_labels, cells)
    callers = zip((given, given_labels, given_domain), read)
    unseen = _given(*[own for own, core in callers if own is not core])
    return _Inputs(*read, label_dtypes, unseen)


def _given(*arrays: np.ndarray | None) -> tuple[np.ndarray, ...]:
    return tuple([each for each in arrays if each is not None])


def _inputs_on_device(
    points: CudaArray, labels: Any, domain: Any, shape: tuple[int, ...]
) -> _Inputs:
    there = None if domain is None else _domain_on_device(domain, shape, points)
    point_labels, dtype = to_cuda_points(points, labels, len(shape))
    return _Inputs(
        points.memory,
        None if point_labels is None else point_labels.memory,
        None if there is None else there.memory,
        (dtype, dtype),
    )


def require_held_labels(dtype: np.dtype, unreached: Any, nodata_label: Any) -> None:
    require_held("unreached", to_number("unreached", unreached), dtype)
    if nodata_label is not None:
        require_held("nodata_label", to_number("nodata_label", nodata_label), dtype)


def to_domain(domain: Any, shape: tuple[int, ...]) -> tuple[np.ndarray | None, np.ndarray | None]:
    """The domain as it is given, and as the core takes it."""
    if domain is None:
        return None, None
    if isinstance(domain, np.ma.MaskedArray):
        domain = domain.filled(0)
    given = to_array("domain", domain)
    _check_domain(given, shape)
    nodata = declared_nodata(domain) if is_data_array(domain) else None
    inside = given if nodata is None else (given != 0) & (given != nodata)
    return given, to_cells("domain", inside)


def _check_domain(domain: Any, shape: tuple[int, ...]) -> None:
    if domain.dtype.kind not in "biu":
        raise TypeError(f"domain has the dtype {domain.dtype}; must be booleans or integers")
    if domain.shape != shape:
        raise ValueError(f"domain has the shape {domain.shape}; must be that of the grid, {shape}")


def _domain_on_device(domain: Any, shape: tuple[int, ...], points: CudaArray) -> CudaArray:
    found = find_cuda("domain", domain)
    if found is None:
        raise TypeError("domain is on the host; must be in CUDA memory, as the points are")
    if found.device != points.device:
        raise ValueError(
            f"domain is on cuda:{found.device}; must be where the points are, on "
            f"cuda:{points.device}"
        )
    _check_domain(found, shape)
    return found
