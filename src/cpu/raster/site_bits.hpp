// SPDX-License-Identifier: Apache-2.0
//
// The only read of a raster by the raster methods: a bit for each cell, and from the bits the sites
// in the order of their index. The rank of a site is its number 0, 1, 2, … in this order.
#pragma once

#include <bit>
#include <cstdint>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cpu::raster {

/// Bit x % 64 of word x / 64 of a row says whether cell x is a site. Bits beyond the last cell are
/// 0.
struct SiteBits {
  const std::uint64_t* words = nullptr;
  std::int64_t row_words = 0;
  std::int64_t height = 0;  ///< rows of a plane
  std::int64_t count = 0;   ///< sites

  const std::uint64_t* row(std::int64_t z, std::int64_t y) const {
    return words + (z * height + y) * row_words;
  }
};

/// Calls visit(x) for the bits that are set in a row, from left to right.
template <class Visit>
void for_each_bit(const std::uint64_t* row, std::int64_t row_words, Visit&& visit) {
  for (std::int64_t w = 0; w < row_words; ++w)
    for (std::uint64_t word = row[w]; word != 0; word &= word - 1)
      visit(w * 64 + std::countr_zero(word));
}

/// Reads the sites of a raster, on all threads; takes a bit a cell of `scratch`.
SiteBits read_bits(ContextState& state, Scratch::Frame& scratch, const Problem& problem,
                   const ProblemViews& views);

/// Coordinates of the sites by rank.
struct SiteTable {
  const std::int32_t* at[kAxes] = {};  ///< z, y, x
  std::int64_t count = 0;

  std::int64_t index(const Axes& extent, std::int64_t rank) const {
    return to_index(extent, {at[0][rank], at[1][rank], at[2][rank]});
  }
};

SiteTable list_sites(Scratch::Frame& scratch, const Problem& problem, const SiteBits& bits);

}  // namespace thiessen::cpu::raster
