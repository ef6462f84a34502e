# SPDX-License-Identifier: Apache-2.0
"""OME-Zarr, versions 0.4 (on Zarr 2) and 0.5 (on Zarr 3): images with scales, and their labels.

An image is a group with one array for each level of resolution and the metadata `multiscales`. Its
axes are time, channel and space, in this order; a raster is its axes of space. Label images lie in
the group `labels` of the image that they belong to, which lists them.

Specification: https://ngff.openmicroscopy.org
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .._arguments.checks import to_lengths

_VERSIONS = ("0.4", "0.5")
_FORMATS = {"0.4": 2, "0.5": 3}
"""The format of Zarr of each."""
_SMALLEST = 512
"""Cells along y and x of the last level, at most, of an image with levels of our own."""
_ROWS = 256
"""Rows, or planes, of a level that are made at once."""


@dataclass(frozen=True)
class Level:
    """One resolution of an image."""

    path: str
    scale: tuple[float, ...]
    """Lengths of a cell along all axes of the image."""
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Image:
    """What the metadata of a group say."""

    version: str
    axes: tuple[dict[str, str], ...]
    levels: tuple[Level, ...]

    @property
    def space(self) -> list[int]:
        """The axes of space."""
        return [i for i, axis in enumerate(self.axes) if axis.get("type") == "space"]

    def spatial(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """What belongs to the axes of space."""
        return tuple(values[i] for i in self.space)

    def strides(self) -> list[tuple[int, ...]]:
        """How many cells of the first level each level goes on, along the axes of space."""
        first = self.spatial(self.levels[0].scale)
        return [
            tuple(max(round(own / base), 1) for own, base in zip(self.spatial(each.scale), first))
            for each in self.levels
        ]


class Spatial:
    """An array of an image as a raster: its axes of space, the others having one cell."""

    def __init__(self, array: Any, space: int) -> None:
        self._array = array
        self._front: tuple[Any, ...] = (0,) * (array.ndim - space)
        self.shape = tuple(array.shape[-space:])
        self.chunks = tuple(array.chunks[-space:])
        self.dtype = array.dtype

    def __getitem__(self, rows: slice) -> np.ndarray:
        return np.asarray(self._array[self._front + (rows,)])

    def __setitem__(self, rows: slice, cells: np.ndarray) -> None:
        self._array[self._front + (rows,)] = cells


def read_image(name: str, path: Path, group: Any) -> Image | None:
    """The image of a group; None if it is none. Raises ValueError for metadata that cannot be
    read."""
    attributes = dict(group.attrs)
    ome = attributes.get("ome", attributes)
    if "multiscales" not in ome:
        return None
    try:
        first = ome["multiscales"][0]
        version = ome["version"] if "ome" in attributes else first.get("version")
        if version not in _VERSIONS:
            raise ValueError(
                f"{name} = {str(path)!r}; is OME-Zarr of version {version}; must be 0.4 or 0.5"
            )
        axes = tuple(dict(axis) for axis in first["axes"])
        whole = _scale(first.get("coordinateTransformations", []), len(axes))
        levels = []
        for each in first["datasets"]:
            own = _scale(each["coordinateTransformations"], len(axes))
            scale = tuple(float(a * b) for a, b in zip(own, whole))
            levels.append(Level(each["path"], scale, tuple(group[each["path"]].shape)))
        image = Image(version, axes, tuple(levels))
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError(
            f"{name} = {str(path)!r}; has multiscales that cannot be read: {error!r}"
        ) from error
    if not levels or image.space != list(range(len(axes)))[-len(image.space) :]:
        raise ValueError(f"{name} = {str(path)!r}; must have axes of space, and those last")
    return image


def _scale(transformations: list[Any], axes: int) -> tuple[float, ...]:
    for each in transformations:
        if each["type"] == "scale":
            return tuple(each["scale"])
    return (1.0,) * axes


def open_level(
    name: str, path: Path, array: Any, image: Image, level: Level
) -> tuple[Spatial, tuple[float, ...]]:
    """The raster of a level, and the lengths of its cells."""
    for axis, extent in zip(image.axes, level.shape):
        if axis.get("type") != "space" and extent != 1:
            raise ValueError(
                f"{name} = {str(path)!r}; has {extent} cells along the axis {axis['name']!r}; must "
                "have one along axes that are none of space"
            )
    units = {axis.get("unit") for axis in image.spatial(image.axes)}
    if len(units) > 1:
        raise ValueError(
            f"{name} = {str(path)!r}; has axes in {' and '.join(sorted(map(str, units)))}; must "
            "be in one unit"
        )
    return Spatial(array, len(image.space)), image.spatial(level.scale)


def image_of_labels(path: Path) -> Path | None:
    """The folder of the image that a new label image would belong to; None if there is none."""
    folder = path.resolve().parent
    is_label = folder.name == "labels" and path.suffix.lower() in ("", ".zarr")
    return folder.parent if is_label and is_group(folder.parent) else None


def is_group(path: Path) -> bool:
    """Whether a folder looks like a group of Zarr."""
    return (path / "zarr.json").is_file() or (path / ".zgroup").is_file()


@dataclass(frozen=True)
class Plan:
    """How an image is to be written."""

    version: str
    axes: tuple[dict[str, str], ...]
    scale: tuple[float, ...]
    """As of Level, of the first one."""
    strides: list[tuple[int, ...]]
    shapes: list[tuple[int, ...]]
    """The extents of each level, along the axes of space."""
    is_label: bool


def plan_labels(name: str, image: Image, shape: tuple[int, ...], dtype: np.dtype) -> Plan:
    """A label image beside the image: with its axes but for channels, its scales and levels."""
    shapes = [image.spatial(level.shape) for level in image.levels]
    if shape != shapes[0]:
        raise ValueError(
            f"out[{name!r}] has the shape {shape}; must have that of its image, {shapes[0]}"
        )
    if dtype.kind not in "iu":
        raise TypeError(
            f"out[{name!r}] has the dtype {dtype}; labels of OME-Zarr must be integers, and others "
            "lie in a folder of their own that ends with .ome.zarr"
        )
    kept = [i for i, axis in enumerate(image.axes) if axis.get("type") != "channel"]
    first = image.levels[0]
    for i in kept:
        if i not in image.space and first.shape[i] != 1:
            raise ValueError(
                f"out[{name!r}] is for an image with {first.shape[i]} cells along the axis "
                f"{image.axes[i]['name']!r}; must have one along axes that are none of space"
            )
    strides = image.strides()
    return Plan(
        image.version,
        tuple(image.axes[i] for i in kept),
        tuple(first.scale[i] for i in kept),
        strides,
        [_level_shape(shape, *each) for each in zip(strides, shapes)],
        is_label=True,
    )


def plan_image(name: str, image: Image | None, shape: tuple[int, ...], steps: Any) -> Plan:
    """An image of its own, like the one that was read, if one was."""
    if name == "offset":
        raise ValueError("out['offset'] ends with .ome.zarr; offsets need .zarr or .npy")
    rank = len(shape)
    scale = to_lengths("spacing", steps, rank) or [1.0] * rank
    if image is not None and len(image.space) == rank:
        axes, version, strides = image.spatial(image.axes), image.version, image.strides()
    else:
        axes = tuple({"name": axis, "type": "space"} for axis in "zyx"[-rank:])
        version, strides = _VERSIONS[-1], [(1,) * rank]
        while max(-(-n // stride) for n, stride in zip(shape[-2:], strides[-1][-2:])) > _SMALLEST:
            *depth, y, x = strides[-1]
            strides.append((*depth, 2 * y, 2 * x))
    shapes = [_level_shape(shape, stride, shape) for stride in strides]
    return Plan(version, axes, tuple(scale), strides, shapes, is_label=False)


def _level_shape(
    shape: tuple[int, ...], strides: tuple[int, ...], limit: tuple[int, ...]
) -> tuple[int, ...]:
    return tuple(min(-(-n // s), most) for n, s, most in zip(shape, strides, limit))


class Writer:
    """A new image, whose first level is written by rows; flush() makes the others and says what it
    is. Every level has the first of the cells that one of its own stands for, so that labels stay
    labels and the centre of the first cell stays where it is."""

    def __init__(
        self, zarr: Any, path: Path, dtype: np.dtype, plan: Plan, chunks: tuple[int, ...]
    ) -> None:
        self._plan = plan
        self._chunks = chunks
        self._group = zarr.create_group(store=path, zarr_format=_FORMATS[plan.version])
        self.shape = plan.shapes[0]
        self.dtype = dtype
        self._first = self._create(0)

    def __setitem__(self, rows: slice, cells: np.ndarray) -> None:
        self._first[rows] = cells

    def _create(self, level: int) -> Spatial:
        plan = self._plan
        shape = plan.shapes[level]
        front = (1,) * (len(plan.axes) - len(shape))
        chunks = tuple(max(min(chunk, size), 1) for chunk, size in zip(self._chunks, shape))
        more: dict[str, Any] = {"chunk_key_encoding": {"name": "v2", "separator": "/"}}
        if plan.version != "0.4":
            more = {"dimension_names": [axis["name"] for axis in plan.axes]}
        array = self._group.create_array(
            str(level), shape=(*front, *shape), chunks=(*front, *chunks), dtype=self.dtype, **more
        )
        return Spatial(array, len(shape))

    def flush(self) -> None:
        plan = self._plan
        for level, (strides, shape) in enumerate(zip(plan.strides, plan.shapes)):
            if level > 0:
                self._thin_out(self._create(level), strides, shape)
        datasets = [
            {
                "path": str(level),
                "coordinateTransformations": [{"type": "scale", "scale": self._scale(strides)}],
            }
            for level, strides in enumerate(plan.strides)
        ]
        multiscales: dict[str, Any] = {"axes": list(plan.axes), "datasets": datasets}
        metadata: dict[str, Any] = {"multiscales": [multiscales]}
        if plan.is_label:
            metadata["image-label"] = {"source": {"image": "../../"}}
        if plan.version == "0.4":
            multiscales["version"] = plan.version
            if plan.is_label:
                metadata["image-label"]["version"] = plan.version
            self._group.attrs.update(metadata)
        else:
            self._group.attrs["ome"] = {"version": plan.version, **metadata}

    def _scale(self, strides: tuple[int, ...]) -> list[float]:
        front = len(self._plan.axes) - len(strides)
        return [
            *self._plan.scale[:front],
            *(length * stride for length, stride in zip(self._plan.scale[front:], strides)),
        ]

    def _thin_out(self, level: Spatial, strides: tuple[int, ...], shape: tuple[int, ...]) -> None:
        along, *others = strides
        inner = tuple(slice(0, n * s, s) for n, s in zip(shape[1:], others))
        for row in range(0, shape[0], _ROWS):
            end = min(row + _ROWS, shape[0])
            cells = self._first[row * along : (end - 1) * along + 1]
            level[row:end] = cells[(slice(None, None, along),) + inner]


def list_label(zarr: Any, image: Path, version: str, label: str) -> None:
    """Names a label image in the list of its image's labels."""
    group = zarr.open_group(store=image / "labels", mode="a", zarr_format=_FORMATS[version])
    ome = dict(group.attrs) if version == "0.4" else dict(group.attrs.get("ome", {}))
    listed = list(ome.get("labels", []))
    if label in listed:
        return
    if version == "0.4":
        group.attrs["labels"] = [*listed, label]
    else:
        group.attrs["ome"] = {**ome, "version": version, "labels": [*listed, label]}
