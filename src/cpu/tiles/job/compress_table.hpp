// SPDX-License-Identifier: Apache-2.0
//
// Sets of lanes, for instruction sets that cannot move the lanes of a mask to the front.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace thiessen::cpu::tiles {

/// For each set of up to 8 lanes: their number and the lanes in order, then any lanes.
struct CompressTable {
  std::array<std::array<std::uint8_t, 8>, 256> lanes{};
  /// The same, as bytes of lanes of 16 bits.
  alignas(16) std::array<std::array<std::uint8_t, 16>, 256> bytes{};
  std::array<std::uint8_t, 256> count{};
};

constexpr CompressTable make_compress_table() {
  CompressTable table;
  for (std::size_t bits = 0; bits < 256; ++bits)
    for (std::uint8_t lane = 0; lane < 8; ++lane) {
      if ((bits >> lane & 1) == 0) continue;
      const std::size_t to = table.count[bits]++;
      table.lanes[bits][to] = lane;
      table.bytes[bits][2 * to] = static_cast<std::uint8_t>(2 * lane);
      table.bytes[bits][2 * to + 1] = static_cast<std::uint8_t>(2 * lane + 1);
    }
  return table;
}

inline constexpr CompressTable kCompress = make_compress_table();

}  // namespace thiessen::cpu::tiles
