// SPDX-License-Identifier: Apache-2.0
//
// What nearest_site() and voronoi() take and give.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "operations/checks/rows.hpp"
#include "operations/rows/output.hpp"
#include "operations/tables/shared/outputs.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/nearest_site.hpp"

namespace thiessen {

struct NearestSiteInputs {
  View<const void> sites;
  View<const void> weights;
  View<const void> domain;
};

struct VoronoiInputs {
  View<const void> points;
  View<const void> point_labels;
  View<const void> weights;
  View<const void> metrics;
  View<const void> domain;
};

/// The options of voronoi(), with the extents of its grid.
struct VoronoiOptions : NearestSiteOptions {
  std::vector<std::int64_t> shape = {};
};

struct EllipseInputs {
  View<const double> radii;
  View<const double> directions;
};

struct EllipseMetrics {
  int rank = 0;  ///< axes
  std::vector<double> metrics = {};
};

inline constexpr Output kNearestSiteOutputs[] = {
    output<&NearestSiteOutputs::labels, &NearestSiteWanted::labels, &NearestSite::labels>(
        text::labels(FrontAxis::rank)),
    output<&NearestSiteOutputs::site_index, &NearestSiteWanted::site_index,
           &NearestSite::site_index>(text::site_index(FrontAxis::rank)),
    output<&NearestSiteOutputs::distance, &NearestSiteWanted::distance, &NearestSite::distance>(
        text::distance(FrontAxis::rank)),
    output<&NearestSiteOutputs::weighted_distance, &NearestSiteWanted::weighted_distance,
           &NearestSite::weighted_distance>(text::kWeightedDistance),
    output<&NearestSiteOutputs::squared, &NearestSiteWanted::squared, &NearestSite::squared>(
        {.name = "squared",
         .help = "squared distance in cells, exact",
         .subject = Subject::distance,
         .axis = FrontAxis::rank,
         .unreached = kUnreached,
         .nodata = kNodata}),
    output<&NearestSiteOutputs::offset, &NearestSiteWanted::offset, &NearestSite::offset>(
        {.name = "offset",
         .help = "site minus cell, in cells, one component an axis",
         .axis = FrontAxis::component,
         .unreached = std::numeric_limits<std::int32_t>::min(),
         .nodata = std::numeric_limits<std::int32_t>::min()}),
    output<&NearestSiteOutputs::direction, &NearestSiteWanted::direction, &NearestSite::direction>(
        text::direction("compass direction from the cell to its site")),
    output<&NearestSiteOutputs::other_labels, &NearestSiteWanted::other_labels,
           &NearestSite::other_labels>(text::kOtherLabels),
    output<&NearestSiteOutputs::other_site_index, &NearestSiteWanted::other_site_index,
           &NearestSite::other_site_index>(text::kOtherSiteIndex),
    output<&NearestSiteOutputs::other_distance, &NearestSiteWanted::other_distance,
           &NearestSite::other_distance>(text::kOtherDistance),
    output<&NearestSiteOutputs::ties, &NearestSiteWanted::ties, &NearestSite::ties>(
        {.name = "ties",
         .help = "number of labels that have a site at the least distance, up to 255",
         .subject = Subject::ties}),
};

template <>
struct TableOf<NearestSiteOutputs> {
  static constexpr const auto& kRows = kNearestSiteOutputs;
};

static_assert(detail::are_outputs(kNearestSiteOutputs));
static_assert(detail::count_members<NearestSiteOutputs>() == std::size(kNearestSiteOutputs));
static_assert(detail::count_members<NearestSiteWanted>() == std::size(kNearestSiteOutputs));
// The results have the warnings besides.
static_assert(detail::count_members<NearestSite>() == std::size(kNearestSiteOutputs) + 1);

}  // namespace thiessen
