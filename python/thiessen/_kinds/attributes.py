# SPDX-License-Identifier: Apache-2.0
"""Attributes of DataArrays: nodata in those of an input, and those that a result gets.

A result gets attributes of its own. It shares with its input what says where the cells are:
coordinates and coordinate reference system.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

import numpy as np

from .._arguments.checks import is_held
from .._arguments.fields import OUTPUTS
from .._arguments.options import Options

LABELS = frozenset(name for name, each in OUTPUTS.items() if each.dtype == "labels")
"""The outputs that hold labels,"""
DISTANCES = frozenset(name for name, each in OUTPUTS.items() if each.dtype == "distance")
"""and those that hold distances."""

COVERAGE_NAME = "signed distance to the edge of the shape, negative inside"
COST_NAME = "least cost from the nearest site"
OTHER_COST_NAME = "least cost from the nearest site of another label"

_FILL_NAMES = ("_FillValue", "missing_value", "fill_value", "nodata")  # in rioxarray's order


def distance_name(options: Options) -> str | None:
    """What distances are that are not just those to the nearest site."""
    if options.signed_distance:
        return "signed distance to the nearest site, negative inside of sites"
    if options.distance_to == "boundary":
        return "distance to the nearest cell of another label"
    return None


def declared_nodata(array: Any) -> int | float | None:
    """The nodata value that a DataArray has by its metadata, where its cells can hold it.

    Metadata are in the attributes; where xarray has put NaN for the nodata of a file, they are in
    the encoding.
    """
    if array.dtype.kind not in "iuf":
        return None
    encoded = _first_number(array.encoding, ("_FillValue", "missing_value"))
    if encoded is not None and array.dtype.kind == "f":
        return float("nan")
    value = encoded
    if value is None and "rioxarray" in sys.modules:
        with suppress(TypeError, ValueError, OverflowError):  # of values that no cell can have
            value = _first_number({"_FillValue": array.rio.nodata}, ("_FillValue",))
    if value is None:
        value = _first_number(array.attrs, _FILL_NAMES)
    return value if value is not None and is_held(value, array.dtype) else None


def scale_of(name: str, array: Any) -> tuple[float, float] | None:
    """The scale and the offset that make quantities of the values of a DataArray; None where there
    is nothing to do: xarray and rioxarray take them out of the attributes when they apply them."""
    if "scales" in array.attrs or "offsets" in array.attrs:
        return _scale_of_band(name, array)
    scale, offset = array.attrs.get("scale_factor", 1), array.attrs.get("add_offset", 0)
    found = tuple(np.asarray(number) for number in (scale, offset))
    if any(number.size != 1 or number.dtype.kind not in "iuf" for number in found):
        raise ValueError(
            f"{name} has the attributes scale_factor = {scale!r} and add_offset = {offset!r}; must "
            "be numbers"
        )
    factor, summand = (float(number.reshape(())) for number in found)
    if not np.isfinite([factor, summand]).all() or factor == 0:
        raise ValueError(
            f"{name} has the attributes scale_factor = {factor} and add_offset = {summand}; must "
            "be finite, and the first not 0"
        )
    return None if (factor, summand) == (1, 0) else (factor, summand)


def _scale_of_band(name: str, array: Any) -> tuple[float, float] | None:
    """The same of what rioxarray keeps where the bands of a file differ."""
    band = array.coords.get("band")
    if band is None or band.size != 1:
        raise ValueError(
            f"{name} has scales or offsets of several bands in its attributes; must be one band, "
            "or scale_factor and add_offset must be in their place"
        )
    place = int(band.item()) - 1
    attrs = {"scale_factor": array.attrs.get("scale_factor", 1),
             "add_offset": array.attrs.get("add_offset", 0)}  # fmt: skip
    for one, several in (("scale_factor", "scales"), ("add_offset", "offsets")):
        if several in array.attrs:
            attrs[one] = array.attrs[several][place]
    plain = array.copy(deep=False)
    plain.attrs = attrs
    return scale_of(name, plain)


def _first_number(metadata: Any, names: tuple[str, ...]) -> int | float | None:
    for name in names:
        value = np.asarray(metadata.get(name))
        if value.size == 1 and value.dtype.kind in "iuf":
            return value.reshape(()).item()
    return None


def units_of(name: str, units: str | None, options: Any) -> str | None:
    """The units of an output, by those of distances. Keys have them if weights do; those of squares
    and of quotients are not told. Where points have metrics, these tell."""
    if options.metrics is not None:
        return None
    return None if name == "weighted_distance" and options.weighting != "additive" else units


def attributes_of(
    name: str,
    result: np.ndarray,
    nodata: int | float | None,
    long_name: str | None,
    units: str | None,
) -> dict[str, Any]:
    """The attributes of an output; `nodata` is that of labels."""
    attributes: dict[str, Any] = {"long_name": long_name or OUTPUTS[name].title}
    if name == "direction":
        attributes["units"] = "degree"
    elif name in DISTANCES and units:
        attributes["units"] = units
    fill_value = nodata if name in LABELS else OUTPUTS[name].nodata
    if fill_value is not None and result.dtype.kind != "b":
        attributes["_FillValue"] = result.dtype.type(fill_value)
    return attributes


def keep_place(source: Any, result: Any) -> None:
    """Let a result say where its coordinate reference system is, as its source does."""
    if "grid_mapping" in source.encoding:
        result.encoding["grid_mapping"] = source.encoding["grid_mapping"]
    for name in ("grid_mapping", "crs", "transform"):
        if name in source.attrs:
            result.attrs[name] = source.attrs[name]
