// SPDX-License-Identifier: Apache-2.0
//
// Farthest points, one after the other: a solver keeps the distances, and a tree of them, which
// follows the cells that changed, the greatest.
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/cost/problem.hpp"
#include "core/problem/points.hpp"
#include "core/problem/problem.hpp"
#include "operations/checks/options.hpp"
#include "placing/density.hpp"
#include "placing/greatest_keys.hpp"
#include "placing/images.hpp"
#include "placing/parts.hpp"
#include "placing/site_cells.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/placing.hpp"
#include "thiessen/solvers/cost_solver.hpp"
#include "thiessen/solvers/nearest_site_solver.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace placing {
namespace {

void check_options(const FarthestOptions& options) { check_options(kFarthestOptions, &options, 0); }

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

/// With few sites on a large raster a new one wins much of it, and fresh calls take less time than
/// repairs. How few, for straight lines and for costs:
constexpr std::size_t kFewPoints = 16;
constexpr std::size_t kFewCells = 64;
constexpr std::int64_t kLargeRaster = 1 << 16;

/// The coordinates of sites: those that are there, and then the new ones.
class SiteCoordinates {
 public:
  SiteCoordinates(std::vector<double> given, const Extents& extents)
      : extents_(extents),
        rank_(static_cast<std::size_t>(extents.rank())),
        all_(std::move(given)) {}

  std::size_t count() const { return all_.size() / rank_; }
  View<const double> all() const { return view_from(0); }
  View<const double> last() const { return view_from(count() - 1); }

  void add(std::int64_t cell) {
    const SiteCells site({&cell, 1}, extents_);
    all_.insert(all_.end(), site.coordinates().data(), site.coordinates().data() + rank_);
  }

 private:
  View<const double> view_from(std::size_t first) const {
    return {all_.data() + first * rank_,
            Extents{static_cast<std::int64_t>(count() - first), static_cast<std::int64_t>(rank_)}};
  }

  Extents extents_;
  std::size_t rank_;
  std::vector<double> all_;
};

/// Keys of cells, made anew when asked.
struct Keys {
  ContextState& state;
  const double* distance;
  const double* weight;
  std::int64_t cells;

  GreatestKeys make() const { return {state, distance, weight, cells}; }
};

/// How distances from points are found: make_solver(points) makes a Solver that writes them and
/// keeps them, and measure(points) writes them alone, which takes less time for fewer points than
/// `few`.
template <class Solver>
struct Distances {
  std::function<Solver(const View<const double>& points)> make_solver;
  std::function<void(const View<const double>& points)> measure;
  std::size_t few = 0;
};

/// The new sites. `solver` has written the distances from those that are there.
template <class Solver>
FarthestSites place_sites(std::optional<Solver> solver, const Keys& keys,
                          const FarthestOptions& options, SiteCoordinates& sites, Parts& parts,
                          const Distances<Solver>& distances) {
  const std::size_t few = keys.cells < kLargeRaster ? 0 : distances.few;
  if (sites.count() < few) solver.reset();
  FarthestSites placed;
  GreatestKeys greatest = keys.make();
  GreatestKeys::Top top = greatest.top();
  while (static_cast<std::int64_t>(placed.cells.size()) < options.count &&
         top.key > options.max_distance) {
    placed.cells.push_back(top.cell);
    placed.distance.push_back(top.key);
    sites.add(top.cell);
    parts.next();
    if (solver) {
      solver->add_sites(PointList{.coordinates = sites.last()});
      solver->solve();
      greatest.update(keys.state, solver->changed_cells().cell);
    } else {
      if (sites.count() < few)
        distances.measure(sites.all());
      else
        solver.emplace(distances.make_solver(sites.all()));
      greatest = keys.make();
    }
    top = greatest.top();
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
  const Periods periods = make_periods(extents, options.periodic);
  SiteCoordinates sites(points ? snap_to_first_period(points, periods) : std::vector<double>(),
                        extents);
  const NearestSiteOptions nearest{.periodic = options.periodic};
  const NearestSiteOutputs out{.distance = distance.view()};
  const auto make_solver = [&](const View<const double>& at) {
    return NearestSiteSolver(context, PointList{.coordinates = at}, grid, nearest, out, domain);
  };
  std::optional<NearestSiteSolver> solver = make_solver(sites.all());
  Array<double> weights;
  if (density)
    weights = load_weights(state, masses, extents, "cells of the domain",
                           [&](std::int64_t cell) { return !std::isnan(distance.data()[cell]); });
  const Keys keys{state, distance.data(), density ? weights.data() : nullptr, masses.cells()};
  const auto measure = [&](const View<const double>& at) {
    voronoi(context, {.coordinates = at}, grid, nearest, out, domain);
  };
  return place_sites(std::move(solver), keys, options, sites, parts,
                     Distances<NearestSiteSolver>{make_solver, measure, kFewPoints});
}

/// 0 in the cells that a path may enter; infinite or NaN in the others: what every cell costs if
/// all are sites, of which those on barriers do not count.
Array<double> find_passable(Context& context, const CostMap& map, CostDistanceOptions options) {
  Array<double> cost(map.extents());
  const std::uint8_t site = 0;
  const View<const void> sites(&site, ElementType::u8, map.extents(), View<const void>::Strides{});
  options.zero_is_site = true;
  cost_distance(context, map, sites, options, {.distance = cost.view()});
  return cost;
}

FarthestSites place_by_costs(Context& context, const CostMap& map, const CostDistanceOptions& cost,
                             const FarthestOptions& options, std::span<const std::int64_t> cells,
                             const View<const void>& density) {
  ContextState& state = context.state();
  const Extents& extents = map.extents();
  const Density masses(density, extents);
  const SiteCells first(cells, extents);
  Parts parts(state.progress, parts_of(options, 2, extents));
  parts.next();
  Array<double> distance(extents);
  const View<const double> at = first.coordinates();
  SiteCoordinates sites(std::vector<double>(at.data(), at.data() + at.extents().count()), extents);
  const CostDistanceOutputs out{.distance = distance.view()};
  const auto make_solver = [&](const View<const double>& all) {
    return CostSolver(context, map, PointList{.coordinates = all}, cost, out);
  };
  std::optional<CostSolver> solver = make_solver(sites.all());
  parts.next();
  const Array<double> passable = find_passable(context, map, cost);
  const Array<double> weights =
      load_weights(state, masses, extents, "cells that are no barriers",
                   [&](std::int64_t cell) { return passable.data()[cell] == 0; });
  const Keys keys{state, distance.data(), weights.data(), masses.cells()};
  const auto measure = [&](const View<const double>& all) {
    cost_distance(context, map, PointList{.coordinates = all}, cost, out);
  };
  return place_sites(std::move(solver), keys, options, sites, parts,
                     Distances<CostSolver>{make_solver, measure, kFewCells});
}

}  // namespace
}  // namespace placing

FarthestSites farthest_sites(Context& context, const Grid& grid, const FarthestOptions& options,
                             View<const void> points, View<const void> density,
                             View<const void> domain) {
  return guarded(context.state(), [&] {
    placing::check_options(options);
    check_extents("grid", grid.extents);
    return placing::place_by_lines(context, grid, options, points, density, domain);
  });
}

FarthestSites farthest_cost_sites(Context& context, const CostMap& map,
                                  const CostDistanceOptions& cost, const FarthestOptions& options,
                                  std::span<const std::int64_t> cells, View<const void> density) {
  return guarded(context.state(), [&] {
    placing::check_options(options);
    if (!options.periodic.empty()) refuse("periodic", "is given; it is for straight lines only");
    refuse_single_call_options(cost, "placing sites");
    check_cells("map", map);
    return placing::place_by_costs(context, map, cost, options, cells, density);
  });
}

}  // namespace thiessen
