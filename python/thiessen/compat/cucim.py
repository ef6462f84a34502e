# SPDX-License-Identifier: Apache-2.0
"""distance_transform_edt and expand_labels of cuCIM: those of `thiessen.compat.cupy` and of
`thiessen`, with cuCIM's signatures and defaults. Arrays may be in CUDA memory or on the host."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._kinds.unread import refuse_unread
from .._verbs import rasters
from . import cupy
from ._anywhere import library_of, permuted
from ._arguments import spacing_of

__all__ = ["distance_transform_edt", "expand_labels"]


def __dir__() -> list[str]:
    return __all__


def distance_transform_edt(
    image: Any,
    sampling: float | Iterable[float] | None = None,
    return_distances: bool = True,
    return_indices: bool = False,
    distances: Any = None,
    indices: Any = None,
    *,
    block_params: Any = None,
    float64_distances: bool = False,
) -> Any:
    """`thiessen.compat.cupy.distance_transform_edt` with distances of float32 by default.

    Parameters
    ----------
    image, sampling, return_distances, return_indices, distances, indices, block_params, \
float64_distances
        As there.

    Returns
    -------
    array of float32 or float64, array of int32, tuple of both, or None
        As there.

    Raises
    ------
    NotImplementedError, RuntimeError, ValueError, TypeError
        As there.
    """
    return cupy.distance_transform_edt(
        image,
        sampling,
        return_distances,
        return_indices,
        distances,
        indices,
        block_params=block_params,
        float64_distances=float64_distances,
    )


def expand_labels(
    label_image: Any, distance: float = 1, spacing: float | Iterable[float] = 1
) -> Any:
    """Give each cell that is zero the label of the nearest cell that is not.

    Parameters
    ----------
    label_image : array of two or three axes, in CUDA memory or on the host
        As the labels of `thiessen.expand_labels`; 0 is none.
    distance : float
        How far labels may grow, in units of spacing; the limit itself is in.
    spacing : float or sequence of float
        Length of the cells, one for all axes or one per axis: finite and > 0.

    Returns
    -------
    array of the shape, dtype and library of label_image
        At equal distance the label is that of scikit-image: that of the cell with the smallest last
        coordinate, among these the smallest last but one, and so on.

    Raises
    ------
    NotImplementedError
        If label_image has another number of axes than two or three.
    ValueError, TypeError, RuntimeError
        As `thiessen.expand_labels`.

    Examples
    --------
    >>> import numpy as np
    >>> expand_labels(np.array([[0, 1, 0, 2, 0, 0]]), distance=1)
    array([[1, 1, 1, 2, 2, 0]])
    """
    refuse_unread("label_image", label_image)
    if getattr(label_image, "ndim", None) not in (2, 3):
        raise NotImplementedError("label_image must be an array of 2 or 3 axes")
    lengths = spacing_of(spacing, label_image.ndim, "spacing", ValueError)
    expanded = library_of(label_image).empty_like(label_image)
    backwards = tuple(range(label_image.ndim))[::-1]  # has scikit-image's ties
    rasters.expand_labels(
        permuted(label_image, backwards),
        distance,
        spacing=lengths and lengths[::-1],
        out=permuted(expanded, backwards),
    )
    return expanded
