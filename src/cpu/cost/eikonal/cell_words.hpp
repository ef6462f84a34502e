// SPDX-License-Identifier: Apache-2.0
//
// What the second pass of Eikonal cost distance knows of a cell besides its cost, in one word of 64
// bits, so that one gather finds it:
//
//   bits  0 …  5   earlier: the sides on which a neighbour is earlier
//   bits  8 … 13   waits: the sides on which such a neighbour has no answer yet
//   bit  14        the cell waits for ever: it has an answer, or nothing reaches it
//   bits 16 … 21   edges: the sides on which another tile begins
//   bit  24        its answer was known at the start
//   bit  25        its direction is 0
//   bits 26 … 28   link: the side over which its way leads back, or kNoSide
//   bits 32 … 63   rank: of its site
#pragma once

#include <cstdint>

#include "core/cost/inputs.hpp"
#include "cpu/cost/eikonal/front.hpp"

namespace thiessen::cpu::eikonal {

using CellWord = std::int64_t;

inline constexpr int kEarlierShift = 0;
inline constexpr int kWaitsShift = 8;
inline constexpr int kEdgesShift = 16;
inline constexpr int kLinkShift = 26;
inline constexpr int kRankShift = 32;

inline constexpr CellWord kAllSides = (CellWord{1} << kSides) - 1;
inline constexpr CellWord kWaitsForEver = CellWord{1} << 14;
inline constexpr CellWord kWaits = kAllSides << kWaitsShift | kWaitsForEver;
inline constexpr CellWord kIsKnown = CellWord{1} << 24;
inline constexpr CellWord kHasNoDirection = CellWord{1} << 25;
inline constexpr CellWord kLink = CellWord{kNoSide} << kLinkShift;

constexpr Rank rank_of(CellWord word) {
  return static_cast<Rank>(static_cast<std::uint64_t>(word) >> kRankShift);
}
constexpr CellWord word_of_rank(Rank rank) {
  return static_cast<CellWord>(std::uint64_t{rank} << kRankShift);
}
constexpr CellWord link_of(CellWord word) { return (word & kLink) >> kLinkShift; }

}  // namespace thiessen::cpu::eikonal
