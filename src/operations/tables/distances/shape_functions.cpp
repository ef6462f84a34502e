// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/distances/shape_functions.hpp"

#include "operations/checks/tables.hpp"
#include "operations/rows/operation.hpp"
#include "operations/rows/result_member.hpp"
#include "operations/tables/distances/cost_distance_fields.hpp"
#include "operations/tables/shared/join.hpp"

namespace thiessen {
namespace {

constexpr Input kShepardInputs[] = {
    input<&ShepardInputs::distance>(
        {.name = "distance",
         .help = "distances or costs of the k nearest sites, (k, y, x) or (k, z, y, x)",
         .is_required = true}),
};

constexpr Field kShepardFields[] = {
    field<&ShepardOptions::power>({.name = "power",
                                   .help = "exponent of the inverse distances",
                                   .range = {.least = 1, .greatest = 16}}),
};

constexpr Output kShepardOutputs[] = {
    output<&ShepardOutputs::weights>({.name = "weights",
                                      .help = "weight of each of the k sites",
                                      .subject = Subject::none,
                                      .axis = FrontAxis::rank}),
};

constexpr Input kNaturalInputs[] = {
    input<&NaturalInputs::cost>(text::kCost),
    input<&NaturalInputs::stiffness>(text::kStiffness),
    input<&NaturalInputs::site_index>(
        {.name = "site_index",
         .help = "output of cost_distance with these options, without k",
         .is_required = true}),
    input<&NaturalInputs::distance>(
        {.name = "distance", .help = "the same, of the type distance_type", .is_required = true}),
    input<&NaturalInputs::cells>(
        {.name = "cells",
         .help = "linear indices of the cells whose coordinates are wanted",
         .kind = InputKind::indices,
         .is_required = true}),
    input<&NaturalInputs::blocked_faces>(
        {.name = "blocked_faces", .help = "faces that nothing crosses, as of cost_distance"}),
};

/// Those of the steps, and the limit.
constexpr std::string_view kOptionsOfSites[] = {"snap_distance",
                                                "exact_radius",
                                                "metric",
                                                "latitude",
                                                "longitude",
                                                "earth_radius",
                                                "flattening",
                                                "site_nodata",
                                                "elevation_nodata",
                                                "values",
                                                "zero_is_site",
                                                "walk",
                                                "walk_direction",
                                                "walk_map",
                                                "walk_coefficients",
                                                "slope_factor",
                                                "walk_slopes",
                                                "walk_factors",
                                                "method",
                                                "k",
                                                "labels_carried",
                                                "unreached",
                                                "nodata_label",
                                                "strict"};
constexpr auto kNaturalFields = detail::without(kCostDistanceFields, kOptionsOfSites);

constexpr Result kNaturalResults[] = {
    result<&NaturalCoordinates::first>(
        {.name = "first",
         .help = "place of the first entry of each cell, and behind the last cell their number"}),
    result<&NaturalCoordinates::site_index>(
        {.name = "site_index", .help = "site of each entry, ascending within a cell"}),
    result<&NaturalCoordinates::count>(
        {.name = "count", .help = "cells that a new site at the cell would take from that site"}),
};

static_assert(detail::are_sound(kShepardInputs, kShepardFields, kShepardOutputs));
static_assert(detail::are_sound(kNaturalInputs, kNaturalFields, {}));
static_assert(detail::count_members<ShepardOptions>() == std::size(kShepardFields));
static_assert(detail::count_members<NaturalCoordinates>() == std::size(kNaturalResults));

}  // namespace

constinit const Operation kShepardWeights = {
    .name = "shepard_weights",
    .help = "weights of the k nearest sites of each cell by their inverse distances",
    .inputs = kShepardInputs,
    .fields = kShepardFields,
    .outputs = kShepardOutputs,
    .defaults = &defaults_of<ShepardOptions>};

constinit const Operation kNaturalCoordinates = {
    .name = "natural_coordinates",
    .help = "natural-neighbour coordinates of cells by cost, counted in cells",
    .inputs = kNaturalInputs,
    .fields = kNaturalFields,
    .results = kNaturalResults,
    .defaults = &defaults_of<CostDistanceOptions>};

}  // namespace thiessen
