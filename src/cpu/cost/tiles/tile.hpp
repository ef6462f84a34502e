// SPDX-License-Identifier: Apache-2.0
//
// Tiles of a 2-D raster in which values fall by passes (passes-inl.hpp).
#pragma once

#include <cstdint>

namespace thiessen::cpu::cost {

/// Rows and columns of a tile.
inline constexpr int kTile = 64;

/// Where a tile lies in a raster in C order; at the end of the raster it has fewer rows or columns.
struct TilePlace {
  std::int64_t first = 0;  ///< index of its first cell
  std::int64_t width = 0;  ///< of the raster
  int rows = 0;
  int columns = 0;
  /// Whether the raster goes on beyond its sides.
  bool above = false, below = false, left = false, right = false;

  /// Row y of the tile in a raster.
  template <class Value>
  Value* row(Value* raster, int y) const {
    return raster + first + y * width;
  }
};

/// Rows and columns of a tile, as bits: those with cells that fell and have not passed on their new
/// value.
struct Lines {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;

  Lines& operator|=(const Lines& more) {
    rows |= more.rows;
    columns |= more.columns;
    return *this;
  }
};

/// The cells beyond the sides of a tile whose value fell: bits from the left or from above.
struct LoweredNeighbours {
  std::uint64_t above = 0, below = 0, left = 0, right = 0;
};

/// Neighbours of a cell, of 8 as core/cost/edges.hpp numbers them.
enum class Direction {
  left_above,
  above,
  right_above,
  left,
  right,
  left_below,
  below,
  right_below
};
constexpr int number_of(Direction direction) { return static_cast<int>(direction); }

/// The cells along a side of a tile: those inside are first + i * step, those beyond it `out`
/// farther.
struct Side {
  std::int64_t first;
  std::int64_t step;
  std::int64_t out;
  int count;
};

/// Calls pass(direction, side) for the sides among `lines` beyond which the raster goes on; pass
/// returns bits of the cells there whose value fell.
template <class Pass>
LoweredNeighbours pass_over_sides(const TilePlace& place, const Lines& lines, const Pass& pass) {
  const auto is_in = [](std::uint64_t bits, int line) { return (bits >> line & 1) != 0; };
  const std::int64_t width = place.width;
  const int bottom = place.rows - 1;
  const int right = place.columns - 1;
  LoweredNeighbours fallen;
  if (place.above && is_in(lines.rows, 0))
    fallen.above = pass(Direction::above, Side{place.first, 1, -width, place.columns});
  if (place.below && is_in(lines.rows, bottom))
    fallen.below =
        pass(Direction::below, Side{place.first + bottom * width, 1, width, place.columns});
  if (place.left && is_in(lines.columns, 0))
    fallen.left = pass(Direction::left, Side{place.first, width, -1, place.rows});
  if (place.right && is_in(lines.columns, right))
    fallen.right = pass(Direction::right, Side{place.first + right, width, 1, place.rows});
  return fallen;
}

/// Calls step(from, k, to) for the steps out of the corners of a tile; only 8 neighbours have them,
/// and only where the raster goes on.
template <class Step>
void for_each_corner(const TilePlace& place, const Step& step) {
  const std::int64_t width = place.width;
  const std::int64_t first = place.first;
  const std::int64_t last = first + place.columns - 1;
  const std::int64_t down = (place.rows - 1) * width;
  if (place.above && place.left) step(first, number_of(Direction::left_above), first - width - 1);
  if (place.above && place.right) step(last, number_of(Direction::right_above), last - width + 1);
  if (place.below && place.left)
    step(first + down, number_of(Direction::left_below), first + down + width - 1);
  if (place.below && place.right)
    step(last + down, number_of(Direction::right_below), last + down + width + 1);
}

}  // namespace thiessen::cpu::cost
