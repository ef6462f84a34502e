# SPDX-License-Identifier: Apache-2.0
"""What callers can say: tables of options, in the order of use, and their defaults.

A verb takes a table as its keywords (`options.takes`), for help() as for type checkers. A name has
the same default in every table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypedDict

from ..typing import (
    AreaConnectivity,
    Connectivity,
    CostMethod,
    CostMetric,
    DistanceTo,
    FloatDtype,
    MethodName,
    Metric,
    Misspelt,
    Number,
    SlabMetric,
    Walk,
    WalkDirection,
    WalkMap,
)

if TYPE_CHECKING:
    from .earth import Earth
    from .method_options import MethodOptions


class RunOptions(TypedDict, total=False):
    """How a call runs: see `running`."""

    device: str | None
    threads: int | None
    progress: Any
    strict: bool | None


class _Spacing(TypedDict, total=False):
    spacing: Number | Iterable[Number] | None


class _Metric(TypedDict, total=False):
    metric: Metric | Misspelt


class _SlabMetric(TypedDict, total=False):
    metric: SlabMetric | Misspelt


class _Limit(TypedDict, total=False):
    max_distance: Number | None


class _Nodata(TypedDict, total=False):
    nodata: Number | None


class _FreeNodata(TypedDict, total=False):
    free_nodata: bool


class _Selection(TypedDict, total=False):
    values: Number | Iterable[Number] | None
    zero_is_site: bool


class _Areas(TypedDict, total=False):
    components: AreaConnectivity | Misspelt | None


class _Periodic(TypedDict, total=False):
    periodic: bool | Iterable[bool] | None


class _Signed(TypedDict, total=False):
    signed_distance: bool


class _To(TypedDict, total=False):
    distance_to: DistanceTo | Misspelt


class _Unreached(TypedDict, total=False):
    unreached: Number


class _Nearest(_Unreached, total=False):
    k: int | None
    distinct_labels: bool
    ties_unreached: bool


class _DistanceType(TypedDict, total=False):
    distance_type: FloatDtype


class _Method(TypedDict, total=False):
    earth: Earth | None
    method: MethodName | Misspelt
    method_options: MethodOptions | None


class _Batch(TypedDict, total=False):
    batch_axes: int | str | Iterable[int | str] | None


class _Out(TypedDict, total=False):
    out: Any


class _Dask(TypedDict, total=False):
    """For arrays of Dask alone."""

    keep_sites: bool


class _Files(TypedDict, total=False):
    """For files and stores alone."""

    memory: int | str | None
    slab_rows: int | None
    overwrite: bool


class _Points(TypedDict, total=False):
    point_labels: Any


class _Domain(TypedDict, total=False):
    domain: Any
    nodata_label: Number | None


class NearestSiteOptions(
    _Spacing, _Metric, _Limit, _Nodata, _Selection, _FreeNodata, _Areas, _Periodic, _Signed,
    _Nearest, _DistanceType, _Method, _Batch, _Out, _Dask, _Files, RunOptions, total=False,
):  # fmt: skip
    """Options of `nearest_site`."""


class _Coverage(TypedDict, total=False):
    coverage: bool


class DistanceTransformOptions(
    _To, _Spacing, _Metric, _Limit, _Nodata, _Selection, _FreeNodata, _Periodic, _Signed,
    _Coverage, _DistanceType, _Method, _Batch, _Out, _Dask, _Files, RunOptions, total=False,
):  # fmt: skip
    """Options of `distance_transform`."""


class ExpandLabelsOptions(
    _Spacing, _Metric, _Nodata, _FreeNodata, _Periodic, _Batch, _Out, _Dask, RunOptions, total=False
):
    """Options of `expand_labels`."""


class ConnectedComponentsOptions(_Nodata, _Out, _Dask, total=False):
    """Options of `connected_components` besides the connectivity."""


class VoronoiOptions(
    _Points, _Spacing, _Metric, _Limit, _Domain, _Periodic, _Nearest, _DistanceType, _Method, _Out,
    _Files, RunOptions, total=False,
):  # fmt: skip
    """Options of `voronoi`."""


class CostMapOptions(TypedDict, total=False):
    """The map, by the name of what it says."""

    cost: Any
    stiffness: Any


class _Steps(TypedDict, total=False):
    connectivity: Connectivity | Misspelt | None
    tight_barriers: bool


class _CostMetric(TypedDict, total=False):
    metric: CostMetric | Misspelt


class _CostSites(TypedDict, total=False):
    points: Any
    point_labels: Any
    initial_cost: Any


class _CostNodata(TypedDict, total=False):
    map_nodata: Number | None
    site_nodata: Number | None
    nodata_label: Number | None


class _Walk(TypedDict, total=False):
    elevation: Any
    elevation_nodata: Number | None
    walk: Walk | Misspelt | None
    walk_direction: WalkDirection | Misspelt | None
    walk_map: WalkMap | Misspelt | None
    walk_coefficients: Iterable[Number] | None
    slope_factor: Number | None


class _CostMethod(TypedDict, total=False):
    earth: Earth | None
    method: CostMethod | Misspelt
    labels_carried: bool


class CostDistanceOptions(
    _CostSites, _Steps, _Spacing, _CostMetric, _Limit, _CostNodata, _Selection,
    _Unreached, _DistanceType, _Walk, _CostMethod, _Out, RunOptions, total=False,
):  # fmt: skip
    """Options of `cost_distance`, without the map."""


class _Threads(TypedDict, total=False):
    threads: int | None


class SlabOptions(
    _Spacing, _SlabMetric, _Limit, _Nodata, _Selection, _FreeNodata, _Periodic, _Signed, _To,
    _Threads, total=False,
):  # fmt: skip
    """Options of a raster in slabs, the same for all slabs and steps."""


class FinishedSlabOptions(SlabOptions, _Unreached, _DistanceType, _Out, total=False):
    """Those of `slabs.finish`."""


class SlabOfPointsOptions(
    _Points, _Spacing, _Metric, _Limit, _Domain, _Periodic, _Unreached, _DistanceType, _Out,
    _Threads, total=False,
):  # fmt: skip
    """Options of `slabs.voronoi`."""


class _CostRasters(
    CostMapOptions, _CostSites, _Steps, _Spacing, _Limit, _CostNodata, _Selection, _Unreached,
    _DistanceType, total=False,
):  # fmt: skip
    """What slabs and solvers of costs take."""


class CostSlabOptions(_CostRasters, _Threads, total=False):
    """Options of `slabs.CostSlab`."""


class _Device(TypedDict, total=False):
    device: str | None
    threads: int | None
    progress: Any


class NearestSiteSolverOptions(
    _Spacing, _Metric, _Limit, _Nodata, _Selection, _FreeNodata, _Periodic, _Unreached,
    _DistanceType, _Out, _Device, total=False,
):  # fmt: skip
    """Options of `NearestSiteSolver`."""


class PointSolverOptions(
    _Points, _Spacing, _Metric, _Limit, _Domain, _Periodic, _Unreached, _DistanceType, _Out,
    _Device, total=False,
):  # fmt: skip
    """Options of `NearestSiteSolver.of_points`."""


class _Grid(_Spacing, _Periodic, total=False):
    domain: Any


class _Relaxing(TypedDict, total=False):
    steps: int
    tolerance: Number
    least_fall: Number


class _Report(_Threads, total=False):
    progress: Any


class RelaxOptions(_Grid, _Relaxing, _Device, total=False):
    """Options of `relax_sites`."""


class FarthestOptions(_Limit, _Grid, _Report, total=False):
    """Options of `farthest_sites`."""


class _CostMap(CostMapOptions, _Steps, _Spacing, _DistanceType, total=False):
    map_nodata: Number | None


class RelaxCostOptions(_CostMap, _Limit, _Relaxing, _Device, total=False):
    """Options of `relax_cost_sites`."""


class FarthestCostOptions(_CostMap, _Limit, _Report, total=False):
    """Options of `farthest_cost_sites`."""


class _Regions(_Spacing, total=False):
    background: Number | None
    nodata: Number | None


class RegionOptions(_Regions, _Report, total=False):
    """Options of `site_statistics`, `adjacency` and `touching`."""


class LiveRegionOptions(_Regions, _Threads, total=False):
    """Options of `RegionStatistics`."""


class DiagramOptions(_Spacing, _Report, total=False):
    """Options of `voronoi_polygons` and `voronoi_borders`."""


class ThicknessOptions(_Spacing, _Report, total=False):
    """Options of `metrics.local_thickness`."""


class AxisOptions(_Spacing, _Threads, total=False):
    """Options of `metrics.medial_axis`."""


class SurfaceOptions(_Spacing, _Batch, _Report, total=False):
    """Options of `metrics.surface_distances`."""


class CostSolverOptions(_CostRasters, _Out, _Device, total=False):
    """Options of `CostSolver`."""


def annotations_of(table: type) -> dict[str, Any]:
    """The options of a table, in their order, and the texts of their types."""
    return {
        name: getattr(kind, "__forward_arg__", str(kind)).replace(" | Misspelt", "")
        for name, kind in table.__annotations__.items()
    }


DEFAULTS: dict[str, Any] = {
    **dict.fromkeys(
        name
        for table in list(globals().values())
        if isinstance(table, type(RunOptions))
        for name in table.__annotations__
    ),
    "outputs": ("labels", "distance"),
    "metric": "euclidean",
    "method": "exact",
    "distance_to": "sites",
    "distance_type": "float32",
    "unreached": 0,
    "background": 0,
    "steps": 20,
    "tolerance": 0,
    "least_fall": 0,
    **dict.fromkeys(
        ("zero_is_site", "free_nodata", "signed_distance", "distinct_labels", "ties_unreached",
         "coverage", "keep_sites", "overwrite", "tight_barriers", "labels_carried"), False
    ),
}  # fmt: skip
"""The values of options that are not given."""
