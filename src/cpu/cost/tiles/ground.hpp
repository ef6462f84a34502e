// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpu/cost/tiles/tile.hpp"

namespace thiessen::cpu::cost {

/// A tile in which all cells but the barriers have one resistance; bits say where barriers are.
template <class T>
struct Ground {
  T resistance = 0;           ///< of all cells but barriers
  std::uint64_t open[kTile];  ///< for each row, the cells that are no barriers
};

}  // namespace thiessen::cpu::cost
