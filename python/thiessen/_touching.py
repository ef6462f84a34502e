# SPDX-License-Identifier: Apache-2.0
"""Which regions touch, as a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arguments import tables
from ._arguments.options import Unpack, collect, takes
from ._arguments.progress import reporter
from ._arguments.warnings import tell_of_colours
from ._kinds.batch import share_of
from ._statistics import Adjacency, adjacency, site_statistics
from .typing import AreaConnectivity


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

    Time and memory are those of `adjacency` and `site_statistics` together.

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
