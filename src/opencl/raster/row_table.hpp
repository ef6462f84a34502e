// SPDX-License-Identifier: Apache-2.0
//
// Sites as bits along rows, in the form that expansion.cl reads.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/scratch.hpp"

namespace thiessen::opencl {

/// Words of 32 cells; each row begins with a new one.
class RowTable {
 public:
  RowTable(Scratch::Frame& scratch, std::int64_t rows, std::int64_t width)
      : rows_(rows),
        row_words_((width + 31) / 32),
        words_(scratch.array<std::uint32_t>(count())),
        before_(scratch.array<std::int32_t>(count())),
        after_(scratch.array<std::int32_t>(count())) {
    std::fill_n(words_, count(), 0u);
  }

  std::int64_t count() const { return rows_ * row_words_; }
  const std::uint32_t* words() const { return words_; }
  const std::int32_t* before() const { return before_; }  ///< last site before the word, or -1
  const std::int32_t* after() const { return after_; }    ///< first site behind it, or INT_MAX

  void set(std::int64_t row, std::int64_t x) { words_[row * row_words_ + x / 32] |= 1u << x % 32; }

  /// Call it when all sites are set.
  void carry() {
    for (std::int64_t first = 0; first < count(); first += row_words_) {
      std::int32_t carried = -1;
      for (std::int64_t i = 0; i < row_words_; ++i) {
        const std::uint32_t word = words_[first + i];
        before_[first + i] = carried;
        if (word != 0) carried = base_of(i) + 31 - std::countl_zero(word);
      }
      carried = std::numeric_limits<std::int32_t>::max();
      for (std::int64_t i = row_words_ - 1; i >= 0; --i) {
        const std::uint32_t word = words_[first + i];
        after_[first + i] = carried;
        if (word != 0) carried = base_of(i) + std::countr_zero(word);
      }
    }
  }

 private:
  static std::int32_t base_of(std::int64_t word) { return static_cast<std::int32_t>(32 * word); }

  std::int64_t rows_;
  std::int64_t row_words_;
  std::uint32_t* words_;
  std::int32_t* before_;
  std::int32_t* after_;
};

}  // namespace thiessen::opencl
