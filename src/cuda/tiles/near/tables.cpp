// SPDX-License-Identifier: Apache-2.0
//
// The windows that the near search may try: for growing radii the greatest S that they cover, their
// margins, and their numbers of cells.
#include "cuda/tiles/near/tables.hpp"

#include <algorithm>
#include <array>

#include "core/search/near_offsets.hpp"
#include "cuda/tiles/job/ranks.hpp"
#include "cuda/tiles/job/row_words.hpp"

namespace thiessen::cuda::tiles {
namespace {

/// How many cells around a cell have S <= bound.
std::int32_t count_offsets(const Problem& problem, const Level& level) {
  std::array<std::int64_t, kMostMargin + 1> along_x{};
  for (std::int64_t x = 0; x <= level.margin[2]; ++x)
    along_x[static_cast<std::size_t>(x)] = small_exact_along(problem, 2, x);
  const bool chessboard = problem.metric == Metric::chessboard;
  std::int64_t count = 0;
  for (std::int64_t z = -level.margin[0]; z <= level.margin[0]; ++z)
    for (std::int64_t y = -level.margin[1]; y <= level.margin[1]; ++y) {
      const std::int64_t row = small_exact(problem, {z, y, 0});
      for (std::int64_t x = 0; x <= level.margin[2]; ++x) {
        const std::int64_t own = along_x[static_cast<std::size_t>(x)];
        if ((chessboard ? std::max(row, own) : row + own) <= level.bound) count += x == 0 ? 1 : 2;
      }
    }
  return static_cast<std::int32_t>(count);
}

template <int kRank>
Level make_level(const Problem& problem, std::int64_t bound) {
  Level level{.bound = static_cast<std::int32_t>(bound), .window = 1};
  for (int axis = kAxes - kRank; axis < kAxes; ++axis)
    level.margin[axis] =
        static_cast<std::int32_t>(reach_within(problem, static_cast<std::size_t>(axis), bound));
  for (int axis = 0; axis < kAxes; ++axis)
    level.window *= tile_size<kRank>(axis) + 2 * level.margin[axis];
  level.offsets = count_offsets(problem, level);
  return level;
}

/// In 3-D larger windows have so many rows that the far search is faster.
constexpr std::int64_t kMostRadiusOfVolumes = 14;

template <int kRank>
WindowTables make_windows(const Problem& problem) {
  // The greatest bound, at which ranks have the fewest bits.
  constexpr std::int64_t kMostBound = most_of_part<kRank>(kFewestRankBits) - 1;
  WindowTables tables;
  std::int64_t finest = kMostBound;
  std::int64_t most = kMostBound;
  for (int axis = kAxes - kRank; axis < kAxes; ++axis) {
    const auto own = static_cast<std::size_t>(axis);
    tables.factor[axis] = static_cast<std::int32_t>(problem.weights.factor[own]);
    finest = std::min(finest, small_exact_along(problem, own, 1));
    most = std::min(most, small_exact_along(problem, own, kMostMargin + 1) - 1);
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

}  // namespace thiessen::cuda::tiles
