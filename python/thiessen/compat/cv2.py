# SPDX-License-Identifier: Apache-2.0
"""OpenCV's distanceTransform and distanceTransformWithLabels: exact, and without OpenCV.

Distances are measured to the nearest cell that is zero. The constants are the numbers of OpenCV, so
those of the module `cv2` do as well. The distance and the label are exact for every size of mask:
OpenCV's labels are those of its chamfer masks, and so is its L2 distance unless DIST_MASK_PRECISE
is asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arguments.checks import to_integer
from .._kinds.cuda import refuse_device_memory
from .._kinds.host import number_dtype, to_array
from .._kinds.unread import refuse_unread
from .._verbs.rasters import nearest_site
from ..typing import Metric

__all__ = [
    "CV_8U",
    "CV_32F",
    "DIST_C",
    "DIST_L1",
    "DIST_L2",
    "DIST_LABEL_CCOMP",
    "DIST_LABEL_PIXEL",
    "DIST_MASK_3",
    "DIST_MASK_5",
    "DIST_MASK_PRECISE",
    "distanceTransform",
    "distanceTransformWithLabels",
]


def __dir__() -> list[str]:
    return __all__


DIST_L1 = 1
DIST_L2 = 2
DIST_C = 3
DIST_MASK_PRECISE = 0
DIST_MASK_3 = 3
DIST_MASK_5 = 5
DIST_LABEL_CCOMP = 0
DIST_LABEL_PIXEL = 1
CV_8U = 0
CV_32F = 5

_METRICS: dict[int, Metric] = {DIST_L1: "manhattan", DIST_L2: "euclidean", DIST_C: "chessboard"}
_DISTANCES = {DIST_L1: "DIST_L1", DIST_L2: "DIST_L2", DIST_C: "DIST_C"}
_MASKS = {
    DIST_MASK_PRECISE: "DIST_MASK_PRECISE",
    DIST_MASK_3: "DIST_MASK_3",
    DIST_MASK_5: "DIST_MASK_5",
}
_LABEL_TYPES = {DIST_LABEL_CCOMP: "DIST_LABEL_CCOMP", DIST_LABEL_PIXEL: "DIST_LABEL_PIXEL"}
_DST_TYPES = {CV_8U: "CV_8U", CV_32F: "CV_32F"}

Array = np.ndarray[Any, Any]


def distanceTransform(
    src: Array,
    distanceType: int,
    maskSize: int,
    dst: Array | None = None,
    dstType: int = CV_32F,
) -> Array:
    """Exact distance from each cell to the nearest zero cell.

    Parameters
    ----------
    src : uint8 or bool array of shape (y, x) or (y, x, 1)
        What is zero (or False) is what distances are measured to. Any strides; read in place.
    distanceType : {DIST_L1, DIST_L2, DIST_C}
        Manhattan, Euclidean or chessboard distance, in cells.
    maskSize : {DIST_MASK_PRECISE, DIST_MASK_3, DIST_MASK_5}
        Checked, and without effect: the result is exact for each.
    dst : array, optional
        Is written and returned if its shape is (y, x) and its dtype that of the result; otherwise
        it is left alone and a new array returned. Any strides; it may overlap src, which is copied
        then.
    dstType : {CV_32F, CV_8U}
        CV_8U, for DIST_L1 only, gives uint8 in which 255 stands for all distances from 255 on.

    Returns
    -------
    float32 or uint8 array of shape (y, x)
        Without any zero cell inf everywhere (uint8: 255).

    Raises
    ------
    TypeError
        If src is no NumPy array of uint8 or bool, dst is no NumPy array, or a constant is no
        integer.
    ValueError
        If src has another shape, a constant is none of those above, CV_8U goes with another
        distance than DIST_L1, or dst is read-only.

    Notes
    -----
    Time O(cells), scratch memory 4 bytes a cell (DIST_C 12); for CV_8U 4 more.

    Examples
    --------
    >>> import numpy as np
    >>> from thiessen.compat import cv2
    >>> image = np.array([[0, 255, 255, 255], [255, 255, 255, 0]], np.uint8)
    >>> cv2.distanceTransform(image, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    array([[0.       , 1.       , 1.4142135, 1.       ],
           [1.       , 1.4142135, 1.       , 0.       ]], dtype=float32)
    >>> cv2.distanceTransform(image, cv2.DIST_L1, 3, dstType=cv2.CV_8U)
    array([[0, 1, 2, 1],
           [1, 2, 1, 0]], dtype=uint8)
    """
    cells = _cells(src)
    metric = _METRICS[_constant("distanceType", distanceType, _DISTANCES)]
    _constant("maskSize", maskSize, _MASKS)
    in_bytes = _constant("dstType", dstType, _DST_TYPES) == CV_8U
    if in_bytes and metric != "manhattan":
        raise ValueError(
            f"dstType = {dstType}; must be CV_32F for another distanceType than DIST_L1"
        )
    dtype = np.dtype(np.uint8 if in_bytes else np.float32)
    result = _output("dst", dst, cells.shape, dtype)
    if np.may_share_memory(result, cells):
        cells = cells.copy()
    distance = np.empty(cells.shape, np.float32) if in_bytes else result
    nearest_site(cells, metric=metric, values=[0], outputs="distance", out=distance)
    if in_bytes:
        np.minimum(distance, 255, out=distance)
        np.copyto(result, distance, casting="unsafe")
    return result


def distanceTransformWithLabels(
    src: Array,
    distanceType: int,
    maskSize: int,
    dst: Array | None = None,
    labels: Array | None = None,
    labelType: int = DIST_LABEL_CCOMP,
) -> tuple[Array, Array]:
    """Exact distance from each cell to the nearest zero cell, and the label of that cell.

    Parameters
    ----------
    src, distanceType, maskSize
        As of `distanceTransform`.
    dst : float32 array of shape (y, x), optional
        Is written and returned if it has this dtype and shape; otherwise it is left alone and a new
        array returned. Any strides; it may overlap src, but not labels.
    labels : int32 array of shape (y, x), optional
        The same for the labels.
    labelType : {DIST_LABEL_CCOMP, DIST_LABEL_PIXEL}
        What has a label of its own: each area of zero cells that are connected, by their corners
        too (CCOMP), or each zero cell (PIXEL). Both are numbered 1, 2, ... in row-major order of
        their first cells, as OpenCV does it.

    Returns
    -------
    dst : float32 array of shape (y, x)
        Distances; without any zero cell inf everywhere.
    labels : int32 array of shape (y, x); int64 from 2**31 cells on
        Labels; without any zero cell 0 everywhere. The first of zero cells at equal distance,
        in row-major order, wins.

    Raises
    ------
    TypeError
        If src is no NumPy array of uint8 or bool, dst or labels is no NumPy array, or a constant is
        no integer.
    ValueError
        If src has another shape, a constant is none of those above, dst or labels is read-only, or
        the two overlap.

    Notes
    -----
    Time O(cells), scratch memory as of `distanceTransform`, and 5 bytes a cell more: which cells
    are zero, and their numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from thiessen.compat import cv2
    >>> image = np.array([[0, 1, 1, 1, 0], [1, 0, 1, 1, 1]], np.uint8)
    >>> dst, labels = cv2.distanceTransformWithLabels(image, cv2.DIST_L2, cv2.DIST_MASK_5)
    >>> labels
    array([[1, 1, 1, 2, 2],
           [1, 1, 1, 2, 2]], dtype=int32)
    >>> dst
    array([[0.       , 1.       , 1.4142135, 1.       , 0.       ],
           [1.       , 0.       , 1.       , 1.4142135, 1.       ]],
          dtype=float32)
    >>> cv2.distanceTransformWithLabels(image, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)[1]
    array([[1, 1, 3, 2, 2],
           [1, 3, 3, 2, 2]], dtype=int32)
    """
    cells = _cells(src)
    metric = _METRICS[_constant("distanceType", distanceType, _DISTANCES)]
    _constant("maskSize", maskSize, _MASKS)
    by_area = _constant("labelType", labelType, _LABEL_TYPES) == DIST_LABEL_CCOMP
    distance = _output("dst", dst, cells.shape, np.dtype(np.float32))
    label = _output("labels", labels, cells.shape, number_dtype(cells.size))
    nearest_site(
        cells == 0,
        metric=metric,
        components=8 if by_area else None,
        outputs=("labels", "distance"),
        out={"labels": label, "distance": distance},
    )
    return distance, label


def _cells(src: Any) -> Array:
    """The raster of uint8 with two axes; no copy."""
    if not isinstance(src, np.ndarray):
        refuse_unread("src", src)
        refuse_device_memory("src", src)
        raise TypeError(f"src is a {type(src).__name__}; must be a numpy.ndarray")
    array = to_array("src", src)
    if array.dtype not in (np.uint8, np.bool_):
        raise TypeError(f"src has the dtype {array.dtype}; must be uint8 or bool")
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    if array.ndim != 2:
        raise ValueError(f"src has the shape {array.shape}; must be (y, x) or (y, x, 1)")
    return array.view(np.uint8)


def _constant(name: str, value: Any, allowed: dict[int, str]) -> int:
    number = to_integer(name, value)
    if number not in allowed:
        names = ", ".join(f"{word} ({key})" for key, word in allowed.items())
        raise ValueError(f"{name} = {number}; must be one of {names}")
    return number


def _output(name: str, given: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """The given array if the result fits into it, else a new one, as OpenCV has it."""
    if given is None:
        return np.empty(shape, dtype)
    if not isinstance(given, np.ndarray) or isinstance(given, np.ma.MaskedArray):
        refuse_device_memory(name, given)
        raise TypeError(f"{name} is a {type(given).__name__}; must be a numpy.ndarray")
    if not given.flags.writeable:
        raise ValueError(f"{name} is read-only; must be writable")
    return given if given.shape == shape and given.dtype == dtype else np.empty(shape, dtype)
