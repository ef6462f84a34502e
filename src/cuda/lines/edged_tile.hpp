// SPDX-License-Identifier: Apache-2.0
//
// A tile of a 2-D raster between edges, columns of cells whose winners are known, as TileEdges
// keeps them (separable_passes.hpp): the column before the tile, or its first one, and its last
// one.
//
// Of each column of the raster only the site nearest to a row can win there (separable.cu), and the
// columns that winners of a row come from never go back (winners.hpp). So between two cells
// whose winners are known a row needs no columns but those from the one winner to the other: about
// as many as there are cells between, because along a row these ranges overlap in their ends alone.
#pragma once

#include <cmath>
#include <cstdint>

#include "cuda/device/block.hpp"
#include "cuda/job.hpp"
#include "cuda/lines/bits.hpp"
#include "cuda/tiles/tile.hpp"

namespace thiessen::cuda {

/// Columns of the raster, both ends included.
struct Columns {
  std::int32_t first;
  std::int32_t last;
};

/// What is known of a raster whose S, squares of distances, has 30 bits.
struct EdgedRaster {
  Job job;
  LineBits columns;          ///< sites along y
  const std::int16_t* edge;  ///< columns of winners: of a row, one edge after the other
  std::int64_t edges;        ///< of a row
  std::int32_t factor_y;
  std::int32_t factor_x;
  /// What stands for the rows to the site of a column that has none: S of so many has more bits.
  std::int32_t no_rows;

  THIESSEN_HD std::int32_t width() const { return static_cast<std::int32_t>(job.extent[2]); }
  THIESSEN_HD std::int32_t height() const { return static_cast<std::int32_t>(job.extent[1]); }
  /// S, by the rows and the cells along them to a site. One that no_rows stands for has 32 bits.
  THIESSEN_HD std::uint32_t exact(std::int32_t rows, std::int32_t cells) const {
    return static_cast<std::uint32_t>(factor_y * rows * rows) +
           static_cast<std::uint32_t>(factor_x * cells * cells);
  }
};

/// So many rows that S has more than 30 bits, and hardly more.
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

  /// Of the raster the column of one of the tile.
  THIESSEN_HD std::int32_t x_of(std::int32_t column) const { return tile_.first[2] + column; }
  /// Rows that the raster does not have are searched as its last one.
  THIESSEN_HD std::int32_t y_of(int row) const {
    const std::int32_t y = tile_.first[1] + row;
    return y < raster_.height() ? y : raster_.height() - 1;
  }
  THIESSEN_HD std::int32_t last_column() const {
    const std::int32_t columns = raster_.width() - tile_.first[2];
    return (columns < kLanes ? columns : kLanes) - 1;
  }
  /// The winners of a row on both edges.
  THIESSEN_HD Columns edges_of(int row) const {
    const std::int64_t line = std::int64_t{tile_.first[0]} * raster_.height() + y_of(row);
    const std::int16_t* const edge = raster_.edge + line * raster_.edges + tile_.first[2] / kLanes;
    return {edge[0], edge[1]};
  }
  /// Rows from one of the tile to the nearest site of a column: above it less than 0, of two at the
  /// same distance. For a column without a site -no_rows.
  THIESSEN_HD std::int32_t rows_to_site(std::int32_t x, int row) const {
    const std::int32_t y = y_of(row);
    const std::int64_t at = first_word_ + x;
    const std::uint32_t word = raster_.columns.words[at];
    const std::uint32_t upper = word & ~0u >> (31 - (y & 31));
    const std::uint32_t lower = word >> (y & 31);
    const std::int32_t above =
        upper != 0 ? tile_.first[1] + highest_bit(upper) : raster_.columns.before[at];
    const std::int32_t below = lower != 0 ? y + lowest_bit(lower) : raster_.columns.after[at];
    // Where there is none these are 2^30 or more.
    const auto up = static_cast<std::uint32_t>(y) - static_cast<std::uint32_t>(above);
    const auto down = static_cast<std::uint32_t>(below) - static_cast<std::uint32_t>(y);
    const std::uint32_t least = down < up ? down : up;
    if (least >> 30 != 0) return -raster_.no_rows;
    return down < up ? static_cast<std::int32_t>(down) : -static_cast<std::int32_t>(up);
  }
  /// No site of a column is nearer to any row of the tile.
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
  std::int64_t first_word_;  ///< of the tile's rows
};

}  // namespace thiessen::cuda
