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

/// Sides as bits.
using Sides = std::uint32_t;
constexpr Sides side_bit(std::size_t axis, bool is_above) {
  return Sides{1} << side_of(axis, is_above);
}

}  // namespace thiessen::cpu::eikonal
