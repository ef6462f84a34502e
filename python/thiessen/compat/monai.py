# SPDX-License-Identifier: Apache-2.0
"""distance_transform_edt of monai.transforms.utils: each channel by itself, for arrays of NumPy and
tensors of PyTorch, on the host or in CUDA memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .._kinds.unread import refuse_unread
from ._anywhere import library_of, transform
from ._arguments import returned

__all__ = ["distance_transform_edt"]


def __dir__() -> list[str]:
    return __all__


def distance_transform_edt(
    img: Any,
    sampling: float | Iterable[float] | None = None,
    return_distances: bool = True,
    return_indices: bool = False,
    distances: Any = None,
    indices: Any = None,
    *,
    block_params: Any = None,
    float64_distances: bool = False,
) -> Any:
    """Exact Euclidean distance from each cell to the nearest zero cell of its channel, and where
    that is.

    Parameters
    ----------
    img : array or tensor of shape (channel, y, x) or (channel, z, y, x)
        Booleans, integers or floats, as of `thiessen.nearest_site`; what is 0 is zero, NaN is not.
    sampling : float or sequence of float, optional
        Spacing of the cells, one for all axes or one per axis, without the channels: finite and
        > 0. 1 by default.
    return_distances, return_indices : bool
        What to compute; at least one.
    distances : array or tensor of the shape of img, optional
        Is filled with the distances instead of returning them; of their dtype, where img is.
    indices : array or tensor of int32 of shape (channel, axes, y, x) or (channel, axes, z, y, x), \
optional
        The same for the indices.
    block_params
        Without effect.
    float64_distances : bool
        In CUDA memory: whether distances are float64 instead of float32. On the host they are
        float64.

    Returns
    -------
    distances, indices, tuple of both, or None
        As far as wanted and not given an array, of the kind of img; inf and -1 in a channel without
        any zero cell. At equal distance the zero cell is that of SciPy.

    Raises
    ------
    RuntimeError
        If img has another number of axes than three or four, distances or indices has another shape
        or dtype, what is asked for contradicts itself, or the device cannot be used.
    ValueError, TypeError
        If sampling has a value that is not finite and > 0, or img has another dtype.

    Examples
    --------
    >>> import numpy as np
    >>> distance_transform_edt(np.array([[[1, 1, 0]], [[0, 1, 1]]]))
    array([[[2., 1., 0.]],
    <BLANKLINE>
           [[0., 1., 2.]]])
    """
    refuse_unread("img", img)
    if getattr(img, "ndim", None) not in (3, 4):
        raise RuntimeError("img must be an array of shape (channel, y, x) or (channel, z, y, x)")
    on_host = _is_on_host(img)
    image, distances, indices = (
        _of_numpy(each) if on_host else each for each in (img, distances, indices)
    )
    new = transform(
        image,
        sampling,
        return_distances,
        return_indices,
        distances,
        indices,
        "float64" if on_host or float64_distances else "float32",
        smallest=4,
        batched=True,
    )
    return returned([_like(img, each) for each in new])


def _is_on_host(array: Any) -> bool:
    return isinstance(array, np.ndarray) or str(getattr(array, "device", "")) == "cpu"


def _of_numpy(array: Any) -> Any:
    """The memory of a tensor on the host as an array of NumPy."""
    return array.detach().numpy() if hasattr(array, "detach") else array


def _like(img: Any, result: Any) -> Any:
    """An array of NumPy as a tensor, if the image is one."""
    is_tensor = isinstance(result, np.ndarray) and hasattr(img, "detach")
    return library_of(img).from_numpy(result) if is_tensor else result
