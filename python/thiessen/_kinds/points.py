# SPDX-License-Identifier: Apache-2.0
"""Points in memory, on the host or in that of a CUDA device: lists of them and of their labels, and
their verb."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arguments.calls import nearest_options, to_k
from .._arguments.checks import to_grid, to_number
from .._arguments.core_options import run
from .._arguments.earth import METRICS, UNIT, to_core
from .._arguments.options import Options
from .._arguments.running import set_device
from .._arguments.warnings import tell
from .attributes import declared_nodata, units_of
from .cuda import CudaArray, find_cuda
from .host import is_native, number_dtype, result_dtype, to_array, to_cells, to_typed_numbers
from .outputs import NearestSite, Targets, output_names, require_held_labels
from .xarray import Frame, is_data_array


@dataclass(slots=True)
class Sites:
    """The sites of a call as the core takes them: points, or cells of the grid."""

    label_dtypes: tuple[np.dtype, np.dtype]
    """The core's and the caller's."""
    points: Any = None
    point_labels: Any = None
    weights: Any = None
    metrics: Any = None
    cells: Any = None
    domain: Any = None
    unseen: tuple[np.ndarray, ...] = ()
    """Arrays of the caller that the core has copies of."""
    nodata: float | None = None
    """The value of cells that are none of the domain."""
    selected: bool = False
    """Whether `values` and `zero_is_site` have had their effect on the cells."""

    def arrays(self) -> dict[str, Any]:
        """What the core takes."""
        every = {
            "points": self.points,
            "point_labels": self.point_labels,
            "weights": self.weights,
            "metrics": self.metrics,
            "sites": self.cells,
            "domain": self.domain,
        }
        return {name: array for name, array in every.items() if array is not None}

    def read(self) -> tuple[np.ndarray, ...]:
        """What the core reads on the host."""
        return tuple([each for each in self.arrays().values() if isinstance(each, np.ndarray)])


def voronoi_of(points: Any, options: Options) -> NearestSite[Any, Any]:
    names = output_names(options.outputs)
    if is_data_array(options.shape):
        raise TypeError(
            "shape is an xarray.DataArray; must be shape.shape, and domain=shape its grid: only "
            "features of geopandas have coordinates of the world"
        )
    extents = to_grid(options.shape)
    nodata_label = options.nodata_label
    on_device = find_cuda("points", points)
    ranks = to_k(options.k, on_device is not None)
    if on_device is not None:
        sites = _sites_on_device(on_device, options, extents)
    else:
        sites = sites_on_host(points, options, extents, names)
    targets = Targets(
        names, options.out, extents, sites.label_dtypes, options.distance_type,
        sites.read(), sites.unseen, k=ranks, like=on_device,
    )  # fmt: skip
    frame = _frame_of(options.domain, options.metric)
    units = UNIT if options.metric in METRICS else None
    if frame is not None and options.spacing is None and units is None:
        options, units = options.but(spacing=frame.spacing()), frame.units()
    operation = "voronoi" if sites.cells is None else "nearest_site"
    own = nearest_options(operation, len(extents), options, ranks)
    own.update(to_core(options.earth, options.metric, frame))
    if on_device is not None:
        on_device.set_device(own, options.device)
    else:
        set_device(own, options.device)
    _, found = run(operation, sites.arrays(), own, options.progress, targets.core)
    tell(found)
    results = targets.finish()
    if frame is not None:
        outside = None if nodata_label is None else to_number("nodata_label", nodata_label)
        if outside is None and options.point_labels is None:
            outside = -1
        results = {
            name: frame.wrap(name, result, outside, units=units_of(name, units, options))
            for name, result in results.items()
        }
    return targets.result(results)


def _frame_of(domain: Any, metric: Any) -> Frame | None:
    """What a domain is besides its cells."""
    if not is_data_array(domain):
        return None
    frame = Frame("domain", domain, on_earth=metric in METRICS)
    frame.refuse_other_axes(False)
    return frame


def sites_on_host(
    points: Any, options: Options, shape: tuple[int, ...], names: tuple[str, ...]
) -> Sites:
    """Points, or what is Sites already, with the domain. `names` are the outputs: their labels must
    hold the special ones."""
    given_domain, domain = to_domain(options.domain, shape)
    is_list = not isinstance(points, Sites)
    sites = to_points(points, options.point_labels, len(shape)) if is_list else points
    sites.domain = domain
    if options.weights is not None:
        _set_weights(sites, options.weights)
    if options.metrics is not None:
        _set_metrics(sites, options.metrics, len(shape))
    if given_domain is not domain:
        sites.unseen += _given(given_domain)
    require_held_labels(names, sites.label_dtypes, options, ("unreached", "nodata_label"))
    return sites


def _set_weights(sites: Sites, weights: Any) -> None:
    expected = (len(sites.points),) if sites.cells is None else sites.cells.shape
    sites.weights = _numbers_of(sites, "weights", weights, expected, ", one for a site")


def to_weights(weights: Any) -> np.ndarray | None:
    """Weights of points as the core takes them."""
    if weights is None:
        return None
    return to_cells("weights", to_array("weights", to_typed_numbers("weights", weights)))


def _set_metrics(sites: Sites, metrics: Any, axes: int) -> None:
    if sites.cells is not None:
        raise TypeError("metrics are given; only points have them, and these sites are cells")
    sites.metrics = _numbers_of(sites, "metrics", metrics, (len(sites.points), axes, axes))


def _numbers_of(
    sites: Sites, name: str, numbers: Any, expected: tuple[int, ...], what: str = ""
) -> np.ndarray:
    """What sites have besides their places, as the core takes it."""
    given = to_array(name, to_typed_numbers(name, numbers))
    if given.shape != expected:
        raise ValueError(f"{name} has the shape {given.shape}; must be {expected}{what}")
    cells = to_cells(name, given)
    if cells is not given:
        sites.unseen += (given,)
    return cells


def _given(*arrays: np.ndarray | None) -> tuple[np.ndarray, ...]:
    return tuple([each for each in arrays if each is not None])


def _sites_on_device(points: CudaArray, options: Options, shape: tuple[int, ...]) -> Sites:
    for name in ("weights", "metrics"):
        if getattr(options, name) is not None:
            raise TypeError(f"{name} are given; points in CUDA memory have none")
    domain = options.domain
    there = None if domain is None else _domain_on_device(domain, shape, points)
    point_labels, dtype = to_cuda_points(points, options.point_labels, len(shape))
    return Sites(
        (dtype, dtype),
        points.memory,
        None if point_labels is None else point_labels.memory,
        domain=None if there is None else there.memory,
    )


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


def to_points(points: Any, labels: Any, axes: int) -> Sites:
    """Points of a grid of so many axes, and their labels, on the host."""
    given = to_array("points", points)
    coordinates = to_coordinates(given, axes)
    given_labels = None if labels is None else to_array("point_labels", labels)
    own, dtypes = to_point_labels(given_labels, len(coordinates))
    pairs = ((given, coordinates), (given_labels, own))
    copied = _given(*[callers for callers, core in pairs if callers is not core])
    return Sites(dtypes, coordinates, own, unseen=copied)


def to_coordinates(array: np.ndarray, axes: int) -> np.ndarray:
    if array.ndim == 1 and array.size == 0:
        array = np.empty((0, axes))
    check_point_shape(array, axes)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"points has the dtype {array.dtype}; must be numbers")
    if array.dtype.char in "fd" and is_native(array):
        return array
    return array.astype(np.float64)


def check_point_shape(array: Any, axes: int) -> None:
    if array.ndim != 2 or array.shape[1] != axes:
        raise ValueError(f"points has the shape {array.shape}; must be (n, {axes}) for this grid")


def to_point_labels(
    array: np.ndarray | None, count: int
) -> tuple[np.ndarray | None, tuple[np.dtype, np.dtype]]:
    """The points' labels as the core takes them, and the dtypes of the output."""
    if array is None:
        dtype = number_dtype(count)
        return None, (dtype, dtype)
    if array.shape != (count,):
        raise ValueError(
            f"point_labels has the shape {array.shape}; must be ({count},), one for a point"
        )
    cells = to_cells("point_labels", array)
    if cells.dtype.kind == "b":
        raise TypeError("point_labels has the dtype bool; must be an integer or float dtype")
    return cells, (cells.dtype, result_dtype(array.dtype))


def to_cuda_points(points: CudaArray, labels: Any, axes: int) -> tuple[CudaArray | None, np.dtype]:
    """The labels of points in CUDA memory, which are checked, and the dtype of the output."""
    check_point_shape(points, axes)
    if points.dtype.char not in "fd":
        raise TypeError(f"points has the dtype {points.dtype}; must be float32 or float64")
    count = points.shape[0]
    if labels is None:
        return None, number_dtype(count)
    found = find_cuda("point_labels", labels)
    if found is None:
        raise TypeError("point_labels are on the host; must be in CUDA memory, as the points are")
    if found.shape != (count,):
        raise ValueError(f"point_labels has the shape {found.shape}; must be ({count},)")
    return found, found.dtype
