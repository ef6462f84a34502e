# SPDX-License-Identifier: Apache-2.0
"""skimage.segmentation.expand_labels: its signature and its ties."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from .._arguments.checks import to_length
from .._kinds.cuda import refuse_device_memory
from .._kinds.unread import refuse_unread
from .._verbs.rasters import nearest_site
from ._arguments import Array, spacing_of
from .scipy import distance_transform_edt

__all__ = ["expand_labels"]


def __dir__() -> list[str]:
    return __all__


def expand_labels(
    label_image: ArrayLike, distance: float = 1, spacing: float | Iterable[float] = 1
) -> Array:
    """Give each cell that is zero the label of the nearest cell that is not.

    Parameters
    ----------
    label_image : array_like
        Labels of any type, with one axis or more; 0 is none. Integers, booleans and floats without
        NaN of up to three axes run in the library; others through `distance_transform_edt`.
    distance : float
        How far labels may grow, in units of spacing; the limit itself is in. Less than 0 leaves
        nothing, not even the labels there are.
    spacing : float or sequence of float
        Length of the cells, one for all axes or one per axis: finite and > 0.

    Returns
    -------
    array of the shape and type of label_image
        If several labels are at equal distance, that of the cell with the smallest last coordinate
        wins, among these the smallest last but one, and so on.

    Raises
    ------
    RuntimeError
        If spacing has another number of values than there are axes, or label_image lies on a GPU.
    ValueError
        If spacing has a value that is not finite and > 0, or label_image has no axis.

    Examples
    --------
    >>> import numpy as np
    >>> expand_labels(np.array([0, 1, 0, 2, 0, 0]), distance=1)
    array([1, 1, 1, 2, 2, 0])
    """
    refuse_unread("label_image", label_image)
    refuse_device_memory("label_image", label_image)
    labels = np.asarray(label_image)
    if labels.ndim == 0:
        raise ValueError("label_image has no axis; must have one or more")
    lengths = spacing_of(spacing, labels.ndim, "spacing") or [1.0] * labels.ndim
    if not distance >= 0 or labels.size == 0:
        return np.zeros_like(labels)
    is_plain = labels.dtype.kind in "biuf" and labels.dtype.itemsize <= 8
    has_nan = labels.dtype.kind == "f" and np.isnan(labels).any()  # a label here, but no site
    if labels.ndim > 3 or not is_plain or has_nan:
        return _gathered(labels, distance, lengths)
    expanded = np.empty_like(labels)
    # The transposed raster has scikit-image's ties; a single axis is given a second one.
    cells, out = np.atleast_2d(labels.T), np.atleast_2d(expanded.T)
    if labels.dtype.kind == "b":  # its sites would be numbered
        cells, out = cells.view(np.uint8), out.view(np.uint8)
    nearest_site(
        cells,
        spacing=lengths[::-1] if labels.ndim > 1 else lengths * 2,
        max_distance=None if distance == np.inf else to_length("distance", distance),
        outputs=("labels",),
        out={"labels": out},
    )
    return expanded


def _gathered(labels: Array, distance: float, spacing: list[float]) -> Array:
    """The same through coordinates, for what the library does not take as labels."""
    distances, indices = distance_transform_edt(labels == 0, spacing, return_indices=True)
    near = distances <= distance
    near &= np.isfinite(distances)
    expanded = np.zeros_like(labels)
    expanded[near] = labels[tuple(index[near] for index in indices)]
    return expanded
