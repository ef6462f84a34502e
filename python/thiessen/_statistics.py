# SPDX-License-Identifier: Apache-2.0
"""Statistics of the regions of labels, and the pairs of regions that touch."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from ._arguments import tables
from ._arguments.core_options import CoreOptions, core_options, run
from ._arguments.options import Options, Unpack, collect, takes
from ._arguments.running import reporter
from ._arguments.warnings import tell_of_colours
from ._kinds.batch import share_of
from ._kinds.grids import one_grid
from ._kinds.host import Raster, to_field, to_raster
from ._kinds.xarray import Frame
from .typing import AreaConnectivity


@dataclass(frozen=True, eq=False)
class SiteStatistics:
    """A row for each label, ascending by label: arrays with as many entries, in front, as there are
    labels. Coordinates are in the order of the axes: in units of spacing, where the centre of the
    first cell is 0; of a DataArray its own, wherever these are even.
    ``pandas.DataFrame(statistics._asdict())`` has a column for each number.
    """

    labels: np.ndarray
    """In the dtype of the labels."""
    cells: np.ndarray
    """How many cells have the label."""
    volume: np.ndarray
    """The cells times the volume of one; in 2-D the area."""
    centroid: np.ndarray
    """(n, axes)"""
    second_moments: np.ndarray
    """(n, axes, axes): the mean over the cells of the products of what two coordinates differ from
    the centroid by, which is the covariance of their centres; in units of spacing."""
    first: np.ndarray
    """(n, axes): the first cell of the least box around the label, in cells; of a DataArray with
    coordinates those of its centre, float64."""
    last: np.ndarray
    """The last cell of that box."""
    mass: np.ndarray | None
    """The sum of the field; None without one."""
    mass_centroid: np.ndarray | None
    """(n, axes): the mean coordinates weighted by the field; NaN where the mass is 0."""
    greatest_distance: np.ndarray | None
    """The greatest that is not NaN; None without distances."""
    mean_distance: np.ndarray | None
    """The same."""
    axes: tuple[str, ...]
    """Names of the axes in their order: "z", "y" and "x"; of a DataArray as its dimensions lie on
    the map, as in ("x", "y")."""

    def __len__(self) -> int:
        return len(self.labels)

    def _asdict(self) -> dict[str, np.ndarray]:
        """Columns by name, a number in each row: the axes have names of their own, as in
        ``centroid_y`` and ``second_moments_yx``."""
        columns: dict[str, np.ndarray] = {}
        axes = self.axes
        for name in (field.name for field in fields(self)[:-1]):
            values = getattr(self, name)
            if values is None:
                continue
            if values.ndim == 1:
                columns[name] = values
            for i, axis in enumerate(axes if values.ndim == 2 else ""):
                columns[f"{name}_{axis}"] = values[:, i]
            for i, axis in enumerate(axes if values.ndim == 3 else ""):
                for j in range(i, len(axes)):
                    columns[f"{name}_{axis}{axes[j]}"] = values[:, i, j]
        return columns


class Adjacency(NamedTuple):
    """The pairs of labels a < b that touch, ascending by a, then by b."""

    a: np.ndarray
    b: np.ndarray
    """Both in the dtype of the labels."""
    contacts: np.ndarray
    """Pairs of neighbouring cells, one of each label."""
    boundary: np.ndarray
    """The length of the common boundary in units of spacing, in 3-D its area, along faces of cells;
    0 where labels touch by edges or corners alone."""


@takes(tables.RegionOptions)
def site_statistics(
    labels: Any,
    *,
    field: Any = None,
    distance: Any = None,
    **options: Unpack[tables.RegionOptions],
) -> SiteStatistics:
    """Count and sum over the cells of each label: size, place, spread, and contents of fields.

    Parameters
    ----------
    labels : array of shape (y, x) or (z, y, x)
        Any dtype, such as the labels or site indices of `nearest_site`. Floats are compared by
        value, and NaN is left out.
    field : array of the same shape, optional
        A density to be summed, such as a stiffness; masked cells add nothing. NaN or infinite
        values in cells that are not left out are a ValueError that names the first such cell.
    distance : array of the same shape, optional
        Distances or costs, whose greatest and mean are found. NaN and masked cells do not count.
    spacing : float or one per axis, optional
        Length of a cell. Default: 1, or the steps of a DataArray's coordinates. DataArrays must lie
        on one grid.
    background : number or None
        Cells of this label are left out; None leaves none out.
    nodata : number, optional
        Cells of this label (and of the mask) are left out, too.
    threads : int, optional
    progress : callable, True or a bar of tqdm, optional
        As of `nearest_site`.

    Returns
    -------
    SiteStatistics

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    Sums are exact and rounded once, so the results are the same bits whatever the number of threads
    and the order of the cells, and the mass is what ``math.fsum`` would say. Time O(cells + labels
    log labels), memory O(labels) for each thread.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> sites = np.zeros((4, 6), np.int32)
    >>> sites[0, 0], sites[3, 5] = 7, 9
    >>> found = thiessen.nearest_site(sites)
    >>> statistics = thiessen.site_statistics(found.labels, distance=found.distance)
    >>> statistics.labels, statistics.cells
    (array([7, 9], dtype=int32), array([12, 12]))
    >>> statistics.centroid
    array([[1.25      , 1.08333333],
           [1.75      , 3.91666667]])
    >>> statistics.first, statistics.last
    (array([[0, 0],
           [0, 2]]), array([[3, 3],
           [3, 5]]))
    >>> statistics.greatest_distance
    array([3.1622777, 3.1622777])
    >>> list(statistics._asdict())[:5]
    ['labels', 'cells', 'volume', 'centroid_y', 'centroid_x']
    """
    tell_of_colours("labels", labels)
    own = collect(site_statistics, options)
    raster = to_raster("labels", labels, own.nodata)
    grid = one_grid({"labels": labels, "field": field, "distance": distance})
    settings = _core_options("site_statistics", raster, own, grid)
    arrays = {
        "labels": raster.for_core(),
        "field": _field("field", field, raster, masked=0),
        "distance": _field("distance", distance, raster, masked=np.nan),
    }
    columns, _ = run("site_statistics", arrays, settings, own.progress)
    columns["labels"] = labels_of(columns["labels"], raster)
    found = to_statistics(columns, len(raster.shape), field, distance)
    return found if grid is None else _on_map(found, grid, settings["spacing"])


@takes(tables.RegionOptions)
def adjacency(
    labels: Any,
    *,
    connectivity: AreaConnectivity | None = None,
    **options: Unpack[tables.RegionOptions],
) -> Adjacency:
    """Find which labels touch, in how many places, and how long their common boundary is.

    Parameters
    ----------
    labels : array of shape (y, x) or (z, y, x)
        As in `site_statistics`.
    connectivity : {4, 8} in 2-D, {6, 18, 26} in 3-D, optional
        Which cells touch: cells that share a face (4, 6; the default), also an edge (18), or also a
        corner (8, 26).
    spacing, background, nodata, threads, progress
        As in `site_statistics`.

    Returns
    -------
    Adjacency
        Named tuple of arrays; ``pandas.DataFrame(pairs._asdict())`` makes a table of it.

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    The boundary goes along the faces of cells, so a slanting boundary is as long as its steps. Time
    O(cells + pairs log pairs), memory O(labels + pairs) for each thread.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> labels = np.array([[1, 1, 2], [1, 3, 2]])
    >>> thiessen.adjacency(labels)
    Adjacency(a=array([1, 1, 2]), b=array([2, 3, 3]), contacts=array([1, 2, 1]), boundary=array([1., 2., 1.]))
    """  # noqa: E501
    tell_of_colours("labels", labels)
    own = collect(adjacency, options)
    raster = to_raster("labels", labels, own.nodata)
    own = own.but(connectivity=connectivity)
    settings = _core_options("adjacency", raster, own, raster.frame)
    pairs, _ = run("adjacency", {"labels": raster.for_core()}, settings, own.progress)
    pairs.update({name: labels_of(pairs[name], raster) for name in "ab"})
    return Adjacency(**pairs)


def to_statistics(columns: dict[str, Any], axes: int, field: Any, distance: Any) -> SiteStatistics:
    """The columns that the core gives; those of fields that are None are left out."""
    if field is None:
        columns.update(mass=None, mass_centroid=None)
    if distance is None:
        columns.update(greatest_distance=None, mean_distance=None)
    return SiteStatistics(**columns, axes=tuple("zyx"[-axes:]))


def _on_map(found: SiteStatistics, grid: Frame, lengths: list[float]) -> SiteStatistics:
    """The same with the coordinates of a DataArray for cells, and the names of its axes."""
    found = replace(found, axes=grid.axes)
    if not grid.has_place:
        return found
    place = grid.place(lengths)
    ways = np.array(place.steps) / np.linalg.norm(place.steps, axis=0)
    masses = found.mass_centroid
    return replace(
        found,
        centroid=place.of_cells(found.centroid / lengths),
        mass_centroid=None if masses is None else place.of_cells(masses / lengths),
        second_moments=np.einsum("ij,njk,lk->nil", ways, found.second_moments, ways),
        first=place.of_cells(found.first),
        last=place.of_cells(found.last),
    )


def _core_options(operation: str, raster: Raster, own: Options, grid: Frame | None) -> CoreOptions:
    lengths = own.spacing
    if lengths is None and grid is not None:
        lengths = grid.spacing(None)
    own = own.but(spacing=lengths, nodata=raster.nodata)
    return core_options(operation, own, len(raster.shape), device="cpu")


def _field(name: str, value: Any, raster: Raster, masked: float) -> np.ndarray | None:
    if value is None:
        return None
    cells = to_field(name, value, masked)
    if cells.shape != raster.shape:
        raise ValueError(
            f"{name} has the shape {cells.shape} and labels {raster.shape}; must be equal"
        )
    return cells


def labels_of(labels: np.ndarray, raster: Raster) -> np.ndarray:
    """A column of labels in the dtype that the caller's have."""
    if raster.boolean:
        return labels.view(np.bool_)
    return labels if labels.dtype.kind == "b" else labels.astype(raster.label_dtype, copy=False)


@takes(tables.RegionOptions)
def touching(
    labels: Any,
    *,
    connectivity: AreaConnectivity | None = None,
    **options: Unpack[tables.RegionOptions],
) -> Any:
    """List the pairs of regions that touch, with their contact area, volumes and surfaces.

    Parameters
    ----------
    labels : array of shape (y, x) or (z, y, x)
        As of `site_statistics`: nuclei, or the cells that `nearest_site` has grown around them.
    connectivity : {4, 8} in 2-D, {6, 18, 26} in 3-D, optional
        As of `adjacency`: by default regions touch where cells share a face.
    spacing : float or one per axis, optional
        Length of a cell; 1, or what the coordinates of a DataArray say.
    background : number or None
        Cells of this label belong to no region. Faces towards them count as surface.
    nodata : number, optional
        Cells of this label (and of the mask) are left out, and so are faces towards them.
    threads, progress
        As of `nearest_site`.

    Returns
    -------
    pandas.DataFrame, or without pandas a dict of arrays
        A row for each pair, ascending by a, then by b. Either way a column is ``table["a"]``:

        - a, b: the labels, a < b, in their dtype
        - contacts: pairs of neighbouring cells, one of each label
        - boundary: the contact area in units of spacing; in 2-D a length
        - volume_a, volume_b: of the whole regions; in 2-D areas
        - surface_a, surface_b: all faces towards other labels, the background among them

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    The table joins `adjacency` with `site_statistics`, and has the bits of both. Areas go along the
    faces of cells. A region that reaches the edge of the raster has no surface there, so
    ``boundary / surface_a`` is the part of what is seen of region a that touches region b.

    It takes the time and memory of `adjacency` and `site_statistics` together.

    Examples
    --------
    >>> import numpy as np, thiessen
    >>> cells = np.array([[1, 1, 2, 2], [1, 1, 2, 2], [0, 0, 3, 3]])
    >>> table = thiessen.touching(cells, spacing=0.5)
    >>> [np.asarray(table[name]).tolist() for name in ("a", "b", "boundary", "volume_a")]
    [[1, 2], [2, 3], [1.0, 1.0], [1.0, 1.0]]
    >>> np.asarray(table["boundary"] / table["surface_b"])
    array([0.5       , 0.66666667])
    """
    tell_of_colours("labels", labels)
    own = collect(touching, options)
    with reporter(own.progress) as report:
        options["progress"] = share_of(report, 0, 2) or False
        regions = site_statistics(labels, **options)
        options |= {"background": None, "progress": share_of(report, 1, 2) or False}
        faces = adjacency(labels, connectivity=connectivity, **options)
    own_a, of_a = _find(regions.labels, faces.a)
    own_b, of_b = _find(regions.labels, faces.b)
    surface = np.zeros(len(regions))
    np.add.at(surface, of_a[own_a], faces.boundary[own_a])
    np.add.at(surface, of_b[own_b], faces.boundary[own_b])
    kept = own_a & own_b
    pairs = Adjacency(*(column[kept] for column in faces))
    of_a, of_b = of_a[kept], of_b[kept]
    return _to_table(
        {
            **pairs._asdict(),
            "volume_a": regions.volume[of_a],
            "volume_b": regions.volume[of_b],
            "surface_a": surface[of_a],
            "surface_b": surface[of_b],
        }
    )


def _find(labels: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which of the wanted labels are among these ascending ones, and where."""
    if labels.size == 0:
        return np.zeros(wanted.shape, np.bool_), np.zeros(wanted.shape, np.intp)
    places = np.minimum(np.searchsorted(labels, wanted), labels.size - 1)
    return labels[places] == wanted, places


def _to_table(columns: dict[str, np.ndarray]) -> Any:
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)
