# SPDX-License-Identifier: Apache-2.0
"""Pictures of results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .._arguments.checks import to_colour, to_extent, to_extents, to_float
from .._arguments.core_options import core_options, run
from .._arguments.options import Options
from .._kinds.grids import one_grid
from .._kinds.host import to_field, to_raster
from .._kinds.outputs import NearestSite
from .._polygons import MOST_LINES, require_few_lines
from ..typing import Colour, Marks, Number, Ramp, RampScale, RenderMode


def render(
    labels: Any = None,
    *,
    distance: Any = None,
    sites: Any = None,
    shape: int | Iterable[int] | None = None,
    mode: RenderMode = "cells",
    edges: bool = True,
    edge_colour: Colour | None = None,
    marks: Marks = "solid",
    contours: bool | Number = False,
    shade: Number = 0.3,
    ramp: Ramp = "dusk",
    ramp_scale: RampScale = "linear",
    range: Iterable[Number] | None = None,
    label_nodata: Number | None = None,
    site_nodata: Number | None = None,
    unreached: Number = 0,
    background: Colour = (255, 255, 255),
    opacity: Number | None = None,
    out: np.ndarray | None = None,
    threads: int | None = None,
) -> np.ndarray:
    """Paint a nearest-site map as a picture.

    Parameters
    ----------
    labels : array of shape (y, x), or NearestSite
        Every value gets its own colour, the same in every picture. A result gives its labels, and
        its distance unless `distance` is given.
    distance : float array of shape (y, x), optional
        Shades the colours and gives the contours; alone, it is painted along a ramp.
    sites : array of shape (y, x), optional
        Its cells that are neither zero nor NaN are marked.
    shape : int or (rows, columns), optional
        Size of the picture in pixels; one number is the longer side. Default: as the raster. A
        raster with more cells is averaged in linear light, one with less magnified.
    mode : {"cells", "distance"}
        Colour by the label, or by the distance along the ramp.
    edges : bool
        Lines between cells of different labels.
    edge_colour : colour, optional
        Default: darker than the cells. A colour is (red, green, blue) of 0 to 255, or "#rrggbb".
    marks : {"none", "solid", "outline"}
        Sites as discs, lines and areas; "outline": of lines and areas the border.
    contours : bool or float
        Lines of equal distance, at round intervals or at multiples of this: at most 100, or one
        for every four pixels of the longer side.
    shade : float
        How much darker colours become towards the greatest distance, 0 to 1.
    ramp : {"dusk", "ember", "ice", "grey", "viridis", "magma", "cividis"}
    ramp_scale : {"linear", "sqrt", "log"}
    range : (float, float), optional
        Distances at the ends of the ramp; default: the least and the greatest.
    label_nodata, site_nodata : number, optional
        Labels that are nodata (grey, as the distance NaN is); values of `sites` that are no sites.
        The mask of a masked array is nodata.
    unreached : number
        Cells of this label, and of an infinite distance, have the colour `background`.
    background : colour
    opacity : float, optional
        How opaque coloured cells are, 0 to 1: the picture gets a fourth channel, in which unreached
        and nodata cells are transparent, lines and marks opaque.
    out : numpy.ndarray of uint8, optional
        Has the shape (rows, columns, 3), or 4 in place of 3; written instead of a new array, and
        gives the size.
    threads : int, optional

    Returns
    -------
    numpy.ndarray of uint8, of shape (rows, columns, 3), or with `opacity` (rows, columns, 4)
        Red, green, blue of the sRGB space, and the opacity: the same bytes on every machine.

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    Colours are those of OKLCH (B. Ottosson, "A perceptual color space for image processing",
    2020), a golden angle of hue apart. Time O(cells + pixels).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> sites = thiessen.random_sites((60, 80), count=10, seed=1)
    >>> picture = thiessen.render(thiessen.nearest_site(sites), sites=sites, shape=400)
    >>> picture.shape, picture.dtype
    ((300, 400, 3), dtype('uint8'))
    """
    if isinstance(labels, NearestSite):
        result = labels._asdict()
        labels = result.get("labels")
        distance = result.get("distance") if distance is None else distance
    one_grid({"labels": labels, "distance": distance, "sites": sites})
    given = {
        "mode": mode, "edges": edges, "marks": marks, "shade": shade, "ramp": ramp,
        "ramp_scale": ramp_scale, "unreached": unreached, "opacity": opacity, "threads": threads,
    }  # fmt: skip
    options = core_options("render", Options(given), device="cpu")
    layers: dict[str, np.ndarray] = {}
    if labels is not None:
        layers["labels"], own_nodata = _layer("labels", labels, label_nodata, "label_nodata")
        options["label_nodata"] = own_nodata
    if distance is not None:
        layers["distance"] = to_field("distance", distance)
    if sites is not None:
        layers["sites"], own_nodata = _layer("sites", sites, site_nodata, "site_nodata")
        options["site_nodata"] = own_nodata
    if not layers:
        raise ValueError("labels, distance and sites are None; one of them must be an array")
    raster = next(iter(layers.values()))
    if raster.ndim != 2:
        raise ValueError(f"the raster has {raster.ndim} axes; a picture must have 2")
    pixels = _pixels(out, shape, raster.shape, 3 if opacity is None else 4)
    if edge_colour is not None:
        options["edge_colour"] = to_colour("edge_colour", edge_colour)
    options["background"] = to_colour("background", background)
    if isinstance(contours, (bool, np.bool_)):
        options["contours"] = bool(contours)
    else:
        options["contours"] = True
        options["contour_interval"] = interval = to_float("contours", contours)
        if distance is not None and interval > 0:
            most = max(MOST_LINES, max(pixels.shape) // 4)
            require_few_lines(interval, layers["distance"], most)
    if range is not None:
        options["range"] = _to_range(range)
    options["shape"] = list(pixels.shape)
    run("render", layers, options, False, {"pixels": pixels})
    return pixels


def _to_range(value: Any) -> tuple[float, float]:
    if not np.iterable(value):
        raise TypeError(f"range = {value!r}; must be two numbers")
    ends = tuple(to_float("range", end) for end in value)
    if len(ends) != 2:
        raise ValueError(f"range = {ends}; must be two numbers")
    return ends[0], ends[1]


def _layer(
    name: str, value: Any, nodata: Any, nodata_name: str
) -> tuple[np.ndarray, int | float | None]:
    """Cells of an input of a picture, and its nodata value."""
    if isinstance(value, np.ma.MaskedArray) and value.dtype.kind == "b":
        value = value.filled(False)
    raster = to_raster(name, value, nodata, nodata_name=nodata_name)
    return raster.cells, raster.nodata


def _pixels(out: Any, shape: Any, raster: tuple[int, ...], channels: int) -> np.ndarray:
    if out is not None:
        if not isinstance(out, np.ndarray) or out.dtype != np.uint8:
            raise TypeError("out must be a numpy.ndarray of uint8")
        if out.ndim != 3 or out.shape[2] not in {3, 4} or not out.flags.writeable:
            raise ValueError(
                f"out has the shape {out.shape}; must be (rows, columns, 3), or 4, writable"
            )
        if shape is not None:
            raise ValueError(f"shape = {shape!r}; must be None when out is given")
        return out
    if shape is None:
        size = list(raster)
    elif np.iterable(shape):
        size = to_extents(shape)
        if len(size) != 2:
            raise ValueError(f"shape = {shape!r}; must be (rows, columns), or the longer side")
    else:
        longer = to_extent(0, shape)
        if longer < 1:
            raise ValueError(f"shape = {longer}; must be > 0")
        scale = longer / max(*raster, 1)
        size = [max(1, int(extent * scale + 0.5)) if extent else 0 for extent in raster]
    return np.empty((*size, channels), np.uint8)
