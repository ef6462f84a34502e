// SPDX-License-Identifier: Apache-2.0
//
// Ranks of sites in a list, for all stages: bits of a key, and a byte for each cell of a tile.
#pragma once

#include <cstdint>

#include "core/base/host_device.hpp"
#include "cuda/job/tile.hpp"

namespace thiessen::cuda::tiles {

inline constexpr int kFewestRankBits = 5;
inline constexpr int kMostRankBits = 8;
inline constexpr int kRankWidths = kMostRankBits - kFewestRankBits + 1;

/// The bits of a key for the rank, by the number of sites.
THIESSEN_HD constexpr int rank_bits(std::int32_t count) {
  return count <= 32 ? 5 : count <= 64 ? 6 : count <= 128 ? 7 : 8;
}
/// Bytes of a tile, row by row; rows are an odd number of words apart.
struct Numbers {
  static constexpr int kStride = kLanes + 4;
  alignas(4) std::uint8_t of[kTileRows][kStride];
};

}  // namespace thiessen::cuda::tiles
