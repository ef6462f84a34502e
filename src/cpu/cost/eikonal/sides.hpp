// SPDX-License-Identifier: Apache-2.0
//
// The sides of a cell or of a tile: below and above along z, y, x.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/cells.hpp"

namespace thiessen::cpu::eikonal {

inline constexpr std::size_t kSides = std::size_t{2} * kAxes;
constexpr std::size_t side_of(std::size_t axis, bool is_above) {
  return 2 * axis + (is_above ? 1 : 0);
}

constexpr std::size_t axis_of(std::size_t side) { return side / 2; }
constexpr bool is_upper(std::size_t side) { return side % 2 == 1; }

/// From a cell to the one beyond a side, in C order.
constexpr std::int64_t step_over(std::size_t side, const Axes& extent) {
  const Axes stride{extent[1] * extent[2], extent[2], 1};
  return is_upper(side) ? stride[axis_of(side)] : -stride[axis_of(side)];
}

/// Whether the cell beyond a side lies in the raster.
constexpr bool has_beyond(std::size_t side, const Axes& cell, const Axes& extent) {
  const std::size_t axis = axis_of(side);
  return is_upper(side) ? cell[axis] + 1 < extent[axis] : cell[axis] > 0;
}

/// Sides as bits.
using Sides = std::uint32_t;
constexpr Sides side_bit(std::size_t axis, bool is_above) {
  return Sides{1} << side_of(axis, is_above);
}

}  // namespace thiessen::cpu::eikonal
