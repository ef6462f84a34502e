// SPDX-License-Identifier: Apache-2.0
//
// Points that all lie on centres of cells of the grid, as a raster of sites: the cells that hold
// points, and for each of them the first of its points in the list, which wins over the others.
//
// Legend: the cells that hold points have a bit each in words of 32 cells of a row (Bits). Words
// with any bit have places one behind the other in some order; `before` of such a word counts the
// bits of those before it. So a cell's own bit has a place among all bits, and `first` has the
// number of the point there. That takes 4 bytes for 32 cells and 4 for a point, instead of 4 a
// cell.
#pragma once

#include <bit>
#include <cstdint>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"
#include "cuda/job/site_bits.hpp"

namespace thiessen::cuda {
inline namespace job {

struct PointCells {
  struct State {
    std::uint32_t places;  ///< places among all bits that words have got
    std::int32_t misfits;  ///< not 0: some point lies off centre, or outside of the grid
  };

  Bits bits = {};
  std::uint32_t* before = nullptr;  ///< for each word with a bit
  std::uint32_t* first = nullptr;
  State* state = nullptr;

  THIESSEN_HD explicit operator bool() const { return state != nullptr; }

  /// Whether the cells represent all points.
  THIESSEN_HD bool hold_all() const { return state->misfits == 0; }

  /// The place of a cell that holds points; `row` as Bits has it.
  THIESSEN_HD std::uint32_t place(std::int64_t row, std::int64_t x) const {
    const std::int64_t word = row * bits.row_words + x / 32;
    return before[word] + count_bits(bits.words[word] & ((1u << x % 32) - 1));
  }
  /// The number of the first point in a cell that holds some.
  THIESSEN_HD std::uint32_t number(std::int64_t row, std::int64_t x) const {
    return first[place(row, x)];
  }
  THIESSEN_HD std::uint32_t number(const Axes& extent, std::int64_t cell) const {
    return number(cell / extent[2], cell % extent[2]);
  }

 private:
  THIESSEN_HD static std::uint32_t count_bits(std::uint32_t word) {
#ifdef __CUDA_ARCH__
    return static_cast<std::uint32_t>(__popc(word));
#else
    return static_cast<std::uint32_t>(std::popcount(word));
#endif
  }
};

/// The cell on whose centre a point lies, in units of 2^-fraction_bits of a cell; false if there is
/// none in the grid.
THIESSEN_HD inline bool find_cell(const Axes& extent, int fraction_bits, const Axes& point,
                                  Axes& cell) {
  bool found = true;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    cell[axis] = point[axis] >> fraction_bits;
    found = found && cell[axis] << fraction_bits == point[axis] && cell[axis] >= 0 &&
            cell[axis] < extent[axis];
  }
  return found;
}

}  // namespace job
}  // namespace thiessen::cuda
