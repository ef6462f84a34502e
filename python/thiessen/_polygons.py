# SPDX-License-Identifier: Apache-2.0
"""Regions as polygons; the borders between them, and equal distances, as lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar, overload

import numpy as np

from ._arguments import tables
from ._arguments.checks import to_extents
from ._arguments.core_options import CoreOptions, core_options, run
from ._arguments.options import Options, Unpack, collect, takes
from ._kinds import is_geo
from ._kinds.grids import one_grid
from ._kinds.host import Raster, to_array, to_field, to_raster
from ._kinds.points import to_coordinates, to_weights
from ._kinds.xarray import Frame
from ._statistics import labels_of
from .typing import Number, Weighting

Geo = TypeVar("Geo")
"""A GeoDataFrame or a GeoSeries."""


class Polygons(NamedTuple):
    """The outlines of regions, ascending by label: multipolygons in the layout of GeoArrow.

    Region i has the polygons parts[i] to parts[i + 1] - 1, polygon j the rings rings[j] to
    rings[j + 1] - 1, ring k the points points[k] to points[k + 1] - 1. The first ring of a polygon
    is its outer one and runs counter-clockwise where row 0 is drawn on top; the others are holes.
    The last point of a ring is its first one. Where regions touch they have the same points.
    """

    labels: np.ndarray
    """In the dtype of the labels; of points their places in the list."""
    parts: np.ndarray
    rings: np.ndarray
    points: np.ndarray
    coordinates: np.ndarray
    """(n, 2) as (y, x) in cells: the corners of the first cell lie at +-0.5."""
    transform: tuple[float, ...] | None = None
    """That of `to_shapely`, of a DataArray with coordinates."""

    def to_shapely(self, transform: Iterable[float] | None = None) -> np.ndarray:
        """The regions as multipolygons of shapely, which must be installed, with x before y.

        transform : six numbers, optional
            As GDAL has them: ``x = t[0] + column*t[1] + row*t[2]`` and ``y = t[3] + column*t[4] +
            row*t[5]`` of the corner of a cell; default: as the coordinates of a DataArray have it,
            else x and y in cells, as in ``coordinates``.
        """
        import shapely

        return shapely.from_ragged_array(
            shapely.GeometryType.MULTIPOLYGON,
            to_world(self.coordinates, self.transform if transform is None else transform),
            (self.points, self.rings, self.parts),
        )


class Borders(NamedTuple):
    """The borders between regions, ascending by a, then by b: lines from one point where more than
    two regions meet to the next, or closed ones. Border i has the points points[i] to
    points[i + 1] - 1. The outer edge of the raster is no border."""

    a: np.ndarray
    b: np.ndarray
    """Both as in `Polygons`, a < b."""
    points: np.ndarray
    coordinates: np.ndarray
    """(n, 2) as (y, x), as in `Polygons`."""
    distance: np.ndarray | None
    """(n,): of each point to the sites; None if it is not known."""
    transform: tuple[float, ...] | None = None
    """As in `Polygons`."""

    def to_shapely(self, transform: Iterable[float] | None = None) -> np.ndarray:
        """The borders as lines of shapely; see `Polygons.to_shapely`."""
        return lines_of(self, transform)


def lines_of(found: Any, transform: Iterable[float] | None) -> np.ndarray:
    """Borders or contours as lines of shapely."""
    import shapely

    place = to_world(found.coordinates, found.transform if transform is None else transform)
    return shapely.from_ragged_array(shapely.GeometryType.LINESTRING, place, (found.points,))


def region_polygons(
    labels: Any,
    *,
    background: Number | None = 0,
    nodata: Number | None = None,
    threads: int | None = None,
    progress: Any = None,
) -> Polygons:
    """Find the outlines of all regions of equal label, along the edges of cells.

    Parameters
    ----------
    labels : array of shape (y, x)
        Any dtype, such as the labels of `nearest_site`. Floats are compared by value, and NaN
        belongs to no region. `to_shapely` has the coordinates of a DataArray.
    background : number or None
        Cells of this label belong to no region; None: all labels count.
    nodata : number, optional
        The same for cells of this label (and of the mask).
    threads, progress
        As of `nearest_site`.

    Returns
    -------
    Polygons
        Valid ones: two cells that touch at a corner alone are two polygons of one region.

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    A point is kept where an outline turns, and where more than two regions meet. Time O(cells +
    steps along outlines), memory 8 bytes for each change of label along rows, and the result.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> found = thiessen.region_polygons(np.array([[1, 1, 2], [1, 3, 2]]))
    >>> found.labels
    array([1, 2, 3])
    >>> found.coordinates[found.points[2] : found.points[3]]
    array([[1.5, 0.5],
           [1.5, 1.5],
           [0.5, 1.5],
           [0.5, 0.5],
           [1.5, 0.5]])
    """
    raster = to_raster("labels", labels, nodata)
    options = _region_options("region_polygons", raster, background, threads)
    found, _ = run("region_polygons", {"labels": raster.for_core()}, options, progress)
    found["labels"] = labels_of(found["labels"], raster)
    return Polygons(**found, transform=transform_of(raster.frame))


def region_borders(
    labels: Any,
    *,
    distance: Any = None,
    background: Number | None = 0,
    nodata: Number | None = None,
    threads: int | None = None,
    progress: Any = None,
) -> Borders:
    """Find the borders between regions of equal label, along the edges of cells.

    Parameters
    ----------
    labels, background, nodata, threads, progress
        As of `region_polygons`.
    distance : array of the same shape, float32 or float64, optional
        Distances to the sites: the mean of the cells that meet at a point becomes its distance.

    Returns
    -------
    Borders

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    Time and memory as of `region_polygons`.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> borders = thiessen.region_borders(np.array([[1, 1, 2], [1, 3, 2]]))
    >>> borders.a, borders.b, borders.points
    (array([1, 1, 2]), array([2, 3, 3]), array([0, 2, 5, 7]))
    """
    raster = to_raster("labels", labels, nodata)
    options = _region_options("region_borders", raster, background, threads)
    grid = one_grid({"labels": labels, "distance": distance})
    cells = None if distance is None else to_field("distance", distance)
    arrays = {"labels": raster.for_core(), "distance": cells}
    found, _ = run("region_borders", arrays, options, progress)
    found.update({name: labels_of(found[name], raster) for name in "ab"})
    if cells is None:
        found["distance"] = None
    return Borders(**found, transform=transform_of(grid))


@overload
def voronoi_polygons(
    points: Any, shape: Iterable[int], **options: Unpack[tables.DiagramOptions]
) -> Polygons: ...
@overload
def voronoi_polygons(
    points: Geo,
    *,
    mask: Any = None,
    weights: Any = None,
    weighting: Weighting = "none",
    threads: int | None = None,
    progress: Any = None,
) -> Geo: ...
@takes(tables.DiagramOptions)
def voronoi_polygons(
    points: Any,
    shape: Iterable[int] | None = None,
    *,
    mask: Any = None,
    **options: Unpack[tables.DiagramOptions],
) -> Any:
    """Find the polygons in which each point is the nearest by straight line, or with weights has
    the least key: the regions of `voronoi`, with straight edges instead of the steps of cells.

    Parameters
    ----------
    points : array of shape (n, 2) as (y, x), or geopandas.GeoDataFrame or GeoSeries of points
        An array as of `voronoi`: in cells, some perhaps outside of the grid. A frame must not be in
        degrees; a third coordinate is ignored.
    shape : sequence of two ints
        For an array: extents of the grid, which reaches from -0.5 to the extent - 0.5, and at whose
        sides polygons are cut off.
    mask : polygon or multipolygon of shapely, geopandas.GeoDataFrame or GeoSeries, optional
        For a frame: the area that cuts the polygons off at its outline; points outside of it count.
        If it has a coordinate reference system, it must be the one of the points. Default: the box
        of the points, wider on each side by its longer side or a little more.
    spacing : float or one per axis, optional
        For an array: length of a cell; 1 by default.
    weights, weighting
        As of `voronoi`; for a frame also the name of a column. Only "power" has straight edges.
    threads, progress
        As of `nearest_site`.

    Returns
    -------
    Polygons, or the kind of frame that points is
        The labels of `Polygons` are positions in the list. Points without a polygon in the grid are
        left out, and so are points at the place of an earlier one.
        A frame keeps its rows, their order, index, columns and coordinate reference system. It has
        polygons (with a mask perhaps multipolygons) instead of points. Points without a polygon
        have an empty one there, and so has a row without a geometry, or with an empty one. A
        `ThiessenWarning` counts such rows, and points at one place.

    Raises
    ------
    ValueError, TypeError, MemoryError
        Among them: a geometry is no point; the mask is empty, invalid or no
        polygon, or has another coordinate reference system; points at a single place without mask.
    RuntimeError
        If squared distances and weights need integers of more than 121 bits.

    Notes
    -----
    Which polygons meet is decided exactly. Points of a frame are rounded before, by at most 2**-43
    of the longer side of the box of points and mask (0.1 micrometres of 1000 km), to a power of
    two. Whole metres stay, and so do their halves, quarters, ... down to there; weights of a frame
    are rounded to 2**-54 of the square of that side. Neighbours have the same corners, bit for bit,
    except on the outline of a mask, where shapely cuts. Time O(n log n), about 400 bytes a point.
    Source: H. Imai, M. Iri and K. Murota, "Voronoi diagram in the Laguerre geometry and its
    applications" (1985); A. Bowyer, "Computing Dirichlet tessellations" (1981).

    Examples
    --------
    >>> import thiessen
    >>> found = thiessen.voronoi_polygons([(1, 1), (1, 4)], (3, 6))
    >>> found.labels, found.coordinates[:5].tolist()
    (array([0, 1]), [[2.5, 2.5], [-0.5, 2.5], [-0.5, -0.5], [2.5, -0.5], [2.5, 2.5]])

    A frame of geopandas keeps the attributes of the points:

    >>> import geopandas, shapely
    >>> shops = geopandas.GeoDataFrame(
    ...     {"shop": ["Mill", "Station"]},
    ...     geometry=geopandas.points_from_xy([10, 40], [20, 20]),
    ...     crs="EPSG:32631",
    ... )
    >>> cells = thiessen.voronoi_polygons(shops, mask=shapely.box(0, 0, 100, 50))
    >>> cells.assign(area=cells.area)[["shop", "area"]]
          shop    area
    0     Mill  1250.0
    1  Station  3750.0
    """
    own = collect(voronoi_polygons, options)
    if is_geo(points):
        if shape is not None or own.spacing is not None:
            raise ValueError("shape and spacing are for arrays; must not be given for a frame")
        from ._geopandas import polygons_of

        return polygons_of(points, mask, own, _diagram)
    if mask is not None:
        raise ValueError("mask is given; it is for points of geopandas")
    if shape is None:
        raise TypeError("shape is missing; arrays of points need it")
    return _diagram(points, shape, own)


def _to_grid(shape: Any) -> list[int]:
    extents = to_extents(shape)
    for axis, extent in enumerate(extents):
        if extent < 1:
            raise ValueError(f"shape[{axis}] = {extent}; must be 1 to 2**30")
    return extents


def _diagram(points: Any, shape: Any, own: Options) -> Polygons:
    return Polygons(**_of_points("voronoi_polygons", points, shape, own))


def _of_points(operation: str, points: Any, shape: Any, own: Options) -> dict[str, Any]:
    options = core_options(operation, own.but(shape=_to_grid(shape)), device="cpu")
    arrays = {
        "points": to_coordinates(to_array("points", points), 2),
        "weights": to_weights(own.weights),
    }
    return run(operation, arrays, options, own.progress)[0]


@takes(tables.DiagramOptions)
def voronoi_borders(
    points: Any, shape: Iterable[int], **options: Unpack[tables.DiagramOptions]
) -> Borders:
    """Find the borders between the polygons of `voronoi_polygons`, each a straight line.

    Parameters
    ----------
    points, shape, spacing, weights, weighting, threads, progress
        As of `voronoi_polygons`.

    Returns
    -------
    Borders
        distance is that from each point of a line to the site a, in units of spacing; without
        weights, the other one is as near.

    Raises
    ------
    ValueError, TypeError, MemoryError, RuntimeError
        As of `voronoi_polygons`.

    Notes
    -----
    Time, memory and source as of `voronoi_polygons`.

    Examples
    --------
    >>> import thiessen
    >>> borders = thiessen.voronoi_borders([(1, 1), (1, 4)], (3, 6))
    >>> borders.coordinates.tolist()
    [[2.5, 2.5], [-0.5, 2.5]]
    """
    own = collect(voronoi_borders, options)
    return Borders(**_of_points("voronoi_borders", points, shape, own))


def _region_options(operation: str, raster: Raster, background: Any, threads: Any) -> CoreOptions:
    given = {"background": background, "nodata": raster.nodata, "threads": threads}
    return core_options(operation, Options(given), device="cpu")


def transform_of(grid: Frame | None) -> tuple[float, ...] | None:
    """The transform of a DataArray of two axes; None without coordinates."""
    return None if grid is None or len(grid.dims) != 2 else grid.transform()


def to_world(coordinates: np.ndarray, transform: Iterable[float] | None) -> np.ndarray:
    """Coordinates (y, x) in cells as (x, y) of the world, for a transform of GDAL."""
    y, x = coordinates[:, 0], coordinates[:, 1]
    if transform is not None:
        t = [float(number) for number in transform]
        if len(t) != 6:
            raise ValueError(f"transform has {len(t)} numbers; must have 6")
        column, row = x + 0.5, y + 0.5
        x, y = t[0] + column * t[1] + row * t[2], t[3] + column * t[4] + row * t[5]
    return np.column_stack([x, y])


MOST_LINES = 100
"""Contours at an interval in a picture."""


def require_few_lines(interval: float, distances: np.ndarray, most: int = MOST_LINES) -> None:
    """Raise ValueError for an interval that would paint a picture black."""
    finite = distances[np.isfinite(distances)]
    if finite.size == 0:
        return
    least, greatest = float(finite.min()), float(finite.max())
    lines = (greatest - least) / interval
    if lines > most:
        raise ValueError(
            f"contours = {interval:g}, the interval of lines, gives {lines:.0f} of them from "
            f"{least:g} to {greatest:g}; must give {most} at most"
        )


class Contours(NamedTuple):
    """Lines of equal distance, ascending by level: line i has the level levels[i] and the points
    points[i] to points[i + 1] - 1. Lines that end come first, then closed ones, whose last point is
    their first one. Lesser distances lie on the left where row 0 is drawn on top."""

    levels: np.ndarray
    points: np.ndarray
    coordinates: np.ndarray
    """(n, 2) as (y, x) in cells, as in `Polygons`."""
    transform: tuple[float, ...] | None = None
    """As in `Polygons`."""

    def to_shapely(self, transform: Iterable[float] | None = None) -> np.ndarray:
        """The lines as lines of shapely; see `Polygons.to_shapely`."""
        return lines_of(self, transform)


def contour_lines(
    distance: Any,
    *,
    interval: Number | None = None,
    levels: Number | Iterable[Number] | None = None,
    threads: int | None = None,
    progress: Any = None,
) -> Contours:
    """Find the lines on which distances or costs have these levels, by marching squares.

    Parameters
    ----------
    distance : array of shape (y, x), float32 or float64
        Such as the distances of `nearest_site` or the costs of `cost_distance`. Where one of four
        neighbouring cells is not finite, or masked, there is no line between them.
    interval : number, optional
        Lines at its multiples; greater than 0. At most 100,000 of them lie between the distances.
    levels : number or sequence of numbers, optional
        Lines at these distances, at most 100,000 in any order. Either this or `interval` is given.
    threads, progress
        As of `nearest_site`.

    Returns
    -------
    Contours
        As long lines as there can be: they are closed, or end in the outermost cells or beside one
        that is not finite.

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    Distances are linear between the centres of neighbouring cells. The sites' own level, 0, has no
    line unless distances are signed. Time O(cells + points of the lines), memory up to 66 bytes a
    point, and the result. Source: W. Lorensen and H. Cline, "Marching Cubes" (1987), in two
    dimensions.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> distance = thiessen.distance_transform(np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]]))
    >>> lines = thiessen.contour_lines(distance, interval=0.5)
    >>> lines.levels
    array([0.5, 1. ])
    >>> lines.coordinates[: lines.points[1]].tolist()
    [[0.5, 1.0], [1.0, 0.5], [1.5, 1.0], [1.0, 1.5], [0.5, 1.0]]
    """
    given = Options({"interval": interval, "levels": levels, "threads": threads})
    options = core_options("contour_lines", given, device="cpu")
    cells = to_field("distance", distance)
    found, _ = run("contour_lines", {"distance": cells}, options, progress)
    return Contours(**found, transform=transform_of(one_grid({"distance": distance})))
