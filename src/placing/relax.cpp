// SPDX-License-Identifier: Apache-2.0
//
// Lloyd's relaxation. Every site moves in every step, so that each makes its diagram anew by the
// public calls: a solver that repairs the one before would take longer.
#include <string>
#include <utility>

#include "core/base/refuse.hpp"
#include "core/cost/problem.hpp"
#include "core/problem/problem.hpp"
#include "operations/checks/options.hpp"
#include "placing/cell_steps.hpp"
#include "placing/point_steps.hpp"
#include "thiessen/placing.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace placing {
namespace {

void check_options(const RelaxOptions& options, bool has_weights = false) {
  check_options(kRelaxOptions, &options, 0, [&](std::string_view) { return has_weights; });
}

/// Makes steps of a problem: measure() makes its diagram and returns the energy, move() moves the
/// sites and returns the farthest way.
template <class Sites>
Relaxation relax(const RelaxOptions& options, Sites& sites) {
  Relaxation done;
  done.energy.push_back(sites.measure());
  while (static_cast<std::int64_t>(done.farthest_move.size()) < options.steps) {
    const double farthest = sites.move();
    const double before = done.energy.back();
    // Sites that stay have the energy that they had.
    const double after = farthest > 0 ? sites.measure() : before;
    done.farthest_move.push_back(farthest);
    done.energy.push_back(after);
    if (farthest <= options.tolerance) {
      done.end = RelaxEnd::settled;
      break;
    }
    if (options.least_fall > 0 && before - after < options.least_fall * before) {
      done.end = RelaxEnd::energy;
      break;
    }
  }
  return done;
}

}  // namespace
}  // namespace placing

// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
RelaxedPoints relax_sites(Context& context, View<const void> points, const Grid& grid,
                          const RelaxOptions& options, View<const void> density,
                          View<const void> domain, View<const void> weights) {
  RelaxedPoints relaxed;
  guarded(context.state(), [&] {
    placing::check_options(options, static_cast<bool>(weights));
    check_extents("grid", grid.extents);
    placing::PointSteps steps(context, points, grid, options, density, domain, weights);
    relaxed.relaxation = placing::relax(options, steps);
    relaxed.coordinates = std::move(steps.result());
  });
  return relaxed;
}

RelaxedCells relax_cost_sites(Context& context, const CostMap& map,
                              std::span<const std::int64_t> cells, const CostDistanceOptions& cost,
                              const RelaxOptions& options, View<const void> density) {
  RelaxedCells relaxed;
  guarded(context.state(), [&] {
    placing::check_options(options);
    if (!options.periodic.empty()) refuse("periodic", "is given; it is for straight lines only");
    refuse_single_call_options(cost, "placing sites");
    check_cells("map", map);
    placing::CellSteps steps(context, map, cells, cost, options, density);
    relaxed.relaxation = placing::relax(options, steps);
    relaxed.cells = steps.result();
  });
  return relaxed;
}

}  // namespace thiessen
