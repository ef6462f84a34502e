// SPDX-License-Identifier: Apache-2.0
//
// A warp settles a tile between edges (edged_tile.hpp).
//
// A lane has a row. The warp tabulates for its rows the columns that a segment of the tile needs,
// and a lane halves its row's cells until all winners are known. Columns that are too many for the
// table lose those that are farther from all cells than the winners on both sides are. If they
// still are too many, the winners of the column in the middle are found piece by piece, and each
// half of the segment has fewer; or, if they are very many, the tile is left to blocks
// (row_between_edges.hpp).
#pragma once

#include <cstdint>
#include <limits>

#include "cuda/lines/edged_tile.hpp"

namespace thiessen::cuda {

/// The columns of the raster that a segment of a tile needs, and the winners of the tile's cells.
struct EdgeMemory {
  static constexpr std::int32_t kColumns = 64;

  std::int16_t rows[kColumns][kLanes];  ///< to the nearest site of a column
  std::uint16_t column[kColumns];
  /// Column by column of the tile. Two more rows keep columns apart when lanes have one each.
  std::uint16_t winner[kLanes][kTileRows + 2];
};

template <class Warp>
class BetweenEdges {
 public:
  THIESSEN_HD BetweenEdges(const EdgedRaster& raster, const Tile& tile, EdgeMemory& memory)
      : raster_(raster), tile_(raster, tile), memory_(memory) {}

  /// Finds the winners of all cells; false if that would take a warp long.
  THIESSEN_HD bool settle() {
    find_edges();
    std::uint32_t settled = 0;  // columns
    for (std::int32_t half = kLanes / 2; half > 0; half /= 2)
      for (std::int32_t middle = half - 1; middle < tile_.last_column(); middle += 2 * half) {
        if ((settled >> middle & 1) != 0) continue;
        const Segment segment{middle, half};
        const Columns columns = columns_of_rows(segment);
        if (tabulate(columns, segment)) {
          settle_segment(segment);
          settled |= ((std::uint32_t{2} << 2 * (half - 1)) - 1) << (middle - half + 1);
        } else if (columns.last - columns.first > kMostColumns) {
          return false;
        } else {
          settle_in_pieces(columns, segment);
        }
      }
    Warp::sync();
    return true;
  }

  /// After that, of a cell by its row and column in the tile: where its site is.
  THIESSEN_HD std::int32_t site_x(int row, int column) const { return memory_.winner[column][row]; }
  THIESSEN_HD std::int32_t site_y(int row, std::int32_t x) const {
    return tile_.y_of(row) + tile_.rows_to_site(x, row);
  }

 private:
  template <class T>
  using Lanes = typename Warp::template Lanes<T>;

  static constexpr std::int32_t kColumns = EdgeMemory::kColumns;
  static constexpr std::int32_t kMostColumns = 256;

  /// Columns of the tile, half - 1 to the left and to the right of the middle. The winners in the
  /// columns next to them are known.
  struct Segment {
    std::int32_t middle;
    std::int32_t half;

    THIESSEN_HD std::int32_t first() const { return middle - half + 1; }
    THIESSEN_HD std::int32_t last() const { return middle + half - 1; }
  };

  /// What a lane knows of the cell that is searched for.
  struct Best {
    /// S, then rows to the site: of equally near ones that in the first row comes first.
    std::uint64_t key = std::numeric_limits<std::uint64_t>::max();
    std::int32_t x = 0;
    std::int32_t place = 0;  ///< in the table
  };

  THIESSEN_HD static std::int32_t min_of(std::int32_t a, std::int32_t b) { return a < b ? a : b; }
  THIESSEN_HD static std::int32_t max_of(std::int32_t a, std::int32_t b) { return a < b ? b : a; }

  /// The winners in the last column, and before the first one.
  THIESSEN_HD void find_edges() {
    Warp::each([&](int lane) {
      const Columns edges = tile_.edges_of(lane);
      left_[lane] = edges.first;
      // Columns that the raster does not have end the range of others as its last one does.
      for (std::int32_t column = tile_.last_column(); column < kLanes; ++column)
        memory_.winner[column][lane] = static_cast<std::uint16_t>(edges.last);
    });
    Warp::sync();
  }

  /// The winners on both sides of a segment, of a lane's row.
  THIESSEN_HD Columns columns_of(int lane, const Segment& segment) const {
    const std::int32_t before = segment.first() - 1;
    return {before < 0 ? left_[lane] : memory_.winner[before][lane],
            memory_.winner[segment.last() + 1][lane]};
  }
  /// From the first to the last of all rows.
  THIESSEN_HD Columns columns_of_rows(const Segment& segment) const {
    Lanes<std::int32_t> minus_first, last;
    Warp::each([&](int lane) {
      const Columns columns = columns_of(lane, segment);
      minus_first[lane] = -columns.first;
      last[lane] = columns.last;
    });
    return {-Warp::greatest(minus_first), Warp::greatest(last)};
  }

  /// Tabulates what a segment needs; false if it is too much. Lanes know then which places of the
  /// table their row needs.
  THIESSEN_HD bool tabulate(const Columns& columns, const Segment& segment) {
    if (columns.last - columns.first >= kColumns) return tabulate_near(columns, segment);
    tabulate(columns);
    Warp::each([&](int lane) {
      const Columns own = columns_of(lane, segment);
      first_[lane] = own.first - columns.first;
      last_[lane] = own.last - columns.first;
    });
    return true;
  }

  THIESSEN_HD void tabulate(const Columns& columns) {
    Warp::sync();
    Warp::each([&](int lane) {
      for (std::int32_t x = columns.first; x <= columns.last; ++x)
        memory_.rows[x - columns.first][lane] =
            static_cast<std::int16_t>(tile_.rows_to_site(x, lane));
      for (std::int32_t x = columns.first + lane; x <= columns.last; x += kLanes)
        memory_.column[x - columns.first] = static_cast<std::uint16_t>(x);
    });
    Warp::sync();
  }

  /// The columns that may win a cell of a segment; false if they are too many.
  THIESSEN_HD bool tabulate_near(const Columns& columns, const Segment& segment) {
    const std::int32_t left = tile_.x_of(segment.first());
    const std::int32_t right = tile_.x_of(segment.last());
    const auto cells_to = [&](std::int32_t x) {
      return x < left ? left - x : x > right ? x - right : 0;
    };
    Lanes<std::int32_t> most;
    Warp::each(
        [&](int lane) { most[lane] = most_exact(lane, columns_of(lane, segment), segment); });
    const std::int32_t most_of_rows = Warp::greatest(most);
    Lanes<std::uint32_t> is_near;
    Lanes<std::int32_t> rows;
    std::int32_t count = 0;
    Warp::sync();
    for (std::int32_t from = columns.first; from <= columns.last; from += kLanes) {
      // A lane a column first: most are far from all rows.
      Warp::each([&](int lane) {
        const std::int32_t x = from + lane;
        is_near[lane] = x <= columns.last &&
                        raster_.exact(tile_.least_rows_to_site(min_of(x, columns.last)),
                                      cells_to(x)) <= static_cast<std::uint32_t>(most_of_rows);
      });
      for (std::uint32_t left_over = Warp::ballot(is_near); left_over != 0;
           left_over &= left_over - 1) {
        const std::int32_t x = from + lowest_bit(left_over);
        Warp::each([&](int lane) {
          rows[lane] = tile_.rows_to_site(x, lane);
          is_near[lane] =
              raster_.exact(rows[lane], cells_to(x)) <= static_cast<std::uint32_t>(most[lane]);
        });
        if (!Warp::any(is_near)) continue;
        if (count == kColumns) return false;
        Warp::each([&](int lane) {
          memory_.rows[count][lane] = static_cast<std::int16_t>(rows[lane]);
          if (lane == 0) memory_.column[count] = static_cast<std::uint16_t>(x);
        });
        ++count;
      }
    }
    Warp::each([&](int lane) {
      first_[lane] = 0;
      last_[lane] = count - 1;
    });
    Warp::sync();
    return true;
  }

  /// No winner of a lane's row in a segment is farther: both of those on its sides are not, in one
  /// of its ends each.
  THIESSEN_HD std::int32_t most_exact(int lane, const Columns& sides,
                                      const Segment& segment) const {
    std::uint32_t most = std::numeric_limits<std::int32_t>::max();
    for (const std::int32_t x : {sides.first, sides.last}) {
      const std::int32_t cells =
          max_of(x - tile_.x_of(segment.first()), tile_.x_of(segment.last()) - x);
      const std::uint32_t exact = raster_.exact(tile_.rows_to_site(x, lane), cells);
      if (exact < most) most = exact;
    }
    return static_cast<std::int32_t>(most);
  }

  /// All cells of a segment, from the table. Until all are known winners are places in there.
  THIESSEN_HD void settle_segment(const Segment& segment) {
    const std::int32_t end = min_of(segment.last() + 1, tile_.last_column());
    Warp::each([&](int lane) {
      for (std::int32_t step = segment.half; step > 0; step /= 2)
        for (std::int32_t column = segment.first() - 1 + step; column < end; column += 2 * step) {
          Best best;
          search(
              tile_.x_of(column), lane,
              {column - step < segment.first() ? first_[lane] : memory_.winner[column - step][lane],
               column + step >= end ? last_[lane] : memory_.winner[column + step][lane]},
              best);
          memory_.winner[column][lane] = static_cast<std::uint16_t>(best.place);
        }
      for (std::int32_t column = segment.first(); column < end; ++column)
        memory_.winner[column][lane] = memory_.column[memory_.winner[column][lane]];
    });
    Warp::sync();
  }

  /// The middle of a segment that needs too much for the table.
  THIESSEN_HD void settle_in_pieces(const Columns& columns, const Segment& segment) {
    Lanes<Best> best;
    Warp::each([&](int lane) { best[lane] = {}; });
    for (std::int32_t x = columns.first; x <= columns.last; x += kColumns) {
      const Columns piece{x, min_of(x + kColumns - 1, columns.last)};
      tabulate(piece);
      Warp::each([&](int lane) {
        const Columns own = columns_of(lane, segment);
        Best found = best[lane];
        search(tile_.x_of(segment.middle), lane,
               {max_of(own.first - x, 0), min_of(own.last, piece.last) - x}, found);
        best[lane] = found;
      });
    }
    Warp::each([&](int lane) {
      memory_.winner[segment.middle][lane] = static_cast<std::uint16_t>(best[lane].x);
    });
    Warp::sync();
  }

  /// Of some places of the table the nearest to a cell by its x, if it is nearer than the best.
  THIESSEN_HD void search(std::int32_t cell, int lane, const Columns& places, Best& best) const {
    std::uint64_t least = best.key;
    std::int32_t place = -1;
    for (std::int32_t i = places.first; i <= places.last; ++i) {
      const std::int32_t rows = memory_.rows[i][lane];
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
  Lanes<std::int32_t> left_;
  Lanes<std::int32_t> first_;
  Lanes<std::int32_t> last_;
};

}  // namespace thiessen::cuda
