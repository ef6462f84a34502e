// SPDX-License-Identifier: Apache-2.0
//
// The inputs and options of nearest_site() and voronoi().
#include "operations/tables/distances/nearest_site.hpp"

#include "operations/checks/tables.hpp"
#include "operations/rows/operation.hpp"
#include "operations/rows/result_member.hpp"
#include "operations/tables/distances/nearest_site_fields.hpp"
#include "operations/tables/shared/join.hpp"

namespace thiessen {
namespace {

constexpr Input kNearestSiteInputs[] = {
    input<&NearestSiteInputs::sites>(
        {.name = "sites",
         .help = "raster: cells that are neither zero, NaN nor nodata are the sites",
         .is_required = true}),
    input<&NearestSiteInputs::weights>(
        {.name = "weights", .help = "raster: the weights of cells that are sites"}),
    input<&NearestSiteInputs::domain>(text::kDomain),
};

constexpr Input kVoronoiInputs[] = {
    input<&VoronoiInputs::points>(text::kPoints),
    input<&VoronoiInputs::point_labels>(text::kPointLabels),
    input<&VoronoiInputs::weights>(text::kPointWeights),
    input<&VoronoiInputs::metrics>(text::kPointMetrics),
    input<&VoronoiInputs::domain>(text::kDomain),
};

constexpr Input kEllipseInputs[] = {
    input<&EllipseInputs::radii>({.name = "radii",
                                  .help = "lengths of the half axes, (points, axes)",
                                  .kind = InputKind::values,
                                  .is_required = true}),
    input<&EllipseInputs::directions>(
        {.name = "directions",
         .help = "direction of each half axis, (points, axes, axes); else those of the grid",
         .kind = InputKind::values}),
};
constexpr Result kEllipseResults[] = {
    result<&EllipseMetrics::metrics>({.name = "metrics",
                                      .help = "a matrix of each point, for voronoi",
                                      .columns = Columns::axes_squared}),
};

/// The options of voronoi(): the shape of its grid, and all of nearest_site().
constexpr Field kVoronoiOwnFields[] = {
    field<&VoronoiOptions::shape>(text::kShape),
};
/// What is for sites of a raster only.
constexpr std::string_view kOfRasters[] = {"values", "zero_is_site", "free_nodata",
                                           "nodata", "distance_to",  "signed_distance"};
constexpr auto kVoronoiFields =
    detail::join(kVoronoiOwnFields, detail::without(kNearestSiteFields, kOfRasters));

static_assert(detail::are_sound(kNearestSiteInputs, kNearestSiteFields, kNearestSiteOutputs));
static_assert(detail::are_sound(kVoronoiInputs, kVoronoiFields, kNearestSiteOutputs));
static_assert(detail::count_members<NearestSiteInputs>() == std::size(kNearestSiteInputs));
static_assert(detail::count_members<VoronoiInputs>() == std::size(kVoronoiInputs));

}  // namespace

constinit const Operation kNearestSite = {
    .name = "nearest_site",
    .help = "nearest site of every cell of a raster, by straight-line distance",
    .role = Role::solver,
    .inputs = kNearestSiteInputs,
    .fields = kNearestSiteFields,
    .outputs = kNearestSiteOutputs,
    .defaults = &defaults_of<NearestSiteOptions>};

constinit const Operation kNearestSiteBatch = {
    .name = "nearest_site_batch",
    .help = "nearest site in each raster of a batch, which has one more axis in front",
    .inputs = kNearestSiteInputs,
    .fields = kNearestSiteFields,
    .outputs = kNearestSiteOutputs,
    .defaults = &defaults_of<NearestSiteOptions>};

constinit const Operation kEllipseMetrics = {
    .name = "ellipse_metrics",
    .help = "metrics of points that measure by ellipses or ellipsoids",
    .inputs = kEllipseInputs,
    .results = kEllipseResults,
    .defaults = &defaults_of<NoOptions>};

constinit const Operation kVoronoi = {
    .name = "voronoi",
    .help = "Voronoi diagram of points: the nearest point of every cell",
    .role = Role::solver,
    .inputs = kVoronoiInputs,
    .fields = kVoronoiFields,
    .outputs = kNearestSiteOutputs,
    .defaults = &defaults_of<VoronoiOptions>};

}  // namespace thiessen
