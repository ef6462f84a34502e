// SPDX-License-Identifier: Apache-2.0
//
// The levels of the near search: for growing S the margins of the window and the number of cells in
// it; and the tables that turn differences of coordinates into keys.
#include "cpu/tiles/near/tables.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "core/search/near_offsets.hpp"

namespace thiessen::cpu::tiles {
namespace {

std::uint16_t key(const Problem& problem, std::size_t axis, std::int64_t delta) {
  const std::int64_t part =
      std::min<std::int64_t>(small_exact_along(problem, axis, delta), NearTables::kMostExact);
  return static_cast<std::uint16_t>(part << NearTables::kRankBits);
}

/// The far search is faster than a first try that would look at more cells.
template <int kRank>
constexpr std::int64_t kMostFirst = kRank == 2 ? 1200 : 4000;

template <int kRank>
constexpr Axes widest_margins() {
  using B = Blocks<kRank>;
  return {B::kMarginZ, B::kMarginY, kMarginX};
}

/// For each S up to kMostExact, the number of differences of coordinates with at most this S.
std::array<std::int32_t, NearTables::kMostExact + 1> count_offsets(const Problem& problem,
                                                                   const Axes& widest) {
  std::array<std::int32_t, NearTables::kMostExact + 1> count{};
  for (std::int64_t z = 0; z <= widest[0]; ++z)
    for (std::int64_t y = 0; y <= widest[1]; ++y)
      for (std::int64_t x = 0; x <= widest[2]; ++x) {
        const std::int64_t exact = small_exact(problem, {z, y, x});
        const int signs = (z != 0 ? 2 : 1) * (y != 0 ? 2 : 1) * (x != 0 ? 2 : 1);
        if (exact <= NearTables::kMostExact) count[static_cast<std::size_t>(exact)] += signs;
      }
  std::partial_sum(count.begin(), count.end(), count.begin());
  return count;
}

template <int kRank>
NearLevel make_level(const Problem& problem, std::int64_t bound) {
  using B = Blocks<kRank>;
  NearLevel level{.bound = static_cast<std::int32_t>(bound)};
  for (auto axis = static_cast<std::size_t>(problem.first_axis()); axis < kAxes; ++axis)
    level.margin[axis] = static_cast<std::int32_t>(reach_within(problem, axis, bound));
  const auto along = [&](std::size_t axis, std::int64_t leaf) {
    return static_cast<std::int32_t>(leaf) + 2 * level.margin[axis];
  };
  level.window = along(0, B::kLeafZ) * along(1, B::kLeafY) * along(2, kLeafWidth);
  return level;
}

template <int kRank>
void make_levels(const Problem& problem, NearTables& tables) {
  using B = Blocks<kRank>;
  constexpr Axes kWidest = widest_margins<kRank>();
  // The greatest S at which all sites lie within the widest margins.
  std::int64_t most = NearTables::kMostExact - 1;
  std::int64_t finest = kTooFar;
  for (auto axis = static_cast<std::size_t>(problem.first_axis()); axis < kAxes; ++axis) {
    most = std::min(most, small_exact_along(problem, axis, kWidest[axis] + 1) - 1);
    finest = std::min(finest, small_exact_along(problem, axis, 1));
  }
  const auto offsets = count_offsets(problem, kWidest);
  tables.levels = 0;
  tables.levels_of_next = 0;
  tables.first_levels = 0;
  std::int64_t last = 0;
  for (std::int64_t radius = 3; tables.levels < static_cast<int>(tables.level.size()); ++radius) {
    const std::int64_t length =
        problem.metric == Metric::euclidean ? (radius + 1) * (radius + 1) : radius + 1;
    const std::int64_t bound = std::min(finest * length - 1, most);
    if (bound <= last) break;
    last = bound;
    NearLevel& level = tables.level[static_cast<std::size_t>(tables.levels++)];
    level = make_level<kRank>(problem, bound);
    level.offsets = offsets[static_cast<std::size_t>(bound)];
    if (level.margin[0] <= B::kUnitZ && level.margin[1] <= B::kUnitY)
      tables.levels_of_next = tables.levels;
    if (level.offsets <= kMostFirst<kRank>) tables.first_levels = tables.levels;
  }
}

/// If no unit has half the sites that the widest level needs, the near search finds nothing.
int fewest_sites(const Problem& problem, const NearTables& tables) {
  if (tables.first_levels == 0) return std::numeric_limits<int>::max();
  const std::int64_t cells = problem.rank == 2 ? unit_cells<2>() : unit_cells<3>();
  const NearLevel& widest = tables.level[static_cast<std::size_t>(tables.first_levels - 1)];
  return static_cast<int>(
      std::max<std::int64_t>(1, kSitesInReach * cells / (2 * std::int64_t{widest.offsets})));
}

}  // namespace

void make_near_tables(const Problem& problem, NearTables& tables) {
  if (problem.rank == 2)
    make_levels<2>(problem, tables);
  else
    make_levels<3>(problem, tables);
  tables.fewest_sites = fewest_sites(problem, tables);
  for (std::size_t column = 0; column < tables.x.size(); ++column)
    for (std::size_t lane = 0; lane < tables.x[column].size(); ++lane)
      tables.x[column][lane] =
          key(problem, 2,
              static_cast<std::int64_t>(column) - kMarginX - static_cast<std::int64_t>(lane % 16));
  for (std::size_t row = 0; row < tables.y.size(); ++row) {
    const std::int64_t delta = static_cast<std::int64_t>(row) - NearTables::kReach;
    for (std::size_t lane = 0; lane < tables.y[row].size(); ++lane) {
      tables.y[row][lane] = key(problem, 1, delta - static_cast<std::int64_t>(lane / 16));
      tables.z[row][lane] = key(problem, 0, delta);
    }
  }
}

}  // namespace thiessen::cpu::tiles
