// SPDX-License-Identifier: Apache-2.0
//
// S of small differences of coordinates, for the tables of the searches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "core/problem.hpp"

namespace thiessen::cpu::tiles {

/// Nothing that is looked up is so large, and sums of a few of it do not overflow.
inline constexpr std::int64_t kTooFar = std::int64_t{1} << 31;

/// What a difference along one axis contributes to S, at most kTooFar.
inline std::int64_t small_exact_along(const Problem& problem, std::size_t axis,
                                      std::int64_t delta) {
  const std::int64_t length = problem.metric == Metric::euclidean ? delta * delta : std::abs(delta);
  const Int128 factor = std::min<Int128>(problem.weights.factor[axis], kTooFar);
  return static_cast<std::int64_t>(std::min<Int128>(factor * length, kTooFar));
}

inline std::int64_t small_exact(const Problem& problem, const Axes& delta) {
  const std::int64_t z = small_exact_along(problem, 0, delta[0]);
  const std::int64_t y = small_exact_along(problem, 1, delta[1]);
  const std::int64_t x = small_exact_along(problem, 2, delta[2]);
  return problem.metric == Metric::chessboard ? std::max({z, y, x}) : z + y + x;
}

}  // namespace thiessen::cpu::tiles
