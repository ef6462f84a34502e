// SPDX-License-Identifier: Apache-2.0
#include "oracle/point_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/order/weights.hpp"

namespace thiessen::oracle {
namespace {

constexpr std::int64_t kCell = 65536;

using Places = std::vector<Axes>;

Places snap(const std::vector<Point>& points, const Axes& extent, const std::vector<bool>& torus) {
  Places places;
  for (const Point& point : points) {
    places.emplace_back();
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      std::int64_t place = std::llrint(point[axis] * kCell);
      while (torus[axis] && place < 0) place += extent[axis] * kCell;
      while (torus[axis] && place >= extent[axis] * kCell) place -= extent[axis] * kCell;
      places.back()[axis] = place;
    }
  }
  return places;
}

Int128 exact_distance(const Weights& weights, Metric metric, const Axes& delta) {
  Int128 sum = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const Int128 length = delta[axis] < 0 ? -delta[axis] : delta[axis];
    const Int128 term = weights.factor[axis] * length * (metric == Metric::euclidean ? length : 1);
    sum = metric == Metric::chessboard ? std::max(sum, term) : sum + term;
  }
  return sum;
}

/// Whether any byte of the domain's cell is not 0.
bool is_in_domain(const View<const void>& domain, const Axes& cell) {
  if (!domain) return true;
  const std::byte* const first = address_of(with_three_axes(domain), cell);
  return std::any_of(first, first + size_of(domain.element_type()),
                     [](std::byte byte) { return byte != std::byte{0}; });
}

}  // namespace

Result nearest_point(const std::vector<Point>& points, const Grid& grid,
                     const NearestSiteOptions& options, const View<const void>& domain) {
  const Axes extent = to_axes(grid.extents);
  const int rank = grid.extents.rank();
  std::vector<bool> torus(kAxes, false);
  std::copy(options.periodic.begin(), options.periodic.end(),
            torus.end() - static_cast<std::ptrdiff_t>(options.periodic.size()));
  const Places places = snap(points, extent, torus);
  Axes reach{};
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    reach[axis] = 2 * extent[axis] * kCell;
    for (const Axes& place : places)
      reach[axis] = std::max(reach[axis], std::abs(place[axis]) + extent[axis] * kCell);
  }
  std::vector<double> spacing = options.spacing.empty() ? grid.spacing : options.spacing;
  if (spacing.empty()) spacing.assign(static_cast<std::size_t>(rank), 1.0);
  Weights weights = make_weights(reach, spacing, options.metric);
  weights.unit.numerator /= kCell;

  Result result;
  for (std::int64_t i = 0; i < grid.extents.count(); ++i) {
    const Axes cell = to_cell(extent, i);
    const bool inside = is_in_domain(domain, cell);
    std::int64_t best = inside ? kUnreached : kNodata;
    Int128 least = 0;
    for (std::size_t p = 0; inside && p < places.size(); ++p) {
      Axes delta;
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        delta[axis] = std::abs(places[p][axis] - cell[axis] * kCell);
        if (torus[axis]) delta[axis] = std::min(delta[axis], extent[axis] * kCell - delta[axis]);
      }
      const Int128 exact = exact_distance(weights, options.metric, delta);
      if (to_distance(weights, options.metric, exact) > options.max_distance) continue;
      if (best != kUnreached && exact >= least) continue;
      best = static_cast<std::int64_t>(p);
      least = exact;
    }
    result.site.push_back(best);
    result.exact.push_back(best < 0 ? best : least);
    const double none = inside ? std::numeric_limits<double>::infinity() : std::nan("");
    result.distance.push_back(best < 0 ? none : to_distance(weights, options.metric, least));
  }
  return result;
}

}  // namespace thiessen::oracle
