// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/labels/statistics.hpp"

#include "operations/checks/tables.hpp"
#include "operations/rows/operation.hpp"
#include "operations/rows/result_member.hpp"
#include "operations/tables/shared/options.hpp"

namespace thiessen {
namespace {

constexpr Input kLabelsRow = {.name = "labels",
                              .help = "raster of labels: a region is all cells of one label",
                              .is_required = true};

constexpr Input kSiteStatisticsInputs[] = {
    input<&SiteStatisticsInputs::labels>(kLabelsRow),
    input<&SiteStatisticsInputs::field>(
        {.name = "field", .help = "density that is summed over each region, such as a stiffness"}),
    input<&SiteStatisticsInputs::distance>(
        {.name = "distance", .help = "distances or costs, whose greatest and mean are found"}),
};

constexpr Input kAdjacencyInputs[] = {input<&LabelsInput::labels>(kLabelsRow)};

constexpr Input kSomeLabels[] = {
    input<&LabelsInput::labels>({.name = "labels",
                                 .help = "labels whose rows are wanted; by default all",
                                 .kind = InputKind::values}),
};

constexpr Input kUpdateRegionsInputs[] = {
    input<&UpdateRegionsInputs::cells>({.name = "cells",
                                        .help = "linear indices of the cells to read again",
                                        .kind = InputKind::indices,
                                        .is_required = true}),
};

constexpr Field kSiteStatisticsFields[] = {
    field<&SiteStatisticsOptions::spacing>(text::kSpacing),
    field<&SiteStatisticsOptions::background>(text::kBackground),
    field<&SiteStatisticsOptions::nodata>(text::kRegionNodata),
};

constexpr Field kAdjacencyFields[] = {
    field<&AdjacencyOptions::connectivity>(text::kTouching),
    field<&AdjacencyOptions::spacing>(text::kSpacing),
    field<&AdjacencyOptions::background>(text::kBackground),
    field<&AdjacencyOptions::nodata>(text::kRegionNodata),
};

constexpr Field kRegionStatisticsFields[] = {
    field<&RegionStatisticsOptions::spacing>(text::kSpacing),
    field<&RegionStatisticsOptions::background>(text::kBackground),
    field<&RegionStatisticsOptions::nodata>(text::kRegionNodata),
    field<&RegionStatisticsOptions::connectivity>(text::kTouching),
};

constexpr Result kSiteStatisticsResults[] = {
    result<&SiteStatistics::labels>({.name = "labels", .help = "label of each row, ascending"}),
    result<&SiteStatistics::cells>({.name = "cells", .help = "number of cells"}),
    result<&SiteStatistics::volume>(
        {.name = "volume", .help = "cells times the volume of one cell; in 2-D the area"}),
    result<&SiteStatistics::centroid>(
        {.name = "centroid", .help = "mean of the coordinates", .columns = Columns::axes}),
    result<&SiteStatistics::second_moments>({.name = "second_moments",
                                             .help = "covariance of the coordinates of the cells",
                                             .columns = Columns::axes_squared}),
    result<&SiteStatistics::first>(
        {.name = "first", .help = "first cell of the region's box", .columns = Columns::axes}),
    result<&SiteStatistics::last>(
        {.name = "last", .help = "last cell of the region's box", .columns = Columns::axes}),
    result<&SiteStatistics::mass>(
        {.name = "mass", .help = "sum of the field; empty without a field"}),
    result<&SiteStatistics::mass_centroid>(
        {.name = "mass_centroid",
         .help = "mean of the coordinates weighted by the field; empty without a field",
         .columns = Columns::axes}),
    result<&SiteStatistics::greatest_distance>(
        {.name = "greatest_distance",
         .help = "greatest distance that is not NaN; empty without distances"}),
    result<&SiteStatistics::mean_distance>(
        {.name = "mean_distance",
         .help = "mean of the distances that are not NaN; empty without distances"}),
};

constexpr Result kAdjacencyResults[] = {
    result<&Adjacency::a>({.name = "a", .help = "lesser label of each pair, ascending"}),
    result<&Adjacency::b>({.name = "b", .help = "greater label of each pair"}),
    result<&Adjacency::contacts>(
        {.name = "contacts", .help = "pairs of neighbouring cells, one of each label"}),
    result<&Adjacency::boundary>(
        {.name = "boundary", .help = "length of the common boundary; in 3-D its area"}),
};

constexpr Result kRegionChangesResults[] = {
    result<&RegionChanges::labels>(
        {.name = "labels", .help = "labels, ascending, whose row may have changed"}),
    result<&RegionChanges::came_a>(
        {.name = "came_a", .help = "lesser label of each pair that touches since then"}),
    result<&RegionChanges::came_b>({.name = "came_b", .help = "greater label of each such pair"}),
    result<&RegionChanges::went_a>(
        {.name = "went_a", .help = "lesser label of each pair that touches no longer"}),
    result<&RegionChanges::went_b>({.name = "went_b", .help = "greater label of each such pair"}),
};

static_assert(detail::are_sound(kSiteStatisticsInputs, kSiteStatisticsFields, {}));
static_assert(detail::are_sound(kAdjacencyInputs, kAdjacencyFields, {}));
static_assert(detail::are_sound(kSiteStatisticsInputs, kRegionStatisticsFields, {}));
static_assert(detail::count_members<SiteStatisticsOptions>() == std::size(kSiteStatisticsFields));
static_assert(detail::count_members<AdjacencyOptions>() == std::size(kAdjacencyFields));
static_assert(detail::count_members<RegionStatisticsOptions>() ==
              std::size(kRegionStatisticsFields));
// The statistics have the number of axes besides.
static_assert(detail::count_members<SiteStatistics>() == std::size(kSiteStatisticsResults) + 1);
static_assert(detail::count_members<Adjacency>() == std::size(kAdjacencyResults));
static_assert(detail::count_members<RegionChanges>() == std::size(kRegionChangesResults));

}  // namespace

constinit const Operation kSiteStatistics = {
    .name = "site_statistics",
    .help = "statistics of the regions of a raster of labels, a row for each label",
    .inputs = kSiteStatisticsInputs,
    .fields = kSiteStatisticsFields,
    .results = kSiteStatisticsResults,
    .defaults = &defaults_of<SiteStatisticsOptions>};

constinit const Operation kAdjacency = {
    .name = "adjacency",
    .help = "pairs of labels of a raster that touch, and the length of their boundary",
    .inputs = kAdjacencyInputs,
    .fields = kAdjacencyFields,
    .results = kAdjacencyResults,
    .defaults = &defaults_of<AdjacencyOptions>};

constinit const Operation kRegionStatistics = {
    .name = "region_statistics",
    .help = "keeps the tables of site_statistics and adjacency while cells change",
    .role = Role::solver_only,
    .inputs = kSiteStatisticsInputs,
    .fields = kRegionStatisticsFields,
    .defaults = &defaults_of<RegionStatisticsOptions>};

constinit const Operation kUpdateRegions = {
    .name = "update_regions",
    .help = "reads cells whose label, field or distance has changed",
    .role = Role::solver_function,
    .inputs = kUpdateRegionsInputs,
    .defaults = &defaults_of<NoOptions>};

constinit const Operation kRegionChanges = {
    .name = "region_changes",
    .help = "regions that updates changed, and pairs of regions that came and went",
    .role = Role::solver_function,
    .results = kRegionChangesResults,
    .defaults = &defaults_of<NoOptions>};

constinit const Operation kRegionTable = {.name = "region_table",
                                          .help = "rows of some regions, or of all",
                                          .role = Role::solver_function,
                                          .inputs = kSomeLabels,
                                          .results = kSiteStatisticsResults,
                                          .defaults = &defaults_of<NoOptions>};

constinit const Operation kRegionAdjacency = {.name = "region_adjacency",
                                              .help = "touching pairs of some regions, or of all",
                                              .role = Role::solver_function,
                                              .inputs = kSomeLabels,
                                              .results = kAdjacencyResults,
                                              .defaults = &defaults_of<NoOptions>};

}  // namespace thiessen
