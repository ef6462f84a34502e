// SPDX-License-Identifier: Apache-2.0
//
// What changes the solvers of nearest_site(), voronoi() and cost_distance(), and asks them.
#pragma once

#include <cstdint>
#include <vector>

#include "thiessen/solvers/changes.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// One struct for all updates: each operation has rows for what it takes.
struct UpdateInputs {
  View<const void> points;
  View<const void> point_labels;
  View<const void> initial_cost;
  View<const std::int64_t> sites;
  View<const std::int64_t> cells;
  View<const std::int64_t> from;
  View<const std::int64_t> to;
  View<const void> labels;
  View<const void> values;
  View<const std::uint8_t> blocked_faces;
};

struct UpdateBoxOptions {
  std::vector<std::int64_t> first = {};
};

struct AddPointsResults {
  std::int64_t first = 0;
};

struct SolverBytesResults {
  std::int64_t bytes = 0;
};

struct FindSitesResults {
  std::int64_t positions = 0;
  std::vector<std::uint8_t> present = {};
};

}  // namespace thiessen
