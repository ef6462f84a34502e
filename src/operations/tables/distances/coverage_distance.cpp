// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/distances/coverage_distance.hpp"

#include <limits>

#include "operations/checks/tables.hpp"
#include "operations/rows/member.hpp"
#include "operations/rows/operation.hpp"
#include "operations/tables/shared/options.hpp"

namespace thiessen {
namespace {

constexpr Input kCoverageInputs[] = {
    input<&CoverageDistanceInputs::coverage>(
        {.name = "coverage",
         .help = "share of each cell that the shape covers: u8 to 255, u16 to 65535, floats to 1",
         .is_required = true}),
};

constexpr Field kCoverageFields[] = {
    field<&CoverageDistanceOptions::spacing>(text::kSpacing),
    field<&CoverageDistanceOptions::max_distance>(
        {.name = "max_distance",
         .help = "cells that are farther away are infinitely far",
         .group = "Distance",
         .unit = "spacing",
         .range = at_least(0)}),
    field<&CoverageDistanceOptions::distance_type>(text::kDistanceType),
};

constexpr Output kCoverageOutputs[] = {
    output<&CoverageDistanceOutputs::distance>(
        {.name = "distance",
         .help = "distance to the edge of the shape, below 0 inside",
         .subject = Subject::distance,
         .type = TypeRule::distance,
         .unreached = std::numeric_limits<double>::infinity(),
         .nodata = std::numeric_limits<double>::quiet_NaN()}),
};

static_assert(detail::are_sound(kCoverageInputs, kCoverageFields, kCoverageOutputs));
static_assert(detail::count_members<CoverageDistanceOptions>() == std::size(kCoverageFields));

}  // namespace

constinit const Operation kCoverageDistance = {
    .name = "coverage_distance",
    .help = "signed distance of every cell to the edge of a shape, from an antialiased mask",
    .inputs = kCoverageInputs,
    .fields = kCoverageFields,
    .outputs = kCoverageOutputs,
    .defaults = &defaults_of<CoverageDistanceOptions>};

}  // namespace thiessen
