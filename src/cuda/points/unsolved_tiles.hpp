// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cuda/job/tile.hpp"

namespace thiessen::cuda::points {

/// The tiles that the search by tiles has left to other methods; all data are on the device.
/// Without states of tiles there was no such search, and all tiles are unsolved.
struct UnsolvedTiles {
  const std::int32_t* any_unsolved = nullptr;  ///< 0 if there is nothing to do
  const std::uint8_t* state = nullptr;         ///< the state of each tile (tile.hpp)
  std::int32_t along[kAxes] = {};              ///< number of tiles

  THIESSEN_HD std::int64_t count() const { return std::int64_t{along[0]} * along[1] * along[2]; }
};

}  // namespace thiessen::cuda::points
