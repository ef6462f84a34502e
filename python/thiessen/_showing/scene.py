# SPDX-License-Identifier: Apache-2.0
"""What `plot` draws: layers of one raster, and where they lie on the axes of matplotlib."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._arguments.checks import to_float, to_lengths
from .._arguments.options import Options
from .._kinds import xarray as _xarray
from .._kinds.grids import one_grid
from .._kinds.host import to_array, to_field, to_raster

_PERCENTILES = (0.5, 99.5)
"""What is black and what is white in a grey image."""


@dataclass(frozen=True)
class Scene:
    """What is drawn, and where it lies."""

    layers: dict[str, np.ndarray]
    """labels, distance, sites, image, as far as there are any."""
    label_nodata: int | float | None
    ends: tuple[tuple[float, float], ...]
    """Along each axis the outer edges of the first and of the last cell."""
    titles: tuple[str, ...]
    grows: tuple[bool, ...]
    """Along each axis whether the larger end is drawn on top or on the right, whichever end the
    first cell has; else the first cell is on top or on the left."""
    points: np.ndarray | None = None
    """In cells."""
    limits: tuple[float, float] | None = None
    """What is black and what is white in a grey image."""

    @property
    def extents(self) -> tuple[int, ...]:
        return next(iter(self.layers.values())).shape[: self.rank]

    @property
    def rank(self) -> int:
        return len(self.ends)

    def cut(self, axis: int, cell: int) -> Scene:
        """The section of one cell along an axis."""
        kept = [each for each in range(self.rank) if each != axis]
        points = self.points
        if points is not None:
            points = points[np.abs(points[:, axis] - cell) <= 0.5][:, kept]
        place: list[Any] = [slice(None)] * axis + [cell]
        return replace(
            self,
            layers={name: layer[tuple(place)] for name, layer in self.layers.items()},
            ends=tuple(self.ends[each] for each in kept),
            titles=tuple(self.titles[each] for each in kept),
            grows=tuple(self.grows[each] for each in kept),
            points=points,
        )

    def turned(self) -> Scene:
        """A section with its axes in the other order."""
        return replace(
            self,
            layers={name: layer.swapaxes(0, 1) for name, layer in self.layers.items()},
            ends=self.ends[::-1],
            titles=self.titles[::-1],
            grows=self.grows[::-1],
            points=None if self.points is None else self.points[:, ::-1],
        )

    def place(self, axis: int, cells: np.ndarray) -> np.ndarray:
        """Coordinates in cells along an axis as those of the axes of matplotlib."""
        first, last = self.ends[axis]
        return first + (cells + 0.5) * (last - first) / self.extents[axis]


def to_scene(given: dict[str, Any], label_nodata: Any, own: Options) -> Scene:
    """The layers of one raster, and its place, by the spacing or the extent in the options."""
    given = {name: value for name, value in given.items() if value is not None}
    if not given:
        raise ValueError("labels, distance and sites are None; one of them must be an array")
    layers: dict[str, np.ndarray] = {}
    nodata = None
    for name, value in given.items():
        if name == "labels":
            raster = to_raster(name, value, label_nodata, nodata_name="label_nodata")
            layers[name], nodata = raster.cells, raster.nodata
        else:
            layers[name] = _to_layer(name, value)
    (first, shape), *others = ((name, layer.shape) for name, layer in layers.items())
    for name, other in others:
        if other != shape:
            raise ValueError(f"{name} has the shape {other} and {first} {shape}; must be equal")
    if len(shape) not in (2, 3) or 0 in shape:
        raise ValueError(f"{first} has the shape {shape}; must have 2 or 3 axes, and cells")
    return Scene(layers, nodata, *_to_place(shape, own, one_grid(given)))


def _to_layer(name: str, value: Any) -> np.ndarray:
    """The distance as floats, with NaN at masked cells; masked cells are no sites."""
    if name == "sites":
        cells = value.data if _xarray.is_data_array(value) else value  # which has no scale
        return to_field(name, cells, masked=0)
    cells = to_field(name, value)
    return cells if cells.dtype.kind == "f" else cells.astype(np.float64)


def _to_place(
    shape: tuple[int, ...], own: Options, frame: _xarray.Frame | None
) -> tuple[tuple[tuple[float, float], ...], tuple[str, ...], tuple[bool, ...]]:
    """The ends and titles of axes, and which way they grow, as of `Scene`."""
    rank, spacing, extent = len(shape), own.spacing, own.extent
    titles, fixed = tuple("zyx"[-rank:]), (False,) * rank
    if extent is not None:
        if spacing is not None or rank != 2:
            raise ValueError(f"extent = {extent!r}; is for two axes without a spacing")
        left, right, bottom, top = _to_numbers("extent", extent, 4)
        if left == right or bottom == top:
            raise ValueError(f"extent = {extent!r}; must have edges that differ")
        return ((top, bottom), (left, right)), titles, fixed
    if frame is not None and spacing is None:
        return (
            tuple(frame.ends(dim) for dim in frame.dims),
            tuple(frame.title(dim) for dim in frame.dims),
            tuple(frame.ascends(dim) is not None for dim in frame.dims),
        )
    steps = to_lengths("spacing", spacing, rank) or [1.0] * rank
    for i, step in enumerate(steps):
        if not 0 < step < np.inf:
            raise ValueError(f"spacing[{i}] = {step}; must be finite and > 0")
    ends = tuple((-0.5 * step, (size - 0.5) * step) for size, step in zip(shape, steps))
    return ends, titles, fixed


def with_image(scene: Scene, image: Any, image_range: Any) -> Scene:
    """The same with an image below; `image_range` is what a grey one has from black to white."""
    is_grey = np.shape(image) == scene.extents
    pixels = to_field("image", image) if is_grey else to_array("image", image)
    if pixels.dtype.kind == "b":
        pixels = pixels.astype(np.uint8)
    if pixels.shape not in (scene.extents, (*scene.extents, 3), (*scene.extents, 4)):
        raise ValueError(
            f"image has the shape {pixels.shape} and labels {scene.extents}; must be equal, but "
            "for a last axis of 3 or 4 colours"
        )
    limits = None
    if pixels.ndim == scene.rank and image_range is None:
        finite = pixels[np.isfinite(pixels)]
        low, high = np.percentile(finite, _PERCENTILES) if finite.size else (0, 1)
        limits = float(low), float(high)
    elif pixels.ndim == scene.rank:
        low, high = _to_numbers("image_range", image_range, 2)
        limits = low, high
    return replace(scene, layers={**scene.layers, "image": pixels}, limits=limits)


def _to_numbers(name: str, values: Any, count: int) -> list[float]:
    if not np.iterable(values) or isinstance(values, str):
        raise TypeError(f"{name} = {values!r}; must be {count} numbers")
    numbers = [to_float(name, each) for each in values]
    if len(numbers) != count:
        raise ValueError(f"{name} = {numbers}; must be {count} numbers")
    return numbers
