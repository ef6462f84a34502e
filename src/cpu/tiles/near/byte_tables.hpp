// SPDX-License-Identifier: Apache-2.0
//
// Tables for 64 cells in lanes of bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace thiessen::cpu::tiles {

/// For the four bits of one half of a byte, 255 less a distance to one of them, or 0 for none.
struct Nibbles {
  alignas(16) std::array<std::uint8_t, 16> low{};
  alignas(16) std::array<std::uint8_t, 16> high{};
};

struct NibbleTables {
  constexpr NibbleTables() {
    for (std::size_t bits = 1; bits < 16; ++bits) {
      std::size_t lowest = 0;
      while ((bits >> lowest & 1) == 0) ++lowest;
      std::size_t highest = 3;
      while ((bits >> highest & 1) == 0) --highest;
      first.low[bits] = static_cast<std::uint8_t>(255 - lowest);
      first.high[bits] = static_cast<std::uint8_t>(255 - 4 - lowest);
      last.low[bits] = static_cast<std::uint8_t>(255 - 8 + highest);
      last.high[bits] = static_cast<std::uint8_t>(255 - 4 + highest);
    }
  }

  Nibbles first;  ///< from cell 0 of the byte to its first site
  Nibbles last;   ///< from cell 0 of the next byte to the last site
};

inline constexpr NibbleTables kNibbles;

/// Where each of 64 lanes lies.
struct LanePlaces {
  constexpr LanePlaces() {
    for (std::size_t lane = 0; lane < byte.size(); ++lane) {
      byte[lane] = static_cast<std::uint8_t>(lane / 8);
      column[lane] = static_cast<std::uint8_t>(lane % 8);
    }
    for (std::size_t i = 0; i < 8; ++i) ramp[i] = static_cast<std::uint8_t>(8 * i);
  }

  alignas(64) std::array<std::uint8_t, 64> byte{};    ///< the byte of the word
  alignas(64) std::array<std::uint8_t, 64> column{};  ///< the bit of the byte
  alignas(16) std::array<std::uint8_t, 16> ramp{};    ///< the first cell of each byte
};

inline constexpr LanePlaces kLanePlaces;

}  // namespace thiessen::cpu::tiles
