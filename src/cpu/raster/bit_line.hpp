// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace thiessen::cpu::raster {

/// The bits of a row, a column or a diagonal, in words that lie `stride` words apart.
struct BitLine {
  const std::uint64_t* words = nullptr;
  std::int64_t first_word = 0;  ///< the word of bit 0, which need not exist
  std::int64_t stride = 1;

  std::uint64_t word(std::int64_t i) const { return words[first_word + i * stride]; }

  /// The first bit among from..to that is set; -1 if there is none.
  std::int64_t first(std::int64_t from, std::int64_t to) const {
    if (from > to) return -1;
    const std::int64_t last = to / 64;
    std::int64_t i = from / 64;
    std::uint64_t bits = word(i) & ~std::uint64_t{0} << (from % 64);
    while (bits == 0 && i < last) bits = word(++i);
    if (bits == 0) return -1;
    const std::int64_t found = i * 64 + std::countr_zero(bits);
    return found <= to ? found : -1;
  }

  /// The last bit among from..to that is set; -1 if there is none.
  std::int64_t last(std::int64_t from, std::int64_t to) const {
    if (from > to) return -1;
    const std::int64_t least = from / 64;
    std::int64_t i = to / 64;
    std::uint64_t bits = word(i) & ~std::uint64_t{0} >> (63 - to % 64);
    while (bits == 0 && i > least) bits = word(--i);
    if (bits == 0) return -1;
    const std::int64_t found = i * 64 + 63 - std::countl_zero(bits);
    return found >= from ? found : -1;
  }
};

}  // namespace thiessen::cpu::raster
