// SPDX-License-Identifier: Apache-2.0
//
// Power weights for which every cell of the diagram holds a given load: semi-discrete optimal
// transport by a damped Newton method.
//
// Let m be the loads and t the targets. Raising the weight of a site by δ moves its border with a
// neighbour at the distance d by δ / 2d. So ∂m_i/∂w_j = −ρ·l / 2d for the density ρ and the length
// l of their border, and ∂m_i/∂w_i is minus the sum of these: a Laplacian of the graph of
// neighbours. A step solves it for t − m. It is halved until the loads come closer to their targets
// and no cell shrinks below half of the smallest one at first, so that borders never get lost; or
// sites that lost their cells get others. Crowds begin with weights that spread their cells.
//
// J. Kitagawa, Q. Mérigot, B. Thibert, "Convergence of a Newton algorithm for semi-discrete optimal
// transport" (2019). F. Aurenhammer, F. Hoffmann, B. Aronov, "Minkowski-type theorems and
// least-squares clustering" (1998) for why such weights exist.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "core/problem/points.hpp"
#include "core/problem/problem.hpp"
#include "operations/checks/options.hpp"
#include "operations/rows/numbers.hpp"
#include "placing/diagram.hpp"
#include "placing/images.hpp"
#include "placing/parts.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/placing.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace placing {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The Laplacian of a graph with weighted edges.
class Laplacian {
 public:
  explicit Laplacian(std::size_t sites) : diagonal_(sites, 0.0), root_(sites) {
    std::iota(root_.begin(), root_.end(), std::size_t{0});
  }

  void add(std::size_t a, std::size_t b, double weight) {
    edges_.push_back({a, b, weight});
    diagonal_[a] += weight;
    diagonal_[b] += weight;
    root_[root_of(a)] = root_of(b);
  }

  /// x with L·x = right, as near as rounding allows, by conjugate gradients with the diagonal as
  /// preconditioner. Only differences within a connected part count: what the right side has on
  /// average there is left out, and a site without an edge gets 0.
  Vector solve(const Vector& right) {
    constexpr double kEnough = 1e-9;
    const std::size_t most = 4 * diagonal_.size() + 100;
    Vector x(right.size(), 0.0), rest = without_means(right), scaled(right.size()),
                                 product(right.size());
    const auto precondition = [&] {
      for (std::size_t i = 0; i < rest.size(); ++i)
        scaled[i] = diagonal_[i] == 0 ? 0 : rest[i] / diagonal_[i];
    };
    precondition();
    Vector way = scaled;
    double gain = dot(rest, scaled);
    const double enough = kEnough * kEnough * gain;
    for (std::size_t step = 0; step < most && gain > enough; ++step) {
      multiply(way, product);
      const double bend = dot(way, product);
      if (!(bend > 0)) break;
      const double length = gain / bend;
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] += length * way[i];
        rest[i] -= length * product[i];
      }
      precondition();
      const double next = dot(rest, scaled);
      for (std::size_t i = 0; i < way.size(); ++i) way[i] = scaled[i] + next / gain * way[i];
      gain = next;
    }
    return x;
  }

 private:
  struct Edge {
    std::size_t a, b;
    double weight;
  };

  /// The site that stands for the connected part of another one.
  std::size_t root_of(std::size_t site) {
    while (root_[site] != site) site = root_[site] = root_[root_[site]];
    return site;
  }

  Vector without_means(Vector values) {
    Vector sum(values.size(), 0.0), count(values.size(), 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum[root_of(i)] += values[i];
      count[root_of(i)] += 1;
    }
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] -= sum[root_of(i)] / count[root_of(i)];
    return values;
  }

  void multiply(const Vector& x, Vector& to) const {
    for (std::size_t i = 0; i < x.size(); ++i) to[i] = diagonal_[i] * x[i];
    for (const Edge& edge : edges_) {
      to[edge.a] -= edge.weight * x[edge.b];
      to[edge.b] -= edge.weight * x[edge.a];
    }
  }

  std::vector<Edge> edges_;
  Vector diagonal_;
  std::vector<std::size_t> root_;
};

/// The numbers that weights are multiples of: a millionth of a squared cell or less, with few
/// digits, so that keys stay exact.
class Rounding {
 public:
  explicit Rounding(const Vector& spacing) {
    constexpr int kDigits = 6;
    const double side = *std::min_element(spacing.begin(), spacing.end());
    exponent_ = static_cast<int>(std::floor(std::log10(side * side))) - kDigits;
    for (int i = 0; i < std::abs(exponent_); ++i) power_ *= 10;
  }

  double operator()(double weight) const {
    return exponent_ < 0 ? std::nearbyint(weight * power_) / power_
                         : std::nearbyint(weight / power_) * power_;
  }

 private:
  int exponent_;
  double power_ = 1;
};

class Fit {
 public:
  // NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
  Fit(Context& context, const View<const void>& points, const Grid& grid, Vector targets,
      const FitOptions& options, const View<const void>& density, const View<const void>& domain)
      : context_(context),
        grid_(grid),
        domain_(domain),
        rank_(static_cast<std::size_t>(grid.extents.rank())),
        spacing_(checked_spacing(grid.spacing, grid.extents.rank())),
        rounding_(spacing_),
        options_(options),
        coordinates_(snap_to_first_period(points, make_periods(grid.extents, options.periodic))),
        targets_(std::move(targets)),
        diagram_(grid.extents, density),
        parts_(context.state().progress,
               placing::parts_of(RelaxOptions{.steps = options.steps}, 1, 0)) {
    find_.weighting = Weighting::power;
    find_.periodic = options.periodic;
  }

  FittedWeights run() {
    FittedWeights fitted;
    if (sites() == 0) return fitted;
    parts_.next();
    Vector weights = first_weights();
    let_all_have_cells(weights);
    const double least = least_load();
    fitted.end = FitEnd::steps;
    for (; fitted.steps < options_.steps; ++fitted.steps) {
      if (is_fitted()) break;
      if (!step(weights, least)) {
        fitted.end = FitEnd::stuck;
        break;
      }
    }
    if (is_fitted()) fitted.end = FitEnd::fitted;
    fitted.greatest_miss = greatest_miss();
    fitted.weights = std::move(weights);
    fitted.loads = std::move(loads_);
    return fitted;
  }

 private:
  std::size_t sites() const { return coordinates_.size() / rank_; }

  /// Makes the diagram of some weights, and finds its loads.
  void measure(const Vector& weights) {
    const auto count = static_cast<std::int64_t>(sites());
    voronoi(context_,
            {.coordinates = View<const double>(coordinates_.data(),
                                               Extents{count, static_cast<std::int64_t>(rank_)}),
             .weights = View<const double>(weights.data(), Extents{count})},
            grid_, find_, {.labels = diagram_.labels()}, domain_);
    loads_.assign(sites(), 0.0);
    cells_.assign(sites(), 0);
    const SiteStatistics table = diagram_.statistics(context_);
    const auto label = std::as_const(table.labels).view<std::int32_t>();
    for (std::size_t row = 0; row < table.cells.size(); ++row) {
      const auto site = static_cast<std::size_t>(label(static_cast<std::int64_t>(row)) - 1);
      loads_[site] = diagram_.mass_of(table, row);
      cells_[site] = table.cells[row];
    }
  }

  /// 0, or weights that spread the cells of crowds, whichever brings the loads closer to the
  /// targets.
  Vector first_weights() {
    Vector weights(sites(), 0.0);
    measure(weights);
    scale_targets();
    if (has_period(make_periods(grid_.extents, options_.periodic))) return weights;
    const double norm = sum_of_squares();
    Vector spread = spreading_weights();
    measure(spread);
    if (sum_of_squares() < norm) return spread;
    measure(weights);
    return weights;
  }

  /// The cells of these weights are those of the sites a·(p − m) + c without weights, for the mean
  /// m of the sites and that of the cells c, and a by which their spreads are the same. As |x − c|²
  /// is the same for all sites, so are the orders of |x − p|² − w and |x − c − a·(p − m)|² / a for
  /// w = |p − c|² − a·|p − m|².
  Vector spreading_weights() {
    const Place of_sites = place_of_sites();
    const Place of_cells = place_of_cells();
    Vector weights(sites(), 0.0);
    if (!(of_sites.spread > 0 && of_cells.spread > 0)) return weights;
    const double a = std::sqrt(of_cells.spread / of_sites.spread);
    for (std::size_t site = 0; site < sites(); ++site)
      weights[site] = rounding_(square(of_cells.mean, site) - a * square(of_sites.mean, site));
    return weights;
  }

  /// Where places lie: their mean, in cells, and the mean squared distance from it.
  struct Place {
    double mean[kAxes] = {};
    double spread = 0;
  };

  Place place_of_sites() const {
    Place place;
    for (std::size_t i = 0; i < coordinates_.size(); ++i)
      place.mean[i % rank_] += coordinates_[i] / static_cast<double>(sites());
    for (std::size_t site = 0; site < sites(); ++site)
      place.spread += square(place.mean, site) / static_cast<double>(sites());
    return place;
  }

  /// The cells of the grid, of whatever mass.
  Place place_of_cells() const {
    Place place;
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      const auto cells = static_cast<double>(grid_.extents[static_cast<int>(axis)]);
      place.mean[axis] = (cells - 1) / 2;
      place.spread += spacing_[axis] * spacing_[axis] * (cells * cells - 1) / 12;
    }
    return place;
  }

  /// Raises the weights of sites without a cell, such as those outside of the grid, until each has
  /// the cell nearest to it. Sites at one place cannot all have one, and an empty grid has none.
  void let_all_have_cells(Vector& weights) {
    constexpr int kMostRounds = 20;
    if (grid_.extents.count() == 0) return;
    for (int round = 0; round < kMostRounds; ++round) {
      bool changes = false;
      for (std::size_t site = 0; site < sites(); ++site)
        if (loads_[site] == 0 && targets_[site] > 0) changes |= raise(site, weights);
      if (!changes) return;
      measure(weights);
    }
  }

  /// Whether the weight of a site was raised so that it wins the cell nearest to it.
  bool raise(std::size_t site, Vector& weights) {
    Axes cell{};
    double place[kAxes] = {};
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      const auto last = static_cast<double>(grid_.extents[static_cast<int>(axis)] - 1);
      place[axis] = std::clamp(std::nearbyint(coordinates_[site * rank_ + axis]), 0.0, last);
      cell[kAxes - rank_ + axis] = static_cast<std::int64_t>(place[axis]);
    }
    const std::int32_t label = diagram_.labels().data()[to_index(diagram_.extent(), cell)];
    if (label < 1) return false;
    const auto owner = static_cast<std::size_t>(label - 1);
    const double side = *std::min_element(spacing_.begin(), spacing_.end());
    weights[site] =
        rounding_(weights[owner] + square(place, site) - square(place, owner) + side * side);
    return true;
  }

  double square(const double* place, std::size_t site) const {
    double sum = 0;
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      const double way = (place[axis] - coordinates_[site * rank_ + axis]) * spacing_[axis];
      sum += way * way;
    }
    return sum;
  }

  /// Makes the sum of the targets that of the loads.
  void scale_targets() {
    const double all = std::accumulate(loads_.begin(), loads_.end(), 0.0);
    const double wanted = std::accumulate(targets_.begin(), targets_.end(), 0.0);
    for (double& target : targets_) target = target / wanted * all;
    mean_ = all / static_cast<double>(sites());
  }

  double greatest_miss() const {
    double miss = 0;
    for (std::size_t i = 0; i < sites(); ++i)
      miss = std::max(miss, std::fabs(loads_[i] - targets_[i]));
    return miss;
  }
  bool is_fitted() const { return greatest_miss() <= options_.allowed_miss * mean_; }

  /// Half of the smallest load or target, of sites that are to have one.
  double least_load() const {
    double least = mean_;
    for (std::size_t i = 0; i < sites(); ++i)
      if (targets_[i] > 0) least = std::min({least, loads_[i], targets_[i]});
    return least / 2;
  }

  double sum_of_squares() const {
    double sum = 0;
    for (std::size_t i = 0; i < sites(); ++i) {
      const double miss = loads_[i] - targets_[i];
      sum += miss * miss;
    }
    return sum;
  }

  /// A Newton step, halved as often as need be. Returns false, with weights and loads as before, if
  /// no step brings the loads closer to their targets.
  bool step(Vector& weights, double least) {
    parts_.next();
    Vector miss(sites());
    for (std::size_t i = 0; i < sites(); ++i) miss[i] = targets_[i] - loads_[i];
    const Vector way = borders().solve(miss);
    if (!std::isfinite(dot(way, way))) return false;
    const Vector before = loads_;
    const double norm = sum_of_squares();
    // Long steps come before short ones that lose no cell.
    constexpr int kFewHalves = 3;
    constexpr int kMostHalves = 12;
    lost_cells_ = false;
    if (try_step(weights, way, {norm, least, false, 0, kFewHalves}) ||
        (lost_cells_ && try_step(weights, way, {norm, least, true, 0, kMostHalves})) ||
        try_step(weights, way, {norm, least, false, kFewHalves, kMostHalves}))
      return true;
    loads_ = before;
    return false;
  }

  /// Which steps are taken.
  struct Rule {
    double norm;    ///< sum_of_squares() must be less
    double least;   ///< loads are at least this,
    bool restores;  ///< or some are less, and sites that lost their cells get others
    int first;      ///< the steps are halved so often,
    int end;        ///< or more often, but not so often
  };
  bool try_step(Vector& weights, const Vector& way, const Rule& rule) {
    for (int half = rule.first; half < rule.end; ++half) {
      const double share = std::ldexp(1.0, -half);
      Vector trial(sites());
      for (std::size_t i = 0; i < sites(); ++i) trial[i] = rounding_(weights[i] + share * way[i]);
      measure(trial);
      const bool is_whole = all_have(rule.least);
      lost_cells_ = lost_cells_ || !is_whole;
      if (is_whole == rule.restores) continue;
      if (rule.restores) let_all_have_cells(trial);
      if (sum_of_squares() >= rule.norm) continue;
      weights = std::move(trial);
      return true;
    }
    return false;
  }

  bool all_have(double least) const {
    for (std::size_t i = 0; i < sites(); ++i)
      if (targets_[i] > 0 && loads_[i] < least) return false;
    return true;
  }

  /// How loads change with weights, from the borders of the diagram.
  Laplacian borders() {
    Laplacian found(sites());
    const Adjacency pairs =
        adjacency(context_, diagram_.labels(), {.spacing = spacing_, .nodata = std::int64_t{-1}});
    const auto a = std::as_const(pairs.a).view<std::int32_t>();
    const auto b = std::as_const(pairs.b).view<std::int32_t>();
    double cell = 1;
    for (const double length : spacing_) cell *= length;
    for (std::size_t row = 0; row < pairs.boundary.size(); ++row) {
      const auto i = static_cast<std::size_t>(a(static_cast<std::int64_t>(row)) - 1);
      const auto j = static_cast<std::size_t>(b(static_cast<std::int64_t>(row)) - 1);
      const Apart apart = apart_of(i, j);
      if (apart.length == 0) continue;
      // Steps along a slanting border are longer than the border.
      const double length = pairs.boundary[row] * apart.length / apart.along_axes;
      found.add(i, j, length / cell * density_beside(i, j) / (2 * apart.length));
    }
    return found;
  }

  /// The way between two sites: straight, and along the axes.
  struct Apart {
    double length = 0;
    double along_axes = 0;
  };
  Apart apart_of(std::size_t i, std::size_t j) const {
    Apart apart;
    double squares = 0;
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      double way = std::fabs(coordinates_[i * rank_ + axis] - coordinates_[j * rank_ + axis]);
      const auto period = static_cast<double>(grid_.extents[static_cast<int>(axis)]);
      if (!options_.periodic.empty() && options_.periodic[axis])
        way = std::fabs(std::remainder(way, period));
      way *= spacing_[axis];
      apart.along_axes += way;
      squares += way * way;
    }
    apart.length = std::sqrt(squares);
    return apart;
  }

  /// The mean mass of the cells of two sites.
  double density_beside(std::size_t i, std::size_t j) const {
    return (loads_[i] + loads_[j]) / static_cast<double>(cells_[i] + cells_[j]);
  }

  Context& context_;
  const Grid& grid_;
  View<const void> domain_;
  std::size_t rank_;
  Vector spacing_;
  Rounding rounding_;
  FitOptions options_;
  Vector coordinates_;
  Vector targets_;
  Diagram diagram_;
  Parts parts_;
  NearestSiteOptions find_;
  Vector loads_;
  std::vector<std::int64_t> cells_;
  double mean_ = 0;
  bool lost_cells_ = false;  ///< by a step that was tried
};

/// Lengths whose squares and cubes are doubles far from their limits.
void check_lengths(const Vector& spacing) {
  for (std::size_t axis = 0; axis < spacing.size(); ++axis)
    if (!(spacing[axis] >= 1e-60 && spacing[axis] <= 1e60))
      refuse("spacing[" + std::to_string(axis) + "]", shortest_decimal(spacing[axis]),
             "must be from 1e-60 to 1e60 here, because weights are squared lengths");
}

/// As many targets as points, >= 0, not all of them 0; empty: all are 1.
Vector checked_targets(std::span<const double> targets, std::int64_t points) {
  if (targets.empty()) return Vector(static_cast<std::size_t>(points), 1.0);
  if (std::ssize(targets) != points)
    refuse("targets", "are " + std::to_string(targets.size()) + "; must be one for each of the " +
                          std::to_string(points) + " points");
  double sum = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!is_density(targets[i]))
      refuse("targets[" + std::to_string(i) + "]", shortest_decimal(targets[i]),
             "must be finite and >= 0");
    sum += targets[i];
  }
  if (sum == 0) refuse("targets", "are all 0; must be more for some point");
  return {targets.begin(), targets.end()};
}

}  // namespace
}  // namespace placing

// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
FittedWeights fit_weights(Context& context, View<const void> points, const Grid& grid,
                          std::span<const double> targets, const FitOptions& options,
                          View<const void> density, View<const void> domain) {
  FittedWeights fitted;
  guarded(context.state(), [&] {
    check_options(kFitOptions, &options, 0);
    check_extents("grid", grid.extents);
    check_points({.coordinates = points}, grid.extents.rank(), ReachableMemory());
    placing::check_lengths(checked_spacing(grid.spacing, grid.extents.rank()));
    placing::Vector wanted = placing::checked_targets(targets, points.extent(0));
    placing::check_count(points.extent(0), std::numeric_limits<std::int32_t>::max(), "points");
    fitted = placing::Fit(context, points, grid, std::move(wanted), options, density, domain).run();
  });
  return fitted;
}

}  // namespace thiessen
