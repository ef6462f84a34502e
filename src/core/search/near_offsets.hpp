// SPDX-License-Identifier: Apache-2.0
//
// The cells around a cell, nearest first, for the tables of the dense and the near search. The
// order of the dense search decides ties: it is that of (S, site index).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <tuple>
#include <vector>

#include "core/problem/problem.hpp"

namespace thiessen {

/// No value that is looked up is so large, and sums of a few such values do not overflow.
inline constexpr std::int64_t kTooFar = std::int64_t{1} << 31;

/// The part of a difference along one axis in S, at most kTooFar; of less than 2^15 cells, so that
/// 64 bits are enough. It is asked for thousands of times before each call.
inline std::int64_t small_exact_along(const Problem& problem, std::size_t axis,
                                      std::int64_t delta) {
  const std::int64_t length = problem.metric == Metric::euclidean ? delta * delta : std::abs(delta);
  const auto factor =
      static_cast<std::int64_t>(std::min<Int128>(problem.weights.factor[axis], kTooFar));
  return std::min(factor * length, kTooFar);
}

inline std::int64_t small_exact(const Problem& problem, const Axes& delta) {
  const std::int64_t z = small_exact_along(problem, 0, delta[0]);
  const std::int64_t y = small_exact_along(problem, 1, delta[1]);
  const std::int64_t x = small_exact_along(problem, 2, delta[2]);
  return problem.metric == Metric::chessboard ? std::max({z, y, x}) : z + y + x;
}

/// How many cells away along an axis there is still S <= bound.
inline std::int64_t reach_within(const Problem& problem, std::size_t axis, std::int64_t bound) {
  std::int64_t reach = 0;
  while (small_exact_along(problem, axis, reach + 1) <= bound) ++reach;
  return reach;
}

/// A difference of two cells, and its S.
struct NearOffset {
  std::int64_t exact = 0;
  Axes delta{};
};

/// All differences with S <= bound, in the order (S, dz, dy, dx). `bound` is lowered until they are
/// at most `most`, and lie within `reach`.
inline std::vector<NearOffset> list_near_offsets(const Problem& problem, const Axes& reach,
                                                 std::size_t most, std::int64_t& bound) {
  // What lies beyond the reach on any axis has at least this S.
  for (auto axis = static_cast<std::size_t>(problem.first_axis()); axis < kAxes; ++axis)
    bound = std::min(bound, small_exact_along(problem, axis, reach[axis] + 1) - 1);
  std::vector<std::int64_t> along_x;
  for (std::int64_t x = 0; x <= reach[2]; ++x) along_x.push_back(small_exact_along(problem, 2, x));
  const bool chessboard = problem.metric == Metric::chessboard;
  std::vector<NearOffset> offsets;
  offsets.reserve(2 * most);
  for (std::int64_t z = -reach[0]; z <= reach[0]; ++z)
    for (std::int64_t y = -reach[1]; y <= reach[1]; ++y) {
      const std::int64_t row = small_exact(problem, {z, y, 0});
      for (std::int64_t x = -reach[2]; x <= reach[2]; ++x) {
        const std::int64_t own = along_x[static_cast<std::size_t>(std::abs(x))];
        const std::int64_t exact = chessboard ? std::max(row, own) : row + own;
        if (exact <= bound) offsets.push_back({exact, {z, y, x}});
      }
    }
  std::sort(offsets.begin(), offsets.end(), [](const NearOffset& a, const NearOffset& b) {
    return std::tie(a.exact, a.delta) < std::tie(b.exact, b.delta);
  });
  if (offsets.size() > most) {
    bound = offsets[most].exact - 1;
    while (!offsets.empty() && offsets.back().exact > bound) offsets.pop_back();
  }
  return offsets;
}

}  // namespace thiessen
