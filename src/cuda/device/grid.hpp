// SPDX-License-Identifier: Apache-2.0
//
// Sizes of grids.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "thiessen/error.hpp"

namespace thiessen::cuda {
inline namespace device {

/// The number of pieces of a size that a count is cut into; the last may be smaller.
constexpr std::int64_t parts(std::int64_t count, std::int64_t size) {
  return (count + size - 1) / size;
}

/// The number of blocks for `pieces` of work, if a block does some of them. Throws
/// Error{unsupported} if a grid cannot have so many.
inline unsigned blocks_for(std::int64_t pieces, std::int64_t of_a_block) {
  const std::int64_t blocks = parts(pieces, of_a_block);
  if (blocks > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorCode::unsupported,
                "cuda: " + std::to_string(blocks) + " blocks; a grid has at most 2^31 - 1");
  return static_cast<unsigned>(blocks);
}

}  // namespace device
}  // namespace thiessen::cuda
