// SPDX-License-Identifier: Apache-2.0
//
// A tile of Eikonal cost distance with a halo, as it lies in shared memory: the sizes of CostTiling
// as constants.
#pragma once

#include <cstdint>

#include "cuda/cost/eikonal/job.hpp"

namespace thiessen::cuda::cost {

template <int kDimensions, int kHalo>
struct TileShape {
  static constexpr std::size_t kFirst = kAxes - kDimensions;  ///< axis
  static constexpr std::size_t kFirstSide = side_of(kFirst, false);
  static constexpr int kDepth = kDimensions == 2 ? 1 : 8;
  static constexpr int kHeight = kDimensions == 2 ? 32 : 8;
  static constexpr int kWidth = kDimensions == 2 ? 32 : 16;
  static constexpr int kPlane = (kHeight + 2 * kHalo) * (kWidth + 2 * kHalo);
  static constexpr int kRow = kWidth + 2 * kHalo;
  static constexpr int kCells = kPlane * (kDimensions == 2 ? 1 : kDepth + 2 * kHalo);
  static constexpr int kOwnCells = kDepth * kHeight * kWidth;
  static_assert(kOwnCells == kCostThreads);

  /// From a cell to the one over a side.
  THIESSEN_HD static constexpr int step(std::size_t side) {
    const std::size_t axis = eikonal::axis_of(side);
    const int step = axis == 2 ? 1 : axis == 1 ? kRow : kPlane;
    return is_upper(side) ? step : -step;
  }
  /// From the first cell of the tile itself to a cell with its halo.
  THIESSEN_HD static constexpr std::array<std::int32_t, kAxes> place(int at) {
    return {at / kPlane - (kDimensions == 2 ? 0 : kHalo), at % kPlane / kRow - kHalo,
            at % kRow - kHalo};
  }
  /// Where the i-th cell of the tile itself lies.
  THIESSEN_HD static constexpr int own(int i) {
    const int z = i / (kHeight * kWidth) + (kDimensions == 2 ? 0 : kHalo);
    return z * kPlane + (i / kWidth % kHeight + kHalo) * kRow + i % kWidth + kHalo;
  }
  THIESSEN_HD static constexpr bool is_own(int at) {
    const auto [z, y, x] = place(at);
    return z >= 0 && z < kDepth && y >= 0 && y < kHeight && x >= 0 && x < kWidth;
  }
  /// The number of a cell of the tile itself.
  THIESSEN_HD static constexpr int number(int at) {
    const auto [z, y, x] = place(at);
    return (z * kHeight + y) * kWidth + x;
  }
  /// Whether the cell over a side lies in another tile.
  THIESSEN_HD static constexpr bool is_edge(int at, std::size_t side) {
    const std::size_t axis = eikonal::axis_of(side);
    const int size = axis == 2 ? kWidth : axis == 1 ? kHeight : kDepth;
    return place(at)[axis] == (is_upper(side) ? size - 1 : 0);
  }
  THIESSEN_HD static constexpr bool is_at_edge(int at) {
    bool any = false;
    for (std::size_t side = kFirstSide; side < kSides; ++side) any = any || is_edge(at, side);
    return any;
  }
};

}  // namespace thiessen::cuda::cost
