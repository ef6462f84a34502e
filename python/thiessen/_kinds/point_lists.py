# SPDX-License-Identifier: Apache-2.0
"""Lists of points and of their labels: which ones are allowed, and what the core gets."""

from __future__ import annotations

from typing import Any

import numpy as np

from .cuda import CudaArray, find_cuda
from .host import is_native, number_dtype, result_dtype, to_cells


def to_coordinates(array: np.ndarray, axes: int) -> np.ndarray:
    if array.ndim == 1 and array.size == 0:
        array = np.empty((0, axes))
    check_point_shape(array, axes)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"points has the dtype {array.dtype}; must be numbers")
    if array.dtype.char in "fd" and is_native(array):
        return array
    return array.astype(np.float64)


def check_point_shape(array: Any, axes: int) -> None:
    if array.ndim != 2 or array.shape[1] != axes:
        raise ValueError(f"points has the shape {array.shape}; must be (n, {axes}) for this grid")


def to_point_labels(
    array: np.ndarray | None, count: int
) -> tuple[np.ndarray | None, tuple[np.dtype, np.dtype]]:
    """The points' labels as the core takes them, and the dtypes of the output."""
    if array is None:
        dtype = number_dtype(count)
        return None, (dtype, dtype)
    if array.shape != (count,):
        raise ValueError(
            f"point_labels has the shape {array.shape}; must be ({count},), one for a point"
        )
    cells = to_cells("point_labels", array)
    if cells.dtype.kind == "b":
        raise TypeError("point_labels has the dtype bool; must be an integer or float dtype")
    return cells, (cells.dtype, result_dtype(array.dtype))


def to_cuda_points(points: CudaArray, labels: Any, axes: int) -> tuple[CudaArray | None, np.dtype]:
    """The labels of points in CUDA memory, which are checked, and the dtype of the output."""
    check_point_shape(points, axes)
    if points.dtype.char not in "fd":
        raise TypeError(f"points has the dtype {points.dtype}; must be float32 or float64")
    count = points.shape[0]
    if labels is None:
        return None, number_dtype(count)
    found = find_cuda("point_labels", labels)
    if found is None:
        raise TypeError("point_labels are on the host; must be in CUDA memory, as the points are")
    if found.shape != (count,):
        raise ValueError(f"point_labels has the shape {found.shape}; must be ({count},)")
    return found, found.dtype
