# SPDX-License-Identifier: Apache-2.0
"""Measures that are built on distances: distances of surfaces, thickness, medial axes.

surface_distances  Hausdorff, average and normalised distances of a segmentation and its reference
local_thickness    at each cell the diameter of the largest ball that fits in and covers it
medial_axis        centres of balls that together are the object
"""

from ._balls import MedialAxis, local_thickness, medial_axis
from ._surfaces import SurfaceDistances, surface_distances

__all__ = ["MedialAxis", "SurfaceDistances", "local_thickness", "medial_axis", "surface_distances"]


def __dir__() -> list[str]:
    return __all__
