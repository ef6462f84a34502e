// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/networks/networks.hpp"

#include "api/call/structs_of.hpp"

namespace thiessen {
namespace {

/// The options with the elevation, which is an input.
template <class Own>
const CostDistanceOptions& with_elevation(Own& own) {
  if (own.in.cost && own.in.stiffness)
    refuse("stiffness", "is given beside cost; must be one of them");
  own.options.elevation = own.in.elevation;
  return own.options;
}

Places places_of(const View<const void>& raster, const View<const void>& points,
                 const View<const void>& labels = {}) {
  if (points) return PointList{.coordinates = points, .labels = labels};
  return raster;
}

ResultShape shape_of_corridor(const CorridorInputs& in, const CorridorCallOptions& options) {
  const CostMap map = map_of(in);
  const View<const void> ground = map ? map.cells() : in.elevation;
  check_extents(map || !in.elevation ? "map" : "elevation", ground.extents());
  return shape_of(options, ground.extents(), ground.rank(), ElementType::u8);
}

constexpr Maker kNetworkMakers[] = {
    runs<CostTableInputs, CostTableCallOptions, NoOutputs, CostTable>(
        kCostTable,
        [](Context& context, auto& own) {
          const auto& in = own.in;
          own.results = cost_table(
              context, map_of(in), places_of(in.origins, in.origin_points, in.origin_labels),
              places_of(in.destinations, in.destination_points, in.destination_labels),
              with_elevation(own), {.pairs = in.pairs, .paths = own.options.table.paths});
        }),
    runs<NetworkInputs, CostDistanceOptions, NoOutputs, LeastCostNetwork>(
        kLeastCostNetwork,
        [](Context& context, auto& own) {
          own.results = least_cost_network(
              context, map_of(own.in), places_of(own.in.sites, own.in.points, own.in.point_labels),
              with_elevation(own));
        }),
    runs<CorridorInputs, CorridorCallOptions, CorridorOutputs, CorridorReport>(
        kCorridor,
        [](Context& context, auto& own) {
          own.results =
              corridor(context, map_of(own.in), places_of(own.in.first, own.in.first_points),
                       places_of(own.in.second, own.in.second_points), with_elevation(own),
                       own.options.corridor, own.out);
        },
        [](const auto& own) { return shape_of_corridor(own.in, own.options); }),
};

}  // namespace

std::span<const Maker> network_makers() { return kNetworkMakers; }

}  // namespace thiessen
