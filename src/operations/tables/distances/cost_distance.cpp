// SPDX-License-Identifier: Apache-2.0
//
// The inputs and options of cost_distance().
#include "operations/tables/distances/cost_distance.hpp"

#include "operations/checks/tables.hpp"
#include "operations/rows/operation.hpp"
#include "operations/rows/result_member.hpp"
#include "operations/tables/distances/cost_distance_fields.hpp"

namespace thiessen {
namespace {

constexpr Input kCostDistanceInputs[] = {
    input<&CostDistanceInputs::sites>(
        {.name = "sites",
         .help = "raster: cells that are neither zero, NaN nor nodata are the sites",
         .one_of = "sites"}),
    input<&CostDistanceInputs::points>({.name = "points",
                                        .help = "coordinates of the sites in cells, (points, axes)",
                                        .kind = InputKind::points,
                                        .one_of = "sites"}),
    input<&CostDistanceInputs::point_labels>(text::kPointLabels),
    input<&CostDistanceInputs::cost>(text::kCost),
    input<&CostDistanceInputs::stiffness>(text::kStiffness),
    input<&CostDistanceInputs::elevation>(text::kElevation),
    input<&CostDistanceInputs::blocked_faces>(
        {.name = "blocked_faces",
         .help = "faces that nothing crosses, to the next cell: bit 0 along x, 1 along y, 2 along "
                 "z"}),
    input<&CostDistanceInputs::initial_cost>({.name = "initial_cost",
                                              .help = "cost with which a path starts at each site",
                                              .kind = InputKind::values}),
};

constexpr Result kCostDistanceResults[] = {
    result<&CostDistanceReport::ignored_sites>(
        {.name = "ignored_sites", .help = "sites on barriers or outside of the raster"}),
    result<&CostDistanceReport::first_ignored_site>(
        {.name = "first_ignored_site", .help = "index of the first of them"}),
    result<&CostDistanceReport::moved_sites>(
        {.name = "moved_sites", .help = "sites that moved away from barriers"}),
    result<&CostDistanceReport::active_cells>(
        {.name = "active_cells", .help = "cells that passed their cost on, by iteration"}),
};

static_assert(detail::are_sound(kCostDistanceInputs, kCostDistanceFields, kCostDistanceOutputs));
static_assert(detail::count_members<CostDistanceInputs>() == std::size(kCostDistanceInputs));

}  // namespace

constinit const Operation kCostDistance = {
    .name = "cost_distance",
    .help = "least-cost distance of every cell of a map, and the site from which it is reached",
    .role = Role::solver,
    .inputs = kCostDistanceInputs,
    .fields = kCostDistanceFields,
    .outputs = kCostDistanceOutputs,
    .results = kCostDistanceResults,
    .defaults = &defaults_of<CostDistanceOptions>};

}  // namespace thiessen
