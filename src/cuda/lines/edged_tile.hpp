// SPDX-License-Identifier: Apache-2.0
//
// A tile of a 2-D raster between edges. Edges are columns of cells whose winners are known, as
// TileEdges stores them (separable_passes.hpp): the column before the tile, or its first one, and
// its last one.
//
// In each column of the raster only the site nearest to a row can win there (separable.cu), and the
// columns of the winners along a row never go back (winners.hpp). So between two cells whose
// winners are known, a row needs only the columns from the one winner to the other. These are about
// as many as there are cells between, because along a row the ranges overlap only at their ends.
#pragma once

#include <cmath>
#include <cstdint>

#include "cuda/device/lanes.hpp"
#include "cuda/job/job.hpp"
#include "cuda/job/tile.hpp"
#include "cuda/sites/line_bits.hpp"

namespace thiessen::cuda {

/// Columns of the raster, both ends included.
struct Columns {
  std::int32_t first;
  std::int32_t last;
};

/// What is known of a raster whose S, squares of distances, fit 30 bits.
struct EdgedRaster {
  Job job;
  LineBits columns;          ///< sites along y
  const std::int16_t* edge;  ///< columns of the winners: one edge of a row after the other
  std::int64_t edges;        ///< edges of a row
  std::int32_t factor_y;
  std::int32_t factor_x;
  /// The number of rows that stands for "the column has no site": its S has more than 30 bits.
  std::int32_t no_rows;

  THIESSEN_HD std::int32_t width() const { return static_cast<std::int32_t>(job.extent[2]); }
  THIESSEN_HD std::int32_t height() const { return static_cast<std::int32_t>(job.extent[1]); }
  /// S of a site, by rows and cells to it. S of no_rows has 32 bits.
  THIESSEN_HD std::uint32_t exact(std::int32_t rows, std::int32_t cells) const {
    return static_cast<std::uint32_t>(factor_y * rows * rows) +
           static_cast<std::uint32_t>(factor_x * cells * cells);
  }
};

/// A number of rows whose S has just more than 30 bits.
inline std::int32_t no_rows_of(std::int64_t factor_y) {
  constexpr std::int64_t kBeyond = std::int64_t{1} << 30;
  auto rows = static_cast<std::int64_t>(
      std::sqrt(static_cast<double>(kBeyond) / static_cast<double>(factor_y)));
  while (factor_y * rows * rows < kBeyond) ++rows;
  return static_cast<std::int32_t>(rows);
}

/// The columns of the raster, seen from the rows of a tile.
class EdgedTile {
 public:
  THIESSEN_HD EdgedTile(const EdgedRaster& raster, const Tile& tile)
      : raster_(raster),
        tile_(tile),
        first_word_(raster.columns.word_of(tile.first[0], 0, tile.first[1])) {}

  /// The column of the raster for a column of the tile.
  THIESSEN_HD std::int32_t x_of(std::int32_t column) const { return tile_.first[2] + column; }
  /// The row of the raster for a row of the tile; its last row for rows beyond it.
  THIESSEN_HD std::int32_t y_of(int row) const {
    const std::int32_t y = tile_.first[1] + row;
    return y < raster_.height() ? y : raster_.height() - 1;
  }
  THIESSEN_HD std::int32_t last_column() const {
    const std::int32_t columns = raster_.width() - tile_.first[2];
    return (columns < kLanes ? columns : kLanes) - 1;
  }
  /// The winners of a row at both edges.
  THIESSEN_HD Columns edges_of(int row) const {
    const std::int64_t line = std::int64_t{tile_.first[0]} * raster_.height() + y_of(row);
    const std::int16_t* const edge = raster_.edge + line * raster_.edges + tile_.first[2] / kLanes;
    return {edge[0], edge[1]};
  }
  /// Rows from a row of the tile to the nearest site of a column; less than 0 if the site is above,
  /// also if there are two at the same distance. -no_rows for a column without a site.
  THIESSEN_HD std::int32_t rows_to_site(std::int32_t x, int row) const {
    const std::int32_t y = y_of(row);
    const std::int64_t at = first_word_ + x;
    const std::uint32_t word = raster_.columns.words[at];
    const std::uint32_t upper = word & ~0u >> (31 - (y & 31));
    const std::uint32_t lower = word >> (y & 31);
    const std::int32_t above =
        upper != 0 ? tile_.first[1] + highest_bit(upper) : raster_.columns.before[at];
    const std::int32_t below = lower != 0 ? y + lowest_bit(lower) : raster_.columns.after[at];
    // Without a site on a side, its number is 2^30 or more.
    const auto up = static_cast<std::uint32_t>(y) - static_cast<std::uint32_t>(above);
    const auto down = static_cast<std::uint32_t>(below) - static_cast<std::uint32_t>(y);
    const std::uint32_t least = down < up ? down : up;
    if (least >> 30 != 0) return -raster_.no_rows;
    return down < up ? static_cast<std::int32_t>(down) : -static_cast<std::int32_t>(up);
  }
  /// The least number of rows from any row of the tile to a site of a column.
  THIESSEN_HD std::int32_t least_rows_to_site(std::int32_t x) const {
    const std::int64_t at = first_word_ + x;
    if (raster_.columns.words[at] != 0) return 0;
    const std::uint32_t up = static_cast<std::uint32_t>(tile_.first[1]) -
                             static_cast<std::uint32_t>(raster_.columns.before[at]);
    const std::uint32_t down = static_cast<std::uint32_t>(raster_.columns.after[at]) -
                               static_cast<std::uint32_t>(tile_.first[1] + kTileRows - 1);
    const std::uint32_t least = down < up ? down : up;
    return least >> 30 != 0 ? raster_.no_rows : static_cast<std::int32_t>(least);
  }

 private:
  const EdgedRaster& raster_;
  const Tile& tile_;
  std::int64_t first_word_;  ///< for the rows of the tile
};

}  // namespace thiessen::cuda
