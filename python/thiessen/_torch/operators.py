# SPDX-License-Identifier: Apache-2.0
"""The operators that PyTorch knows of: ``thiessen::nearest_site`` and others.

Each comes twice. One makes its results by the function that also is its fake, from which
``torch.compile`` learns shapes and dtypes without computing a cell; the one with ``_out`` writes
into tensors of the caller. The cells are those of the package's own functions, in place: through
NumPy on the host, on the current stream of PyTorch in CUDA memory.

Arguments have the types that operators can have: where an array or a number is not given, it is
empty or infinite. They are checked by the package when the operator runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from .._arguments.options import Options
from .._arguments.running import to_thread_count
from .._kinds import in_memory
from .._kinds.attributes import DISTANCES, LABELS
from .._kinds.host import number_dtype
from .._kinds.outputs import DTYPES, output_names, shape_of

_COMMON = (
    "float[] spacing, str metric, float max_distance, bool[] periodic, ScalarType distance_type, "
    "int threads"
)
_RASTER = (
    "Scalar? nodata, Scalar[] values, bool zero_is_site, bool free_nodata, bool signed_distance, "
    "int[] batch_axes"
)
_POINTS = "Tensor points, Tensor? point_labels, Tensor? domain, SymInt[] shape"

_NARROW = (torch.float16, torch.bfloat16)
"""Floats of 2 bytes, which are computed with as float32 and have the same values there."""


def _new_nearest(
    sites: torch.Tensor,
    *,
    outputs: Sequence[str],
    distance_type: torch.dtype,
    batch_axes: Sequence[int],
    **_: Any,
) -> list[torch.Tensor]:
    batch = {axis % sites.ndim for axis in batch_axes} if sites.ndim else set()
    extents = [extent for axis, extent in enumerate(sites.shape) if axis not in batch]
    labels = sites.dtype if sites.dtype != torch.bool else _number_dtype(math.prod(extents))
    return _new_outputs(sites, sites.shape, len(extents), outputs, labels, distance_type)


def _new_distance(sites: torch.Tensor, *, distance_type: torch.dtype, **_: Any) -> torch.Tensor:
    return sites.new_empty(sites.shape, dtype=distance_type)


def _new_voronoi(
    points: torch.Tensor,
    point_labels: torch.Tensor | None,
    domain: torch.Tensor | None,
    shape: Sequence[int],
    *,
    outputs: Sequence[str],
    distance_type: torch.dtype,
    **_: Any,
) -> list[torch.Tensor]:
    dtype = _number_dtype(len(points)) if point_labels is None else point_labels.dtype
    return _new_outputs(points, shape, len(shape), outputs, dtype, distance_type)


def _new_outputs(
    like: torch.Tensor,
    shape: Sequence[int],
    axes: int,
    outputs: Sequence[str],
    labels: torch.dtype,
    distances: torch.dtype,
) -> list[torch.Tensor]:
    """`axes` are those of a raster, where `shape` is that of a batch."""
    made = []
    for name in output_names(list(outputs)):
        if name in LABELS:
            dtype = labels
        elif name in DISTANCES:
            dtype = distances
        else:
            dtype = getattr(torch, DTYPES[name].name)
        made.append(like.new_empty(shape_of(name, tuple(shape), axes), dtype=dtype))
    return made


def _number_dtype(count: int) -> torch.dtype:
    return getattr(torch, number_dtype(count).name)


def _write_nearest(
    sites: torch.Tensor,
    out: Sequence[torch.Tensor],
    *,
    outputs: Any,
    distance_type: torch.dtype,
    **options: Any,
) -> None:
    for name in ("nodata", "unreached"):
        _require_held(name, options[name], sites.dtype)
    with _Written(outputs, out, sites.dtype) as written:
        own = Options({"outputs": outputs, "out": written, **_given(options)})
        in_memory("nearest_site", _cells(_widened(sites)), own)


def _write_distance(
    sites: torch.Tensor, out: torch.Tensor, *, distance_type: torch.dtype, **options: Any
) -> None:
    _require_held("nodata", options["nodata"], sites.dtype)
    own = Options({"out": _cells(out), **_given(options)})
    in_memory("distance_transform", _cells(_widened(sites)), own)


def _write_voronoi(
    points: torch.Tensor,
    point_labels: torch.Tensor | None,
    domain: torch.Tensor | None,
    shape: Sequence[int],
    out: Sequence[torch.Tensor],
    *,
    outputs: Any,
    distance_type: torch.dtype,
    **options: Any,
) -> None:
    coordinates = points if points.dtype in (torch.float32, torch.float64) else points.double()
    if point_labels is not None:
        _require_held("unreached", options["unreached"], point_labels.dtype)
        _require_held("nodata_label", options["nodata_label"], point_labels.dtype)
    dtype = None if point_labels is None else point_labels.dtype
    with _Written(outputs, out, dtype) as written:
        own = Options({"shape": shape, "outputs": outputs, "out": written, **_given(options)})
        labels = None if point_labels is None else _cells(_widened(point_labels))
        own = own.but(point_labels=labels, domain=None if domain is None else _cells(domain))
        in_memory("voronoi", _cells(coordinates), own)


class _Written:
    """The outputs of a call by their names, as the package takes them. Labels of 2 bytes are copied
    to the caller at the end."""

    def __init__(
        self, outputs: Sequence[str], out: Sequence[torch.Tensor], labels: torch.dtype | None
    ) -> None:
        self.arrays: dict[str, Any] = {}
        self.copies: list[tuple[torch.Tensor, torch.Tensor]] = []
        for name, tensor in zip(output_names(list(outputs)), out):
            written = tensor
            if name in LABELS and labels in _NARROW and tensor.dtype == labels:
                written = torch.empty_like(tensor, dtype=torch.float32)
                self.copies.append((tensor, written))
            self.arrays[name] = _cells(written)

    def __enter__(self) -> dict[str, Any]:
        return self.arrays

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            for tensor, written in self.copies:
                tensor.copy_(written)


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The options as the package takes them: lists that are empty are not given."""
    given = {name: None if value == [] else value for name, value in options.items()}
    given["threads"] = options["threads"] or to_thread_count(None) or torch.get_num_threads()
    return given


def _cells(tensor: torch.Tensor) -> Any:
    """The tensor as the package takes it, without a copy."""
    return tensor.detach().numpy() if tensor.device.type == "cpu" else tensor


def _widened(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.float() if tensor.dtype in _NARROW else tensor


def _require_held(name: str, number: float | None, dtype: torch.dtype) -> None:
    """Raise ValueError for a number that is no value of a float of 2 bytes."""
    if number is None or dtype not in _NARROW or number != number:
        return
    if torch.tensor(float(number), dtype=dtype).item() != number:
        raise ValueError(f"{name} = {number}; must be a value of the dtype {dtype}")


def _over_batch(operator: Any, offsets: bool) -> Callable[..., Any]:
    """The rule of torch.vmap for rasters: its axis is one more of the batch."""

    def rule(info: Any, in_dims: Any, sites: torch.Tensor, **options: Any) -> tuple[Any, Any]:
        axes = sites.ndim - 1
        batch = [0, *[axis % axes + 1 for axis in options["batch_axes"]]]
        results = operator(sites.movedim(in_dims[0], 0), **{**options, "batch_axes": batch})
        if not offsets:
            return results, 0
        return results, [int(name == "offset") for name in options["outputs"]]

    return rule


def _one_by_one(operator: Any) -> Callable[..., Any]:
    """The rule of torch.vmap for points."""

    def rule(info: Any, in_dims: Any, *inputs: Any, **options: Any) -> tuple[Any, Any]:
        *tensors, shape = inputs
        each = [
            operator(
                *[
                    tensor if tensor is None or axis is None else tensor.select(axis, place)
                    for tensor, axis in zip(tensors, in_dims)
                ],
                shape,
                **options,
            )
            for place in range(info.batch_size)
        ]
        results = [torch.stack(parts) for parts in zip(*each)]
        return results, [0] * len(results)

    return rule


def _define(name: str, arguments: str, options: str, new: Callable[..., Any], write: Any) -> Any:
    """The operator with new tensors for results, and the one that writes into the caller's."""
    several = new is not _new_distance
    made, given = ("Tensor[]", "Tensor(a!)[]") if several else ("Tensor", "Tensor(a!)")

    def make(*tensors: Any, **named: Any) -> Any:
        results = new(*tensors, **named)
        write(*tensors, results, **named)
        return results

    operator = torch.library.custom_op(
        f"thiessen::{name}", make, mutates_args=(), schema=f"({arguments}, *, {options}) -> {made}"
    )
    operator.register_fake(new)
    operator_out = torch.library.custom_op(
        f"thiessen::{name}_out",
        write,
        mutates_args={"out"},
        schema=f"({arguments}, {given} out, *, {options}) -> ()",
    )
    operator_out.register_fake(lambda *_, **__: None)
    return operator, operator_out


NEAREST_SITE, NEAREST_SITE_OUT = _define(
    "nearest_site",
    "Tensor sites",
    f"str[] outputs, {_COMMON}, {_RASTER}, Scalar unreached",
    _new_nearest,
    _write_nearest,
)
DISTANCE_TRANSFORM, DISTANCE_TRANSFORM_OUT = _define(
    "distance_transform",
    "Tensor sites",
    f"str distance_to, {_COMMON}, {_RASTER}",
    _new_distance,
    _write_distance,
)
VORONOI, VORONOI_OUT = _define(
    "voronoi",
    _POINTS,
    f"str[] outputs, {_COMMON}, Scalar unreached, Scalar? nodata_label",
    _new_voronoi,
    _write_voronoi,
)

torch.library.register_vmap(NEAREST_SITE, _over_batch(NEAREST_SITE, offsets=True))
torch.library.register_vmap(DISTANCE_TRANSFORM, _over_batch(DISTANCE_TRANSFORM, offsets=False))
torch.library.register_vmap(VORONOI, _one_by_one(VORONOI))
