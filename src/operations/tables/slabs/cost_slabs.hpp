// SPDX-License-Identifier: Apache-2.0
//
// What the functions of cost distance in slabs take and give.
#pragma once

#include <cstdint>
#include <vector>

#include "operations/tables/distances/cost_distance.hpp"
#include "thiessen/slabs/cost_slabs.hpp"

namespace thiessen {

/// Where a slab lies, besides the options of the whole call.
struct CostSlabOptions : CostDistanceOptions {
  CostStage stage = CostStage::costs;
  std::vector<std::int64_t> shape = {};
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t sites_before = 0;
};

struct CostSlabRowsOptions {
  Connectivity connectivity = Connectivity::corners;
  std::vector<std::int64_t> shape = {};
  std::int64_t first = 0;
  std::int64_t count = 0;
};

struct CostSlabInputs {
  View<const void> cost;
  View<const void> stiffness;
  View<const void> sites;
  View<const void> points;
  View<const void> point_labels;
  View<const void> initial_cost;
};

/// The outputs of the last step, and what is known of the cells.
struct CostSlabOutputs : CostDistanceOutputs {
  View<void> resistance = {};
  View<void> known_cost = {};
  View<std::int64_t> known_site_index = {};
  View<void> known_labels = {};
  View<std::int64_t> known_hops = {};
};

struct CostSlabQueueInputs {
  View<const std::int64_t> heights;
};

struct NextCostSlabResults {
  std::int64_t slab = -1;
  std::uint8_t is_first = 0;
};

struct AddCostSlabOptions {
  std::int64_t slab = 0;
  std::array<double, 2> above = {CostSlabReport::kNone, CostSlabReport::kNone};
  std::array<double, 2> below = {CostSlabReport::kNone, CostSlabReport::kNone};
};

}  // namespace thiessen
