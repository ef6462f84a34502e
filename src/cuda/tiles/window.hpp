// SPDX-License-Identifier: Apache-2.0
//
// The window search: where sites are not rare, a tile needs only those in a window around it.
//
// All sites with S <= bound from a cell of the tile lie in a window of a known margin (Level). If
// the greatest S of the tile, measured to the sites of the window, is at most `bound`, then no site
// outside can be nearer, nor as near, and the tile is settled.
//
// Sites come out of the bits in the order of their index, so a site's number in the window is its
// rank among equally near ones. S is separable, and small: a key of 16 bits, S << bits | rank, is
// the sum of what x, y and z contribute to S and of the rank. Two rows share a word, so that one
// instruction adds and takes the lesser for two cells. A lane has a column. What y contributes is
// the same for a row's cells: it comes from a table (RowParts), four words at a time.
//
// Parts are cut so that their sum still fits: a key with a part that has been cut is beyond the
// bound, whatever its rank.
#pragma once

#include <cstdint>

#include "core/measure.hpp"
#include "cuda/device/warp.hpp"
#include "cuda/site_bits.hpp"
#include "cuda/tiles/tile.hpp"

namespace thiessen::cuda {

inline constexpr int kFewestRankBits = 5;
inline constexpr int kMostRankBits = 8;
inline constexpr int kRankWidths = kMostRankBits - kFewestRankBits + 1;
/// Cells that a window may go beyond its tile: a word of bits to the left and one to the right.
inline constexpr int kMostMargin = 31;

/// How far a window goes.
struct Level {
  std::int32_t bound = 0;  ///< of S
  std::int32_t margin[kAxes] = {};
  std::int32_t offsets = 0;  ///< cells with S <= bound around a cell
  std::int32_t window = 0;   ///< cells of the window
};

struct WindowTables {
  static constexpr int kMostLevels = 20;
  std::int32_t factor[kAxes] = {};  ///< of S
  Level level[kMostLevels];
  int levels = 0;
};

/// Bits of a key for the rank, by the number of sites.
THIESSEN_HD constexpr int rank_bits(std::int32_t count) {
  return count <= 32 ? 5 : count <= 64 ? 6 : count <= 128 ? 7 : 8;
}
/// What parts of S are cut to; a bound must be less.
template <int kRank>
THIESSEN_HD constexpr std::int32_t most_of_part(int bits) {
  return (1 << ((kRank == 2 ? 15 : 14) - bits)) - 1;
}

/// What a difference along an axis contributes to S, cut to `most`.
template <Metric kMetric>
THIESSEN_HD std::uint32_t cut_part(std::int32_t factor, std::int32_t delta, std::int32_t most) {
  const std::int32_t part = along<kMetric>(factor, delta);
  return static_cast<std::uint32_t>(part < most ? part : most);
}

/// What y contributes to the keys of pairs of rows: for a site v rows above the upper row of a pair
/// the word (part(v), part(v + 1)) << bits. Words of the pairs of a tile stand side by side, and in
/// as many copies as they need to start at a multiple of four.
struct RowParts {
  static constexpr int kCopies = 4;
  static constexpr int kLength = 64;  ///< pairs, the first for v = -64 or -63
  alignas(16) std::uint32_t pair[kRankWidths][2][kCopies][kLength];

  static constexpr int kWords = kRankWidths * 2 * kCopies * kLength;

  template <Metric kMetric, int kRank>
  THIESSEN_HD static std::uint32_t word(std::int32_t factor, int number) {
    const int bits = kFewestRankBits + number / (2 * kCopies * kLength);
    const int odd = number / (kCopies * kLength) % 2;
    const int place = number % kLength + number / kLength % kCopies;
    const std::int32_t v = 2 * (place - kLength / 2) + odd;
    const std::int32_t most = most_of_part<kRank>(bits);
    return (cut_part<kMetric>(factor, v, most) | cut_part<kMetric>(factor, v + 1, most) << 16)
           << bits;
  }
  /// Where the four words of the first pairs of a tile stand for a site `y` rows below the tile's
  /// first one: counted in fours, without the rank's width.
  THIESSEN_HD static std::int32_t four_of(std::int32_t y) {
    const std::int32_t odd = y & 1;
    const std::int32_t first = kLength / 2 - (y + odd) / 2;
    const std::int32_t copy = first % kCopies;
    return ((odd * kCopies + copy) * kLength + first - copy) / 4;
  }
  THIESSEN_HD const std::uint32_t* of_bits(int bits) const {
    return &pair[bits - kFewestRankBits][0][0][0];
  }
};

/// Sites of a window, in the order of their index.
struct WindowSites {
  static constexpr int kMost = 1 << kMostRankBits;

  /// Relative to the tile's first cell: x + 32 | (y + 32) << 7 | (z + 32) << 14 |
  /// RowParts::four_of(y) << 21.
  std::uint32_t place[kMost];
  std::int32_t count;

  THIESSEN_HD static std::uint32_t pack(std::int32_t z, std::int32_t y, std::int32_t x) {
    return static_cast<std::uint32_t>((x + 32) | (y + 32) << 7 | (z + 32) << 14 |
                                      RowParts::four_of(y) << 21);
  }
  THIESSEN_HD static std::int32_t x_of(std::uint32_t place) {
    return static_cast<std::int32_t>(place & 0x7f) - 32;
  }
  THIESSEN_HD static std::int32_t y_of(std::uint32_t place) {
    return static_cast<std::int32_t>(place >> 7 & 0x7f) - 32;
  }
  THIESSEN_HD static std::int32_t z_of(std::uint32_t place) {
    return static_cast<std::int32_t>(place >> 14 & 0x7f) - 32;
  }
  THIESSEN_HD static std::uint32_t parts_of(std::uint32_t place) { return place >> 21 << 2; }
};

/// The words of a row to the left of a tile, over it and to the right.
struct RowWords {
  std::uint32_t word[3];
};

/// None of a row that the raster does not have.
THIESSEN_HD inline RowWords load_row(const Job& job, const Bits& bits, std::int64_t z,
                                     std::int64_t y, std::int32_t first_x) {
  if (z < 0 || y < 0 || z >= job.extent[0] || y >= job.extent[1]) return {};
  const std::int64_t middle = first_x / kLanes;
  const std::uint32_t* const words = bits.words + (z * job.extent[1] + y) * bits.row_words + middle;
  return {{middle > 0 ? words[-1] : 0, words[0], middle + 1 < bits.row_words ? words[1] : 0}};
}

/// Lists the sites of a window; false if they are too many.
template <class Warp, int kRank>
THIESSEN_HD bool gather(const Job& job, const Bits& bits, const Tile& tile, const Level& level,
                        WindowSites& sites) {
  const std::int32_t height = tile_size<kRank>(1) + 2 * level.margin[1];
  const std::int32_t rows = (tile_size<kRank>(0) + 2 * level.margin[0]) * height;
  // Rows are so few that this divides by the height.
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
  typename Warp::template Lanes<RowWords> next;
  Warp::each([&](int lane) { next[lane] = load(lane); });
  std::int32_t count = 0;
  for (std::int32_t first = 0; first < rows; first += kLanes) {
    typename Warp::template Lanes<std::int32_t> own;
    const typename Warp::template Lanes<RowWords> loaded = next;
    typename Warp::template Lanes<RowWords> row;
    Warp::each([&](int lane) {
      next[lane] = load(first + kLanes + lane);  // on its way while these are counted
      row[lane] = loaded[lane];
      row[lane].word[0] &= left;
      row[lane].word[2] &= right;
      own[lane] = Warp::count_bits(row[lane].word[0]) + Warp::count_bits(row[lane].word[1]) +
                  Warp::count_bits(row[lane].word[2]);
    });
    const auto before = Warp::sum_before(own);
    const std::int32_t found = Warp::sum(own);
    if (count + found > WindowSites::kMost) return false;
    Warp::each([&](int lane) {
      if (own[lane] == 0) return;
      const std::int32_t number = first + lane;
      const std::int32_t z = kRank == 2 ? 0 : number * reciprocal >> 20;
      const std::uint32_t at =
          WindowSites::pack(z - level.margin[0], number - z * height - level.margin[1], -32);
      std::uint32_t* to = sites.place + count + before[lane];
      THIESSEN_UNROLL
      for (int k = 0; k < 3; ++k)
        for (std::uint32_t some = row[lane].word[k]; some != 0; some &= some - 1)
          *to++ = at + static_cast<std::uint32_t>(kLanes * k + Warp::first_bit(some));
    });
    count += found;
  }
  sites.count = count;
  Warp::sync();
  return true;
}

inline constexpr int kTilePairs = kTileRows / 2;

/// Keys of a lane's cells, two in a word, that of the upper row in the lower half.
struct LaneKeys {
  std::uint32_t pair[kTilePairs];

  THIESSEN_HD std::uint32_t of_row(int row) const {
    return pair[row / 2] >> 16 * (row % 2) & 0xffff;
  }
};

/// Measures the sites of a window to the cells of a tile.
template <class Warp, Metric kMetric, int kRank>
THIESSEN_HD typename Warp::template Lanes<LaneKeys> find_least(const WindowTables& tables,
                                                               const RowParts& row_parts, int bits,
                                                               const WindowSites& sites) {
  constexpr int kPairsOfPlane = tile_size<kRank>(1) / 2;
  const std::uint32_t both_shifted = 0x10001u << bits;
  const std::int32_t most = most_of_part<kRank>(bits);
  typename Warp::template Lanes<LaneKeys> least;
  Warp::each([&](int lane) {
    THIESSEN_UNROLL
    for (auto& pair : least[lane].pair) pair = ~0u;
    std::uint32_t rank = 0;
    for (std::int32_t i = 0; i < sites.count; ++i, rank += 0x10001) {
      const std::uint32_t place = sites.place[i];
      const std::uint32_t* const parts = row_parts.of_bits(bits) + WindowSites::parts_of(place);
      const std::uint32_t x =
          cut_part<kMetric>(tables.factor[2], WindowSites::x_of(place) - lane, most) * both_shifted;
      THIESSEN_UNROLL
      for (int z = 0; z < tile_size<kRank>(0); ++z) {
        std::uint32_t common = x;
        if constexpr (kRank == 3) {
          const std::uint32_t part =
              cut_part<kMetric>(tables.factor[0], WindowSites::z_of(place) - z, most) *
              both_shifted;
          common = kMetric == Metric::chessboard ? Warp::greater_halves(x, part) : x + part;
        }
        if constexpr (kMetric != Metric::chessboard) common += rank;
        THIESSEN_UNROLL
        for (int k = 0; k < kPairsOfPlane; ++k) {
          std::uint32_t& own = least[lane].pair[z * kPairsOfPlane + k];
          own = kMetric == Metric::chessboard
                    ? Warp::add_lesser_halves(Warp::greater_halves(common, parts[k]), rank, own)
                    : Warp::add_lesser_halves(common, parts[k], own);
        }
      }
    }
  });
  return least;
}

/// Whether all cells of a tile found a site with S <= bound.
template <class Warp, int kRank>
THIESSEN_HD bool is_settled(const Job& job, const Tile& tile, std::int32_t bound, int bits,
                            const typename Warp::template Lanes<LaneKeys>& least) {
  const bool whole = is_whole<kRank>(job, tile);
  typename Warp::template Lanes<std::int32_t> most;
  Warp::each([&](int lane) {
    std::uint32_t greatest = 0;
    if (whole) {
      THIESSEN_UNROLL
      for (const std::uint32_t pair : least[lane].pair)
        greatest = Warp::greater_halves(greatest, pair);
      greatest = greatest >> 16 > (greatest & 0xffff) ? greatest >> 16 : greatest & 0xffff;
    } else if (tile.first[2] + lane < job.extent[2]) {
      THIESSEN_UNROLL
      for (int row = 0; row < kTileRows; ++row) {
        const std::uint32_t key = least[lane].of_row(row);
        if (has_row<kRank>(job, tile, row) && key > greatest) greatest = key;
      }
    }
    most[lane] = static_cast<std::int32_t>(greatest);
  });
  return Warp::greatest(most) >> bits <= bound;
}

}  // namespace thiessen::cuda
