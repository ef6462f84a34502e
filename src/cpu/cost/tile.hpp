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
};

/// Rows and columns of a tile, as bits: those with cells that fell, and whose new values have not
/// been passed on.
struct Lines {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
};

/// Bits of the cells beyond the sides of a tile, from the left or from above: those whose value
/// fell.
struct Fallen {
  std::uint64_t above = 0, below = 0, left = 0, right = 0;
};

/// Calls step(from, k, to) for the steps out of the corners of a tile, which there are with 8
/// neighbours where the raster goes on: step k of the cell `from` leads to the cell `to`.
template <class Step>
void for_each_corner(const TilePlace& place, const Step& step) {
  const std::int64_t last_row = (place.rows - 1) * place.width;
  const std::int64_t last = place.columns - 1;
  if (place.above && place.left) step(place.first, 0, place.first - place.width - 1);
  if (place.above && place.right) step(place.first + last, 2, place.first + last - place.width + 1);
  if (place.below && place.left)
    step(place.first + last_row, 5, place.first + last_row + place.width - 1);
  if (place.below && place.right)
    step(place.first + last_row + last, 7, place.first + last_row + last + place.width + 1);
}

}  // namespace thiessen::cpu::cost
