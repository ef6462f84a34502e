# SPDX-License-Identifier: Apache-2.0
"""Facades with the signatures, the polarity and the tie rules of other libraries.

scipy       distance_transform_edt, distance_transform_cdt, distance_transform_bf
skimage     expand_labels
cv2         distanceTransform, distanceTransformWithLabels
xrspatial   proximity, allocation, direction
edt         edt, edtsq, sdf, sdfsq, each
cupy        distance_transform_edt, of arrays on a GPU, too
cucim       distance_transform_edt, expand_labels, of arrays on a GPU, too
monai       distance_transform_edt of channels, of arrays on a GPU, too

Each is loaded when it is first used and needs nothing that it stands in for. What differs is listed
in docs/coming-from.md.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import cucim, cupy, cv2, edt, monai, scipy, skimage, xrspatial

__all__ = ["cucim", "cupy", "cv2", "edt", "monai", "scipy", "skimage", "xrspatial"]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return __all__
