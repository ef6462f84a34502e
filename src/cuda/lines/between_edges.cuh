// SPDX-License-Identifier: Apache-2.0
//
// A warp finds the winners of a tile between edges (edged_tile.hpp).
//
// A lane has a row. The warp tabulates the columns that a segment of the tile needs, for all its
// rows, and a lane halves the cells of its row until all winners are known. If there are too many
// columns for the table, those that are farther from all cells than the winners on both sides are
// dropped. If they are still too many, the winners of the column in the middle are found piece by
// piece, and each half of the segment needs fewer. If they are very many, the tile is left to
// blocks (row_between_edges.cuh). For sources compiled as CUDA.
#pragma once

#include <cstdint>
#include <limits>

#include "cuda/device/warp.cuh"
#include "cuda/lines/edged_tile.hpp"

namespace thiessen::cuda {

/// The columns of the raster that a segment of a tile needs, and the winners of the tile's cells.
struct EdgeMemory {
  static constexpr std::int32_t kColumns = 64;

  std::int16_t rows[kColumns][kLanes];  ///< rows to the nearest site of a column
  std::uint16_t column[kColumns];
  /// For each column of the tile. Two more rows keep columns apart when each lane has one.
  std::uint16_t winner[kLanes][kTileRows + 2];
};

class BetweenEdges {
 public:
  __device__ BetweenEdges(const EdgedRaster& raster, const Tile& tile, EdgeMemory& memory)
      : raster_(raster), tile_(raster, tile), memory_(memory) {}

  /// Finds the winners of all cells; false if that would take a warp too long.
  __device__ bool solve() {
    find_edges();
    std::uint32_t solved = 0;  // columns
    for (std::int32_t half = kLanes / 2; half > 0; half /= 2)
      for (std::int32_t middle = half - 1; middle < tile_.last_column(); middle += 2 * half) {
        if ((solved >> middle & 1) != 0) continue;
        const Segment segment{middle, half};
        const Columns columns = columns_of_rows(segment);
        if (tabulate(columns, segment)) {
          solve_segment(segment);
          solved |= ((std::uint32_t{2} << 2 * (half - 1)) - 1) << (middle - half + 1);
        } else if (columns.last - columns.first > kMostColumns) {
          return false;
        } else {
          solve_in_pieces(columns, segment);
        }
      }
    __syncwarp();
    return true;
  }

  /// Where the site of a cell is, by its row and column in the tile; call solve() before.
  __device__ std::int32_t site_x(int row, int column) const { return memory_.winner[column][row]; }
  __device__ std::int32_t site_y(int row, std::int32_t x) const {
    return tile_.y_of(row) + tile_.rows_to_site(x, row);
  }

 private:
  static constexpr std::int32_t kColumns = EdgeMemory::kColumns;
  static constexpr std::int32_t kMostColumns = 256;

  /// Columns of the tile: half - 1 to the left and to the right of the middle. The winners in the
  /// columns next to them are known.
  struct Segment {
    std::int32_t middle;
    std::int32_t half;

    __device__ std::int32_t first() const { return middle - half + 1; }
    __device__ std::int32_t last() const { return middle + half - 1; }
  };

  /// The best site so far for the cell that the lane searches.
  struct Best {
    /// S, then rows to the site: among equally near sites the one in the first row is first.
    std::uint64_t key = std::numeric_limits<std::uint64_t>::max();
    std::int32_t x = 0;
    std::int32_t place = 0;  ///< in the table
  };

  __device__ static std::int32_t min_of(std::int32_t a, std::int32_t b) { return a < b ? a : b; }
  __device__ static std::int32_t max_of(std::int32_t a, std::int32_t b) { return a < b ? b : a; }

  /// Finds the winners in the last column, and before the first one.
  __device__ void find_edges() {
    const Columns edges = tile_.edges_of(lane_of_thread());
    left_ = edges.first;
    // Columns beyond the raster count as its last column, at the end of ranges.
    for (std::int32_t column = tile_.last_column(); column < kLanes; ++column)
      memory_.winner[column][lane_of_thread()] = static_cast<std::uint16_t>(edges.last);
    __syncwarp();
  }

  /// The winners on both sides of a segment, for the row of the lane.
  __device__ Columns columns_of_row(const Segment& segment) const {
    const std::int32_t before = segment.first() - 1;
    return {before < 0 ? left_ : memory_.winner[before][lane_of_thread()],
            memory_.winner[segment.last() + 1][lane_of_thread()]};
  }
  /// The range from the first to the last of them in all rows.
  __device__ Columns columns_of_rows(const Segment& segment) const {
    const Columns own = columns_of_row(segment);
    return {-greatest_of_warp(-own.first), greatest_of_warp(own.last)};
  }

  /// Tabulates what a segment needs; false if it is too much. Then each lane knows the places of
  /// the table that its row needs.
  __device__ bool tabulate(const Columns& columns, const Segment& segment) {
    if (columns.last - columns.first >= kColumns) return tabulate_near(columns, segment);
    tabulate(columns);
    const Columns own = columns_of_row(segment);
    first_ = own.first - columns.first;
    last_ = own.last - columns.first;
    return true;
  }

  __device__ void tabulate(const Columns& columns) {
    __syncwarp();
    const int lane = lane_of_thread();
    for (std::int32_t x = columns.first; x <= columns.last; ++x)
      memory_.rows[x - columns.first][lane] =
          static_cast<std::int16_t>(tile_.rows_to_site(x, lane));
    for (std::int32_t x = columns.first + lane; x <= columns.last; x += kLanes)
      memory_.column[x - columns.first] = static_cast<std::uint16_t>(x);
    __syncwarp();
  }

  /// The columns that may win a cell of a segment; false if they are too many.
  __device__ bool tabulate_near(const Columns& columns, const Segment& segment) {
    const std::int32_t left = tile_.x_of(segment.first());
    const std::int32_t right = tile_.x_of(segment.last());
    const auto cells_to = [&](std::int32_t x) {
      return x < left ? left - x : x > right ? x - right : 0;
    };
    const int lane = lane_of_thread();
    const std::int32_t most = most_exact(columns_of_row(segment), segment);
    const std::int32_t most_of_rows = greatest_of_warp(most);
    std::int32_t count = 0;
    __syncwarp();
    for (std::int32_t from = columns.first; from <= columns.last; from += kLanes) {
      // First a lane takes a column: most are far from all rows.
      const std::int32_t own = from + lane;
      const bool is_near = own <= columns.last &&
                           raster_.exact(tile_.least_rows_to_site(min_of(own, columns.last)),
                                         cells_to(own)) <= static_cast<std::uint32_t>(most_of_rows);
      for (std::uint32_t left_over = __ballot_sync(~0u, is_near); left_over != 0;
           left_over &= left_over - 1) {
        const std::int32_t x = from + lowest_bit(left_over);
        const std::int32_t rows = tile_.rows_to_site(x, lane);
        if (!__any_sync(~0u, raster_.exact(rows, cells_to(x)) <= static_cast<std::uint32_t>(most)))
          continue;
        if (count == kColumns) return false;
        memory_.rows[count][lane] = static_cast<std::int16_t>(rows);
        if (lane == 0) memory_.column[count] = static_cast<std::uint16_t>(x);
        ++count;
      }
    }
    first_ = 0;
    last_ = count - 1;
    __syncwarp();
    return true;
  }

  /// The greatest S that a winner of the lane's row in a segment may have: each winner beside the
  /// segment is at most that far from one of its ends.
  __device__ std::int32_t most_exact(const Columns& sides, const Segment& segment) const {
    std::uint32_t most = std::numeric_limits<std::int32_t>::max();
    for (const std::int32_t x : {sides.first, sides.last}) {
      const std::int32_t cells =
          max_of(x - tile_.x_of(segment.first()), tile_.x_of(segment.last()) - x);
      const std::uint32_t exact = raster_.exact(tile_.rows_to_site(x, lane_of_thread()), cells);
      if (exact < most) most = exact;
    }
    return static_cast<std::int32_t>(most);
  }

  /// Finds the winners of all cells of a segment from the table. Until all are known, winners are
  /// places there.
  __device__ void solve_segment(const Segment& segment) {
    const std::int32_t end = min_of(segment.last() + 1, tile_.last_column());
    const int lane = lane_of_thread();
    for (std::int32_t step = segment.half; step > 0; step /= 2)
      for (std::int32_t column = segment.first() - 1 + step; column < end; column += 2 * step) {
        Best best;
        search(tile_.x_of(column),
               {column - step < segment.first() ? first_ : memory_.winner[column - step][lane],
                column + step >= end ? last_ : memory_.winner[column + step][lane]},
               best);
        memory_.winner[column][lane] = static_cast<std::uint16_t>(best.place);
      }
    for (std::int32_t column = segment.first(); column < end; ++column)
      memory_.winner[column][lane] = memory_.column[memory_.winner[column][lane]];
    __syncwarp();
  }

  /// Finds the winners in the middle of a segment that needs too much for the table.
  __device__ void solve_in_pieces(const Columns& columns, const Segment& segment) {
    Best best;
    for (std::int32_t x = columns.first; x <= columns.last; x += kColumns) {
      const Columns piece{x, min_of(x + kColumns - 1, columns.last)};
      tabulate(piece);
      const Columns own = columns_of_row(segment);
      search(tile_.x_of(segment.middle),
             {max_of(own.first - x, 0), min_of(own.last, piece.last) - x}, best);
    }
    memory_.winner[segment.middle][lane_of_thread()] = static_cast<std::uint16_t>(best.x);
    __syncwarp();
  }

  /// Takes the site at some places of the table that is nearest to a cell by its x, if it beats the
  /// best.
  __device__ void search(std::int32_t cell, const Columns& places, Best& best) const {
    std::uint64_t least = best.key;
    std::int32_t place = -1;
    for (std::int32_t i = places.first; i <= places.last; ++i) {
      const std::int32_t rows = memory_.rows[i][lane_of_thread()];
      const std::uint64_t exact = raster_.exact(rows, cell - memory_.column[i]);
      const std::uint64_t key = exact << 32 | static_cast<std::uint32_t>(rows + (1 << 15));
      const bool nearer = key < least;
      place = nearer ? i : place;
      least = nearer ? key : least;
    }
    if (place >= 0) best = {least, memory_.column[place], place};
  }

  const EdgedRaster& raster_;
  EdgedTile tile_;
  EdgeMemory& memory_;
  std::int32_t left_;
  std::int32_t first_;
  std::int32_t last_;
};

}  // namespace thiessen::cuda
