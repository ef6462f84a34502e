// SPDX-License-Identifier: Apache-2.0
//
// Tiles have 32 rows of 32 cells, so that a warp has a lane for each row or each column.
#pragma once

#include <cstdint>

#include "core/base/host_device.hpp"
#include "core/order/weights.hpp"
#include "cuda/device/lanes.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda {
inline namespace job {

inline constexpr int kTileRows = 32;
inline constexpr int kTileCells = kTileRows * kLanes;

/// Cells of a tile along (z, y, x).
template <int kRank>
THIESSEN_HD constexpr std::int32_t tile_size(int axis) {
  if (axis == 2) return kLanes;
  if (kRank == 2) return axis == 1 ? kTileRows : 1;
  return axis == 1 ? 8 : 4;
}

/// A tile, by its first cell.
struct Tile {
  std::int32_t first[kAxes];
};

/// The state of a tile.
inline constexpr std::uint8_t kTileOpen = 0;
inline constexpr std::uint8_t kTileSolved = 1;
inline constexpr std::uint8_t kTileUnsolved = 2;  ///< the far search has left it to other methods

/// The tile that stands at `at` among the tiles.
template <int kRank>
THIESSEN_HD Tile tile_at(const std::int32_t (&at)[kAxes]) {
  return {{at[0] * tile_size<kRank>(0), at[1] * tile_size<kRank>(1), at[2] * tile_size<kRank>(2)}};
}

/// Whether a tile lies wholly in the raster.
template <int kRank>
THIESSEN_HD bool is_whole(const Job& job, const Tile& tile) {
  bool whole = true;
  THIESSEN_UNROLL
  for (int axis = 0; axis < kAxes; ++axis)
    whole = whole &&
            tile.first[axis] + tile_size<kRank>(axis) <= job.extent[static_cast<std::size_t>(axis)];
  return whole;
}

/// Whether a row of a tile lies in the raster.
template <int kRank>
THIESSEN_HD bool has_row(const Job& job, const Tile& tile, int row) {
  return tile.first[0] + row / tile_size<kRank>(1) < job.extent[0] &&
         tile.first[1] + row % tile_size<kRank>(1) < job.extent[1];
}

/// Calls visit(row, cell) for the cells in a column of a tile that lie in the raster.
template <int kRank, class Visit>
THIESSEN_HD void for_each_row(const Job& job, const Tile& tile, int column, const Visit& visit) {
  constexpr int kHeight = tile_size<kRank>(1);
  if (tile.first[2] + column >= job.extent[2]) return;
  THIESSEN_NO_UNROLL
  for (int row = 0; row < kTileRows; ++row)
    if (has_row<kRank>(job, tile, row))
      visit(row, to_index(job.extent, {tile.first[0] + row / kHeight, tile.first[1] + row % kHeight,
                                       tile.first[2] + column}));
}

}  // namespace job
}  // namespace thiessen::cuda
