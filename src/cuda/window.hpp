// SPDX-License-Identifier: Apache-2.0
//
// The window search: where sites are not rare, a tile needs only those in a window around it.
//
// All sites with S <= bound from a cell of the tile lie in a window of a known margin (Level). If
// the greatest S of the tile, measured to the sites of the window, is at most `bound`, then no site
// outside can be nearer, nor as near, and the tile is settled. If not, a wider window is tried.
//
// A tile is 32 cells wide and has 16 rows; a lane has a column. Sites come out of the bits in the
// order of their index, so a site's number in the window is its rank among equally near ones.
//
// S is separable, and small: a key of 16 bits, S << bits | rank, is the sum of what x and what y
// and z contribute to S and of the rank. Two rows share a word, so that one instruction adds and
// takes the lesser for two cells. What y and z contribute is the same for a row's cells, and is
// prepared once for each site. Parts are cut off so that their sum still fits: a key that has been
// cut is beyond the bound, whatever its rank.
#pragma once

#include <cstdint>

#include "core/measure.hpp"
#include "cuda/job.hpp"
#include "cuda/site_bits.hpp"
#include "cuda/warp.hpp"

namespace thiessen::cuda {

/// Cells of a tile along (z, y, x).
template <int kRank>
THIESSEN_HD constexpr std::int32_t tile_size(int axis) {
  return axis == 2 ? kLanes : kRank == 3 ? 4 : axis == 1 ? 16 : 1;
}
inline constexpr int kTileRows = 16;

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

/// Two rows' keys in a word, that of the upper row in the lower half.
inline constexpr int kTilePairs = kTileRows / 2;

/// Sites of a window.
struct WindowSites {
  static constexpr int kMost = 128;

  std::uint32_t place[kMost];  ///< relative to the corner: x | y << 8 | z << 16
  /// What y and z contribute to the keys of a pair of rows, and the rank.
  alignas(16) std::uint32_t part[kMost][kTilePairs];
  std::int32_t count;
};

/// Bits of a key for the rank, by the number of sites.
THIESSEN_HD constexpr int rank_bits(std::int32_t count) {
  return count <= 32 ? 5 : count <= 64 ? 6 : 7;
}
/// What parts of S are cut to; a bound must be less.
THIESSEN_HD constexpr std::int32_t most_of_part(int bits) { return (1 << (15 - bits)) - 1; }

/// A tile's first cell, and its window, as far as it lies in the raster.
struct Window {
  std::int32_t tile[kAxes];
  std::int32_t corner[kAxes];
  std::int32_t size[kAxes];
};

template <int kRank>
THIESSEN_HD Window make_window(const Job& job, const Level& level,
                               const std::int32_t (&tile)[kAxes]) {
  Window window;
  THIESSEN_UNROLL
  for (int axis = 0; axis < kAxes; ++axis) {
    const auto extent = static_cast<std::int32_t>(job.extent[static_cast<std::size_t>(axis)]);
    const std::int32_t first = tile[axis] - level.margin[axis];
    const std::int32_t end = tile[axis] + tile_size<kRank>(axis) + level.margin[axis];
    window.tile[axis] = tile[axis];
    window.corner[axis] = first < 0 ? 0 : first;
    window.size[axis] = (end > extent ? extent : end) - window.corner[axis];
  }
  return window;
}

/// A row of a window, 32 columns at a time.
struct RowBits {
  const std::uint32_t* words;  ///< from that of the first column on
  int shift;                   ///< of the first column in its word
  std::int32_t size;

  /// Bit i: column 32·k + i of the window.
  THIESSEN_HD std::uint32_t part(int k) const {
    const std::int32_t rest = size - 32 * k;
    std::uint32_t sites = words[k] >> shift;
    if (shift > 0 && rest > 32 - shift) sites |= words[k + 1] << (32 - shift);
    return rest >= 32 ? sites : sites & ((1u << rest) - 1);
  }
};

/// Lists the sites of a window in the order of their index; false if they are too many.
template <class Warp, int kRank>
THIESSEN_HD bool gather(const Job& job, const Bits& bits, const Window& window,
                        WindowSites& sites) {
  const int parts_of_row = (window.size[2] + 31) / 32;
  const std::int32_t height = window.size[1];
  const std::int32_t rows = window.size[0] * height;
  // Rows are so few that this divides by the height.
  const std::int32_t reciprocal = kRank == 2 ? 0 : (1 << 20) / height + 1;
  const auto row_bits = [&](std::int32_t z, std::int32_t y) {
    const std::int64_t row = (window.corner[0] + z) * job.extent[1] + window.corner[1] + y;
    return RowBits{bits.words + row * bits.row_words + window.corner[2] / 32, window.corner[2] % 32,
                   window.size[2]};
  };
  std::int32_t count = 0;
  for (std::int32_t first = 0; first < rows; first += kLanes) {
    typename Warp::template Lanes<std::int32_t> own;
    typename Warp::template Lanes<RowBits> row;
    Warp::each([&](int lane) {
      own[lane] = 0;
      const std::int32_t number = first + lane;
      if (number >= rows) return;
      const std::int32_t z = kRank == 2 ? 0 : number * reciprocal >> 20;
      row[lane] = row_bits(z, number - z * height);
      for (int k = 0; k < parts_of_row; ++k) own[lane] += Warp::count_bits(row[lane].part(k));
    });
    const auto before = Warp::sum_before(own);
    const std::int32_t found = Warp::sum(own);
    if (count + found > WindowSites::kMost) return false;
    Warp::each([&](int lane) {
      if (own[lane] == 0) return;
      const std::int32_t number = first + lane;
      const std::int32_t z = kRank == 2 ? 0 : number * reciprocal >> 20;
      const auto at = static_cast<std::uint32_t>(z << 16 | (number - z * height) << 8);
      std::uint32_t* to = sites.place + count + before[lane];
      for (int k = 0; k < parts_of_row; ++k)
        for (std::uint32_t some = row[lane].part(k); some != 0; some &= some - 1)
          *to++ = at | static_cast<std::uint32_t>(32 * k + Warp::first_bit(some));
    });
    count += found;
  }
  sites.count = count;
  Warp::sync();
  return true;
}

/// What a difference along an axis contributes to S, cut to `most`.
template <Metric kMetric>
THIESSEN_HD std::uint32_t cut_part(std::int32_t factor, std::int32_t delta, std::int32_t most) {
  const std::int32_t part = along<kMetric>(factor, delta);
  return static_cast<std::uint32_t>(part < most ? part : most);
}

/// Prepares what y and z contribute to the keys. Of the chessboard metric S is the greatest part
/// and not the sum, so there the rank is left out.
template <class Warp, Metric kMetric, int kRank>
THIESSEN_HD void prepare_parts(const WindowTables& tables, const Window& window, int bits,
                               WindowSites& sites) {
  constexpr int kHeight = tile_size<kRank>(1);
  const std::int32_t most = most_of_part(bits);
  const auto part_of = [&](std::uint32_t place, std::int32_t rank, int row) {
    const std::int32_t y = static_cast<std::int32_t>(place >> 8 & 0xff) + window.corner[1] -
                           window.tile[1] - row % kHeight;
    std::uint32_t part = cut_part<kMetric>(tables.factor[1], y, most);
    if constexpr (kRank == 3) {
      const std::int32_t z = static_cast<std::int32_t>(place >> 16) + window.corner[0] -
                             window.tile[0] - row / kHeight;
      part = join<kMetric>(part, cut_part<kMetric>(tables.factor[0], z, most));
      part = part < static_cast<std::uint32_t>(most) ? part : static_cast<std::uint32_t>(most);
    }
    return kMetric == Metric::chessboard ? part : part << bits | static_cast<std::uint32_t>(rank);
  };
  for (std::int32_t first = 0; first < sites.count * kTilePairs; first += kLanes)
    Warp::each([&](int lane) {
      const std::int32_t rank = (first + lane) / kTilePairs;
      const int pair = (first + lane) % kTilePairs;
      if (rank >= sites.count) return;
      const std::uint32_t place = sites.place[rank];
      sites.part[rank][pair] = part_of(place, rank, 2 * pair) | part_of(place, rank, 2 * pair + 1)
                                                                    << 16;
    });
  Warp::sync();
}

/// Keys of a lane's cells, two in a word.
struct LaneKeys {
  std::uint32_t pair[kTilePairs];

  THIESSEN_HD std::uint32_t of_row(int row) const {
    return pair[row / 2] >> 16 * (row % 2) & 0xffff;
  }
};

/// Measures the sites of a window to the cells of a tile.
template <class Warp, Metric kMetric>
THIESSEN_HD typename Warp::template Lanes<LaneKeys> find_least(const WindowTables& tables,
                                                               const Window& window, int bits,
                                                               const WindowSites& sites) {
  constexpr std::uint32_t kBoth = 0x10001;
  typename Warp::template Lanes<LaneKeys> least;
  Warp::each([&](int lane) {
    THIESSEN_UNROLL
    for (auto& pair : least[lane].pair) pair = ~0u;
    const std::int32_t column = window.tile[2] - window.corner[2] + lane;
    const std::int32_t most = most_of_part(bits);
    for (std::int32_t i = 0; i < sites.count; ++i) {
      const auto x = static_cast<std::int32_t>(sites.place[i] & 0xff) - column;
      const std::uint32_t part = cut_part<kMetric>(tables.factor[2], x, most);
      THIESSEN_UNROLL
      for (int pair = 0; pair < kTilePairs; ++pair) {
        std::uint32_t& own = least[lane].pair[pair];
        if constexpr (kMetric == Metric::chessboard) {
          const std::uint32_t exact = Warp::greater_halves(part * kBoth, sites.part[i][pair]);
          own = Warp::add_lesser_halves(exact << bits, static_cast<std::uint32_t>(i) * kBoth, own);
        } else {
          own = Warp::add_lesser_halves((part << bits) * kBoth, sites.part[i][pair], own);
        }
      }
    }
  });
  return least;
}

/// Whether all cells of a tile found a site with S <= bound.
template <class Warp, int kRank>
THIESSEN_HD bool is_settled(const Job& job, const Window& window, std::int32_t bound, int bits,
                            const typename Warp::template Lanes<LaneKeys>& least) {
  constexpr int kHeight = tile_size<kRank>(1);
  typename Warp::template Lanes<std::int32_t> most;
  Warp::each([&](int lane) {
    most[lane] = 0;
    if (window.tile[2] + lane >= job.extent[2]) return;
    THIESSEN_UNROLL
    for (int row = 0; row < kTileRows; ++row) {
      const bool inside = window.tile[0] + row / kHeight < job.extent[0] &&
                          window.tile[1] + row % kHeight < job.extent[1];
      const auto exact = static_cast<std::int32_t>(least[lane].of_row(row) >> bits);
      if (inside && exact > most[lane]) most[lane] = exact;
    }
  });
  return Warp::greatest(most) <= bound;
}

}  // namespace thiessen::cuda
