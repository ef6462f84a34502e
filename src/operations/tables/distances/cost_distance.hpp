// SPDX-License-Identifier: Apache-2.0
//
// What cost_distance() takes and gives.
#pragma once

#include "operations/checks/rows.hpp"
#include "operations/rows/output.hpp"
#include "operations/tables/shared/outputs.hpp"
#include "thiessen/cost_distance.hpp"

namespace thiessen {

struct CostDistanceInputs {
  View<const void> sites;
  View<const void> points;
  View<const void> point_labels;
  View<const void> cost;
  View<const void> stiffness;
  View<const void> elevation;
  View<const std::uint8_t> blocked_faces;
  View<const void> initial_cost;
};

inline constexpr Output kCostDistanceOutputs[] = {
    output<&CostDistanceOutputs::labels, &CostDistanceWanted::labels, &CostDistance::labels>(
        text::labels(FrontAxis::rank)),
    output<&CostDistanceOutputs::site_index, &CostDistanceWanted::site_index,
           &CostDistance::site_index>(text::site_index(FrontAxis::rank)),
    output<&CostDistanceOutputs::distance, &CostDistanceWanted::distance, &CostDistance::distance>(
        text::with_help(text::distance(FrontAxis::rank),
                        "cost of the least-cost path from a site")),
    output<&CostDistanceOutputs::back_link, &CostDistanceWanted::back_link,
           &CostDistance::back_link>(
        {.name = "back_link",
         .help = "next cell on a least-cost path back to the site, as the number of a neighbour",
         .unreached = kBackLinkUnreached,
         .nodata = kBackLinkNodata}),
    output<&CostDistanceOutputs::direction, &CostDistanceWanted::direction,
           &CostDistance::direction>(
        text::direction("compass direction in which the way back to the site leaves the cell")),
    output<&CostDistanceOutputs::other_labels, &CostDistanceWanted::other_labels,
           &CostDistance::other_labels>(text::kOtherLabels),
    output<&CostDistanceOutputs::other_site_index, &CostDistanceWanted::other_site_index,
           &CostDistance::other_site_index>(text::kOtherSiteIndex),
    output<&CostDistanceOutputs::other_distance, &CostDistanceWanted::other_distance,
           &CostDistance::other_distance>(text::with_help(
        text::kOtherDistance, "cost of the least-cost path from a site of another label")),
};

template <>
struct TableOf<CostDistanceOutputs> {
  static constexpr const auto& kRows = kCostDistanceOutputs;
};

static_assert(detail::are_outputs(kCostDistanceOutputs));
static_assert(detail::count_members<CostDistanceOutputs>() == std::size(kCostDistanceOutputs));
static_assert(detail::count_members<CostDistanceWanted>() == std::size(kCostDistanceOutputs));
// The results have the report and the warnings besides.
static_assert(detail::count_members<CostDistance>() == std::size(kCostDistanceOutputs) + 2);

}  // namespace thiessen
