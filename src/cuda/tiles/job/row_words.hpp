// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cuda/device/lanes.hpp"
#include "cuda/job/job.hpp"
#include "cuda/job/site_bits.hpp"

namespace thiessen::cuda::tiles {

/// Cells that a window may go beyond its tile: a word of bits to the left and one to the right.
inline constexpr int kMostMargin = 31;

/// The words of a row to the left of a tile, over it and to the right.
struct RowWords {
  std::uint32_t word[3];
};

/// Loads the words; they are 0 for a row outside of the raster.
THIESSEN_HD inline RowWords load_row(const Job& job, const Bits& bits, std::int64_t z,
                                     std::int64_t y, std::int32_t first_x) {
  if (z < 0 || y < 0 || z >= job.extent[0] || y >= job.extent[1]) return {};
  const std::int64_t middle = first_x / kLanes;
  const std::uint32_t* const words = bits.words + (z * job.extent[1] + y) * bits.row_words + middle;
  return {{middle > 0 ? words[-1] : 0, words[0], middle + 1 < bits.row_words ? words[1] : 0}};
}

}  // namespace thiessen::cuda::tiles
