// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/sites/placing.hpp"

#include <utility>

#include "api/call/structs_of.hpp"

namespace thiessen {
namespace {

template <class Options>
Grid grid_of(const Options& options) {
  return {.extents = Extents(options.shape), .spacing = options.spacing};
}

/// The options with the elevation, which is an input.
template <class Own>
const CostDistanceOptions& complete_options(Own& own) {
  own.options.elevation = own.in.elevation;
  return own.options;
}

constexpr Maker kPlacingMakers[] = {
    runs<RelaxInputs, RelaxGridOptions, NoOutputs, RelaxResults>(
        kRelaxSites,
        [](Context& context, auto& own) {
          RelaxedPoints found =
              relax_sites(context, own.in.points, grid_of(own.options), own.options, own.in.density,
                          own.in.domain, own.in.weights);
          own.results = {.rank = static_cast<int>(own.options.shape.size()),
                         .coordinates = std::move(found.coordinates),
                         .relaxation = std::move(found.relaxation)};
        }),
    runs<PlacingCostInputs, RelaxCostOptions, NoOutputs, RelaxResults>(
        kRelaxCostSites,
        [](Context& context, auto& own) {
          RelaxedCells found = relax_cost_sites(
              context, map_of(own.in), list_of<std::int64_t>("cells", own.in.cells),
              complete_options(own), own.options.relax, own.in.density);
          own.results = {.cells = std::move(found.cells),
                         .relaxation = std::move(found.relaxation)};
        }),
    runs<FitInputs, FitGridOptions, NoOutputs, FittedWeights>(
        kFitWeights,
        [](Context& context, auto& own) {
          const auto targets = list_of<double>("targets", own.in.targets);
          own.results = fit_weights(context, own.in.points, grid_of(own.options), targets,
                                    own.options, own.in.density, own.in.domain);
        }),
    runs<PlacingInputs, FarthestGridOptions, NoOutputs, FarthestSites>(
        kFarthestSites,
        [](Context& context, auto& own) {
          own.results = farthest_sites(context, grid_of(own.options), own.options, own.in.points,
                                       own.in.density, own.in.domain);
        }),
    runs<PlacingCostInputs, FarthestCostOptions, NoOutputs, FarthestSites>(
        kFarthestCostSites,
        [](Context& context, auto& own) {
          own.results = farthest_cost_sites(
              context, map_of(own.in), complete_options(own), own.options.farthest,
              list_of<std::int64_t>("cells", own.in.cells), own.in.density);
        }),
};

}  // namespace

std::span<const Maker> placing_makers() { return kPlacingMakers; }

}  // namespace thiessen
