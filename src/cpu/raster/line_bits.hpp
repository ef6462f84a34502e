// SPDX-License-Identifier: Apache-2.0
//
// Sites along columns and diagonals, as bits, so that one look takes 64 of them: bit y % 64 of a
// word is row y. Words of the same 64 rows stand side by side, in the order of the columns in which
// their lines cross one of these rows; so the words of a line are evenly spaced.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/problem/problem.hpp"
#include "cpu/raster/bit_line.hpp"
#include "cpu/raster/site_bits.hpp"

namespace thiessen::cpu::raster {

enum class Slope {
  column,   ///< x stays
  falling,  ///< x - y stays
  rising,   ///< x + y stays
};

class LineBits {
 public:
  /// Takes about a bit a cell of `scratch`.
  LineBits(Scratch::Frame& scratch, const Problem& problem, const SiteBits& bits, Slope slope)
      : slope_(slope),
        block_words_(problem.extent[2] + (slope == Slope::column ? 0 : 64)),
        plane_words_((problem.extent[1] + 63) / 64 * block_words_) {
    const std::int64_t count = problem.extent[0] * plane_words_;
    words_ = scratch.array<std::uint64_t>(count);
    std::fill_n(words_, count, std::uint64_t{0});
    for (std::int64_t z = 0; z < problem.extent[0]; ++z)
      for (std::int64_t y = 0; y < problem.extent[1]; ++y)
        for_each_bit(bits.row(z, y), bits.row_words,
                     [&](std::int64_t x) { *word_of(z, y, x) |= std::uint64_t{1} << (y % 64); });
  }

  /// The line through a cell, which may lie outside of the raster. Ask only for rows in which the
  /// line lies inside.
  BitLine line(std::int64_t z, std::int64_t y, std::int64_t x) const {
    const std::int64_t first = z * plane_words_;
    switch (slope_) {
      case Slope::column:
        return {words_, first + x, block_words_};
      case Slope::falling:
        return {words_, first + x - y + 63, block_words_ + 64};
      default:
        return {words_, first + x + y, block_words_ - 64};
    }
  }

 private:
  std::uint64_t* word_of(std::int64_t z, std::int64_t y, std::int64_t x) const {
    const BitLine own = line(z, y, x);
    return words_ + own.first_word + y / 64 * own.stride;
  }

  Slope slope_;
  std::int64_t block_words_;
  std::int64_t plane_words_;
  std::uint64_t* words_ = nullptr;
};

}  // namespace thiessen::cpu::raster
