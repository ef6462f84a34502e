// SPDX-License-Identifier: Apache-2.0
//
// Sites as bits along lines, as expansion.cl reads them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/scratch.hpp"

namespace thiessen::opencl {

/// Lines of `blocks` words of 32 cells, in groups of `inner` side by side: word `block` of a line
/// stands at (outer · blocks + block) · inner + its place in the group.
class LineTable {
 public:
  LineTable(Scratch::Frame& scratch, std::int64_t outer, std::int64_t length, std::int64_t inner)
      : outer_(outer),
        blocks_((length + 31) / 32),
        inner_(inner),
        words_(scratch.array<std::uint32_t>(count())),
        before_(scratch.array<std::int32_t>(count())),
        after_(scratch.array<std::int32_t>(count())) {
    std::fill_n(words_, count(), 0u);
  }

  std::int64_t count() const { return outer_ * blocks_ * inner_; }
  const std::uint32_t* words() const { return words_; }
  const std::int32_t* before() const { return before_; }  ///< last site before the word, or -1
  const std::int32_t* after() const { return after_; }    ///< first behind it, or the greatest int

  void set(std::int64_t outer, std::int64_t at, std::int64_t inner) {
    words_[(outer * blocks_ + at / 32) * inner_ + inner] |= 1u << at % 32;
  }

  /// When all sites are set.
  void carry() {
    for (std::int64_t outer = 0; outer < outer_; ++outer) {
      const std::int64_t first = outer * blocks_ * inner_;
      const std::int64_t last = first + (blocks_ - 1) * inner_;
      std::fill_n(before_ + first, inner_, -1);
      std::fill_n(after_ + last, inner_, std::numeric_limits<std::int32_t>::max());
      for (std::int64_t block = 1; block < blocks_; ++block)
        for (std::int64_t i = first + (block - 1) * inner_; i < first + block * inner_; ++i)
          before_[i + inner_] =
              words_[i] == 0 ? before_[i] : base_of(block - 1) + highest(words_[i]);
      for (std::int64_t block = blocks_ - 1; block > 0; --block)
        for (std::int64_t i = first + block * inner_; i < first + (block + 1) * inner_; ++i)
          after_[i - inner_] =
              words_[i] == 0 ? after_[i] : base_of(block) + std::countr_zero(words_[i]);
    }
  }

 private:
  static std::int32_t base_of(std::int64_t block) { return static_cast<std::int32_t>(32 * block); }
  static std::int32_t highest(std::uint32_t word) { return 31 - std::countl_zero(word); }

  std::int64_t outer_;
  std::int64_t blocks_;
  std::int64_t inner_;
  std::uint32_t* words_;
  std::int32_t* before_;
  std::int32_t* after_;
};

}  // namespace thiessen::opencl
