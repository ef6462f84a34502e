# SPDX-License-Identifier: Apache-2.0
"""Results on axes of matplotlib, which is imported when it is needed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._arguments.checks import needed, to_colour, to_float, to_number, to_switch, to_whole
from .._arguments.options import Options
from .._kinds.grids import one_grid
from .._kinds.host import to_array
from .._kinds.outputs import NearestSite
from .._kinds.points import to_coordinates
from .._polygons import region_borders, require_few_lines
from ..typing import Colour, Number, RenderMode
from .render import render
from .scene import Scene, to_scene, with_image

_MOST = 2048
"""Pixels along a side of a picture; a raster with more cells is averaged, or thinned out."""


def plot(
    labels: Any = None,
    *,
    distance: Any = None,
    sites: Any = None,
    points: Any = None,
    image: Any = None,
    image_range: Iterable[Number] | None = None,
    mode: RenderMode = "cells",
    edges: bool = True,
    edge_colour: Colour = "#202020",
    contours: bool | Number | Iterable[Number] = False,
    cmap: Any = "viridis",
    shade: Number = 0.3,
    opacity: Number = 1,
    label_nodata: Number | None = None,
    unreached: Number = 0,
    spacing: Number | Iterable[Number] | None = None,
    extent: Iterable[Number] | None = None,
    at: Iterable[int] | None = None,
    ax: Any = None,
) -> Any:
    """Draw a nearest-site map on axes of matplotlib: cells, borders, contours and sites.

    Parameters
    ----------
    labels : array of shape (y, x) or (z, y, x), or NearestSite
        A result gives its labels (or its site indices), and its distance unless `distance` is
        given. A raster of three axes is cut in three sections through one place, at one scale.
    distance : array of the same shape, optional
        Shades the cells, and is what contours and the mode "distance" show.
    sites : array of the same shape, optional
        Its cells that are neither zero nor NaN are marked.
    points : array of shape (n, 2) or (n, 3), optional
        Sites as `voronoi` takes them, in cells. Sections mark the sites within half a cell.
    image : array of shape (y, x), (y, x, 3) or (y, x, 4), or with z in front, optional
        Lies under the cells: grey of any dtype, or colours of 0 to 255, or floats of 0 to 1.
    image_range : (float, float), optional
        The values of black and of white in a grey image; default: its percentiles 0.5 and 99.5.
    mode : {"cells", "distance"}
        Colours of `render`, an own one for each label; or distances by `cmap`, for which
        ``figure.colorbar(ax.images[0])`` makes a scale.
    edges : bool
        Lines between regions, along the faces of cells.
    edge_colour : colour
        As of `render`; of contours, too.
    contours : bool, float or floats
        Lines of equal distance: at round intervals, at multiples of a number (100 of them at
        most), or at these distances. They have their numbers.
    cmap : str or Colormap
        Colours of matplotlib, for the mode "distance".
    shade, opacity : float
        As of `render`; with an opacity below 1 what lies under the cells shines through.
    label_nodata, unreached : number, optional
        As of `render`; cells of both are transparent.
    spacing : float or one per axis, optional
        Length of a cell; axes are then in units of it, and the centre of the first cell is 0.
        Default: the coordinates of a DataArray, whose dimensions and units name the axes, else 1.
    extent : (left, right, bottom, top), optional
        Outer edges of a raster of two axes on the axes of matplotlib, in place of `spacing`; row 0
        is at the top.
    at : cell of three axes, optional
        Where the sections cut; default: the middle.
    ax : Axes, or three of them, optional
        Default: new ones in a new figure of pyplot.

    Returns
    -------
    matplotlib.axes.Axes, or of three axes an array of three
        With the sections y-x, y-z and z-x in this order.

    Raises
    ------
    ValueError, TypeError
    ImportError
        matplotlib is missing.

    Notes
    -----
    Cells are a picture of at most 2048 pixels a side; borders and contours are lines. Time O(cells
    + steps along borders). Row 0 is on top, but for a DataArray whose coordinate y grows.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import thiessen
    >>> found = thiessen.nearest_site(thiessen.random_sites((60, 80), 9, seed=1), spacing=0.5)
    >>> ax = thiessen.plot(found, contours=5, spacing=0.5)
    >>> print(*ax.get_xlim(), *ax.get_ylim())
    -0.25 39.75 29.75 -0.25
    >>> volume = thiessen.nearest_site(thiessen.random_sites((12, 30, 40), 9, seed=1))
    >>> [ax.get_ylabel() for ax in thiessen.plot(volume, at=(6, 10, 20))]
    ['y', 'y', 'z']
    """
    if isinstance(labels, NearestSite):
        result = labels._asdict()
        distance = result.get("distance") if distance is None else distance
        labels = result.get("labels")
        if labels is None and "site_index" in result:
            labels, label_nodata, unreached = result["site_index"], -2, -1
    if mode not in ("cells", "distance"):
        raise ValueError(f"mode = {mode!r}; must be 'cells' or 'distance'")
    style = _Style(
        mode=mode,
        edges=to_switch("edges", edges),
        edge_colour="#" + to_colour("edge_colour", edge_colour),
        levels=_to_levels(contours),
        cmap=cmap,
        shade=to_float("shade", shade),
        opacity=to_float("opacity", opacity),
        unreached=to_number("unreached", unreached),
    )
    if distance is None and (mode == "distance" or style.levels is not None):
        raise ValueError("distance is None; the mode 'distance' and contours need one")
    scene = to_scene(
        {"labels": labels, "distance": distance, "sites": sites},
        label_nodata,
        Options({"spacing": spacing, "extent": extent}),
    )
    if image is not None:
        one_grid({"labels": labels, "distance": distance, "sites": sites, "image": image})
        scene = with_image(scene, image, image_range)
    if points is not None:
        scene = replace(scene, points=to_coordinates(to_array("points", points), scene.rank))
    if scene.rank == 2:
        if at is not None:
            raise ValueError(f"at = {at!r}; must be None for a raster of two axes")
        axes = _pyplot().subplots()[1] if ax is None else ax
        _draw(axes, scene, style)
        return axes
    return _draw_sections(scene, style, at, ax)


def overlay(
    image: Any,
    labels: Any,
    *,
    opacity: Number = 0.3,
    shade: Number = 0,
    edge_colour: Colour = "#ffe11a",
    **options: Any,
) -> Any:
    """Draw a nearest-site map over an image, on axes of matplotlib.

    Parameters
    ----------
    image : array
        As of `plot`, of the extents of the labels.
    labels : array or NearestSite
        As of `plot`.
    opacity, shade : float
        As of `plot`; the opacity 0 leaves the borders alone.
    edge_colour : colour
        As of `plot`; yellow is seen on most images.
    options : optional
        The other arguments of `plot`.

    Returns
    -------
    matplotlib.axes.Axes, or of three axes an array of three
        As of `plot`.

    Raises
    ------
    ValueError, TypeError, ImportError

    Notes
    -----
    It is `plot` with an image and with what suits one. For a picture without matplotlib see the
    opacity of `render`.

    Examples
    --------
    >>> import matplotlib, numpy as np, thiessen
    >>> matplotlib.use("agg")
    >>> image = np.random.default_rng(1).random((60, 80))
    >>> found = thiessen.nearest_site(thiessen.random_sites((60, 80), 9, seed=1))
    >>> ax = thiessen.overlay(image, found, spacing=0.5)
    >>> len(ax.images)
    2
    """
    return plot(
        labels, image=image, opacity=opacity, shade=shade, edge_colour=edge_colour, **options
    )


@dataclass(frozen=True)
class _Style:
    """How a section is drawn."""

    mode: str
    edges: bool
    edge_colour: str
    levels: bool | float | list[float] | None
    """The contours: True for round ones, the interval, or these; None for none."""
    cmap: Any
    shade: float
    opacity: float
    unreached: int | float


def _draw_sections(scene: Scene, style: _Style, at: Any, ax: Any) -> Any:
    """Sections through one cell: y-x, to the right of it y-z, below it z-x."""
    extents = scene.extents
    cell = [size // 2 for size in extents] if at is None else list(at)
    if len(cell) != 3:
        raise ValueError(f"at = {cell}; must be a cell of three axes")
    z, y, x = (to_whole(f"at[{i}]", cell[i], 0, extents[i] - 1) for i in range(3))
    sections = (scene.cut(0, z), scene.cut(2, x).turned(), scene.cut(1, y))
    axes = np.array(_new_sections(scene) if ax is None else ax, object).reshape(-1)
    if len(axes) != 3:
        raise ValueError(f"ax has {len(axes)} axes; must be three")
    centres = [scene.place(i, np.array([cell[i]], float))[0] for i in range(3)]
    crossings = ((centres[1], centres[2]), (centres[1], centres[0]), (centres[0], centres[2]))
    for each, section, (row, column) in zip(axes, sections, crossings):
        _draw(each, section, style)
        line = {"color": style.edge_colour, "linewidth": 0.8, "linestyle": ":", "alpha": 0.7}
        each.axhline(row, **line)
        each.axvline(column, **line)
    return axes


def _draw(ax: Any, scene: Scene, style: _Style) -> None:
    """A section, from the image at the bottom to the sites on top."""
    layers = scene.layers
    if "image" in layers:
        low, high = scene.limits or (None, None)
        _show(ax, scene, layers["image"], cmap="gray", vmin=low, vmax=high)
    if style.mode == "distance":
        shown = np.ma.masked_invalid(_thinned(layers["distance"]))
        _show(ax, scene, shown, cmap=style.cmap, alpha=style.opacity)
    elif "labels" in layers:
        _show(ax, scene, _cells(scene, style))
    if style.edges and "labels" in layers:
        _draw_edges(ax, scene, style)
    if style.levels is not None:
        _draw_contours(ax, scene, style)
    if "sites" in layers:
        size = min(_MOST, max(*scene.extents, 1024))
        _show(ax, scene, render(sites=layers["sites"], edges=False, opacity=1, shape=size))
    if scene.points is not None:
        rows, columns = (scene.place(axis, scene.points[:, axis]) for axis in range(2))
        ax.plot(columns, rows, ".", color="black", markeredgecolor="white", markersize=7)
    ax.set(ylabel=scene.titles[0], xlabel=scene.titles[1])
    (top, bottom), (left, right) = scene.ends
    ax.set_ylim(sorted((top, bottom)) if scene.grows[0] else (bottom, top))
    ax.set_xlim(sorted((left, right)) if scene.grows[1] else (left, right))


def _show(ax: Any, scene: Scene, picture: Any, **options: Any) -> None:
    (top, bottom), (left, right) = scene.ends
    ax.imshow(
        picture, extent=(left, right, bottom, top), origin="upper", interpolation="nearest",
        aspect="equal", **options,
    )  # fmt: skip


def _thinned(cells: np.ndarray) -> np.ndarray:
    step = -(-max(cells.shape) // _MOST)
    return cells[::step, ::step]


def _cells(scene: Scene, style: _Style) -> np.ndarray:
    """Coloured cells, a pixel each where they are not too many."""
    return render(
        scene.layers["labels"],
        distance=scene.layers.get("distance"),
        edges=False,
        shade=style.shade,
        opacity=style.opacity,
        label_nodata=scene.label_nodata,
        unreached=style.unreached,
        shape=min(_MOST, max(scene.extents)),
    )


def _draw_edges(ax: Any, scene: Scene, style: _Style) -> None:
    from matplotlib.collections import LineCollection

    borders = region_borders(scene.layers["labels"], background=None, nodata=scene.label_nodata)
    rows, columns = (scene.place(axis, borders.coordinates[:, axis]) for axis in range(2))
    lines = np.split(np.column_stack([columns, rows]), borders.points[1:-1])
    if len(borders.a):
        ax.add_collection(LineCollection(lines, colors=style.edge_colour, linewidths=0.8))


def _draw_contours(ax: Any, scene: Scene, style: _Style) -> None:
    cells = scene.layers["distance"]
    if min(cells.shape) < 2:
        raise ValueError(f"distance has the shape {cells.shape}; contours need 2 cells an axis")
    distance = np.ma.masked_invalid(cells)
    step = -(-max(cells.shape) // _MOST)
    rows, columns = (scene.place(axis, np.arange(0, cells.shape[axis], step)) for axis in range(2))
    levels = _levels(style.levels, distance.compressed())
    if levels is None or len(levels):
        lines = ax.contour(
            columns, rows, distance[::step, ::step], levels=levels, colors=style.edge_colour,
            linewidths=0.7, linestyles="dashed",
        )  # fmt: skip
        ax.clabel(lines, fontsize=7)


def _levels(wanted: Any, distances: np.ndarray) -> Any:
    """The levels of contours that lie between the least and the greatest distance; None for those
    that matplotlib chooses."""
    least, greatest = distances.min(initial=np.inf), distances.max(initial=-np.inf)
    if least >= greatest:
        return []
    if wanted is True:
        return None
    if isinstance(wanted, list):
        return [level for level in wanted if least < level < greatest]
    require_few_lines(wanted, distances)
    return wanted * np.arange(np.floor(least / wanted) + 1, np.ceil(greatest / wanted))


def _to_levels(contours: Any) -> bool | float | list[float] | None:
    if isinstance(contours, (bool, np.bool_)):
        return True if contours else None
    if np.iterable(contours) and not isinstance(contours, str):
        return sorted(to_float("contours", each) for each in contours)
    interval = to_float("contours", contours)
    if not 0 < interval < np.inf:
        raise ValueError(f"contours = {interval}; must be > 0 and finite")
    return interval


def _pyplot() -> Any:
    return needed("matplotlib", "plot needs", "matplotlib.pyplot")


def _new_sections(scene: Scene) -> list[Any]:
    """Three axes in a new figure, at one scale."""
    depth, height, width = (abs(last - first) for first, last in scene.ends)
    figure = _pyplot().figure(layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(width, depth), height_ratios=(height, depth))
    front = figure.add_subplot(grid[0, 0])
    return [
        front,
        figure.add_subplot(grid[0, 1], sharey=front),
        figure.add_subplot(grid[1, 0], sharex=front),
    ]
