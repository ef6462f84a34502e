// SPDX-License-Identifier: Apache-2.0
//
// What cost_table(), least_cost_network() and corridor() take and give.
#pragma once

#include <cstdint>

#include "thiessen/cost_network.hpp"

namespace thiessen {

struct GroundInputs {
  View<const void> cost;
  View<const void> stiffness;
  View<const void> elevation;
};

struct CostTableInputs : GroundInputs {
  View<const void> origins;
  View<const void> origin_points;
  View<const void> origin_labels;
  View<const void> destinations;
  View<const void> destination_points;
  View<const void> destination_labels;
  View<const std::int64_t> pairs;
};

struct CostTableCallOptions : CostDistanceOptions {
  CostTableOptions table = {};
};

struct NetworkInputs : GroundInputs {
  View<const void> sites;
  View<const void> points;
  View<const void> point_labels;
};

struct CorridorInputs : GroundInputs {
  View<const void> first;
  View<const void> first_points;
  View<const void> second;
  View<const void> second_points;
};

struct CorridorCallOptions : CostDistanceOptions {
  CorridorOptions corridor = {};
};

}  // namespace thiessen
