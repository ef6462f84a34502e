# SPDX-License-Identifier: Apache-2.0
"""Whether the DataArrays of a call lie on one grid, and what they are besides their cells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from . import geography as _geography
from .xarray import Frame, is_data_array

_UNNAMED = re.compile(r"dim_\d+")
"""Names that xarray gives to dimensions without one."""


def one_grid(given: Mapping[str, Any], batch: tuple[int, ...] = ()) -> Frame | None:
    """What tells where the cells of arrays lie, by name: the first DataArray that has coordinates,
    else the first; None without one. Raise ValueError for DataArrays on several grids."""
    frames = [Frame(name, array, batch) for name, array in given.items() if is_data_array(array)]
    for i, frame in enumerate(frames[1:], 1):
        for first in frames[:i]:
            _require_same_grid(first, frame)
    ranks = [array.ndim for array in given.values() if hasattr(array, "ndim")][:1]
    rasters = [
        frame
        for frame in frames
        if len(frame.dims) in (2, 3) and frame.array.ndim in (ranks or (2, 3))
    ]
    return next((frame for frame in rasters if frame.has_place), rasters[0] if rasters else None)


def _require_same_grid(first: Frame, other: Frame) -> None:
    dims = first.array.dims
    if any(all(_UNNAMED.fullmatch(str(dim)) for dim in f.array.dims) for f in (first, other)):
        return
    own = tuple(dim for dim in other.array.dims if dim in dims)
    if own != dims:
        turned = {*own} == {*dims}
        way = f"transpose{dims}" if turned else f"rename({dict(zip(other.array.dims, dims))})"
        raise ValueError(
            f"{other.name} has the dimensions {other.array.dims} and {first.name} {dims}; must be "
            f"the same: {other.name}.{way}"
        )
    if any(first.array.sizes[dim] != other.array.sizes[dim] for dim in dims):
        return  # which other checks tell
    for dim in dims:
        if dim not in first.batch_dims:
            _require_same_coordinate(first, other, dim)
    _require_same_geotransform(first, other)
    _require_same_system(first, other)


def _require_same_coordinate(first: Frame, other: Frame, dim: Any) -> None:
    if dim not in first.array.coords or dim not in other.array.coords:
        return
    a, b = (np.asarray(frame.array.coords[dim].values) for frame in (first, other))
    if np.array_equal(a, b) or _is_close(a, b):
        return
    turned = _is_close(a, b[::-1])
    reach = f", tolerance={abs(a[1] - a[0]) / 2:g}" if a.dtype.kind in "iuf" and a.size > 1 else ""
    ways = (
        f"{other.name}.isel({{{dim!r}: slice(None, None, -1)}})" if turned
        else f'{other.name}.reindex_like({first.name}, method="nearest"{reach}), or with rioxarray '
        f"{other.name}.rio.reproject_match({first.name})"
    )  # fmt: skip
    raise ValueError(
        f"{other.name} lies on another grid than {first.name}: its coordinate {dim!r} goes from "
        f"{b[0]} to {b[-1]}, not from {a[0]} to {a[-1]}; must be the same: {ways}"
    )


def _is_close(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether coordinates are the same but for a part of a step, or for what their dtypes round."""
    if a.dtype.kind not in "biuf" or b.dtype.kind not in "biuf" or not a.size:
        return bool(np.array_equal(a, b))
    rounding = max(
        np.finfo(each.dtype).eps for each in (a, b, np.zeros(0)) if each.dtype.kind == "f"
    )
    a, b = a.astype(np.float64), b.astype(np.float64)
    step = np.abs(np.diff(a)).min() if a.size > 1 else 0.0
    allowed = 1e-6 * step + 4 * rounding * np.abs(a).max()
    return bool((np.abs(a - b) <= allowed).all())


def _require_same_geotransform(first: Frame, other: Frame) -> None:
    """The same of grids whose dimensions have no coordinates."""
    if len(first.dims) != 2 or len(other.dims) != 2:
        return
    if first.geotransform is None and other.geotransform is None:
        return
    a, b = first.transform(), other.transform()
    if a is None or b is None or np.allclose(a, b, rtol=1e-9, atol=1e-6 * np.abs(a[1:3]).max()):
        return
    raise ValueError(
        f"{other.name} lies on another grid than {first.name}: its geotransform is {b}, not {a}; "
        f"must be the same: with rioxarray {other.name}.rio.reproject_match({first.name})"
    )


def _require_same_system(first: Frame, other: Frame) -> None:
    own, theirs = (_geography.wkt_of(frame.array) for frame in (first, other))
    if not own or not theirs or own == theirs:
        return
    with suppress(ImportError, RuntimeError):  # RuntimeError: what pyproj does not know
        import pyproj

        a, b = pyproj.CRS.from_user_input(own), pyproj.CRS.from_user_input(theirs)
        code = a.to_epsg()
        if a.equals(b, ignore_axis_order=True) or (code is not None and code == b.to_epsg()):
            return
        raise ValueError(
            f"{other.name} has the coordinate reference system {b.name} and {first.name} {a.name}; "
            f"must be the same: with rioxarray {other.name}.rio.reproject_match({first.name})"
        )
