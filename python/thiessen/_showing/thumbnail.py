# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows of a result: a thumbnail and a line."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from .._kinds import xarray as _xarray
from .._kinds.attributes import LABELS, declared_nodata
from .render import render

SIDE = 320
"""Pixels of the longer side."""
_MOST = 4 * SIDE
"""Cells along an axis that are looked at: a thumbnail must not read a large raster."""

_SITE_INDICES = ("site_index", "other_site_index")
_COLOURED = ("labels", "other_labels", *_SITE_INDICES)
_SHADING = ("distance", "other_distance", "squared")


def to_html(outputs: Mapping[str, Any]) -> str:
    """A picture of the outputs that lie in memory of the host, and the line."""
    line = ", ".join(f"{name} {array.dtype}" for name, array in outputs.items())
    axes = " x ".join(str(extent) for extent in _extents(outputs))
    shown = {name: array for name, array in outputs.items() if _is_shown(name, array)}
    text = f"NearestSite of {axes} cells: {line}"
    if not shown:
        return f"<div>{text}</div>"
    extents = next(iter(shown.values())).shape
    for extent in extents[:-2]:
        text += f"; plane {extent // 2} of 0 to {extent - 1}"
    picture = _picture({name: _section(name, array) for name, array in shown.items()})
    encoded = base64.b64encode(to_png(picture)).decode("ascii")
    rows, columns, _ = picture.shape
    return (
        f'<div><img src="data:image/png;base64,{encoded}" width="{columns}" height="{rows}" '
        f'alt="{text}"><div>{text}</div></div>'
    )


def _extents(outputs: Mapping[str, Any]) -> tuple[int, ...]:
    """Extents of the raster; those of an offset have the components in front."""
    name, array = next(iter(outputs.items()))
    return array.shape[1:] if name == "offset" else array.shape


def _is_shown(name: str, array: Any) -> bool:
    if name not in _COLOURED and name not in _SHADING:
        return False
    cells = array.data if _xarray.is_data_array(array) else array
    return isinstance(cells, np.ndarray) and cells.ndim > 1 and 0 not in cells.shape


def _picture(sections: dict[str, np.ndarray]) -> np.ndarray:
    coloured = next((name for name in _COLOURED if name in sections), None)
    shading = next((name for name in _SHADING if name in sections), None)
    distance = None if shading is None else sections[shading]
    if shading == "squared" and distance is not None:
        distance = _root(distance)
    if coloured is None:
        return render(distance=distance, mode="distance", shape=SIDE)
    if coloured in _SITE_INDICES:
        options: dict[str, Any] = {"label_nodata": -2, "unreached": -1}
        return render(sections[coloured], distance=distance, shape=SIDE, **options)
    return render(sections[coloured], distance=distance, shape=SIDE)


def _root(squared: np.ndarray) -> np.ndarray:
    """Distances from their squares, which are -1 and -2 where there are none."""
    with np.errstate(invalid="ignore"):
        distance = np.sqrt(squared.astype(np.float32))
    distance[squared == -1] = np.inf
    return distance


def _section(name: str, array: Any) -> Any:
    """The middle plane of an array, thinned out, with a mask where it has nodata of its own; y
    grows upwards in one that has coordinates."""
    cells, nodata, upwards = array, None, False
    if _xarray.is_data_array(array):
        frame = _xarray.Frame(name, array)
        upwards = frame.ascends(array.dims[-2]) is True
        nodata = declared_nodata(array) if name in LABELS else None
        cells = array.data
    while cells.ndim > 2:
        cells = cells[cells.shape[0] // 2]
    step = -(-max(cells.shape) // _MOST)
    cells = cells[:: -step if upwards else step, ::step]
    return cells if nodata is None else np.ma.masked_equal(cells, nodata)


_COLOUR_TYPES = {3: 2, 4: 6}
"""PNG's number for RGB, and for RGB with opacity."""


def to_png(pixels: np.ndarray) -> bytes:
    """The bytes of a PNG of (rows, columns, 3 or 4) uint8."""
    rows, columns, channels = pixels.shape
    header = struct.pack(">IIBBBBB", columns, rows, 8, _COLOUR_TYPES[channels], 0, 0, 0)
    lines = np.zeros((rows, 1 + columns * channels), np.uint8)  # each begins with its filter: none
    lines[:, 1:] = pixels.reshape(rows, -1)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(name, data)
        for name, data in (
            (b"IHDR", header),
            (b"IDAT", zlib.compress(lines.tobytes(), 6)),
            (b"IEND", b""),
        )
    )


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
