// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace thiessen::io {

inline std::uint8_t reversed(std::uint8_t word) noexcept { return word; }
inline std::uint16_t reversed(std::uint16_t word) noexcept { return __builtin_bswap16(word); }
inline std::uint32_t reversed(std::uint32_t word) noexcept { return __builtin_bswap32(word); }
inline std::uint64_t reversed(std::uint64_t word) noexcept { return __builtin_bswap64(word); }

template <class Word>
void swap_words(std::byte* cells, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i, cells += sizeof(Word)) {
    Word word;
    std::memcpy(&word, cells, sizeof word);
    word = reversed(word);
    std::memcpy(cells, &word, sizeof word);
  }
}

/// Reverses the bytes of each of `count` cells of 1, 2, 4 or 8 bytes.
inline void swap_bytes(std::byte* cells, std::size_t count, std::size_t cell_bytes) noexcept {
  if (cell_bytes == 2) swap_words<std::uint16_t>(cells, count);
  if (cell_bytes == 4) swap_words<std::uint32_t>(cells, count);
  if (cell_bytes == 8) swap_words<std::uint64_t>(cells, count);
}

}  // namespace thiessen::io
