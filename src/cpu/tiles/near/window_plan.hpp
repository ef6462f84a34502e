// SPDX-License-Identifier: Apache-2.0
//
// What the near search looks up: the parts of the axes in S, how far it looks,
// and up to which S its answers are final.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/base/engine_limits.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cpu::tiles {

/// The greatest distance along a row, in cells, that a window knows: the words on either side of a
/// word of 64 cells, and the words beside these, show so many.
inline constexpr std::int64_t kMostColumns = 127;
/// The most rows (planes) that a window looks away; even.
inline constexpr std::int64_t kMostReach = 80;

/// How the part of x in S is made.
struct RowPlan {
  std::int64_t far = 0;      ///< stands for a part that is not known; twice as much fits a lane
  std::int64_t columns = 0;  ///< greatest |dx| whose part is known
  std::int64_t factor = 0;   ///< the part is factor·dx² or factor·|dx|
  bool squared = false;      ///< … the former
};

/// `far` stands for an S that is greater than `bound`, too.
struct WindowPlan : RowPlan {
  bool wide = false;            ///< lanes have 32 bits instead of 16
  bool takes_greatest = false;  ///< S is the greatest part of the axes (chessboard), not their sum
  std::int64_t bound = 0;       ///< an S up to this one is final
  bool complete = false;        ///< a max distance is in reach: a greater S means unreached
  std::int64_t fewest_sites = 0;  ///< in a unit and those around it, to be worth its while
  /// Along z and y: how many planes or rows a window looks away, even, and the part of each of
  /// these differences.
  std::array<std::int64_t, 2> reach{};
  std::array<std::array<std::uint32_t, kMostReach + 2>, 2> part{};
};

/// A plan with lanes as narrow as can be; none if windows are too small to be of use, or cannot
/// tell the sites that are wanted.
std::optional<WindowPlan> plan_windows(const Problem& problem, const EngineLimits& limits,
                                       bool wants_sites);

}  // namespace thiessen::cpu::tiles
