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

class RelaxSitesCall : public StructsOf<PlacingInputs, RelaxGridOptions, NoOutputs, RelaxResults> {
 public:
  void run(Context& context) override {
    RelaxedPoints found = relax_sites(context, inputs_.points, grid_of(options_), options_,
                                      inputs_.density, inputs_.domain);
    results_ = {.rank = static_cast<int>(options_.shape.size()),
                .coordinates = std::move(found.coordinates),
                .relaxation = std::move(found.relaxation)};
  }
};

/// The options with the elevation, which is an input.
const CostDistanceOptions& complete(const PlacingCostInputs& inputs, CostDistanceOptions& options) {
  options.elevation = inputs.elevation;
  return options;
}

class RelaxCostSitesCall
    : public StructsOf<PlacingCostInputs, RelaxCostOptions, NoOutputs, RelaxResults> {
 public:
  void run(Context& context) override {
    RelaxedCells found =
        relax_cost_sites(context, map_of(inputs_), list_of<std::int64_t>("cells", inputs_.cells),
                         complete(inputs_, options_), options_.relax, inputs_.density);
    results_ = {.cells = std::move(found.cells), .relaxation = std::move(found.relaxation)};
  }
};

class FarthestSitesCall
    : public StructsOf<PlacingInputs, FarthestGridOptions, NoOutputs, FarthestSites> {
 public:
  void run(Context& context) override {
    results_ = farthest_sites(context, grid_of(options_), options_, inputs_.points, inputs_.density,
                              inputs_.domain);
  }
};

class FarthestCostSitesCall
    : public StructsOf<PlacingCostInputs, FarthestCostOptions, NoOutputs, FarthestSites> {
 public:
  void run(Context& context) override {
    results_ = farthest_cost_sites(context, map_of(inputs_), complete(inputs_, options_),
                                   options_.farthest, list_of<std::int64_t>("cells", inputs_.cells),
                                   inputs_.density);
  }
};

constexpr Maker kPlacingMakers[] = {
    {&kRelaxSites, &make<RelaxSitesCall>},
    {&kRelaxCostSites, &make<RelaxCostSitesCall>},
    {&kFarthestSites, &make<FarthestSitesCall>},
    {&kFarthestCostSites, &make<FarthestCostSitesCall>},
};

}  // namespace

std::span<const Maker> placing_makers() { return kPlacingMakers; }

}  // namespace thiessen
