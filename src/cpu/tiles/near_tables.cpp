// SPDX-License-Identifier: Apache-2.0
#include "cpu/tiles/near_tables.hpp"

#include <algorithm>
#include <limits>

#include "cpu/tiles/small_exact.hpp"

namespace thiessen::cpu::tiles {
namespace {

/// The greatest part of S of one axis: as many as there are axes fit a key.
std::int64_t most_of_axis(const Problem& problem) { return NearTables::kMostExact / problem.rank; }

std::uint16_t key(const Problem& problem, std::size_t axis, std::int64_t delta) {
  const std::int64_t part =
      std::min<std::int64_t>(small_exact_along(problem, axis, delta), most_of_axis(problem));
  return static_cast<std::uint16_t>(part << NearTables::kRankBits);
}

/// Differences of coordinates with S <= bound within `margin`.
std::int32_t count_offsets(const Problem& problem, const NearLevel& level) {
  std::int32_t count = 0;
  for (std::int64_t z = -level.margin[0]; z <= level.margin[0]; ++z)
    for (std::int64_t y = -level.margin[1]; y <= level.margin[1]; ++y)
      for (std::int64_t x = -level.margin[2]; x <= level.margin[2]; ++x)
        count += small_exact(problem, {z, y, x}) <= level.bound;
  return count;
}

Axes widest_margins(const Problem& problem) {
  return problem.rank == 2 ? Axes{0, Blocks<2>::kMarginY, kMarginX}
                           : Axes{Blocks<3>::kMarginZ, Blocks<3>::kMarginY, Blocks<3>::kMarginY};
}

void make_levels(const Problem& problem, NearTables& tables) {
  const Axes widest = widest_margins(problem);
  const auto first = static_cast<std::size_t>(problem.first_axis());
  // The greatest S for which all sites lie within the widest margins.
  std::int64_t most = most_of_axis(problem) - 1;
  for (std::size_t axis = first; axis < kAxes; ++axis)
    most = std::min(most, small_exact_along(problem, axis, widest[axis] + 1) - 1);
  tables.levels = 0;
  std::int64_t finest = kTooFar;
  for (std::size_t axis = first; axis < kAxes; ++axis)
    finest = std::min(finest, small_exact_along(problem, axis, 1));
  std::int64_t last = 0;
  for (std::int64_t radius = 3; tables.levels < static_cast<int>(tables.level.size()); ++radius) {
    std::int64_t bound = problem.metric == Metric::euclidean
                             ? finest * (radius + 1) * (radius + 1) - 1
                             : finest * (radius + 1) - 1;
    bound = std::min(bound, most);
    if (bound <= last) break;
    last = bound;
    NearLevel& level = tables.level[static_cast<std::size_t>(tables.levels++)];
    level = {};
    level.bound = static_cast<std::int32_t>(bound);
    for (std::size_t axis = first; axis < kAxes; ++axis) {
      std::int32_t margin = 0;
      while (small_exact_along(problem, axis, margin + 1) <= bound) ++margin;
      level.margin[axis] = margin;
    }
    level.offsets = count_offsets(problem, level);
  }
}

/// Where no unit has half the sites that the widest level needs, there is nothing to find nearby.
int fewest_sites(const Problem& problem, const NearTables& tables) {
  if (tables.levels == 0) return std::numeric_limits<int>::max();
  const std::int64_t cells = problem.rank == 2 ? unit_cells<2>() : unit_cells<3>();
  const NearLevel& widest = tables.level[static_cast<std::size_t>(tables.levels - 1)];
  return static_cast<int>(
      std::max<std::int64_t>(1, kSitesInReach * cells / (2 * std::int64_t{widest.offsets})));
}

}  // namespace

void make_near_tables(const Problem& problem, NearTables& tables) {
  make_levels(problem, tables);
  tables.fewest_sites = fewest_sites(problem, tables);
  for (std::size_t column = 0; column < tables.x.size(); ++column)
    for (std::size_t lane = 0; lane < tables.x[column].size(); ++lane)
      tables.x[column][lane] =
          key(problem, 2,
              static_cast<std::int64_t>(column) - 16 - static_cast<std::int64_t>(lane % 16));
  for (std::size_t row = 0; row < tables.y.size(); ++row) {
    const std::int64_t delta = static_cast<std::int64_t>(row) - NearTables::kReach;
    for (std::size_t lane = 0; lane < tables.y[row].size(); ++lane) {
      tables.y[row][lane] = key(problem, 1, delta - static_cast<std::int64_t>(lane / 16));
      tables.z[row][lane] = key(problem, 0, delta);
    }
  }
}

}  // namespace thiessen::cpu::tiles
