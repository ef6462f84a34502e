# SPDX-License-Identifier: Apache-2.0
"""The metrics of `thiessen voronoi`; the last two are for grids in degrees, in metres."""

METRICS = [
    "euclidean",
    "manhattan",
    "chessboard",
    "octagonal",
    "chamfer-3-4",
    "chamfer-5-7-11",
    "ellipsoidal",
    "great-circle",
]
