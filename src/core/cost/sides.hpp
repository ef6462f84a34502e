// SPDX-License-Identifier: Apache-2.0
//
// The sides of a cell or of a tile: below and above along z, y, x. Fronts go over them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"
#include "core/cost/edges.hpp"

namespace thiessen::eikonal {

inline constexpr std::size_t kSides = std::size_t{2} * kAxes;
/// What stands for no side, in three bits.
inline constexpr std::size_t kNoSide = 7;

THIESSEN_HD constexpr std::size_t side_of(std::size_t axis, bool is_above) {
  return 2 * axis + (is_above ? 1 : 0);
}

THIESSEN_HD constexpr std::size_t axis_of(std::size_t side) { return side / 2; }
THIESSEN_HD constexpr bool is_upper(std::size_t side) { return side % 2 == 1; }

/// From a cell to the one beyond a side, in C order.
THIESSEN_HD constexpr std::int64_t step_over(std::size_t side, const Axes& extent) {
  const std::size_t axis = axis_of(side);
  const std::int64_t stride = axis == 2 ? 1 : axis == 1 ? extent[2] : extent[1] * extent[2];
  return is_upper(side) ? stride : -stride;
}

/// Whether the cell beyond a side lies in the raster.
THIESSEN_HD constexpr bool has_beyond(std::size_t side, const Axes& cell, const Axes& extent) {
  const std::size_t axis = axis_of(side);
  return is_upper(side) ? cell[axis] + 1 < extent[axis] : cell[axis] > 0;
}

/// Sides as bits.
using Sides = std::uint32_t;
THIESSEN_HD constexpr Sides side_bit(std::size_t axis, bool is_above) {
  return Sides{1} << side_of(axis, is_above);
}

/// The back link over each side; 0 for kNoSide.
using LinksOfSides = std::array<std::uint8_t, kNoSide + 1>;

template <class T>
LinksOfSides links_of_sides(const CostEdges<T>& edges) {
  LinksOfSides links{};
  for (int k = 0; k < edges.count; ++k) {
    const CostOffset& o = edges.offset[static_cast<std::size_t>(k)];
    if (o.step != CostStep::face) continue;
    const std::size_t axis = o.z != 0 ? 0 : o.y != 0 ? 1 : 2;
    links[side_of(axis, o.z + o.y + o.x > 0)] = static_cast<std::uint8_t>(k + 1);
  }
  return links;
}

}  // namespace thiessen::eikonal
