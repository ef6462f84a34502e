// SPDX-License-Identifier: Apache-2.0
//
// The tables of the dense search (dense.cuh).
#pragma once

#include <cstdint>

#include "core/base/host_device.hpp"
#include "core/problem/problem.hpp"
#include "cuda/job/tile.hpp"

namespace thiessen::cuda::tiles {

/// The rows that the search of a tile reads.
template <int kRank>
struct DenseRows {
  static constexpr int kMarginZ = kRank == 2 ? 0 : 4;
  static constexpr int kMarginY = kRank == 2 ? 12 : 4;
  static constexpr int kHeight = tile_size<kRank>(1) + 2 * kMarginY;
  static constexpr int kCount = (tile_size<kRank>(0) + 2 * kMarginZ) * kHeight;

  std::uint32_t word[3][kCount];  ///< left of the tile, over it, right of it

  THIESSEN_HD static constexpr int row(int z, int y) {
    return (z + kMarginZ) * kHeight + y + kMarginY;
  }
};

/// Differences in their order.
struct DenseTables {
  static constexpr int kPlanes = 8;
  static constexpr int kRound = 1 << kPlanes;
  static constexpr int kRounds = 2;
  static constexpr int kMost = kRounds * kRound;
  static constexpr int kGroup = 16;  ///< differences are tried in groups

  int count = 0;                   ///< a multiple of kGroup; 0: no dense search
  std::uint32_t look[kMost] = {};  ///< words to step, from that on the left | bits to shift << 16
  std::int32_t cell[kMost] = {};   ///< from a cell to its site
  std::uint16_t exact[kMost] = {};
};

/// The differences for a problem without periodic axes. There are none if its S are too large for
/// them, or its rows too long.
DenseTables make_dense_tables(const Problem& problem);

}  // namespace thiessen::cuda::tiles
