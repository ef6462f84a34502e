// SPDX-License-Identifier: Apache-2.0
#include "cuda/tiles/window_tables.hpp"

#include <algorithm>
#include <cstdlib>

namespace thiessen::cuda {
namespace {

std::int64_t along_axis(const Problem& problem, std::size_t axis, std::int64_t delta) {
  const auto factor = static_cast<std::int64_t>(problem.weights.factor[axis]);
  return factor * (problem.metric == Metric::euclidean ? delta * delta : delta);
}

/// How many cells around a cell have S <= bound.
std::int32_t count_offsets(const Problem& problem, const Level& level) {
  std::int64_t count = 0;
  for (std::int64_t z = -level.margin[0]; z <= level.margin[0]; ++z)
    for (std::int64_t y = -level.margin[1]; y <= level.margin[1]; ++y) {
      const std::int64_t in_z = along_axis(problem, 0, std::abs(z));
      const std::int64_t in_y = along_axis(problem, 1, std::abs(y));
      for (std::int64_t x = 0; x <= level.margin[2]; ++x) {
        const std::int64_t in_x = along_axis(problem, 2, x);
        const std::int64_t exact = problem.metric == Metric::chessboard
                                       ? std::max({in_z, in_y, in_x})
                                       : in_z + in_y + in_x;
        if (exact <= level.bound) count += x == 0 ? 1 : 2;
      }
    }
  return static_cast<std::int32_t>(count);
}

template <int kRank>
Level make_level(const Problem& problem, std::int64_t bound) {
  Level level{.bound = static_cast<std::int32_t>(bound), .window = 1};
  for (int axis = kAxes - kRank; axis < kAxes; ++axis)
    while (along_axis(problem, static_cast<std::size_t>(axis), level.margin[axis] + 1) <= bound)
      ++level.margin[axis];
  for (int axis = 0; axis < kAxes; ++axis)
    level.window *= tile_size<kRank>(axis) + 2 * level.margin[axis];
  level.offsets = count_offsets(problem, level);
  return level;
}

/// In 3-D the rows of larger windows are so many that the far search is faster.
constexpr std::int64_t kMostRadiusOfVolumes = 14;

template <int kRank>
WindowTables make_windows(const Problem& problem) {
  // Where ranks need the fewest bits.
  constexpr std::int64_t kMostBound = most_of_part<kRank>(kFewestRankBits) - 1;
  WindowTables tables;
  std::int64_t finest = kMostBound;
  std::int64_t most = kMostBound;
  for (int axis = kAxes - kRank; axis < kAxes; ++axis) {
    const auto own = static_cast<std::size_t>(axis);
    tables.factor[axis] = static_cast<std::int32_t>(problem.weights.factor[own]);
    finest = std::min(finest, along_axis(problem, own, 1));
    most = std::min(most, along_axis(problem, own, kMostMargin + 1) - 1);
  }
  constexpr std::int64_t kRadii[] = {3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                     13, 14, 16, 18, 20, 22, 24, 26, 28, 31};
  std::int64_t last = 0;
  for (const std::int64_t radius : kRadii) {
    const std::int64_t length =
        problem.metric == Metric::euclidean ? (radius + 1) * (radius + 1) : radius + 1;
    const std::int64_t bound = std::min(finest * length - 1, most);
    if (bound <= last || (kRank == 3 && radius > kMostRadiusOfVolumes)) break;
    last = bound;
    tables.level[tables.levels++] = make_level<kRank>(problem, bound);
  }
  return tables;
}

}  // namespace

WindowTables make_window_tables(const Problem& problem) {
  const bool heavy = std::any_of(problem.weights.factor.begin(), problem.weights.factor.end(),
                                 [](Int128 factor) { return factor > 1 << 12; });
  if (heavy) return {};
  return problem.rank == 2 ? make_windows<2>(problem) : make_windows<3>(problem);
}

}  // namespace thiessen::cuda
