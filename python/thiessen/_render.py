# SPDX-License-Identifier: Apache-2.0
"""Pictures of results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _core
from ._arrays import to_array, to_cells, to_raster
from ._options import (
    to_colour,
    to_extent,
    to_extents,
    to_float,
    to_number,
    to_text,
    to_thread_count,
)
from ._outputs import NearestSite

__all__ = ["render"]


def render(
    labels: Any = None,
    distance: Any = None,
    sites: Any = None,
    shape: int | Iterable[int] | None = None,
    mode: str = "cells",
    edges: bool = True,
    edge_colour: Any = None,
    marks: str = "solid",
    contours: bool | float = False,
    shade: float = 0.3,
    ramp: str = "dusk",
    ramp_scale: str = "linear",
    range: Iterable[float] | None = None,
    nodata: float | None = None,
    sites_nodata: float | None = None,
    unreached: float = 0,
    background: Any = (255, 255, 255),
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
        Lines of equal distance, at round intervals or at multiples of this.
    shade : float
        How much darker colours become towards the greatest distance, 0 to 1.
    ramp : {"dusk", "ember", "ice", "grey"}
    ramp_scale : {"linear", "sqrt", "log"}
    range : (float, float), optional
        Distances at the ends of the ramp; default: the least and the greatest.
    nodata, sites_nodata : number, optional
        Labels that are nodata (grey, as the distance NaN is); values of `sites` that are no sites.
        The mask of a masked array is nodata.
    unreached : number
        Cells of this label, and of an infinite distance, have the colour `background`.
    background : colour
    out : numpy.ndarray of uint8, optional
        Of the shape (rows, columns, 3); written instead of a new array, and gives the size.
    threads : int, optional

    Returns
    -------
    numpy.ndarray of uint8, of shape (rows, columns, 3)
        Red, green, blue of the sRGB space: the same bytes on every machine.

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
    label_cells, nodata = _layer("labels", labels, nodata)
    site_cells, sites_nodata = _layer("sites", sites, sites_nodata)
    if isinstance(distance, np.ma.MaskedArray):
        distance = distance.filled(np.nan)
    distance_cells = (
        None if distance is None else to_cells("distance", to_array("distance", distance))
    )
    given = [each for each in (label_cells, distance_cells, site_cells) if each is not None]
    if not given:
        raise ValueError("labels, distance and sites are None; one of them must be an array")
    if given[0].ndim != 2:
        raise ValueError(f"the raster has {given[0].ndim} axes; a picture must have 2")
    pixels = _pixels(out, shape, given[0].shape)
    if range is not None:
        if not np.iterable(range):
            raise TypeError(f"range = {range!r}; must be two numbers")
        range = tuple(to_float("range", end) for end in range)
        if len(range) != 2:
            raise ValueError(f"range = {range}; must be two numbers")
    interval = None if isinstance(contours, (bool, np.bool_)) else to_float("contours", contours)
    _core.render(
        label_cells,
        distance_cells,
        site_cells,
        pixels,
        to_text("mode", mode),
        bool(edges),
        None if edge_colour is None else to_colour("edge_colour", edge_colour),
        to_text("marks", marks),
        interval is not None or bool(contours),
        interval,
        to_float("shade", shade),
        to_text("ramp", ramp),
        to_text("ramp_scale", ramp_scale),
        range,
        nodata,
        sites_nodata,
        to_number("unreached", unreached),
        to_colour("background", background),
        to_thread_count(threads),
    )
    return pixels


def _layer(name: str, value: Any, nodata: Any) -> tuple[np.ndarray | None, int | float | None]:
    """Cells of an input of a picture, and its nodata value."""
    if value is None:
        return None, None if nodata is None else to_number(f"{name}' nodata", nodata)
    if isinstance(value, np.ma.MaskedArray) and value.dtype.kind == "b":
        value = value.filled(False)
    raster = to_raster(name, value, nodata)
    return raster.cells, raster.nodata


def _pixels(out: Any, shape: Any, raster: tuple[int, ...]) -> np.ndarray:
    if out is not None:
        if not isinstance(out, np.ndarray) or out.dtype != np.uint8:
            raise TypeError("out must be a numpy.ndarray of uint8")
        if out.ndim != 3 or out.shape[2] != 3 or not out.flags.writeable:
            raise ValueError(f"out has the shape {out.shape}; must be (rows, columns, 3), writable")
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
    return np.empty((*size, 3), np.uint8)
