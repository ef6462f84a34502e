// SPDX-License-Identifier: Apache-2.0
//
// How the tile engine cuts up a raster.
//
// A leaf is 256 cells, 16 rows of 16 cells each: 16 x 16 cells in 2-D, 4 x 4 x 16 in 3-D. Leaves
// are handled in units that are 64 cells wide, because 64 cells of a row are one word of the bitmap
// of sites. All units with the same z and y are a unit row: the piece of work of the kernels.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/cells.hpp"

namespace thiessen::cpu::tiles {

/// The number of pieces of a size that a count is cut into; the last may be smaller.
constexpr std::int64_t parts(std::int64_t count, std::int64_t size) {
  return (count + size - 1) / size;
}

inline constexpr std::int64_t kLeafWidth = 16;
inline constexpr std::int64_t kLeafRows = 16;
inline constexpr std::int64_t kLeafCells = kLeafWidth * kLeafRows;
inline constexpr std::int64_t kUnitWidth = 64;

/// Sizes of leaves and units along (z, y, x), and how far the near search looks around a leaf and
/// the dense search around a cell.
template <int kRank>
struct Blocks;
template <>
struct Blocks<2> {
  static constexpr std::int64_t kLeafZ = 1, kLeafY = 16;
  static constexpr std::int64_t kUnitZ = 1, kUnitY = 16;
  static constexpr std::int64_t kMarginZ = 0, kMarginY = 22;
  static constexpr std::int64_t kDenseZ = 0, kDenseY = 9;
};
template <>
struct Blocks<3> {
  static constexpr std::int64_t kLeafZ = 4, kLeafY = 4;
  static constexpr std::int64_t kUnitZ = 8, kUnitY = 8;
  static constexpr std::int64_t kMarginZ = 16, kMarginY = 16;
  static constexpr std::int64_t kDenseZ = 4, kDenseY = 4;
};
inline constexpr std::int64_t kMarginX = 22;
inline constexpr std::int64_t kDenseX = 9;

/// The rows that the dense search reads for a unit, numbered plane by plane.
template <int kRank>
struct DenseWindow {
  using B = Blocks<kRank>;
  static constexpr std::int64_t kPlanes = B::kUnitZ + 2 * B::kDenseZ;
  static constexpr std::int64_t kPlaneRows = B::kUnitY + 2 * B::kDenseY;
  /// Rounded up to whole vectors.
  static constexpr std::int64_t kRows = (kPlanes * kPlaneRows + 7) / 8 * 8;
  static constexpr std::int64_t kColumns = 2 * kDenseX + 1;

  /// The way from a row to the one that lies (dz, dy) from it, in words shifted by dx.
  static constexpr std::int64_t word(std::int64_t dz, std::int64_t dy, std::int64_t dx) {
    return dx * kRows + dz * kPlaneRows + dy;
  }
};

template <int kRank>
constexpr std::int64_t unit_cells() {
  return Blocks<kRank>::kUnitZ * Blocks<kRank>::kUnitY * kUnitWidth;
}

/// Calls visit(z, y) for the unit row (unit_z, unit_y) and all up to `reach` from it.
template <class Visit>
void for_each_unit_row_around(const Axes& units, std::int64_t unit_z, std::int64_t unit_y,
                              std::int64_t reach, Visit&& visit) {
  for (std::int64_t z = std::max<std::int64_t>(unit_z - reach, 0);
       z <= std::min(unit_z + reach, units[0] - 1); ++z)
    for (std::int64_t y = std::max<std::int64_t>(unit_y - reach, 0);
         y <= std::min(unit_y + reach, units[1] - 1); ++y)
      visit(z, y);
}

/// Cells as bits: cell x of a row is bit x % 64 of word x / 64. Rows have a word of zeros on either
/// side, and rows beyond the raster are all zeros.
struct Bitmap {
  std::uint64_t* words = nullptr;
  const std::uint64_t* zeros = nullptr;
  std::int64_t row_words = 0;  ///< from a row to the next
  std::int64_t depth = 0;
  std::int64_t height = 0;

  explicit operator bool() const { return words != nullptr; }
  std::uint64_t* own_row(std::int64_t z, std::int64_t y) const {
    return words + (z * height + y) * row_words + 1;
  }
  const std::uint64_t* row(std::int64_t z, std::int64_t y) const {
    const bool inside = z >= 0 && z < depth && y >= 0 && y < height;
    return inside ? own_row(z, y) : zeros + 1;
  }
};

/// Calls visit(z, y) for the rows of a unit row that the raster has.
template <int kRank, class Visit>
void for_each_row(const Axes& extent, std::int64_t unit_z, std::int64_t unit_y, Visit&& visit) {
  using B = Blocks<kRank>;
  for (std::int64_t z = unit_z * B::kUnitZ; z < (unit_z + 1) * B::kUnitZ && z < extent[0]; ++z)
    for (std::int64_t y = unit_y * B::kUnitY; y < (unit_y + 1) * B::kUnitY && y < extent[1]; ++y)
      visit(z, y);
}

}  // namespace thiessen::cpu::tiles
