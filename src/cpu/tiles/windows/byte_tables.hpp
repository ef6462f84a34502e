// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace thiessen::cpu::tiles {

/// For each pattern of eight cells, how far each of them is from the nearest site among them.
struct ByteTable {
  static constexpr std::uint8_t kNone = 255;

  constexpr ByteTable() : distance() {
    for (std::size_t sites = 0; sites < 256; ++sites)
      for (std::size_t cell = 0; cell < 8; ++cell) {
        std::uint8_t least = kNone;
        for (std::size_t site = 0; site < 8; ++site) {
          const std::size_t apart = site < cell ? cell - site : site - cell;
          if ((sites >> site & 1) != 0 && apart < least) least = static_cast<std::uint8_t>(apart);
        }
        distance[sites][cell] = least;
      }
  }

  alignas(64) std::array<std::array<std::uint8_t, 8>, 256> distance;
};

inline constexpr ByteTable kByteTable;

}  // namespace thiessen::cpu::tiles
