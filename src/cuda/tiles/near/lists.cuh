// SPDX-License-Identifier: Apache-2.0
//
// The near search by lists: where sites are dots that are not rare, a tile needs only those in a
// window around it.
//
// All sites with S <= bound from a cell of the tile lie in a window of a known margin (Level). If
// the greatest S of the tile, measured to the sites of the window, is at most `bound`, then no site
// outside can be nearer or as near, and the winners are final.
//
// Sites come out of the bits in the order of their index, so the number of a site in the window is
// its rank among equally near ones. S is separable and small: a key of 16 bits, S << bits | rank,
// is the sum of the shares of x, y and z in S and of the rank. Two rows share a word, so that one
// instruction adds and takes the lesser for two cells. A lane has a column. The part of y is the
// same for all cells of a row: it comes from a table (RowParts), four words at a time.
//
// Parts are cut so that their sum still fits: a key with a part that was cut is beyond the bound,
// for any rank. For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "core/order/measure.hpp"
#include "cuda/device/warp.cuh"
#include "cuda/job/limits.hpp"
#include "cuda/job/site_bits.hpp"
#include "cuda/job/tile.hpp"
#include "cuda/tiles/job/ranks.hpp"
#include "cuda/tiles/job/row_words.hpp"
#include "cuda/tiles/near/tables.hpp"

namespace thiessen::cuda::tiles {

/// The part of a difference along an axis in S, cut to `most`.
template <Metric kMetric>
__device__ std::uint32_t cut_part(std::int32_t factor, std::int32_t delta, std::int32_t most) {
  const std::int32_t part = along<kMetric>(factor, delta);
  return static_cast<std::uint32_t>(part < most ? part : most);
}

/// The part of y in the keys of pairs of rows: for a site v rows above the upper row of a pair,
/// the word (part(v), part(v + 1)) << bits. The words of the pairs of a tile stand side by side, in
/// as many copies as they need to start at a multiple of four.
struct RowParts {
  static constexpr int kCopies = 4;
  static constexpr int kLength = 64;  ///< pairs, the first for v = -64 or -63
  alignas(16) std::uint32_t pair[kRankWidths][2][kCopies][kLength];

  static constexpr int kWords = kRankWidths * 2 * kCopies * kLength;

  template <Metric kMetric, int kRank>
  __device__ static std::uint32_t word(std::int32_t factor, int number) {
    const int bits = kFewestRankBits + number / (2 * kCopies * kLength);
    const int odd = number / (kCopies * kLength) % 2;
    const int place = number % kLength + number / kLength % kCopies;
    const std::int32_t v = 2 * (place - kLength / 2) + odd;
    const std::int32_t most = most_of_part<kRank>(bits);
    return (cut_part<kMetric>(factor, v, most) | cut_part<kMetric>(factor, v + 1, most) << 16)
           << bits;
  }
  /// Where the four words of the first pairs of a tile stand for a site `y` rows below the tile's
  /// first row: counted in fours, without the width of the rank.
  __device__ static std::int32_t four_of(std::int32_t y) {
    const std::int32_t odd = y & 1;
    const std::int32_t first = kLength / 2 - (y + odd) / 2;
    const std::int32_t copy = first % kCopies;
    return ((odd * kCopies + copy) * kLength + first - copy) / 4;
  }
  __device__ const std::uint32_t* of_bits(int bits) const {
    return &pair[bits - kFewestRankBits][0][0][0];
  }
};

/// Sites of a window, in the order of their index.
struct WindowSites {
  static constexpr int kMost = 1 << kMostRankBits;
  static_assert(kLimitsVary || TileLimits::kWindowSites <= kMost);

  /// Relative to the tile's first cell: x + 32 | (y + 32) << 7 | (z + 32) << 14 |
  /// RowParts::four_of(y) << 21.
  std::uint32_t place[kMost];
  std::int32_t count;

  __device__ static std::uint32_t pack(std::int32_t z, std::int32_t y, std::int32_t x) {
    return static_cast<std::uint32_t>((x + 32) | (y + 32) << 7 | (z + 32) << 14 |
                                      RowParts::four_of(y) << 21);
  }
  __device__ static std::int32_t x_of(std::uint32_t place) {
    return static_cast<std::int32_t>(place & 0x7f) - 32;
  }
  __device__ static std::int32_t y_of(std::uint32_t place) {
    return static_cast<std::int32_t>(place >> 7 & 0x7f) - 32;
  }
  __device__ static std::int32_t z_of(std::uint32_t place) {
    return static_cast<std::int32_t>(place >> 14 & 0x7f) - 32;
  }
  __device__ static std::uint32_t parts_of(std::uint32_t place) { return place >> 21 << 2; }
};

/// Lists the sites of a window; false if they are too many.
template <int kRank>
__device__ bool gather(const Job& job, const Bits& bits, const Tile& tile, const Level& level,
                       WindowSites& sites) {
  const std::int32_t height = tile_size<kRank>(1) + 2 * level.margin[1];
  const std::int32_t rows = (tile_size<kRank>(0) + 2 * level.margin[0]) * height;
  // There are so few rows that this divides by the height.
  const std::int32_t reciprocal = kRank == 2 ? 0 : (1 << 20) / height + 1;
  const int margin = level.margin[2];
  const std::uint32_t left = margin == 0 ? 0 : ~0u << (kLanes - margin);
  const std::uint32_t right = (1u << margin) - 1;
  const auto load = [&](std::int32_t number) {
    const std::int32_t z = kRank == 2 ? 0 : number * reciprocal >> 20;
    if (number >= rows) return RowWords{};
    return load_row(job, bits, tile.first[0] - level.margin[0] + z,
                    tile.first[1] - level.margin[1] + number - z * height, tile.first[2]);
  };
  RowWords next = load(lane_of_thread());
  std::int32_t count = 0;
  for (std::int32_t first = 0; first < rows; first += kLanes) {
    const std::int32_t number = first + lane_of_thread();
    RowWords row = next;
    next = load(number + kLanes);  // it is loaded while these are counted
    row.word[0] &= left;
    row.word[2] &= right;
    const std::int32_t own = __popc(row.word[0]) + __popc(row.word[1]) + __popc(row.word[2]);
    const std::int32_t before = sum_before_lane(own);
    const std::int32_t found = sum_of_warp(own);
    if (count + found > TileLimits::kWindowSites) return false;
    if (own != 0) {
      const std::int32_t z = kRank == 2 ? 0 : number * reciprocal >> 20;
      const std::uint32_t at =
          WindowSites::pack(z - level.margin[0], number - z * height - level.margin[1], -32);
      std::uint32_t* to = sites.place + count + before;
      THIESSEN_UNROLL
      for (int k = 0; k < 3; ++k)
        for (std::uint32_t some = row.word[k]; some != 0; some &= some - 1)
          *to++ = at + static_cast<std::uint32_t>(kLanes * k + lowest_bit(some));
    }
    count += found;
  }
  sites.count = count;
  __syncwarp();
  return true;
}

inline constexpr int kTilePairs = kTileRows / 2;

/// The keys of a lane's cells, two in a word; the upper row is in the lower half.
struct LaneKeys {
  std::uint32_t pair[kTilePairs];

  __device__ std::uint32_t of_row(int row) const {
    return pair[row / 2] >> 16 * (row % 2) & 0xffff;
  }
};

/// Measures the sites of a window to the lane's cells of a tile.
template <Metric kMetric, int kRank>
__device__ LaneKeys find_least(const WindowTables& tables, const RowParts& row_parts, int bits,
                               const WindowSites& sites) {
  constexpr int kPairsOfPlane = tile_size<kRank>(1) / 2;
  const std::uint32_t both_shifted = 0x10001u << bits;
  const std::int32_t most = most_of_part<kRank>(bits);
  LaneKeys least;
  THIESSEN_UNROLL
  for (auto& pair : least.pair) pair = ~0u;
  std::uint32_t rank = 0;
  for (std::int32_t i = 0; i < sites.count; ++i, rank += 0x10001) {
    const std::uint32_t place = sites.place[i];
    const std::uint32_t* const parts = row_parts.of_bits(bits) + WindowSites::parts_of(place);
    const std::uint32_t x =
        cut_part<kMetric>(tables.factor[2], WindowSites::x_of(place) - lane_of_thread(), most) *
        both_shifted;
    THIESSEN_UNROLL
    for (int z = 0; z < tile_size<kRank>(0); ++z) {
      std::uint32_t common = x;
      if constexpr (kRank == 3) {
        const std::uint32_t part =
            cut_part<kMetric>(tables.factor[0], WindowSites::z_of(place) - z, most) * both_shifted;
        common = kMetric == Metric::chessboard ? __vmaxu2(x, part) : x + part;
      }
      if constexpr (kMetric != Metric::chessboard) common += rank;
      THIESSEN_UNROLL
      for (int k = 0; k < kPairsOfPlane; ++k) {
        std::uint32_t& own = least.pair[z * kPairsOfPlane + k];
        own = kMetric == Metric::chessboard
                  ? __viaddmin_u16x2(__vmaxu2(common, parts[k]), rank, own)
                  : __viaddmin_u16x2(common, parts[k], own);
      }
    }
  }
  return least;
}

/// Whether all cells of a tile found a site with S <= bound.
template <int kRank>
__device__ bool is_solved(const Job& job, const Tile& tile, std::int32_t bound, int bits,
                          const LaneKeys& least) {
  const bool whole = is_whole<kRank>(job, tile);
  std::uint32_t greatest = 0;
  if (whole) {
    THIESSEN_UNROLL
    for (const std::uint32_t pair : least.pair) greatest = __vmaxu2(greatest, pair);
    greatest = greatest >> 16 > (greatest & 0xffff) ? greatest >> 16 : greatest & 0xffff;
  } else if (tile.first[2] + lane_of_thread() < job.extent[2]) {
    THIESSEN_UNROLL
    for (int row = 0; row < kTileRows; ++row) {
      const std::uint32_t key = least.of_row(row);
      if (has_row<kRank>(job, tile, row) && key > greatest) greatest = key;
    }
  }
  return greatest_of_warp(static_cast<std::int32_t>(greatest)) >> bits <= bound;
}

}  // namespace thiessen::cuda::tiles
