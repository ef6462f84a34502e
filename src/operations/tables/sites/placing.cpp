// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/sites/placing.hpp"

#include "operations/checks/tables.hpp"
#include "operations/rows/operation.hpp"
#include "operations/rows/result_member.hpp"
#include "operations/tables/distances/cost_distance_fields.hpp"
#include "operations/tables/shared/join.hpp"

namespace thiessen {
namespace {

constexpr Input kDensity = {.name = "density", .help = "mass of each cell, >= 0"};
constexpr Input kPointsThere = {.name = "points",
                                .help = "sites that are there already, (points, axes)",
                                .kind = InputKind::points};
constexpr Input kCells = {
    .name = "cells", .help = "linear indices of the sites", .kind = InputKind::indices};
constexpr Input kCost = {
    .name = "cost", .help = "cost of crossing each cell, per unit of length", .one_of = "map"};
constexpr Input kStiffness = {
    .name = "stiffness", .help = "stiffness of each cell, the inverse of a cost", .one_of = "map"};

constexpr Input kRelaxInputs[] = {
    input<&RelaxInputs::points>(text::kPoints),
    input<&RelaxInputs::weights>(text::kPointWeights),
    input<&RelaxInputs::density>(kDensity),
    input<&RelaxInputs::domain>(text::kDomain),
};

constexpr Input kFitInputs[] = {
    input<&FitInputs::points>(text::kPoints),
    input<&FitInputs::targets>(
        {.name = "targets", .help = "load of each point, in any unit", .kind = InputKind::values}),
    input<&FitInputs::density>(kDensity),
    input<&FitInputs::domain>(text::kDomain),
};

constexpr Input kFarthestInputs[] = {
    input<&PlacingInputs::points>(kPointsThere),
    input<&PlacingInputs::density>(kDensity),
    input<&PlacingInputs::domain>(text::kDomain),
};

constexpr Input kPlacingCostInputs[] = {
    input<&PlacingCostInputs::cost>(kCost),
    input<&PlacingCostInputs::stiffness>(kStiffness),
    input<&PlacingCostInputs::elevation>(text::kElevation),
    input<&PlacingCostInputs::cells>(kCells),
    input<&PlacingCostInputs::density>(kDensity),
};

constexpr FieldText kSteps = {
    .name = "steps", .help = "greatest number of steps", .range = at_least(0)};
constexpr FieldText kTolerance = {
    .name = "tolerance",
    .help = "ends after a step in which no site moves farther than this",
    .unit = "spacing",
    .range = {.least = 0, .takes_infinity = false}};
constexpr FieldText kLeastFall = {
    .name = "least_fall",
    .help = "ends after a step in which the energy falls by less than this share of it",
    .range = from_to(0, 1)};
constexpr FieldText kCount = {
    .name = "count", .help = "greatest number of new sites", .range = at_least(0)};
constexpr FieldText kFarEnough = {.name = "max_distance",
                                  .help = "ends when no cell is farther than this from its site",
                                  .unit = "spacing",
                                  .range = at_least(0)};
constexpr FieldText kCostsEnough = {.name = "max_distance",
                                    .help = "ends when no cell costs more than this",
                                    .unit = "costs",
                                    .range = at_least(0)};

constexpr Field kRelaxGridFields[] = {
    field<&RelaxGridOptions::shape>(text::kShape),
    field<&RelaxGridOptions::spacing>(text::kSpacing),
};
constexpr Field kRelaxOptionFields[] = {
    field<&RelaxOptions::steps>(kSteps),
    field<&RelaxOptions::tolerance>(kTolerance),
    field<&RelaxOptions::least_fall>(kLeastFall),
    field<&RelaxOptions::periodic>(text::kPeriodic),
    field<&RelaxOptions::weighting>(text::kWeighting),
};
constexpr auto kRelaxFields = detail::join(kRelaxGridFields, kRelaxOptionFields);

constexpr Field kFitGridFields[] = {
    field<&FitGridOptions::shape>(text::kShape),
    field<&FitGridOptions::spacing>(text::kSpacing),
};
constexpr Field kFitOptionFields[] = {
    field<&FitOptions::steps>(kSteps),
    field<&FitOptions::allowed_miss>(
        {.name = "allowed_miss",
         .help = "ends when no load misses its target by more than this share of the mean target",
         .range = {.least = 0, .takes_infinity = false}}),
    field<&FitOptions::periodic>(text::kPeriodic),
};
constexpr auto kFitFields = detail::join(kFitGridFields, kFitOptionFields);

constexpr Field kRelaxOwnFields[] = {
    field<&RelaxCostOptions::relax, &RelaxOptions::steps>(kSteps),
    field<&RelaxCostOptions::relax, &RelaxOptions::tolerance>(kTolerance),
    field<&RelaxCostOptions::relax, &RelaxOptions::least_fall>(kLeastFall),
};
constexpr auto kRelaxCostFields =
    detail::join(kRelaxOwnFields, detail::without(kCostDistanceFields, kNearestCountName));

constexpr Field kFarthestGridFields[] = {
    field<&FarthestGridOptions::shape>(text::kShape),
    field<&FarthestGridOptions::spacing>(text::kSpacing),
};
constexpr Field kFarthestOptionFields[] = {
    field<&FarthestOptions::count>(kCount),
    field<&FarthestOptions::max_distance>(kFarEnough),
    field<&FarthestOptions::periodic>(text::kPeriodic),
};
constexpr auto kFarthestFields = detail::join(kFarthestGridFields, kFarthestOptionFields);

constexpr Field kFarthestOwnFields[] = {
    field<&FarthestCostOptions::farthest, &FarthestOptions::count>(kCount),
    field<&FarthestCostOptions::farthest, &FarthestOptions::max_distance>(kCostsEnough),
};
/// A cell beyond a search limit would be the farthest.
constexpr std::string_view kNotForFarthest[] = {"max_distance", "k"};
constexpr auto kFarthestCostFields =
    detail::join(kFarthestOwnFields, detail::without(kCostDistanceFields, kNotForFarthest));

constexpr Result kRelaxResults[] = {
    result<&RelaxResults::coordinates>({.name = "coordinates",
                                        .help = "points after the last step; empty for costs",
                                        .columns = Columns::axes}),
    result<&RelaxResults::cells>(
        {.name = "cells", .help = "cells of the sites after the last step; empty for points"}),
    result<&RelaxResults::relaxation, &Relaxation::energy>(
        {.name = "energy", .help = "energy before the first step and after each"}),
    result<&RelaxResults::relaxation, &Relaxation::farthest_move>(
        {.name = "farthest_move", .help = "greatest move of a site in each step"}),
    result<&RelaxResults::relaxation, &Relaxation::end>(
        {.name = "end", .help = "why the steps ended"}),
};

constexpr Result kFitResults[] = {
    result<&FittedWeights::weights>(
        {.name = "weights", .help = "weights of the points, for power"}),
    result<&FittedWeights::loads>({.name = "loads", .help = "mass of the cell of each point"}),
    result<&FittedWeights::greatest_miss>(
        {.name = "greatest_miss", .help = "greatest difference of a load from its target"}),
    result<&FittedWeights::steps>({.name = "steps", .help = "steps that were made"}),
    result<&FittedWeights::end>({.name = "end", .help = "why the fit ended"}),
};

constexpr Result kFarthestResults[] = {
    result<&FarthestSites::cells>(
        {.name = "cells", .help = "linear indices of the new sites, in their order"}),
    result<&FarthestSites::distance>(
        {.name = "distance", .help = "distance of each new site from the sites before it"}),
    result<&FarthestSites::radius>(
        {.name = "radius", .help = "greatest remaining distance, times the density"}),
};

static_assert(detail::are_sound(kRelaxInputs, kRelaxFields, {}));
static_assert(detail::are_sound(kPlacingCostInputs, kRelaxCostFields, {}));
static_assert(detail::are_sound(kFitInputs, kFitFields, {}));
static_assert(detail::count_members<FitOptions>() == std::size(kFitOptionFields));
static_assert(detail::count_members<FittedWeights>() == std::size(kFitResults));
static_assert(detail::are_sound(kFarthestInputs, kFarthestFields, {}));
static_assert(detail::are_sound(kPlacingCostInputs, kFarthestCostFields, {}));
static_assert(detail::count_members<RelaxOptions>() == std::size(kRelaxOptionFields));
static_assert(detail::count_members<FarthestOptions>() == std::size(kFarthestOptionFields));
// Costs have neither periodic axes nor weights.
static_assert(detail::count_members<RelaxOptions>() - 2 == std::size(kRelaxOwnFields));
static_assert(detail::count_members<FarthestOptions>() - 1 == std::size(kFarthestOwnFields));
static_assert(detail::count_members<FarthestSites>() == std::size(kFarthestResults));

}  // namespace

constinit const std::span<const Field> kRelaxOptions = kRelaxOptionFields;
constinit const std::span<const Field> kFitOptions = kFitOptionFields;
constinit const std::span<const Field> kFarthestOptions = kFarthestOptionFields;

constinit const Operation kRelaxSites = {
    .name = "relax_sites",
    .help = "moves points to the middle of their cells, step by step",
    .inputs = kRelaxInputs,
    .fields = kRelaxFields,
    .results = kRelaxResults,
    .defaults = &defaults_of<RelaxGridOptions>};

constinit const Operation kRelaxCostSites = {
    .name = "relax_cost_sites",
    .help = "moves sites to the middle of their regions by cost, step by step",
    .inputs = kPlacingCostInputs,
    .fields = kRelaxCostFields,
    .results = kRelaxResults,
    .defaults = &defaults_of<RelaxCostOptions>};

constinit const Operation kFitWeights = {
    .name = "fit_weights",
    .help = "power weights with which the cell of each point holds a given load",
    .inputs = kFitInputs,
    .fields = kFitFields,
    .results = kFitResults,
    .defaults = &defaults_of<FitGridOptions>};

constinit const Operation kFarthestSites = {
    .name = "farthest_sites",
    .help = "adds sites, each in the cell farthest from all others",
    .inputs = kFarthestInputs,
    .fields = kFarthestFields,
    .results = kFarthestResults,
    .defaults = &defaults_of<FarthestGridOptions>};

constinit const Operation kFarthestCostSites = {
    .name = "farthest_cost_sites",
    .help = "adds sites, each in the cell that costs most to reach",
    .inputs = kPlacingCostInputs,
    .fields = kFarthestCostFields,
    .results = kFarthestResults,
    .defaults = &defaults_of<FarthestCostOptions>};

}  // namespace thiessen
