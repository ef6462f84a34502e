// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/distances/shape_functions.hpp"

#include "api/call/structs_of.hpp"

namespace thiessen {
namespace {

constexpr Maker kShapeFunctionMakers[] = {
    runs<ShepardInputs, ShepardOptions, ShepardOutputs, NoResults>(
        kShepardWeights,
        [](Context& context, auto& own) {
          shepard_weights(context, own.in.distance, own.options, own.out.weights);
        },
        [](const auto& own) -> ResultShape {
          const Extents& ranked = own.in.distance.extents();
          check_extents("distance", ranked);
          std::vector<std::int64_t> sizes;
          for (int axis = 1; axis < ranked.rank(); ++axis) sizes.push_back(ranked[axis]);
          return {.grid = {.extents = Extents(sizes)},
                  .rank = static_cast<int>(sizes.size()),
                  .k = ranked[0]};
        }),
    runs<NaturalInputs, CostDistanceOptions, NoOutputs, NaturalCoordinates>(
        kNaturalCoordinates,
        [](Context& context, auto& own) {
          own.options.blocked_faces = own.in.blocked_faces;
          own.results =
              natural_coordinates(context, map_of(own.in), own.in.site_index, own.in.distance,
                                  list_of<std::int64_t>("cells", own.in.cells), own.options);
        }),
};

}  // namespace

std::span<const Maker> shape_function_makers() { return kShapeFunctionMakers; }

}  // namespace thiessen
