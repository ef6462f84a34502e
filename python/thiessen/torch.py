# SPDX-License-Identifier: Apache-2.0
"""Tensors of PyTorch: tensors go in, tensors on the same device come out.

nearest_site          nearest site of every cell of a raster, or of each raster of a batch
distance_transform    distances alone
voronoi               nearest point of every cell; distances have gradients with respect to points

They are operators of PyTorch (``torch.ops.thiessen``), so ``torch.compile(fullgraph=True)``,
``torch.export`` and ``torch.vmap`` take them. Results have the bits that the functions of the same
names in `thiessen` give for arrays, but for distances that have a gradient. PyTorch is imported
with this module, and by nothing else of the package.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

try:
    import torch
except ImportError as error:
    raise ImportError("thiessen.torch needs PyTorch: pip install torch") from error

from ._arguments.checks import (
    to_cell_value,
    to_extent,
    to_integer,
    to_length,
    to_limit,
    to_number,
    to_switch,
)
from ._arguments.running import to_thread_count
from ._outputs import NearestSite, make_result
from ._torch_operators import (
    DISTANCE_TRANSFORM,
    DISTANCE_TRANSFORM_OUT,
    NEAREST_SITE,
    NEAREST_SITE_OUT,
    VORONOI,
    VORONOI_OUT,
)
from ._torch_points import ORDERS, distance_to_points, has_gradient
from .typing import DistanceTo, Metric, Number, Output

__all__ = ["distance_transform", "nearest_site", "voronoi"]


def __dir__() -> list[str]:
    return __all__


FloatDtype: TypeAlias = "Literal['float32', 'float64'] | torch.dtype"
Outputs: TypeAlias = "torch.Tensor | Sequence[torch.Tensor] | Mapping[str, torch.Tensor]"

_DISTANCE_DTYPES = {"float32": torch.float32, "float64": torch.float64}
_INDEX_OF = {"distance": "site_index", "other_distance": "other_site_index"}
"""The output that tells which point a distance goes to."""


def nearest_site(
    sites: torch.Tensor,
    *,
    spacing: Number | Iterable[Number] | None = None,
    metric: Metric = "euclidean",
    max_distance: Number | None = None,
    nodata: Number | None = None,
    periodic: bool | Iterable[bool] | None = None,
    values: Number | Iterable[Number] | None = None,
    zero_is_site: bool = False,
    free_nodata: bool = False,
    unreached: Number = 0,
    signed: bool = False,
    distance_dtype: FloatDtype = "float32",
    outputs: Output | Sequence[Output] = ("labels", "distance"),
    out: Outputs | None = None,
    batch_axes: int | Iterable[int] | None = None,
    threads: int | None = None,
) -> NearestSite[Any, torch.Tensor]:
    """Nearest site of every cell of a raster, by straight-line distance.

    Three axes are a volume: of a stack (n, y, x) say so by ``batch_axes=0``, of (n, channel, y, x)
    by ``batch_axes=(0, 1)``.

    Parameters
    ----------
    sites : torch.Tensor of shape (y, x) or (z, y, x), and the axes of a batch
        On the host or in CUDA memory; booleans, integers or floats, with any strides. The cells
        that are neither zero nor NaN nor nodata are the sites, and their values the labels. Boolean
        sites are numbered 1, 2, ... in each raster.
    spacing, metric, max_distance, nodata, periodic, values, zero_is_site, free_nodata, \
unreached, signed
        As of `thiessen.nearest_site`.
    distance_dtype : {"float32", "float64"}, or such a torch.dtype
    outputs : names of "labels", "distance", "squared", "site_index", "offset", "direction"
        What is computed, in this order; dtypes and shapes are those of `thiessen.nearest_site`.
        "other_labels", "other_distance" and "other_site_index" for tensors on the host.
    out : mapping of names to tensors, tensors in the order of outputs, or the one of the only one
        Written instead of new tensors. On the device of the sites, of any strides, apart from each
        other and from the sites, without a gradient.
    batch_axes : int or several, optional
        Axes along which rasters lie beside each other that have nothing to do with each other.
    threads : int, optional
        Threads of the CPU; default: ``torch.get_num_threads()``, which is 1 in a worker of a
        DataLoader.

    Returns
    -------
    NearestSite
        Named tuple of the outputs, tensors on the device of the sites. Nothing has a gradient.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `thiessen.nearest_site`.

    Notes
    -----
    Tensors on the host are used in place. In CUDA memory the work goes on the current stream, and
    nothing waits; `thiessen.synchronize` does. float16 and bfloat16 are computed with as float32.
    A raster without any site is no cause for a warning here, as masks of a batch may be empty.

    Time, scratch memory and source: as of `thiessen.nearest_site`.

    Examples
    --------
    >>> import torch, thiessen.torch
    >>> stack = torch.tensor([[[7, 0, 0, 0]], [[0, 0, 0, 9]]])
    >>> labels, distance = thiessen.torch.nearest_site(stack, batch_axes=0)
    >>> labels
    tensor([[[7, 7, 7, 7]],
    <BLANKLINE>
            [[9, 9, 9, 9]]])
    >>> distance
    tensor([[[0., 1., 2., 3.]],
    <BLANKLINE>
            [[3., 2., 1., 0.]]])
    """
    names = _names(outputs)
    options = _raster_options(
        sites, spacing=spacing, metric=metric, max_distance=max_distance, nodata=nodata,
        periodic=periodic, values=values, zero_is_site=zero_is_site, free_nodata=free_nodata,
        signed=signed, distance_dtype=distance_dtype, batch_axes=batch_axes, threads=threads,
    )  # fmt: skip
    options["outputs"] = list(names)
    options["unreached"] = to_number("unreached", unreached)
    if out is None:
        return make_result(names, tuple(NEAREST_SITE(sites.detach(), **options)))
    given = _given_tensors(names, out)
    NEAREST_SITE_OUT(sites.detach(), given, **options)
    return make_result(names, tuple(given))


def distance_transform(
    sites: torch.Tensor,
    *,
    to: DistanceTo = "site",
    signed: bool = False,
    spacing: Number | Iterable[Number] | None = None,
    metric: Metric = "euclidean",
    max_distance: Number | None = None,
    nodata: Number | None = None,
    periodic: bool | Iterable[bool] | None = None,
    values: Number | Iterable[Number] | None = None,
    zero_is_site: bool = False,
    free_nodata: bool = False,
    distance_dtype: FloatDtype = "float32",
    out: torch.Tensor | None = None,
    batch_axes: int | Iterable[int] | None = None,
    threads: int | None = None,
) -> torch.Tensor:
    """Distance of every cell to the nearest site, or to the boundary of its own label.

    Distances are *to* the non-zero cells. Three axes are a volume: of a stack (n, y, x) say so by
    ``batch_axes=0``, of (n, channel, y, x) by ``batch_axes=(0, 1)``.

    Parameters
    ----------
    sites : torch.Tensor of shape (y, x) or (z, y, x), and the axes of a batch
        As of `nearest_site`.
    to : {"site", "boundary"}
        As of `thiessen.distance_transform`; "boundary" for tensors on the host.
    signed : bool
        Site cells get minus the distance to the nearest cell that is no site (-inf if there is
        none in range).
    spacing, metric, max_distance, nodata, periodic, values, zero_is_site, free_nodata, \
distance_dtype, batch_axes, threads
        As of `nearest_site`.
    out : torch.Tensor, optional
        Has the shape of the sites, float32 or float64; written instead of a new tensor.

    Returns
    -------
    torch.Tensor of the shape of the sites
        inf where nothing is in range, NaN at nodata cells; without a gradient.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `nearest_site`.

    Notes
    -----
    As of `nearest_site`.

    Examples
    --------
    >>> import torch, thiessen.torch
    >>> masks = torch.tensor([[[0, 0, 1, 1, 0]], [[1, 0, 0, 0, 0]]], dtype=torch.bool)
    >>> thiessen.torch.distance_transform(masks, signed=True, batch_axes=0)
    tensor([[[ 2.,  1., -1., -1.,  1.]],
    <BLANKLINE>
            [[-1.,  1.,  2.,  3.,  4.]]])
    """
    options = _raster_options(
        sites, spacing=spacing, metric=metric, max_distance=max_distance, nodata=nodata,
        periodic=periodic, values=values, zero_is_site=zero_is_site, free_nodata=free_nodata,
        signed=signed, distance_dtype=distance_dtype, batch_axes=batch_axes, threads=threads,
    )  # fmt: skip
    options["to"] = to
    if out is None:
        return DISTANCE_TRANSFORM(sites.detach(), **options)
    (given,) = _given_tensors(("distance",), out)
    DISTANCE_TRANSFORM_OUT(sites.detach(), given, **options)
    return given


def voronoi(
    points: torch.Tensor,
    shape: Iterable[int],
    *,
    labels: torch.Tensor | None = None,
    spacing: Number | Iterable[Number] | None = None,
    metric: Metric = "euclidean",
    max_distance: Number | None = None,
    periodic: bool | Iterable[bool] | None = None,
    domain: torch.Tensor | None = None,
    nodata_label: Number | None = None,
    unreached: Number = 0,
    distance_dtype: FloatDtype = "float32",
    outputs: Output | Sequence[Output] = ("labels", "distance"),
    out: Outputs | None = None,
    threads: int | None = None,
) -> NearestSite[Any, torch.Tensor]:
    """Nearest point of every cell of a grid. If the points require a gradient, distances have one.

    Parameters
    ----------
    points : torch.Tensor of shape (n, 2) as (y, x), or (n, 3) as (z, y, x)
        In cells, as of `thiessen.voronoi`; for points with a batch in front see the notes.
    shape : sequence of int
        Extents of the grid, (y, x) or (z, y, x).
    labels : torch.Tensor of shape (n,), optional
        Labels of the points, integers or floats; default: 1, 2, ... as int32.
    domain : torch.Tensor of the shape of the grid, optional
        Cells where it is False or 0 are nodata in every output.
    nodata_label : number, optional
        Label of these cells; default: -1 where the points are numbered.
    spacing, metric, max_distance, periodic, unreached, distance_dtype, outputs, out, threads
        As of `nearest_site`. With points that require a gradient the metric is "euclidean",
        "manhattan" or "chessboard", and `out` is not given.

    Returns
    -------
    NearestSite
        Named tuple of the outputs, tensors on the device of the points. distance and other_distance
        have a gradient with respect to the points if those require one.

    Raises
    ------
    ValueError, TypeError, RuntimeError, MemoryError
        As `thiessen.voronoi`. What is wrong with points in CUDA memory is raised by
        `thiessen.synchronize`.

    Notes
    -----
    Which point is the nearest is decided exactly, for points rounded to 2**-16 of a cell. Distances
    without a gradient are to the rounded points, with the bits of `thiessen.voronoi`; those with
    one are computed once more by PyTorch, to the points as they are, so they differ by up to
    2**-16 of a cell and may be differentiated any number of times. Where the nearest point
    changes from cell to cell the distance has a kink, as any minimum has, and its gradient is that
    of the point that won. At a point itself the gradient is zero. PyTorch sums gradients;
    ``torch.use_deterministic_algorithms(True)`` has it do so in the same order each time.

    ``torch.vmap`` takes a batch of points (and of labels and domains), which are done one after the
    other.

    Examples
    --------
    >>> import torch, thiessen.torch
    >>> points = torch.tensor([[0.0, 1.25]], requires_grad=True)
    >>> distance = thiessen.torch.voronoi(points, (1, 4)).distance
    >>> distance.detach()
    tensor([[1.2500, 0.2500, 0.7500, 1.7500]])
    >>> distance[0, 0].backward()
    >>> points.grad
    tensor([[0., 1.]])
    """
    for name, value in {"points": points, "labels": labels, "domain": domain}.items():
        if value is not None or name == "points":
            _require_tensor(name, value)
    names = _names(outputs)
    extents = [to_extent(axis, size) for axis, size in enumerate(shape)]
    options = _common_options(
        len(extents), spacing=spacing, metric=metric, max_distance=max_distance, periodic=periodic,
        distance_dtype=distance_dtype, threads=threads,
    )  # fmt: skip
    options["unreached"] = to_number("unreached", unreached)
    options["nodata_label"] = (
        None if nodata_label is None else to_number("nodata_label", nodata_label)
    )
    distances = [name for name in names if name in _INDEX_OF] if has_gradient(points) else []
    if distances:
        _check_differentiable(metric, out)
    wanted = [_INDEX_OF[name] for name in distances if _INDEX_OF[name] not in names]
    computed = [*[name for name in names if name not in distances], *wanted]
    options["outputs"] = computed
    inputs = [None if each is None else each.detach() for each in (points, labels, domain)]
    if out is None:
        tensors = VORONOI(*inputs, extents, **options)
    else:
        tensors = _given_tensors(names, out)
        VORONOI_OUT(*inputs, extents, tensors, **options)
    found = dict(zip(computed, tensors))
    for name in distances:
        found[name] = distance_to_points(
            points, found[_INDEX_OF[name]], options["spacing"], metric, options["periodic"],
            options["distance_dtype"],
        )  # fmt: skip
    return make_result(names, tuple([found[name] for name in names]))


def _raster_options(
    sites: torch.Tensor,
    *,
    nodata: Any,
    values: Any,
    zero_is_site: Any,
    free_nodata: Any,
    signed: Any,
    batch_axes: Any,
    **common: Any,
) -> dict[str, Any]:
    """The options of a call as an operator takes them."""
    _require_tensor("sites", sites)
    axes = _to_axes(batch_axes)
    return {
        **_common_options(sites.ndim - len(axes), **common),
        "nodata": None if nodata is None else to_number("nodata", nodata),
        "values": _to_values(values),
        "zero_is_site": to_switch("zero_is_site", zero_is_site),
        "free_nodata": to_switch("free_nodata", free_nodata),
        "signed": to_switch("signed", signed),
        "batch_axes": axes,
    }


def _common_options(
    rank: int,
    *,
    spacing: Any,
    metric: Any,
    max_distance: Any,
    periodic: Any,
    distance_dtype: Any,
    threads: Any,
) -> dict[str, Any]:
    return {
        "spacing": [
            to_length("spacing", each) for each in _for_each_axis("spacing", spacing, rank)
        ],
        "metric": metric,
        "max_distance": to_limit(max_distance),
        "periodic": [
            to_switch("periodic", each) for each in _for_each_axis("periodic", periodic, rank)
        ],
        "distance_dtype": _to_dtype(distance_dtype),
        "threads": to_thread_count(threads),
    }


def _require_tensor(name: str, value: Any) -> None:
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"{name} is a {type(value).__name__}; must be a torch.Tensor")


def _names(outputs: Any) -> tuple[str, ...]:
    """The names of the outputs asked for; the operator checks them."""
    return (outputs,) if isinstance(outputs, str) else tuple(outputs)


# torch.compile cannot follow np.iterable(), so these two are not to_lengths(), to_flags() and
# to_cell_values() of _options.


def _for_each_axis(name: str, value: Any, rank: int) -> list[Any]:
    """The values for the axes of a raster; the empty list where none is given."""
    if value is None:
        return []
    if not isinstance(value, Iterable):
        return [value] * rank
    each = list(value)
    if len(each) != rank:
        raise ValueError(f"{name} has {len(each)} values; must have one for each of {rank} axes")
    return each


def _to_values(values: Any) -> list[int | float]:
    if values is None:
        return []
    numbers = list(values) if isinstance(values, Iterable) else [values]
    if not numbers:
        raise ValueError("values is empty; must have one number or more")
    return [to_cell_value("values", number) for number in numbers]


def _to_axes(batch_axes: Any) -> list[int]:
    if batch_axes is None:
        return []
    return [
        to_integer("batch_axes", axis)
        for axis in (batch_axes if isinstance(batch_axes, Iterable) else [batch_axes])
    ]


def _to_dtype(distance_dtype: Any) -> torch.dtype:
    dtype = _DISTANCE_DTYPES.get(distance_dtype, distance_dtype)
    if dtype not in (torch.float32, torch.float64):
        raise ValueError(f"distance_dtype = {distance_dtype!r}; must be 'float32' or 'float64'")
    return dtype


def _given_tensors(names: tuple[str, ...], out: Any) -> list[torch.Tensor]:
    """The caller's tensors in the order of the outputs."""
    if isinstance(out, Mapping):
        if set(out) != set(names):
            raise ValueError(f"out has the names {tuple(out)}; must have those of outputs, {names}")
        given = [out[name] for name in names]
    else:
        given = [out] if isinstance(out, torch.Tensor) else list(out)
        if len(given) != len(names):
            raise ValueError(f"out has {len(given)} tensors; must have one for each of {names}")
    for name, tensor in zip(names, given):
        _require_tensor(f"out[{name!r}]", tensor)
        if tensor.requires_grad:
            raise ValueError(f"out[{name!r}] requires a gradient; must not")
    return given


def _check_differentiable(metric: str, out: Any) -> None:
    if metric not in ORDERS:
        raise ValueError(
            f"metric = {metric!r}; must be one of {', '.join(map(repr, ORDERS))} for points that "
            "require a gradient"
        )
    if out is not None:
        raise ValueError("out is given; must not be for points that require a gradient")
