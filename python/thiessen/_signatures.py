# SPDX-License-Identifier: Apache-2.0
"""The keyword arguments of the functions that have overloads, for type checkers.

What an overload has in common with the others stands here once, and the function itself has the
defaults. A test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict

from ._earth import Earth
from ._method_options import MethodOptions
from .typing import (
    AreaConnectivity,
    Connectivity,
    CostMethod,
    CostMetric,
    DistanceTo,
    EdgeWeight,
    FloatDtype,
    MethodName,
    Metric,
    Number,
    Walk,
    WalkDirection,
    WalkMap,
)


class _Run(TypedDict, total=False):
    """How a call runs."""

    out: Any
    device: str | None
    threads: int | None
    progress: Any
    strict: bool | None


class ExpandLabelsArguments(_Run, total=False):
    spacing: Number | Iterable[Number] | None
    metric: Metric
    nodata: Number | None
    free_nodata: bool
    periodic: bool | Iterable[bool] | None
    batch_axes: int | str | Iterable[int | str] | None


class _RasterArguments(ExpandLabelsArguments, total=False):
    """What distances from the sites of a raster take."""

    signed: bool
    earth: Earth | None
    method: MethodName
    method_options: MethodOptions | None
    max_distance: Number | None
    values: Number | Iterable[Number] | None
    zero_is_site: bool
    distance_dtype: FloatDtype


class DistanceTransformArguments(_RasterArguments, total=False):
    to: DistanceTo
    coverage: bool


class NearestSiteArguments(_RasterArguments, total=False):
    """Without `outputs`, which the overloads have."""

    components: AreaConnectivity | None
    unreached: Number
    k: int | None
    distinct_labels: bool
    ties_unreached: bool


class VoronoiArguments(_Run, total=False):
    """Without `outputs`, which the overloads have."""

    labels: Any
    domain: Any
    nodata_label: Number | None
    spacing: Number | Iterable[Number] | None
    metric: Metric
    earth: Earth | None
    method: MethodName
    method_options: MethodOptions | None
    max_distance: Number | None
    periodic: bool | Iterable[bool] | None
    unreached: Number
    k: int | None
    distinct_labels: bool
    ties_unreached: bool
    distance_dtype: FloatDtype


class CostDistanceArguments(_Run, total=False):
    """Without `outputs`, which the overloads have."""

    points: Any
    labels: Any
    edge_weight: EdgeWeight
    connectivity: Connectivity | None
    dtype: FloatDtype
    spacing: Number | Iterable[Number] | None
    metric: CostMetric
    earth: Earth | None
    initial_cost: Any
    elevation: Any
    walk: Walk | None
    walk_direction: WalkDirection | None
    walk_coefficients: Iterable[Number] | None
    slope_factor: Number | None
    walk_map: WalkMap | None
    elevation_nodata: Number | None
    tight_barriers: bool
    labels_carried: bool
    method: CostMethod
    max_distance: Number | None
    map_nodata: Number | None
    site_nodata: Number | None
    nodata_label: Number | None
    values: Number | Iterable[Number] | None
    zero_is_site: bool
    unreached: Number
