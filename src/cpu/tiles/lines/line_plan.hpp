// SPDX-License-Identifier: Apache-2.0
//
// What the line search looks up.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/problem/problem.hpp"
#include "cpu/tiles/near/window_plan.hpp"

namespace thiessen::cpu::tiles {

struct LinePlan : RowPlan {
  bool wide = false;            ///< lanes have 64 bits instead of 32; always with `takes_greatest`
  bool takes_greatest = false;  ///< S is the greatest part of the axes (chessboard), not their sum
  std::array<std::int64_t, 2> factor_across{};  ///< of z and y, as RowPlan::factor
  std::int64_t work = 0;  ///< the most candidates that vectors may look at, all together

  /// Bytes of a lane.
  std::int64_t lane() const { return wide ? sizeof(std::int64_t) : sizeof(std::int32_t); }
};

/// A plan with lanes as narrow as can be; none if S does not fit 64 bits, if axes are periodic, for
/// points, and if sites are wanted that codes cannot tell: by the chessboard metric, or in rasters
/// whose axes are too long.
std::optional<LinePlan> plan_lines(const Problem& problem, const EngineLimits& limits,
                                   bool wants_sites);

}  // namespace thiessen::cpu::tiles
