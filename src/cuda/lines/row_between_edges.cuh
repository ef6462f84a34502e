// SPDX-License-Identifier: Apache-2.0
//
// A block finds the winners of a row of a tile between edges (edged_tile.hpp) that may need any
// number of columns: it stores the site of each column, and its threads share the columns for every
// cell. For sources compiled as CUDA.
#pragma once

#include <cstdint>
#include <limits>

#include "cuda/device/warp.cuh"
#include "cuda/lines/edged_tile.hpp"

namespace thiessen::cuda {

/// The rows from a row to the sites of so many columns.
struct RowMemory {
  static constexpr int kMostWarps = 32;

  std::uint64_t* least;  ///< for each warp
  std::int32_t* winner;  ///< for each column of the tile
  std::int16_t* rows;

  static constexpr std::int64_t bytes(std::int64_t columns) {
    return kMostWarps * 8 + kLanes * 4 + columns * 2;
  }
  THIESSEN_HD static RowMemory at(std::byte* bytes) {
    auto* const least = reinterpret_cast<std::uint64_t*>(bytes);
    auto* const winner = reinterpret_cast<std::int32_t*>(least + kMostWarps);
    return {least, winner, reinterpret_cast<std::int16_t*>(winner + kLanes)};
  }
};

class RowBetweenEdges {
 public:
  __device__ RowBetweenEdges(const EdgedRaster& raster, const Tile& tile, int row,
                             const RowMemory& memory)
      : raster_(raster),
        tile_(raster, tile),
        row_(row),
        memory_(memory),
        edges_(tile_.edges_of(row)) {}

  /// Finds the winners of all cells of the row.
  __device__ void solve() {
    for (std::int32_t x = edges_.first + thread(); x <= edges_.last; x += threads())
      memory_.rows[x - edges_.first] = static_cast<std::int16_t>(tile_.rows_to_site(x, row_));
    for (std::int32_t column = tile_.last_column() + thread(); column < kLanes; column += threads())
      memory_.winner[column] = edges_.last;
    __syncthreads();
    for (std::int32_t half = kLanes / 2; half > 0; half /= 2) solve_level(half);
  }

  /// Where the site of a cell is, by its column in the tile; call solve() before.
  __device__ std::int32_t site_x(int column) const { return memory_.winner[column]; }
  __device__ std::int32_t site_y(std::int32_t x) const {
    return tile_.y_of(row_) + memory_.rows[x - edges_.first];
  }

 private:
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ static int threads() { return static_cast<int>(blockDim.x); }

  /// Finds the winners of the columns in the middle between two whose winners are known; the
  /// threads of a team share the columns that one needs.
  __device__ void solve_level(std::int32_t half) {
    const std::int32_t team = threads() * half / (kLanes / 2);
    const std::int32_t column = (2 * (thread() / team) + 1) * half - 1;
    const std::uint64_t least =
        least_of_team(find_least(column, half, thread() % team, team), team);
    if (thread() % kLanes == 0) memory_.least[thread() / kLanes] = least;
    __syncthreads();
    if (thread() % team == 0 && column < tile_.last_column()) {
      std::uint64_t key = least;
      for (int other = thread() + kLanes; other < thread() + team; other += kLanes)
        if (memory_.least[other / kLanes] < key) key = memory_.least[other / kLanes];
      memory_.winner[column] = static_cast<std::int32_t>(key & 0xffff);
    }
    __syncthreads();
  }

  /// The least value of those threads of a team that are in one warp.
  __device__ static std::uint64_t least_of_team(std::uint64_t own, std::int32_t team) {
    for (int step = 1; step < team && step < kLanes; step *= 2) own = min(own, exchange(own, step));
    return own;
  }

  /// The least site in the order, as one number: S, row, column.
  __device__ std::uint64_t find_least(std::int32_t column, std::int32_t half, int part,
                                      int team) const {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    if (column >= tile_.last_column()) return least;
    const std::int32_t first = column < half ? edges_.first : memory_.winner[column - half];
    const std::int32_t last = memory_.winner[column + half];
    for (std::int32_t x = first + part; x <= last; x += team) {
      const std::int32_t rows = memory_.rows[x - edges_.first];
      const std::uint64_t exact = raster_.exact(rows, tile_.x_of(column) - x);
      const std::uint64_t key = exact << 32 | static_cast<std::uint32_t>(rows + (1 << 15)) << 16 |
                                static_cast<std::uint32_t>(x);
      if (key < least) least = key;
    }
    return least;
  }

  const EdgedRaster& raster_;
  EdgedTile tile_;
  int row_;
  RowMemory memory_;
  Columns edges_;
};

}  // namespace thiessen::cuda
