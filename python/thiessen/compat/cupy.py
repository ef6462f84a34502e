# SPDX-License-Identifier: Apache-2.0
"""The distance transform of cupyx.scipy.ndimage: exact in 2-D and 3-D, of axes of any length.

Arrays of CuPy stay where they are, and so do others in CUDA memory that can be changed in place
(PyTorch); arrays of NumPy are done on the CPU. Distances are measured to the nearest cell that is
zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .._kinds.unread import refuse_unread
from ._anywhere import transform
from ._arguments import returned

__all__ = ["distance_transform_edt"]


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
    float64_distances: bool = True,
) -> Any:
    """Exact Euclidean distance from each cell to the nearest zero cell, and where that is.

    Parameters
    ----------
    image : array of two or three axes, in CUDA memory or on the host
        Booleans, integers or floats, as of `thiessen.nearest_site`; what is 0 is zero, NaN is not.
    sampling : float or sequence of float, optional
        Spacing of the cells, one for all axes or one per axis: finite and > 0. 1 by default.
    return_distances, return_indices : bool
        What to compute; at least one.
    distances : array of the shape of image, optional
        Is filled with the distances instead of returning them; of their dtype, where image is.
    indices : array of integers of the shape (ndim, \\*shape), optional
        The same for the indices: of 16 bits or more in 2-D, of 32 or more in 3-D.
    block_params
        Without effect.
    float64_distances : bool
        Whether distances are float64; otherwise float32.

    Returns
    -------
    array of float64 or float32, array of int32, tuple of both, or None
        The distances (inf without any zero cell) and the coordinates of the nearest zero cell (-1),
        as far as wanted and not given an array. At equal distance the zero cell is that of SciPy:
        the one with the smallest last coordinate, among these the smallest last but one, and so on.

    Raises
    ------
    NotImplementedError
        If image has another number of axes than two or three.
    RuntimeError
        If distances or indices has another shape or dtype, what is asked for contradicts itself,
        or the device cannot be used.
    ValueError, TypeError
        If sampling has a value that is not finite and > 0, or image has another dtype.

    Notes
    -----
    Work goes on the current stream of the library, and nothing waits. Time and memory as of
    `thiessen.nearest_site`; nothing is padded to a square. Indices take as much memory again for
    an instant, and on a GPU image and distances are copied for them, to be read by columns.

    Examples
    --------
    >>> import numpy as np
    >>> image = np.array([[1, 1, 0], [1, 1, 1]])
    >>> distance_transform_edt(image, sampling=[2, 1], float64_distances=False)
    array([[2.      , 1.      , 0.      ],
           [2.828427, 2.236068, 2.      ]], dtype=float32)
    >>> distance_transform_edt(image, return_distances=False, return_indices=True).tolist()
    [[[0, 0, 0], [0, 0, 0]], [[2, 2, 2], [2, 2, 2]]]
    """
    refuse_unread("image", image)
    if not hasattr(image, "ndim"):
        image = np.asarray(image)
    if image.ndim not in (2, 3):
        raise NotImplementedError(f"image has {image.ndim} axes; must have 2 or 3")
    new = transform(
        image,
        sampling,
        return_distances,
        return_indices,
        distances,
        indices,
        "float64" if float64_distances else "float32",
        smallest=2 if image.ndim == 2 else 4,
    )
    return returned(new)
