// SPDX-License-Identifier: Apache-2.0
//
// Bits that say which cells are sites.
#pragma once

#include <cstdint>

namespace thiessen::cuda {
inline namespace job {

/// Cell x of a row is bit x % 32 of word x / 32.
struct Bits {
  std::uint32_t* words = nullptr;
  std::int64_t row_words = 0;

  constexpr bool has(std::int64_t row, std::int64_t x) const {
    return (words[row * row_words + x / 32] >> (x % 32) & 1) != 0;
  }
};

}  // namespace job
}  // namespace thiessen::cuda
