// SPDX-License-Identifier: Apache-2.0
//
// The map and the options of cost_distance(), which several operations have. For the tables alone:
// the templates take time to compile.
#pragma once

#include "operations/rows/member.hpp"
#include "operations/tables/distances/cost_distance.hpp"
#include "operations/tables/shared/options.hpp"

namespace thiessen {

namespace text {

inline constexpr Input kCost = {
    .name = "cost", .help = "cost of crossing each cell, per unit of length", .argument = "map"};
inline constexpr Input kStiffness = {.name = "stiffness",
                                     .help = "stiffness of each cell, the inverse of a cost",
                                     .argument = "map"};
inline constexpr Input kElevation = {.name = "elevation",
                                     .help = "elevation of each cell in metres: steps are walked"};

}  // namespace text

inline constexpr std::string_view kLangmuirName[] = {"langmuir"};
inline constexpr std::string_view kTableName[] = {"table"};
inline constexpr std::string_view kEikonalName[] = {"eikonal"};
inline constexpr std::string_view kRelaxationName[] = {"relaxation"};
/// What cost_distance() alone takes, and no operation that makes calls of it.
inline constexpr std::string_view kNearestCountName[] = {"k"};

/// What the length of a step is.
inline constexpr std::string_view kCostMetricNames[] = {"euclidean", "ellipsoidal", "great-circle"};

/// The options of cost_distance(), in the order of use; `elevation` and `blocked_faces` are inputs.
inline constexpr Field kCostDistanceFields[] = {
    field<&CostDistanceOptions::spacing>(text::kSpacing),
    field<&CostDistanceOptions::connectivity>(
        {.name = "connectivity", .help = "which cells are neighbours", .group = "Distance"}),
    field<&CostDistanceOptions::periodic>(text::kPeriodic),
    field<&CostDistanceOptions::max_distance>({.name = "max_distance",
                                               .help = "cells that cost more are unreached",
                                               .group = "Distance",
                                               .unit = "costs",
                                               .range = at_least(0)}),
    field<&CostDistanceOptions::snap_distance>(
        {.name = "snap_distance",
         .help = "how far a site on a barrier moves to the nearest cell that is none",
         .group = "Sites",
         .unit = "length",
         .range = at_least(0)}),
    field<&CostDistanceOptions::exact_radius>(
        {.name = "exact_radius",
         .help = "how far from sites costs are those of straight lines",
         .group = "Distance",
         .unit = "cells",
         .range = {.least = 0, .greatest = 32},
         .only_if = {"method", kEikonalName}}),
    field<&CostDistanceOptions::tight_barriers>(
        {.name = "tight_barriers",
         .help = "a diagonal step does not pass between two barriers",
         .group = "Distance"}),
    field<&CostDistanceOptions::metric>({.name = "metric",
                                         .help = "length of a step on the map",
                                         .group = "Distance",
                                         .some_choices = kCostMetricNames}),
    field<&CostDistanceOptions::earth, &Earth::latitude>(text::kLatitude),
    field<&CostDistanceOptions::earth, &Earth::longitude>(text::kLongitude),
    field<&CostDistanceOptions::earth, &Earth::radius>(text::kEarthRadius),
    field<&CostDistanceOptions::earth, &Earth::flattening>(text::kFlattening),
    field<&CostDistanceOptions::map_nodata>(
        {.name = "map_nodata",
         .help = "cells of this value in the map lie outside of the domain",
         .group = "Sites",
         .if_missing = "no cell"}),
    field<&CostDistanceOptions::site_nodata>(
        {.name = "site_nodata",
         .help = "cells of this value in the raster of sites are no sites",
         .group = "Sites",
         .if_missing = "no cell"}),
    field<&CostDistanceOptions::elevation_nodata>(
        {.name = "elevation_nodata",
         .help = "cells of this elevation lie outside of the domain",
         .group = "Walks",
         .if_missing = "no cell",
         .only_if = {"elevation"}}),
    field<&CostDistanceOptions::values>(text::kValues),
    field<&CostDistanceOptions::zero_is_site>(text::kZeroIsSite),
    field<&CostDistanceOptions::walk>({.name = "walk",
                                       .help = "how fast one walks on a slope",
                                       .group = "Walks",
                                       .if_missing = "tobler",
                                       .only_if = {"elevation"}}),
    field<&CostDistanceOptions::walk_direction>({.name = "walk_direction",
                                                 .help = "direction of the walk",
                                                 .group = "Walks",
                                                 .if_missing = "from-site",
                                                 .only_if = {"elevation"}}),
    field<&CostDistanceOptions::walk_map>({.name = "walk_map",
                                           .help = "how the map changes the seconds of a walk",
                                           .group = "Walks",
                                           .if_missing = "multiplies",
                                           .only_if = {"elevation"}}),
    field<&CostDistanceOptions::walk_coefficients>(
        {.name = "walk_coefficients",
         .help = "seconds of a metre of length, up, down and steeply down",
         .group = "Walks",
         .if_missing = "0.72, 6, 1.9998, -1.9998",
         .range = kFinite,
         .only_if = {"walk", kLangmuirName}}),
    field<&CostDistanceOptions::slope_factor>({.name = "slope_factor",
                                               .help = "slopes below this one are steep",
                                               .group = "Walks",
                                               .if_missing = "-0.2125",
                                               .range = {.greatest = 0, .takes_infinity = false},
                                               .only_if = {"walk", kLangmuirName}}),
    field<&CostDistanceOptions::walk_slopes>({.name = "walk_slopes",
                                              .help = "ascending slopes of a table of factors",
                                              .group = "Walks",
                                              .if_missing = "none",
                                              .range = kFinite,
                                              .only_if = {"walk", kTableName}}),
    field<&CostDistanceOptions::walk_factors>(
        {.name = "walk_factors",
         .help = "factor of a length along the ground for each of walk_slopes",
         .group = "Walks",
         .if_missing = "none",
         .range = {.least = 0, .takes_infinity = false},
         .only_if = {"walk", kTableName}}),
    field<&CostDistanceOptions::method>(
        {.name = "method", .help = "how costs are found", .alias = "algorithm"}),
    field<&CostDistanceOptions::k>(text::kNearestCount),
    field<&CostDistanceOptions::labels_carried>(
        {.name = "labels_carried",
         .help = "labels are carried along with the costs, as in the paper of Toss and Comba",
         .only_if = {"method", kRelaxationName}}),
    field<&CostDistanceOptions::distance_type>(
        {.name = "distance_type", .help = "type of costs and distances", .group = "Output"}),
    field<&CostDistanceOptions::unreached>(text::kUnreachedLabel),
    field<&CostDistanceOptions::nodata_label>(
        {.name = "nodata_label",
         .help = "label of the cells outside of the domain",
         .group = "Output",
         .if_missing = "map_nodata or elevation_nodata if a label can be that, else unreached"}),
    field<&CostDistanceOptions::strict>(text::kStrict),
};

// The Earth has rows of its own; the elevation and the blocked faces have none.
static_assert(detail::count_members<CostDistanceOptions>() - 3 + detail::count_members<Earth>() ==
              std::size(kCostDistanceFields));

}  // namespace thiessen
