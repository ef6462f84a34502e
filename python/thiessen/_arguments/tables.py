# SPDX-License-Identifier: Apache-2.0
"""What callers can say: tables of options, in the order of use, and their defaults.

A verb takes a table as its keywords (`options.takes`), for help() as for type checkers. A name has
the same default in every table. The options of the core are in `fields`; here is what only Python
has, and what each function takes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypedDict

from .. import typing
from . import fields

if TYPE_CHECKING:
    from .earth import Earth
    from .method_options import MethodOptions


class RunOptions(TypedDict, total=False):
    """How a call runs: see `running`."""

    device: str | None
    threads: int | None
    progress: Any
    strict: bool | None


class _Method(TypedDict, total=False):
    earth: Earth | None
    method_options: MethodOptions | None


class _Earth(TypedDict, total=False):
    earth: Earth | None


class _Areas(TypedDict, total=False):
    components: typing.AreaConnectivity | typing.Misspelt | None


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


class _Weights(TypedDict, total=False):
    weights: Any


class _Metrics(TypedDict, total=False):
    metrics: Any


class _Domain(TypedDict, total=False):
    domain: Any


class _Coverage(TypedDict, total=False):
    coverage: bool


class _SlabMetric(TypedDict, total=False):
    metric: typing.SlabMetric | typing.Misspelt


class CostMapOptions(TypedDict, total=False):
    """The map, by the name of what it says."""

    cost: Any
    stiffness: Any


class _CostSites(TypedDict, total=False):
    points: Any
    point_labels: Any
    initial_cost: Any


class _Elevation(TypedDict, total=False):
    elevation: Any


class _BlockedFaces(TypedDict, total=False):
    blocked_faces: Any


class _Threads(TypedDict, total=False):
    threads: int | None


class _Report(_Threads, total=False):
    progress: Any


class _Device(_Report, total=False):
    device: str | None


class _Sites(
    fields.Nodata, fields.Values, fields.ZeroIsSite, fields.FreeNodata, fields.Periodic, total=False
):
    """Which cells of a raster are the sites."""


class NearestSiteOptions(
    _Weights, fields.NearestSite, _Method, _Areas, _Batch, _Out, _Dask, _Files, RunOptions,
    total=False,
):  # fmt: skip
    """Options of `nearest_site`."""


class DistanceTransformOptions(
    fields.DistanceTo, fields.Spacing, fields.Metric, fields.MaxDistance, _Sites,
    fields.SignedDistance, _Coverage, fields.DistanceType, fields.Method, _Method, _Batch, _Out,
    _Dask, _Files, RunOptions, total=False,
):  # fmt: skip
    """Options of `distance_transform`."""


class ExpandLabelsOptions(
    fields.Spacing, fields.Metric, fields.Nodata, fields.FreeNodata, fields.Periodic, _Batch, _Out,
    _Dask, RunOptions, total=False,
):  # fmt: skip
    """Options of `expand_labels`."""


class ConnectedComponentsOptions(fields.Nodata, _Out, _Dask, total=False):
    """Options of `connected_components` besides the connectivity."""


class VoronoiOptions(
    _Points,
    _Weights,
    _Metrics,
    fields.Voronoi,
    _Domain,
    _Method,
    _Out,
    _Files,
    RunOptions,
    total=False,
):
    """Options of `voronoi`."""


class AllocateOptions(
    _Weights, fields.Weighting, fields.Metric, fields.MaxDistance, fields.NodataLabel,
    fields.Unreached, fields.DistanceType, RunOptions, total=False,
):  # fmt: skip
    """Options of `allocate` besides the outputs."""


class CostDistanceOptions(
    _CostSites, fields.CostDistance, _Elevation, _BlockedFaces, _Earth, _Out, RunOptions,
    total=False,
):  # fmt: skip
    """Options of `cost_distance`, without the map."""


class SlabOptions(
    fields.Spacing, _SlabMetric, fields.MaxDistance, _Sites, fields.SignedDistance,
    fields.DistanceTo, _Threads, total=False,
):  # fmt: skip
    """Options of a raster in slabs, the same for all slabs and steps."""


class FinishedSlabOptions(SlabOptions, fields.Unreached, fields.DistanceType, _Out, total=False):
    """Those of `slabs.finish`."""


class _PointGrid(
    _Points, fields.Spacing, fields.Metric, fields.MaxDistance, _Domain, fields.NodataLabel,
    fields.Periodic, fields.Unreached, fields.DistanceType, _Out, total=False,
):  # fmt: skip
    """What slabs and solvers of points take."""


class SlabOfPointsOptions(_PointGrid, _Weights, _Metrics, fields.Weighting, _Threads, total=False):
    """Options of `slabs.voronoi`."""


class _CostSteps(
    CostMapOptions, fields.Connectivity, fields.TightBarriers, fields.Spacing, fields.MaxDistance,
    fields.MapNodata, fields.DistanceType, total=False,
):  # fmt: skip
    """A map, and what a step on it costs."""


class ShepardOptions(fields.Power, _Out, _Report, total=False):
    """Options of `shepard_weights`."""


class NaturalOptions(_CostSteps, _BlockedFaces, _Report, total=False):
    """Options of `natural_coordinates`."""


class _CostRasters(
    _CostSteps, _CostSites, fields.SiteNodata, fields.NodataLabel, fields.Values,
    fields.ZeroIsSite, fields.Unreached, total=False,
):  # fmt: skip
    """What slabs and solvers of costs take."""


class CostSlabOptions(_CostRasters, _Threads, total=False):
    """Options of `slabs.CostSlab`."""


class NearestSiteSolverOptions(
    fields.Spacing, fields.Metric, fields.MaxDistance, _Sites, fields.Unreached,
    fields.DistanceType, _Out, _Device, total=False,
):  # fmt: skip
    """Options of `NearestSiteSolver`."""


class PointSolverOptions(_PointGrid, _Device, total=False):
    """Options of `NearestSiteSolver.of_points`."""


class CostSolverOptions(_CostRasters, _BlockedFaces, _Out, _Device, total=False):
    """Options of `CostSolver`."""


class _Ways(
    CostMapOptions, fields.Spacing, fields.Connectivity, fields.MaxDistance, fields.ExactRadius,
    fields.TightBarriers, fields.CostMetric, fields.MapNodata, fields.ElevationNodata, fields.Walk,
    fields.WalkMap, fields.WalkCoefficients, fields.SlopeFactor, fields.CostMethod, _Elevation,
    _Earth, RunOptions, total=False,
):  # fmt: skip
    """A map, and what a way over it costs."""


class CostTableOptions(_Ways, total=False):
    """Options of `cost_table`, besides which ways are wanted."""


class NetworkOptions(_Ways, _Points, total=False):
    """Options of `least_cost_network`."""


class CorridorOptions(fields.Within, fields.WithinPercent, _Ways, fields.DistanceType, total=False):
    """Options of `corridor`."""


class _Grid(fields.Spacing, fields.Periodic, _Domain, total=False):
    """A grid with sites to place."""


class _Relaxing(fields.Steps, fields.Tolerance, fields.LeastFall, _Device, total=False):
    """When a relaxation ends."""


class RelaxOptions(_Grid, _Weights, fields.Weighting, _Relaxing, total=False):
    """Options of `relax_sites`."""


class FitOptions(_Grid, fields.Steps, fields.AllowedMiss, _Report, total=False):
    """Options of `fit_weights`."""


class FarthestOptions(fields.MaxDistance, _Grid, _Report, total=False):
    """Options of `farthest_sites`."""


class RelaxCostOptions(_CostSteps, _Relaxing, total=False):
    """Options of `relax_cost_sites`."""


class FarthestCostOptions(_CostSteps, _Report, total=False):
    """Options of `farthest_cost_sites`."""


class _Regions(fields.Spacing, fields.Background, fields.Nodata, total=False):
    """Which labels are regions."""


class RegionOptions(_Regions, _Report, total=False):
    """Options of `site_statistics`, `adjacency` and `touching`."""


class LiveRegionOptions(_Regions, _Threads, total=False):
    """Options of `RegionStatistics`."""


class DiagramOptions(fields.Spacing, _Weights, fields.Weighting, _Report, total=False):
    """Options of `voronoi_polygons` and `voronoi_borders`."""


class ThicknessOptions(fields.Spacing, _Report, total=False):
    """Options of `metrics.local_thickness`."""


class AxisOptions(fields.Spacing, _Threads, total=False):
    """Options of `metrics.medial_axis`."""


class SurfaceOptions(fields.Spacing, _Batch, _Report, total=False):
    """Options of `metrics.surface_distances`."""


def annotations_of(table: type) -> dict[str, Any]:
    """The options of a table, in their order, and the texts of their types."""
    found = {}
    for name, kind in table.__annotations__.items():
        text = getattr(kind, "__forward_arg__", str(kind))
        found[name] = text.replace(" | typing.Misspelt", "").replace("typing.", "")
    return found


DEFAULTS: dict[str, Any] = {
    **dict.fromkeys(
        name
        for table in list(globals().values())
        if isinstance(table, type(RunOptions))
        for name in table.__annotations__
    ),
    **fields.DEFAULTS,
    "outputs": ("labels", "distance"),
    **dict.fromkeys(("coverage", "keep_sites", "overwrite"), False),
}
"""The values of options that are not given."""
