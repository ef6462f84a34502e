# SPDX-License-Identifier: Apache-2.0
"""What goes with nearest sites: comparing and painting results, areas and random cells as sites,
and what this build can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import (
    check_axes,
    number_components,
    number_dtype,
    to_array,
    to_cells,
    to_raster,
)
from ._options import (
    to_colour,
    to_extent,
    to_extents,
    to_float,
    to_lengths,
    to_number,
    to_text,
    to_thread_count,
)
from ._outputs import NearestSite, check_component_labels

__all__ = [
    "Comparison",
    "Components",
    "Device",
    "Method",
    "compare",
    "connected_components",
    "devices",
    "random_sites",
    "release_scratch",
    "render",
]


class Method(NamedTuple):
    """One way of computing."""

    name: str
    exact: bool


class Device(NamedTuple):
    """One usable unit, or the reason why a backend has none."""

    name: str
    description: str
    available: bool
    reason: str
    methods: tuple[Method, ...]


class Comparison(NamedTuple):
    """What two results differ by.

    Excess is the distance of b minus that of a, over the cells where both are finite; without
    distances, but with a metric, it is computed from the site indices.
    """

    cells: int
    differing: int
    """Cells where any output differs."""
    ties: int
    """Of these, cells of another label or site index at the same distance; 0 where nobody can
    tell, without distances and without a metric."""
    mismatched: int
    """Of the differing cells, those that are unreached or nodata in one result only."""
    labels_differing: int
    site_index_differing: int
    distance_differing: int
    """By more than the tolerance, or one is not finite."""
    largest_excess: float
    largest_relative_excess: float
    largest_shortfall: float
    mean_excess: float
    worst_cell: tuple[int, ...] | None
    """Where the distances are farthest apart."""
    first_cell: tuple[int, ...] | None
    """The first that differs in any output."""

    @property
    def equal(self) -> bool:
        """Whether no cell differs."""
        return self.differing == 0


class Components(NamedTuple):
    """Numbered connected areas."""

    labels: Any
    count: int  # type: ignore[assignment]  # tuple.count() is not needed of it


_COMPARED = ("labels", "site_index", "distance")


def compare(
    a: Any,
    b: Any,
    tolerance: float = 0,
    metric: str | None = None,
    spacing: float | Sequence[float] | None = None,
    threads: int | None = None,
) -> Comparison:
    """Compare two results cell by cell.

    Parameters
    ----------
    a, b : NearestSite, mapping of output names to arrays, or array
        Labels, site indices and distances are compared; both must have the same of them. Of a
        single array, floats are distances and all others labels. Labels must be of the same dtype;
        of one float32 and one float64 distance, the float64 is rounded first. 2-D or 3-D.
    tolerance : float
        Distances that differ by no more than this are equal.
    metric : {"euclidean", "manhattan", "chessboard"}, optional
        Judge by the exact distances to the cells that the site indices name: two sites at the same
        distance are a tie whatever the distances say. Not for site indices of points.
    spacing : float or one per axis, optional
        For `metric`.
    threads : int, optional

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    Infinite distances are equal if their signs are; NaN equals NaN. Time O(cells), memory
    O(columns).

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> sites = np.array([[1, 0, 0, 0, 2]])
    >>> result = thiessen.nearest_site(sites)
    >>> flipped = thiessen.nearest_site(sites[:, ::-1])
    >>> difference = thiessen.compare(result, (flipped.labels[:, ::-1], flipped.distance[:, ::-1]))
    Traceback (most recent call last):
        ...
    TypeError: b is a tuple; must be a result, a mapping of names to arrays, or an array
    >>> difference = thiessen.compare(
    ...     result, {"labels": flipped.labels[:, ::-1], "distance": flipped.distance[:, ::-1]}
    ... )
    >>> difference.equal, difference.differing, difference.ties, difference.first_cell
    (False, 1, 1, (0, 2))
    """
    outputs_a, outputs_b = _compared_outputs("a", a), _compared_outputs("b", b)
    if outputs_a.keys() != outputs_b.keys():
        raise ValueError(
            f"a has {_names(outputs_a)} and b has {_names(outputs_b)}; must be the same"
        )
    if not outputs_a:
        raise ValueError(f"a and b have none of {', '.join(_COMPARED)} to compare")
    for name, array in outputs_a.items():
        _check_pair(name, array, outputs_b[name])
    rank = next(iter(outputs_a.values())).ndim
    found = _core.compare(
        [outputs_a.get(name) for name in _COMPARED],
        [outputs_b.get(name) for name in _COMPARED],
        to_float("tolerance", tolerance),
        None if metric is None else to_text("metric", metric),
        to_lengths("spacing", spacing, rank),
        to_thread_count(threads),
    )
    values = {name: getattr(found, name) for name in Comparison._fields}
    for name in ("worst_cell", "first_cell"):
        values[name] = tuple(values[name]) or None
    return Comparison(**values)


def _check_pair(name: str, a: np.ndarray, b: np.ndarray) -> None:
    if a.shape != b.shape:
        raise ValueError(f"a.{name} has the shape {a.shape} and b.{name} {b.shape}; must be equal")
    if name == "labels" and a.dtype != b.dtype:
        raise TypeError(f"a.{name} has the dtype {a.dtype} and b.{name} {b.dtype}; must be equal")


def _names(outputs: Mapping[str, Any]) -> str:
    return ", ".join(outputs) or "none"


def _compared_outputs(name: str, value: Any) -> dict[str, np.ndarray]:
    if isinstance(value, NearestSite):
        value = value._asdict()
    elif isinstance(value, (tuple, list)):
        raise TypeError(
            f"{name} is a {type(value).__name__}; must be a result, a mapping of names to arrays, "
            "or an array"
        )
    elif not isinstance(value, Mapping):
        array = _plain(name, value)
        value = {"distance" if array.dtype.kind == "f" else "labels": array}
    outputs = {}
    for output in _COMPARED:
        if value.get(output) is not None:
            label = f"{name}.{output}"
            outputs[output] = to_cells(label, _plain(label, value[output]))
            check_axes(label, outputs[output])
    return outputs


def _plain(name: str, value: Any) -> np.ndarray:
    """Of a masked array the cells, special values under the mask included."""
    return to_array(name, value.data if isinstance(value, np.ma.MaskedArray) else value)


def render(
    labels: Any = None,
    distance: Any = None,
    sites: Any = None,
    shape: int | Sequence[int] | None = None,
    mode: str = "cells",
    edges: bool = True,
    edge_colour: Any = None,
    marks: str = "solid",
    contours: bool | float = False,
    shade: float = 0.3,
    ramp: str = "dusk",
    ramp_scale: str = "linear",
    range: Sequence[float] | None = None,
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


def connected_components(
    image: Any,
    connectivity: int | None = None,
    nodata: float | None = None,
    out: np.ndarray | None = None,
) -> Components:
    """Number the connected areas of equal non-zero value 1, 2, ... by their first cells.

    Parameters
    ----------
    image : array of shape (y, x) or (z, y, x)
        As the sites of `nearest_site`; zero and NaN cells are background.
    connectivity : {4, 8} in 2-D, {6, 26} in 3-D, optional
        Neighbours that belong together: those that share a face, or also a corner (the default).
    nodata : number, optional
        Cells of this value (and of the mask) belong to none and get the label -1.
    out : numpy.ndarray of int32 or int64, optional
        Written instead of a new array; int32 must hold the number of cells.

    Returns
    -------
    Components
        Named tuple of the labels (int32, from 2**31 cells on int64) and their number.

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    Time close to linear in the cells; no memory but the labels.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> labels, count = thiessen.connected_components(np.array([[1, 1, 0], [0, 0, 1], [2, 0, 1]]))
    >>> labels
    array([[1, 1, 0],
           [0, 0, 1],
           [2, 0, 1]], dtype=int32)
    >>> count
    2
    """
    raster = to_raster("image", image, nodata)
    chosen = (8 if raster.cells.ndim == 2 else 26) if connectivity is None else connectivity
    check_component_labels(out, raster.shape, raster.unseen)
    numbered = number_components(raster, chosen, "connectivity", "auto", 0, out)
    labels = raster.like_input("labels", numbered.cells)
    return Components(labels, int(numbered.cells.max(initial=0)))


def random_sites(shape: Sequence[int], count: int, seed: int = 0) -> np.ndarray:
    """Draw distinct cells of a raster and label them 1, 2, ... in row-major order.

    Parameters
    ----------
    shape : sequence of int
        Extents of the raster, (y, x) or (z, y, x).
    count : int
        Number of sites, at most the number of cells.
    seed : int
        0 to 2**64 - 1. The same seed, count and shape give the same sites on every machine, in
        every version, and in the command (``--random``).

    Returns
    -------
    numpy.ndarray of int32 (from 2**31 sites on int64), zero where there is no site

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    The i-th draw is the image of i under a keyed permutation of the cells, so draws never collide.
    Time O(cells).

    Examples
    --------
    >>> import thiessen
    >>> thiessen.random_sites((3, 8), count=4, seed=1)
    array([[0, 0, 0, 0, 0, 0, 0, 0],
           [0, 1, 0, 0, 0, 0, 0, 0],
           [2, 3, 0, 0, 0, 0, 0, 4]], dtype=int32)
    """
    extents = to_extents(shape)
    numbers = []
    for name, value, limit in (("count", count, 2**60), ("seed", seed, 2**64 - 1)):
        try:
            number = index(value)
        except TypeError:
            raise TypeError(f"{name} = {value!r}; must be an integer") from None
        if not 0 <= number <= limit:
            raise ValueError(f"{name} = {number}; must be 0 to {limit}")
        numbers.append(number)
    sites = np.empty(extents, number_dtype(numbers[0]))
    _core.random_sites(sites, *numbers)
    return sites


def devices() -> list[Device]:
    """What every backend of this build can use, in the order in which device="auto" prefers them.

    Examples
    --------
    >>> import thiessen
    >>> [device.name for device in thiessen.devices()]
    ['cpu']
    """
    return [
        Device(
            each.name,
            each.description,
            each.available,
            each.reason,
            tuple(Method(method.name, method.exact) for method in each.methods),
        )
        for each in _core.devices()
    ]


def release_scratch() -> None:
    """Give back the scratch memory that is kept between the calls of this thread."""
    _core.release_scratch()
