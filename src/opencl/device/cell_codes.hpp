// SPDX-License-Identifier: Apache-2.0
//
// Cells as numbers that are ordered like site indices, and lead to coordinates without a division:
// the coordinates side by side, x last.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "core/base/cells.hpp"

namespace thiessen::opencl {

/// "No site", and so the number of possible codes.
template <class State>
constexpr State kNone = std::numeric_limits<State>::max();

/// Codes of the cells of a raster: an axis takes the bits of its last coordinate.
struct CellCodes {
  explicit CellCodes(const Axes& extent) : y_bits(bits(extent[1])), x_bits(bits(extent[2])) {}

  std::uint64_t code(const Axes& cell) const {
    const auto [z, y, x] = cell;
    return static_cast<std::uint64_t>(((z << y_bits | y) << x_bits) | x);
  }
  Axes place(std::uint64_t code) const {
    const auto signed_code = static_cast<std::int64_t>(code);
    const std::int64_t row = signed_code >> x_bits;
    return {row >> y_bits, row & ((std::int64_t{1} << y_bits) - 1),
            signed_code & ((std::int64_t{1} << x_bits) - 1)};
  }

  int y_bits;
  int x_bits;

 private:
  /// An axis without cells takes no bits.
  static int bits(std::int64_t extent) {
    const std::int64_t last = std::max<std::int64_t>(extent - 1, 0);
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(last)));
  }
};

}  // namespace thiessen::opencl
