# SPDX-License-Identifier: Apache-2.0
"""Tensors of PyTorch: tensors go in, tensors on the same device come out.

Verbs with an operator of PyTorch (``torch.ops.thiessen``) go through it, so that
``torch.compile(fullgraph=True)``, ``torch.export`` and ``torch.vmap`` take them. Options that
operators do not have, and other verbs, are those of arrays in memory; nothing traces them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import torch

from .._arguments import tables
from .._arguments.checks import (
    to_cell_value,
    to_extent,
    to_integer,
    to_length,
    to_number,
    to_switch,
    to_whole,
)
from .._arguments.options import Options, others_than, refuse_others
from .._arguments.running import to_thread_count
from .._torch.operators import (
    DISTANCE_TRANSFORM,
    DISTANCE_TRANSFORM_OUT,
    NEAREST_SITE,
    NEAREST_SITE_OUT,
    VORONOI,
    VORONOI_OUT,
)
from . import in_memory
from .outputs import make_result

_DISTANCE_TYPES = {"float32": torch.float32, "float64": torch.float64}
_INDEX_OF = {"distance": "site_index", "other_distance": "other_site_index"}
"""The output that tells which point a distance goes to."""

_OF_RASTERS = frozenset((*tables.FinishedSlabOptions.__annotations__, "outputs", "batch_axes"))
_OF_POINTS = frozenset((*tables.SlabOfPointsOptions.__annotations__, "outputs", "shape"))
"""The options that operators have."""
_ORDERS = {"euclidean": 2, "manhattan": 1, "chessboard": math.inf}
"""The metrics that are norms, and their orders."""
_WHERE = "for tensors that are traced or have a gradient"


def nearest_site_of(sites: Any, options: Options) -> Any:
    if not _has_operator(options, _OF_RASTERS):
        return _in_memory("nearest_site", sites, options)
    names = _names(options.outputs)
    given = _raster_options(sites, options)
    given["outputs"] = list(names)
    given["unreached"] = to_number("unreached", options.unreached)
    if options.out is None:
        return make_result(names, tuple(NEAREST_SITE(sites.detach(), **given)))
    out = _given_tensors(names, options.out)
    NEAREST_SITE_OUT(sites.detach(), out, **given)
    return make_result(names, tuple(out))


def distance_transform_of(sites: Any, options: Options) -> Any:
    if not _has_operator(options, _OF_RASTERS):
        return _in_memory("distance_transform", sites, options)
    given = _raster_options(sites, options)
    given["distance_to"] = options.distance_to
    if options.out is None:
        return DISTANCE_TRANSFORM(sites.detach(), **given)
    (out,) = _given_tensors(("distance",), options.out)
    DISTANCE_TRANSFORM_OUT(sites.detach(), out, **given)
    return out


def voronoi_of(points: Any, options: Options) -> Any:
    differentiable = isinstance(points, torch.Tensor) and _has_gradient(points)
    if not _has_operator(options, _OF_POINTS, differentiable):
        return _in_memory("voronoi", points, options)
    tensors = {
        "points": points, "point_labels": options.point_labels, "domain": options.domain
    }  # fmt: skip
    for name, value in tensors.items():
        if value is not None or name == "points":
            _require_tensor(name, value)
    names = _names(options.outputs)
    extents = [to_extent(axis, size) for axis, size in enumerate(options.shape)]
    given = _common_options(len(extents), options)
    given["unreached"] = to_number("unreached", options.unreached)
    label = options.nodata_label
    given["nodata_label"] = None if label is None else to_number("nodata_label", label)
    distances = [name for name in names if name in _INDEX_OF] if differentiable else []
    if distances:
        _check_differentiable(options.metric, options.out)
    wanted = [_INDEX_OF[name] for name in distances if _INDEX_OF[name] not in names]
    computed = [*[name for name in names if name not in distances], *wanted]
    given["outputs"] = computed
    inputs = [None if each is None else each.detach() for each in tensors.values()]
    if options.out is None:
        results = VORONOI(*inputs, extents, **given)
    else:
        results = _given_tensors(names, options.out)
        VORONOI_OUT(*inputs, extents, results, **given)
    found = dict(zip(computed, results))
    for name in distances:
        found[name] = _distance_to_points(points, found[_INDEX_OF[name]], given)
    return make_result(names, tuple([found[name] for name in names]))


def expand_labels_of(labels: Any, options: Options) -> Any:
    return _in_memory("expand_labels", labels, options)


def connected_components_of(image: Any, options: Options) -> Any:
    return _in_memory("connected_components", image, options)


def cost_distance_of(sites: Any, options: Options) -> Any:
    return _in_memory("cost_distance", sites, options)


def _has_operator(options: Options, passed: frozenset[str], differentiable: bool = False) -> bool:
    """Whether the operator takes all options. Raise ValueError where nothing else will do."""
    given = vars(options)
    if passed.issuperset(given) or not others_than(options, passed):
        return True
    if torch.compiler.is_compiling() or differentiable:
        refuse_others(options, passed, _WHERE)
    return False


def _in_memory(verb: str, first: Any, options: Options) -> Any:
    """Has a verb done for the memory of tensors, and gives tensors. In CUDA memory it does."""
    given = vars(options)
    tensors = [each for each in (first, *given.values()) if isinstance(each, torch.Tensor)]
    if any(each.device.type != "cpu" for each in tensors):
        return in_memory(verb, first, options)
    own = {name: _to_numpy(value) for name, value in given.items()}
    own["threads"] = to_thread_count(options.threads) or torch.get_num_threads()
    if verb == "connected_components":
        del own["threads"]
    found: Any = in_memory(verb, _to_numpy(first), Options(own))
    if isinstance(found, np.ndarray):
        return torch.from_numpy(found)
    values = [torch.from_numpy(each) if isinstance(each, np.ndarray) else each for each in found]
    return found._replace(**dict(zip(found._fields, values)))


def _to_numpy(value: Any) -> Any:
    """Tensors on the host as arrays, in place."""
    if isinstance(value, torch.Tensor):
        return value.detach().numpy()
    if isinstance(value, Mapping):
        return {name: _to_numpy(each) for name, each in value.items()}
    is_several = isinstance(value, (list, tuple)) and value
    return [*map(_to_numpy, value)] if is_several and _have_tensor(value) else value


def _have_tensor(values: Any) -> bool:
    return any(isinstance(each, torch.Tensor) for each in values)


def _raster_options(sites: Any, options: Options) -> dict[str, Any]:
    """The options of a call as an operator takes them."""
    _require_tensor("sites", sites)
    axes = _to_axes(options.batch_axes)
    return {
        **_common_options(sites.ndim - len(axes), options),
        "nodata": None if options.nodata is None else to_number("nodata", options.nodata),
        "values": _to_values(options.values),
        "zero_is_site": to_switch("zero_is_site", options.zero_is_site),
        "free_nodata": to_switch("free_nodata", options.free_nodata),
        "signed_distance": to_switch("signed_distance", options.signed_distance),
        "batch_axes": axes,
    }


def _common_options(rank: int, options: Options) -> dict[str, Any]:
    threads, limit = options.threads, options.max_distance
    return {
        "spacing": [
            to_length("spacing", each) for each in _for_each_axis("spacing", options.spacing, rank)
        ],
        "metric": options.metric,
        "max_distance": to_length("max_distance", math.inf if limit is None else limit),
        "periodic": [
            to_switch("periodic", each)
            for each in _for_each_axis("periodic", options.periodic, rank)
        ],
        "distance_type": _to_dtype(options.distance_type),
        # Zero: as `running` says, when the operator runs, which nothing traces.
        "threads": 0 if threads is None else to_whole("threads", threads, 1, 1024),
    }


def _require_tensor(name: str, value: Any) -> None:
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"{name} is a {type(value).__name__}; must be a torch.Tensor")


def _names(outputs: Any) -> tuple[str, ...]:
    """The names of the outputs asked for; the operator checks them."""
    return (outputs,) if isinstance(outputs, str) else tuple(outputs)


# torch.compile cannot follow np.iterable(), so these two are not to_lengths(), to_flags() and
# to_cell_values() of the other kinds.


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


def _to_dtype(distance_type: Any) -> torch.dtype:
    dtype = _DISTANCE_TYPES.get(distance_type, distance_type)
    if dtype not in (torch.float32, torch.float64):
        raise ValueError(f"distance_type = {distance_type!r}; must be 'float32' or 'float64'")
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
    if metric not in _ORDERS:
        raise ValueError(
            f"metric = {metric!r}; must be one of {', '.join(map(repr, _ORDERS))} for points that "
            "require a gradient"
        )
    if out is not None:
        raise ValueError("out is given; must not be for points that require a gradient")


def _has_gradient(points: torch.Tensor) -> bool:
    """Whether somebody asks for derivatives, backwards or forwards."""
    if points.requires_grad and torch.is_grad_enabled():
        return True
    if torch.compiler.is_compiling():
        return False
    return torch.autograd.forward_ad.unpack_dual(points).tangent is not None


def _distance_to_points(
    points: torch.Tensor,
    index: torch.Tensor,
    options: Mapping[str, Any],
) -> torch.Tensor:
    """From each cell to the point of that index, by the options of the operator. At a point itself
    the gradient is zero.

    Which point is the nearest is decided exactly, for points rounded to 2**-16 of a cell, and has
    no gradient. The distance is computed once more from the index, in PyTorch and from the points
    as they are: so PyTorch knows all its derivatives, and finite differences see what they should.
    """
    spacing, periodic, dtype = (options[name] for name in ("spacing", "periodic", "distance_type"))
    wide = torch.promote_types(points.dtype, dtype)
    # One more row, as there may be no points; cells that have none take any.
    rows = torch.nn.functional.pad(points.to(wide), (0, 0, 0, 1))
    nearest = rows[index.clamp(0, len(points))]
    ways = []
    for axis, extent in enumerate(index.shape):
        cells = torch.arange(extent, dtype=wide, device=points.device)
        way = nearest[..., axis] - cells.reshape(extent, *[1] * (index.ndim - axis - 1))
        if periodic and periodic[axis]:
            way = way - extent * torch.round(way / extent)
        ways.append(way * spacing[axis] if spacing else way)
    distance = torch.linalg.vector_norm(
        torch.stack(ways, dim=-1), ord=_ORDERS[options["metric"]], dim=-1
    )
    distance = torch.where(index < 0, math.inf, distance)
    return torch.where(index == -2, math.nan, distance).to(dtype)
