# SPDX-License-Identifier: Apache-2.0
"""How far apart the surfaces of labels lie in two rasters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from math import prod
from typing import Any

import numpy as np

from ._arguments import tables
from ._arguments.checks import is_held, to_cell_value, to_cell_values, to_float, to_length
from ._arguments.options import Options, Unpack, collect, takes
from ._arguments.running import reporter
from ._arguments.warnings import tell_of_colours
from ._kinds.batch import in_front
from ._kinds.grids import one_grid
from ._kinds.host import Raster, to_raster
from ._statistics import site_statistics
from ._verbs.rasters import distance_transform
from .typing import Number


@dataclass(frozen=True, eq=False)
class SurfaceDistances:
    """Arrays of the shape (\\*batch, labels). Where only one of both rasters has a label, the
    distances are infinite and the normalised one is 0; where neither has it, all are NaN.
    ``pandas.DataFrame(found._asdict())`` is a table.
    """

    labels: np.ndarray
    """Ascending; one axis."""
    hausdorff: np.ndarray
    """The greatest distance from a cell of one surface to the other surface."""
    hausdorff_percentile: np.ndarray
    """The greater one of the percentiles of the distances from a to b and from b to a."""
    average: np.ndarray
    """The mean of the distances from a to b and from b to a, all cells together."""
    average_a_to_b: np.ndarray
    average_b_to_a: np.ndarray
    """The means of each."""
    normalised: np.ndarray | None
    """The part of both surfaces that lies within the tolerance of the other one, which some call
    surface Dice; None without a tolerance."""

    def _asdict(self) -> dict[str, np.ndarray]:
        """Columns by name, a row for each label; of a batch for each raster and label, with the
        row-major number of the raster."""
        columns = {}
        batch = self.hausdorff.shape[:-1]
        if batch:
            columns["raster"] = np.repeat(np.arange(prod(batch)), len(self.labels))
        columns["labels"] = np.tile(self.labels, prod(batch))
        for name in (field.name for field in fields(self)[1:]):
            values = getattr(self, name)
            if values is not None:
                columns[name] = values.reshape(-1)
        return columns


_COLUMNS = [field.name for field in fields(SurfaceDistances)[1:]]
_ABSENT = [np.inf] * (len(_COLUMNS) - 1) + [0.0]
"""The numbers of a label that one of both has not."""

_Box = tuple[slice, ...]


@takes(tables.SurfaceOptions)
def surface_distances(
    a: Any,
    b: Any,
    *,
    labels: Number | Iterable[Number] | None = None,
    background: Number | None = 0,
    percentile: Number = 95,
    tolerance: Number | None = None,
    **options: Unpack[tables.SurfaceOptions],
) -> SurfaceDistances:
    """Measure how far the surfaces of each label lie apart in two rasters.

    Parameters
    ----------
    a, b : arrays of shape (y, x) or (z, y, x), and the axes of a batch
        Labels, such as a segmentation and its reference, of one shape, and DataArrays on one grid;
        a boolean array has the label True.
    labels : number or numbers, optional
        Labels that are compared; default: all labels of a or b.
    background : number or None
        A value that is no label, unless `labels` names it; None: all values are labels.
    spacing : float or one per axis, optional
        Length of a cell. Default: 1, or the steps of a DataArray's coordinates.
    percentile : float
        For `hausdorff_percentile`, 0 to 100, interpolated linearly.
    tolerance : float, optional
        For `normalised`, in units of the spacing, inclusive.
    batch_axes : int or str, or several, optional
        As of `nearest_site`: every raster is compared by itself.
    threads, progress : optional
        As of `nearest_site`.

    Returns
    -------
    SurfaceDistances

    Raises
    ------
    ValueError, TypeError, MemoryError

    Notes
    -----
    The surface of a label consists of its cells that share a face with a cell of another label, or
    lie at the edge of the raster. Distances go between centres of cells. MONAI measures the same
    (`compute_hausdorff_distance`, `compute_average_surface_distance` with ``symmetric=True``,
    `compute_surface_dice`). MedPy's ``hd95`` is the percentile of all distances together, and its
    ``assd`` the mean of the two averages. Libraries that measure on triangulated surfaces differ by
    fractions of a cell.

    A label is looked at in the box around its cells in a and b. Time O(cells of the boxes), memory
    about 30 bytes for each cell of the largest box.

    Source: S. Nikolov et al., "Deep learning to achieve clinically applicable segmentation of head
    and neck anatomy for radiotherapy" (2018), for the normalised distance.

    Examples
    --------
    >>> import numpy as np
    >>> from thiessen import metrics
    >>> found, truth = np.zeros((2, 8, 12), np.uint8)
    >>> found[2:6, 2:6], truth[2:6, 2:8] = 1, 1
    >>> distances = metrics.surface_distances(found, truth, spacing=0.5, tolerance=0.5)
    >>> distances.hausdorff, distances.hausdorff_percentile, distances.normalised.round(3)
    (array([1.]), array([1.]), array([0.857]))
    """
    own = collect(surface_distances, options)
    tell_of_colours("a", a, batch_axes=own.batch_axes)
    first, second = (_to_labels(name, each, own) for name, each in (("a", a), ("b", b)))
    grid = one_grid({"a": a, "b": b}, first.batch)
    if first.shape != second.shape:
        raise ValueError(f"a has the shape {first.shape} and b {second.shape}; must be equal")
    part = to_float("percentile", percentile)
    if not 0 <= part <= 100:
        raise ValueError(f"percentile = {part}; must be 0 to 100")
    limit = None if tolerance is None else to_length("tolerance", tolerance)
    if limit is not None and not limit >= 0:
        raise ValueError(f"tolerance = {limit}; must be >= 0")
    if own.spacing is None and grid is not None:
        own = own.but(spacing=grid.spacing(None))
    images = [in_front(raster.cells, raster.batch) for raster in (first, second)]
    batch = images[0].shape[: len(first.batch)]
    if labels is not None:
        background = None
    boxes = {
        place: [_boxes(image[place], background, own.threads) for image in images]
        for place in np.ndindex(*batch)
    }
    numbers = _numbers(labels, boxes.values())
    measured = np.full((*batch, len(numbers), len(_COLUMNS)), np.nan)
    with reporter(own.progress) as report:
        for done, (place, pair) in enumerate(boxes.items(), 1):
            for i, number in enumerate(numbers):
                found = [each[number] for each in pair if number in each]
                if len(found) == 1:
                    measured[place][i] = _ABSENT
                elif found:
                    box = _union(*found)
                    masks = [image[place][box] == number for image in images]
                    apart = _distances(masks, own)
                    measured[place][i] = _measure(*apart, part, limit)
            if report is not None:
                report(done / len(boxes))
    dtype = np.result_type(first.cells.dtype, second.cells.dtype)
    columns: dict[str, Any] = dict(zip(_COLUMNS, np.moveaxis(measured, -1, 0)))
    if limit is None:
        columns["normalised"] = None
    return SurfaceDistances(np.array(numbers, dtype), **columns)


def _to_labels(name: str, value: Any, own: Options) -> Raster:
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array; must be an array without a mask")
    return to_raster(name, value, None, own.batch_axes)


def _boxes(image: np.ndarray, background: Any, threads: Any) -> dict[Any, _Box]:
    """The box around each label, by its number."""
    found = site_statistics(image, background=_held(background, image), threads=threads)
    return {
        label: tuple(slice(start, end + 1) for start, end in zip(first, last))
        for label, first, last in zip(
            found.labels.tolist(), found.first.tolist(), found.last.tolist()
        )
    }


def _held(background: Any, image: np.ndarray) -> Any:
    """The background, where the cells can be it: a and b may be of two dtypes."""
    if background is None:
        return None
    number = to_cell_value("background", background)
    dtype = np.dtype(np.uint8) if image.dtype.kind == "b" else image.dtype
    return number if is_held(number, dtype) else None


def _numbers(labels: Any, pairs: Iterable[list[dict[Any, _Box]]]) -> list[Any]:
    """The labels that are compared."""
    if labels is not None:
        return sorted(set(to_cell_values("labels", labels)))
    return sorted({number for pair in pairs for boxes in pair for number in boxes})


def _union(a: _Box, b: _Box) -> _Box:
    return tuple(slice(min(i.start, j.start), max(i.stop, j.stop)) for i, j in zip(a, b))


def _surface(mask: np.ndarray) -> np.ndarray:
    """The cells of a mask with a face towards a cell that is not of it, or towards the outside."""
    around = np.pad(mask, 1)
    inner = mask.copy()
    for axis in range(mask.ndim):
        for start in (0, 2):
            beside: list[Any] = [slice(1, -1)] * mask.ndim
            beside[axis] = slice(start, start + mask.shape[axis])
            inner &= around[tuple(beside)]
    return mask & ~inner


def _distances(masks: list[np.ndarray], own: Options) -> tuple[np.ndarray, np.ndarray]:
    """From each cell of the surface of the first to that of the second, and the other way."""
    a, b = (_surface(mask) for mask in masks)
    to_b, to_a = (
        distance_transform(
            surface, spacing=own.spacing, distance_type="float64", threads=own.threads
        )
        for surface in (b, a)
    )
    return to_b[a], to_a[b]


def _measure(
    a_to_b: np.ndarray, b_to_a: np.ndarray, percentile: float, tolerance: float | None
) -> list[float]:
    """The numbers of one label, in the order of _COLUMNS."""
    apart = np.concatenate([a_to_b, b_to_a])
    return [
        apart.max(),
        max(np.percentile(each, percentile) for each in (a_to_b, b_to_a)),
        apart.mean(),
        a_to_b.mean(),
        b_to_a.mean(),
        np.nan if tolerance is None else np.count_nonzero(apart <= tolerance) / apart.size,
    ]
