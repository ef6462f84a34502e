// SPDX-License-Identifier: Apache-2.0
//
// Farthest points, one after the other: a solver keeps the distances, and a tree of them, which
// follows the cells that changed, the greatest.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/numbers.hpp"
#include "core/points.hpp"
#include "core/problem.hpp"
#include "core/refuse.hpp"
#include "placing/density.hpp"
#include "placing/greatest_keys.hpp"
#include "placing/parts.hpp"
#include "placing/site_cells.hpp"
#include "thiessen/cost_solver.hpp"
#include "thiessen/nearest_site_solver.hpp"
#include "thiessen/placing.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace placing {
namespace {

void check_options(const FarthestOptions& options) {
  if (options.count < 0) refuse("count = " + std::to_string(options.count) + "; must be >= 0");
  if (!(options.within >= 0))
    refuse("within = " + shortest_decimal(options.within) + "; must be >= 0");
}

/// The weights of the cells that count(cell): their densities; 0 of all others. Throws
/// Error{invalid_argument} for the first that counts and has no legal density.
template <class Counts>
Array<double> load_weights(ContextState& state, const Density& density, const Extents& extents,
                           const char* counting, const Counts& counts) {
  Array<double> weights(extents);
  std::vector<std::int64_t> bad(static_cast<std::size_t>(state.threads), density.cells());
  density.for_each(state, [&](std::int64_t first, std::int64_t count, const double* mass, int own) {
    std::int64_t& first_bad = bad[static_cast<std::size_t>(own)];
    for (std::int64_t i = first; i < first + count; ++i) {
      double& weight = weights.data()[i];
      weight = counts(i) ? mass[i - first] : 0.0;
      if (!is_density(weight)) first_bad = std::min(first_bad, i);
    }
  });
  const std::int64_t first_bad = *std::min_element(bad.begin(), bad.end());
  if (first_bad < density.cells()) density.refuse(first_bad, counting);
  return weights;
}

template <class Solver>
FarthestSites place_sites(ContextState& state, Solver& solver, GreatestKeys& keys,
                          const FarthestOptions& options, const Extents& extents, Parts& parts) {
  FarthestSites placed;
  GreatestKeys::Top top = keys.top();
  while (static_cast<std::int64_t>(placed.cells.size()) < options.count &&
         top.key > options.within) {
    placed.cells.push_back(top.cell);
    placed.distance.push_back(top.key);
    parts.next();
    const SiteCells site({&top.cell, 1}, extents);
    solver.add_sites(PointList{.coordinates = site.coordinates()});
    solver.solve();
    keys.update(state, solver.changed_cells().cell);
    top = keys.top();
  }
  placed.radius = std::max(top.key, 0.0);
  return placed;
}

/// The parts of a call: what comes before the first site, and the sites.
std::int64_t parts_of(const FarthestOptions& options, std::int64_t before, const Extents& extents) {
  return before + std::min(options.count, extents.count());
}

FarthestSites place_by_lines(Context& context, const Grid& grid, const FarthestOptions& options,
                             const View<const void>& points, const View<const void>& density,
                             const View<const void>& domain) {
  ContextState& state = context.state();
  const Extents& extents = grid.extents;
  const Density masses(density, extents);
  if (masses.cells() == 0) return {};
  Parts parts(state.progress, parts_of(options, 1, extents));
  parts.next();
  Array<double> distance(extents);
  const SiteCells none({}, extents);
  const View<const void> first = points ? points : View<const void>(none.coordinates());
  NearestSiteSolver solver(context, PointList{.coordinates = first}, grid,
                           {.periodic = options.periodic}, {.distance = distance.view()}, domain);
  Array<double> weights;
  if (density)
    weights = load_weights(state, masses, extents, "cells of the domain",
                           [&](std::int64_t cell) { return !std::isnan(distance.data()[cell]); });
  GreatestKeys keys(state, distance.data(), density ? weights.data() : nullptr, masses.cells());
  return place_sites(state, solver, keys, options, extents, parts);
}

/// 0 in the cells that a path may enter; infinite or NaN in the others: what every cell costs if
/// all are sites, of which those on barriers do not count.
Array<double> find_passable(Context& context, const View<const void>& map,
                            CostDistanceOptions options) {
  Array<double> cost(map.extents());
  const std::uint8_t site = 0;
  const View<const void> sites(&site, ElementType::u8, map.extents(), View<const void>::Strides{});
  options.zero_is_site = true;
  cost_distance(context, map, sites, options, {.distance = cost.view()});
  return cost;
}

FarthestSites place_by_costs(Context& context, const View<const void>& map,
                             const CostDistanceOptions& cost, const FarthestOptions& options,
                             std::span<const std::int64_t> cells, const View<const void>& density) {
  ContextState& state = context.state();
  const Extents& extents = map.extents();
  const Density masses(density, extents);
  const SiteCells first(cells, extents);
  Parts parts(state.progress, parts_of(options, 2, extents));
  parts.next();
  Array<double> distance(extents);
  CostSolver solver(context, map, PointList{.coordinates = first.coordinates()}, cost,
                    {.distance = distance.view()});
  parts.next();
  const Array<double> passable = find_passable(context, map, cost);
  const Array<double> weights =
      load_weights(state, masses, extents, "cells that are no barriers",
                   [&](std::int64_t cell) { return passable.data()[cell] == 0; });
  GreatestKeys keys(state, distance.data(), weights.data(), masses.cells());
  return place_sites(state, solver, keys, options, extents, parts);
}

}  // namespace
}  // namespace placing

FarthestSites farthest_sites(Context& context, const Grid& grid, const FarthestOptions& options,
                             View<const void> points, View<const void> density,
                             View<const void> domain) {
  FarthestSites placed;
  guarded(context.state(), [&] {
    placing::check_options(options);
    check_extents("grid", grid.extents);
    placed = placing::place_by_lines(context, grid, options, points, density, domain);
  });
  return placed;
}

FarthestSites farthest_cost_sites(Context& context, View<const void> map,
                                  const CostDistanceOptions& cost, const FarthestOptions& options,
                                  std::span<const std::int64_t> cells, View<const void> density) {
  FarthestSites placed;
  guarded(context.state(), [&] {
    placing::check_options(options);
    if (!options.periodic.empty()) refuse("periodic is given; it is for straight lines only");
    check_cells("map", map);
    placed = placing::place_by_costs(context, map, cost, options, cells, density);
  });
  return placed;
}

}  // namespace thiessen
