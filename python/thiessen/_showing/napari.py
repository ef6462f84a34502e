# SPDX-License-Identifier: Apache-2.0
"""The widgets of the plugin of napari, which makes them from the annotations of these functions.

Lengths are in world units of the layers: their scale is the spacing. Where a layer has more than
three axes, the last three are a volume and it holds one for each place of the others.

Annotations are objects, but for those of napari: it does not look up names of this module.
"""

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from .._statistics import touching as _touching
from .._verbs.rasters import distance_transform
from .._verbs.rasters import expand_labels as _expand_labels
from .._verbs.voronoi import voronoi as _voronoi
from ..typing import DistanceTo

if TYPE_CHECKING:
    import napari

Length = Annotated[float, {"min": 0, "max": 1e9, "step": 0.5}]

_PLACE = ("scale", "translate", "rotate", "shear", "affine", "units", "axis_labels")
"""What says where a layer lies, of what a layer says of itself."""


def expand_labels(
    labels: "napari.layers.Labels", distance: Length = 3.0, stack_of_images: bool = False
) -> "napari.types.LayerDataTuple":
    """Labels grown by a distance, without overlaps."""
    cells, raster = _raster(labels, stack_of_images)
    grown = _expand_labels(cells, max_distance=distance, **raster)
    return grown, _placed(labels, f"{labels.name}, expanded by {distance:g}"), "labels"


def distance(
    labels: "napari.layers.Labels",
    to: DistanceTo = "sites",
    negative_inside: bool = False,
    stack_of_images: bool = False,
) -> "napari.types.LayerDataTuple":
    """Distance to the labels, or of each cell to the boundary of its own label."""
    cells, raster = _raster(labels, stack_of_images)
    found = distance_transform(cells, distance_to=to, signed_distance=negative_inside, **raster)
    what = {"sites": "labels", "zeros": "free cells", "boundary": "boundary"}[to]
    finite = found[np.isfinite(found)]
    limits = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    more: dict[str, Any] = {"colormap": "viridis"}
    if limits[0] < limits[1]:  # napari itself would take infinity for the end
        more["contrast_limits"] = limits
    return found, {**_placed(labels, f"{labels.name}, distance to {what}"), **more}, "image"


def voronoi(
    points: "napari.layers.Points", like: "napari.layers.Layer", max_distance: Length = 0.0
) -> "napari.types.LayerDataTuple":
    """Cells of points on the grid of another layer; 0: as far as they go."""
    extents = _first_level(like).shape[: like.ndim]
    places = [like.world_to_data(points.data_to_world(each)) for each in points.data]
    found = _voronoi(
        np.array(places).reshape(-1, len(extents)),
        extents,
        spacing=_spacing(like, len(extents)),
        max_distance=max_distance or None,
        outputs="labels",
    )
    return found.labels, _placed(like, f"cells of {points.name}"), "labels"


def touching(viewer: "napari.Viewer", labels: "napari.layers.Labels") -> None:
    """A table of the labels that touch, with contact areas and volumes; it stays in the metadata of
    the layer, too."""
    from magicgui.widgets import Table

    cells = _first_level(labels)
    table = _touching(cells, spacing=_spacing(labels, cells.ndim))
    columns = {name: np.asarray(table[name]).tolist() for name in table}
    labels.metadata["touching"] = table
    viewer.window.add_dock_widget(Table(value=columns), name=f"{labels.name}, touching")


def _first_level(layer: Any) -> np.ndarray:
    return np.asarray(layer.data[0] if getattr(layer, "multiscale", False) else layer.data)


def _raster(labels: Any, stack_of_images: bool) -> tuple[np.ndarray, dict[str, Any]]:
    """The cells of a layer, and what functions are told of them."""
    cells = _first_level(labels)
    axes = 2 if stack_of_images else min(cells.ndim, 3)
    batch = tuple(range(cells.ndim - axes)) or None
    return cells, {"spacing": _spacing(labels, axes), "batch_axes": batch}


def _spacing(layer: Any, axes: int) -> list[float]:
    return [float(each) for each in np.asarray(layer.scale)[-axes:]]


def _placed(layer: Any, name: str) -> dict[str, Any]:
    """The metadata of a new layer that lies where another one does."""
    own = layer.as_layer_data_tuple()[1]
    return {"name": name, **{key: own[key] for key in _PLACE if key in own}}
