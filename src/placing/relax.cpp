// SPDX-License-Identifier: Apache-2.0
//
// Lloyd's relaxation. Every site moves in every step, so that each makes its diagram anew by the
// public calls: a solver that repairs the one before would take longer.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/call_checks.hpp"
#include "core/numbers.hpp"
#include "core/points.hpp"
#include "core/problem.hpp"
#include "core/refuse.hpp"
#include "placing/density.hpp"
#include "placing/energy.hpp"
#include "placing/nearest_cells.hpp"
#include "placing/parts.hpp"
#include "placing/site_cells.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/placing.hpp"
#include "thiessen/statistics.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace placing {
namespace {

void check_options(const RelaxOptions& options) {
  if (options.steps < 0) refuse("steps = " + std::to_string(options.steps) + "; must be >= 0");
  if (!is_density(options.tolerance))
    refuse("tolerance = " + shortest_decimal(options.tolerance) + "; must be finite and >= 0");
  if (!(options.least_fall >= 0 && options.least_fall <= 1))
    refuse("least_fall = " + shortest_decimal(options.least_fall) + "; must be 0 to 1");
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

/// Parts of a call with so many in each measure() and move(), if all steps are made.
std::int64_t parts_of(const RelaxOptions& options, std::int64_t measure, std::int64_t move) {
  constexpr std::int64_t kMostSteps = std::int64_t{1} << 40;  // beyond it progress says nothing
  return measure + std::min(options.steps, kMostSteps) * (measure + move);
}

/// A diagram: the number of the own site, from 1 on, in each cell.
class Diagram {
 public:
  Diagram(const Extents& extents, const View<const void>& density)
      : density_(density, extents), labels_(extents) {}

  View<std::int32_t> labels() { return labels_.view(); }
  const Axes& extent() const { return density_.extent(); }

  double energy(ContextState& state, const Squares& squares) const {
    return find_energy(state, density_, labels_.data(), squares);
  }

  /// Calls visit(site, centroid) for each site whose cells have a mass; coordinates are in units of
  /// 2^-16 of a cell.
  template <class Visit>
  void for_each_centroid(Context& context, const Visit& visit) {
    const SiteStatistics table =
        site_statistics(context, labels(), {.field = density_.view()},
                        {.background = std::int64_t{0}, .nodata = std::int64_t{-1}});
    const auto rank = static_cast<std::size_t>(table.rank);
    const View<const std::int32_t> label = std::as_const(table.labels).view<std::int32_t>();
    for (std::size_t row = 0; row < table.cells.size(); ++row) {
      if (density_ && !(table.mass[row] > 0)) continue;
      const double* const centroid =
          (density_ ? table.mass_centroid : table.centroid).data() + row * rank;
      Axes place{};
      for (std::size_t axis = 0; axis < rank; ++axis)
        place[kAxes - rank + axis] =
            static_cast<std::int64_t>(std::nearbyint(std::ldexp(centroid[axis], kFractionBits)));
      visit(static_cast<std::size_t>(label(row) - 1), place);
    }
  }

 private:
  Density density_;
  Array<std::int32_t> labels_;
};

/// The length of a way of `rank` components in cells.
double length_of(const double* way, const std::vector<double>& spacing) {
  double squares = 0;
  for (std::size_t axis = 0; axis < spacing.size(); ++axis) {
    const double length = way[axis] * spacing[axis];
    squares += length * length;
  }
  return std::sqrt(squares);
}

void check_count(std::int64_t count, const char* name) {
  if (count > std::numeric_limits<std::int32_t>::max())
    refuse(std::string(name) + " are " + std::to_string(count) + "; must be fewer than 2^31");
}

class PointSteps {
 public:
  PointSteps(Context& context, const View<const void>& points, const Grid& grid,
             const RelaxOptions& options, const View<const void>& density,
             const View<const void>& domain)
      : context_(context),
        grid_(grid),
        domain_(domain),
        rank_(static_cast<std::size_t>(grid.extents.rank())),
        spacing_(checked_spacing(grid.spacing, grid.extents.rank())),
        coordinates_(snapped(points, grid.extents.rank())),
        diagram_(grid.extents, density),
        parts_(context.state().progress, parts_of(options, 2, 1)) {}

  double measure() {
    parts_.next();
    voronoi(context_, {.coordinates = coordinates()}, grid_, {}, {.labels = diagram_.labels()},
            domain_);
    parts_.next();
    return diagram_.energy(
        context_.state(),
        squares_to_points(diagram_.extent(), diagram_.labels().data(), coordinates_, spacing_));
  }

  double move() {
    parts_.next();
    double farthest = 0;
    diagram_.for_each_centroid(context_, [&](std::size_t site, const Axes& place) {
      double way[kAxes];
      for (std::size_t axis = 0; axis < rank_; ++axis) {
        double& own = coordinates_[site * rank_ + axis];
        const double to =
            std::ldexp(static_cast<double>(place[kAxes - rank_ + axis]), -kFractionBits);
        way[axis] = to - own;
        own = to;
      }
      farthest = std::max(farthest, length_of(way, spacing_));
    });
    return farthest;
  }

  std::vector<double>& result() { return coordinates_; }

 private:
  static std::vector<double> snapped(const View<const void>& points, int rank) {
    check_points({.coordinates = points, .labels = {}}, rank, Reach());
    const std::int64_t count = points.extent(0);
    check_count(count, "points");
    std::vector<Axes> places(static_cast<std::size_t>(count));
    const PointSites sites = snap_points(points, places.data());
    std::vector<double> coordinates;
    coordinates.reserve(places.size() * static_cast<std::size_t>(rank));
    for (const Axes& place : places)
      for (auto axis = static_cast<std::size_t>(kAxes - rank); axis < kAxes; ++axis)
        coordinates.push_back(std::ldexp(static_cast<double>(place[axis]), -sites.fraction_bits));
    return coordinates;
  }

  View<const double> coordinates() const {
    return {coordinates_.data(), Extents{static_cast<std::int64_t>(coordinates_.size() / rank_),
                                         static_cast<std::int64_t>(rank_)}};
  }

  Context& context_;
  const Grid& grid_;
  View<const void> domain_;
  std::size_t rank_;
  std::vector<double> spacing_;
  std::vector<double> coordinates_;
  Diagram diagram_;
  Parts parts_;
};

class CellSteps {
 public:
  CellSteps(Context& context, const View<const void>& map, std::span<const std::int64_t> cells,
            const CostDistanceOptions& cost, const RelaxOptions& options,
            const View<const void>& density)
      : context_(context),
        map_(map),
        cost_(cost),
        spacing_(checked_spacing(cost.spacing, map.rank())),
        sites_(cells, map.extents()),
        diagram_(map.extents(), density),
        costs_(map.extents()),
        parts_(context.state().progress, parts_of(options, 2, 2)) {
    check_count(static_cast<std::int64_t>(cells.size()), "cells");
    // The numbers of sites must not be taken for anything else.
    cost_.unreached = std::int64_t{0};
    cost_.nodata_label = std::int64_t{0};
  }

  double measure() {
    parts_.next();
    cost_distance(context_, map_, PointList{.coordinates = sites_.coordinates()}, cost_,
                  {.labels = diagram_.labels(), .distance = costs_.view()});
    parts_.next();
    return diagram_.energy(context_.state(), squares_of(diagram_.labels().data(), costs_.data()));
  }

  double move() {
    parts_.next();
    Places places(sites_.cells().size());
    diagram_.for_each_centroid(context_,
                               [&](std::size_t site, const Axes& place) { places[site] = place; });
    parts_.next();
    const std::vector<std::int64_t> nearest = find_nearest_cells(
        context_.state(), diagram_.extent(), spacing_, diagram_.labels().data(), places);
    double farthest = 0;
    for (std::size_t site = 0; site < nearest.size(); ++site) {
      if (nearest[site] < 0) continue;
      const Axes from = to_cell(diagram_.extent(), sites_.cells()[site]);
      const Axes to = to_cell(diagram_.extent(), nearest[site]);
      double way[kAxes];
      const std::size_t rank = spacing_.size();
      for (std::size_t axis = 0; axis < rank; ++axis)
        way[axis] = static_cast<double>(to[kAxes - rank + axis] - from[kAxes - rank + axis]);
      farthest = std::max(farthest, length_of(way, spacing_));
      sites_.set(site, nearest[site]);
    }
    return farthest;
  }

  const std::vector<std::int64_t>& result() const { return sites_.cells(); }

 private:
  Context& context_;
  View<const void> map_;
  CostDistanceOptions cost_;
  std::vector<double> spacing_;
  SiteCells sites_;
  Diagram diagram_;
  Array<double> costs_;
  Parts parts_;
};

}  // namespace
}  // namespace placing

RelaxedPoints relax_sites(Context& context, View<const void> points, const Grid& grid,
                          const RelaxOptions& options, View<const void> density,
                          View<const void> domain) {
  RelaxedPoints relaxed;
  guarded(context.state(), [&] {
    placing::check_options(options);
    check_extents("grid", grid.extents);
    placing::PointSteps steps(context, points, grid, options, density, domain);
    relaxed.relaxation = placing::relax(options, steps);
    relaxed.coordinates = std::move(steps.result());
  });
  return relaxed;
}

RelaxedCells relax_cost_sites(Context& context, View<const void> map,
                              std::span<const std::int64_t> cells, const CostDistanceOptions& cost,
                              const RelaxOptions& options, View<const void> density) {
  RelaxedCells relaxed;
  guarded(context.state(), [&] {
    placing::check_options(options);
    check_cells("map", map);
    placing::CellSteps steps(context, map, cells, cost, options, density);
    relaxed.relaxation = placing::relax(options, steps);
    relaxed.cells = steps.result();
  });
  return relaxed;
}

}  // namespace thiessen
