// SPDX-License-Identifier: Apache-2.0
//
// A block settles a row of a tile between edges (edged_tile.hpp) that may need any number of
// columns: it keeps what is known of all of them, and its threads share them for every cell.
#pragma once

#include <cstdint>
#include <limits>

#include "cuda/lines/edged_tile.hpp"

namespace thiessen::cuda {

/// For a row: of so many columns the rows to their sites.
struct RowMemory {
  static constexpr int kMostWarps = 32;

  std::uint64_t* least;  ///< of each warp
  std::int32_t* winner;  ///< of the tile's columns
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

template <class Block>
class RowBetweenEdges {
 public:
  THIESSEN_HD RowBetweenEdges(const EdgedRaster& raster, const Tile& tile, int row,
                              const RowMemory& memory)
      : raster_(raster),
        tile_(raster, tile),
        row_(row),
        memory_(memory),
        edges_(tile_.edges_of(row)) {}

  /// Finds the winners of all cells of the row.
  THIESSEN_HD void settle() {
    Block::each([&](int thread) {
      for (std::int32_t x = edges_.first + thread; x <= edges_.last; x += Block::threads())
        memory_.rows[x - edges_.first] = static_cast<std::int16_t>(tile_.rows_to_site(x, row_));
      for (std::int32_t column = tile_.last_column() + thread; column < kLanes;
           column += Block::threads())
        memory_.winner[column] = edges_.last;
    });
    Block::sync();
    for (std::int32_t half = kLanes / 2; half > 0; half /= 2) settle_level(half);
  }

  /// After that, of a cell by its column in the tile: where its site is.
  THIESSEN_HD std::int32_t site_x(int column) const { return memory_.winner[column]; }
  THIESSEN_HD std::int32_t site_y(std::int32_t x) const {
    return tile_.y_of(row_) + memory_.rows[x - edges_.first];
  }

 private:
  /// Columns between two of which the winners are known; the threads of a team share what one
  /// needs.
  THIESSEN_HD void settle_level(std::int32_t half) {
    const std::int32_t team = Block::threads() * half / (kLanes / 2);
    const auto column_of = [&](int thread) { return (2 * (thread / team) + 1) * half - 1; };
    typename Block::template Own<std::uint64_t> least;
    Block::each([&](int thread) {
      least[thread] = find_least(column_of(thread), half, thread % team, team);
    });
    Block::take_least(least, team < kLanes ? team : kLanes);
    Block::each([&](int thread) {
      if (thread % kLanes == 0) memory_.least[thread / kLanes] = least[thread];
    });
    Block::sync();
    Block::each([&](int thread) {
      const std::int32_t column = column_of(thread);
      if (thread % team != 0 || column >= tile_.last_column()) return;
      std::uint64_t key = least[thread];
      for (int other = thread + kLanes; other < thread + team; other += kLanes)
        if (memory_.least[other / kLanes] < key) key = memory_.least[other / kLanes];
      memory_.winner[column] = static_cast<std::int32_t>(key & 0xffff);
    });
    Block::sync();
  }

  /// The order of the sites in one number: S, row, column.
  THIESSEN_HD std::uint64_t find_least(std::int32_t column, std::int32_t half, int part,
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
