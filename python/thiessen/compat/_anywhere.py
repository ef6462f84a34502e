# SPDX-License-Identifier: Apache-2.0
"""Distances to the nearest zero cell and its coordinates, wherever the array is: on the host, or in
CUDA memory, where the results are of the array's own library (CuPy or PyTorch)."""

from __future__ import annotations

import sys
from typing import Any, Literal

import numpy as np

from .._verbs.rasters import nearest_site
from ._arguments import refuse_contradictions, spacing_of

_UNREACHED = np.iinfo(np.int32).min


def transform(
    image: Any,
    sampling: Any,
    return_distances: Any,
    return_indices: Any,
    distances: Any,
    indices: Any,
    dtype: Literal["float32", "float64"],
    smallest: int,
    batched: bool = False,
) -> list[Any]:
    """The distances, of `dtype`, and the indices, of at least `smallest` bytes, as far as they are
    wanted and not written into the arrays that are given.

    At equal distance the zero cell wins that SciPy has. Without any zero cell distances are inf and
    indices -1, or the largest number of an unsigned type. `batched`: the first axis is none
    of a raster.
    """
    refuse_contradictions(return_distances, return_indices, distances, indices)
    shape, count = tuple(image.shape), image.ndim - batched
    indices_shape = (*shape[:batched], count, *shape[batched:])
    if distances is not None:
        _check_distances(distances, shape, dtype)
    if indices is not None:
        _check_indices(indices, indices_shape, smallest)
    spacing = spacing_of(sampling, count)
    # SciPy's ties are those of the reversed axes. Distances have none.
    axes = (*range(batched), *range(image.ndim - 1, batched - 1, -1))
    order = axes if return_indices else tuple(range(image.ndim))
    names: list[Any] = ["distance"] if return_distances else []
    found = nearest_site(
        permuted(image, order),
        values=[0],
        spacing=spacing and (spacing[::-1] if return_indices else spacing),
        distance_type=dtype if return_distances else "float32",
        outputs=names + (["offset"] if return_indices else []),
        out=None if distances is None else {"distance": permuted(distances, order)},
        batch_axes=0 if batched else None,
    )
    new = []
    if return_distances and distances is None:
        new.append(permuted(found.distance, order))
    if return_indices:
        written = _made(image, "empty", indices_shape) if indices is None else indices
        in_front = written.swapaxes(0, 1) if batched else written
        _write_coordinates(found.offset, axes, in_front, batched)
        new += [written] if indices is None else []
    return new


def _check_indices(indices: Any, shape: tuple[int, ...], smallest: int) -> None:
    """Raise RuntimeError for anything but integers of `smallest` bytes or more."""
    name = _name_of(indices.dtype)
    if tuple(indices.shape) != shape:
        raise RuntimeError(f"indices has the shape {tuple(indices.shape)}; must be {shape}")
    if np.dtype(name).kind not in "iu" or np.dtype(name).itemsize < smallest:
        raise RuntimeError(
            f"indices has the dtype {name}; must be integers of {8 * smallest} bits or more"
        )


def _check_distances(distances: Any, shape: tuple[int, ...], dtype: str) -> None:
    """Raise RuntimeError for another shape or dtype."""
    if tuple(distances.shape) != shape:
        raise RuntimeError(f"distances has the shape {tuple(distances.shape)}; must be {shape}")
    if _name_of(distances.dtype) != dtype:
        raise RuntimeError(f"distances has the dtype {_name_of(distances.dtype)}; must be {dtype}")


def _name_of(dtype: Any) -> str:
    """The name of a dtype of NumPy or of PyTorch."""
    return str(dtype).removeprefix("torch.")


def permuted(array: Any, axes: tuple[int, ...]) -> Any:
    return array.permute(*axes) if hasattr(array, "permute") else array.transpose(axes)


def _write_coordinates(offset: Any, axes: tuple[int, ...], indices: Any, batched: bool) -> None:
    """Coordinates from offsets of the permuted raster, on the device."""
    if 0 in offset.shape:
        return
    name = _name_of(indices.dtype)
    nowhere = np.iinfo(name).max if np.dtype(name).kind == "u" else -1
    unreached = permuted(offset[0] == _UNREACHED, axes)
    count = offset.shape[0]
    for axis in range(count):
        own = _made(offset, "arange", indices.shape[1 + batched + axis])
        steps = permuted(offset[count - 1 - axis], axes)
        indices[axis] = steps + own.reshape((-1, *(1,) * (count - 1 - axis)))
        indices[axis][unreached] = nowhere


def _made(like: Any, function: str, argument: Any) -> Any:
    """What a function of the library of an array makes of int32, where the array is."""
    library = library_of(like)
    make = getattr(library, function)
    if library.__name__ == "torch":
        return make(argument, dtype=library.int32, device=like.device)
    if library.__name__ == "cupy":
        with like.device:
            return make(argument, dtype=np.int32)
    return make(argument, dtype=np.int32)


def library_of(array: Any) -> Any:
    """The module of CuPy or PyTorch, of an array of theirs, or else that of NumPy."""
    name = type(array).__module__.partition(".")[0]
    return sys.modules[name if name in ("cupy", "torch") else "numpy"]
