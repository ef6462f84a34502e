// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "thiessen/raster.hpp"
#include "thiessen/slabs/cost_slabs.hpp"
#include "thiessen/solvers/cost_solver.hpp"
#include "thiessen/solvers/nearest_site_solver.hpp"
#include "thiessen/solvers/region_statistics.hpp"

namespace thiessen {

/// An object that a call makes, and that other calls change and ask.
struct Solver {
  std::variant<NearestSiteSolver, CostSolver, RegionStatistics, CostSlabQueue> kept;
  /// Memory for outputs that the call has made.
  std::vector<std::shared_ptr<Raster>> memory = {};
};

}  // namespace thiessen
