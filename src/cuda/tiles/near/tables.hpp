// SPDX-License-Identifier: Apache-2.0
//
// The sizes of windows of the near search (lists.cuh).
#pragma once

#include <cstdint>

#include "core/base/host_device.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cuda::tiles {

/// The size of a window.
struct Level {
  std::int32_t bound = 0;  ///< the greatest S
  std::int32_t margin[kAxes] = {};
  std::int32_t offsets = 0;  ///< cells with S <= bound around a cell
  std::int32_t window = 0;   ///< cells of the window
};

struct WindowTables {
  static constexpr int kMostLevels = 20;
  std::int32_t factor[kAxes] = {};  ///< factors of S
  Level level[kMostLevels];
  int levels = 0;
};

/// The number to which parts of S are cut; a bound must be less.
template <int kRank>
THIESSEN_HD constexpr std::int32_t most_of_part(int bits) {
  return (1 << ((kRank == 2 ? 15 : 14) - bits)) - 1;
}

/// The windows for a problem without periodic axes. There are none if its S are too large for them.
WindowTables make_window_tables(const Problem& problem);

}  // namespace thiessen::cuda::tiles
