// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpu/cost/tile.hpp"

namespace thiessen::cpu::cost {

/// A tile of one resistance, but for barriers: bits say where these are.
template <class T>
struct Ground {
  T resistance = 0;           ///< of all cells but barriers
  std::uint64_t open[kTile];  ///< of each row, the cells that are none
};

}  // namespace thiessen::cpu::cost
