// SPDX-License-Identifier: Apache-2.0
//
// S and the place of a site in one integer, for the comparisons of the tuned scan.
//
// A key is S · 2^bits + rank, where rank is the place of the site among the 2^bits of its group.
// The part of a cell's row (with the rank) serves all cells of the row, and the part of its
// column those of the column; their sum or maximum is the key. So the first site of a group in the
// order (S, index) is the least key, by one or two instructions for a cell and a site. Winners of
// groups are compared by S alone, since groups come in the order of the index.
#pragma once

#include <cstdint>
#include <limits>

#include "core/base/host_device.hpp"
#include "core/order/measure.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cuda::raster {

/// A place in the units of S, in 32 bits, for a problem that has keys.
struct ScanPlace {
  std::int32_t z = 0;
  std::int32_t y = 0;
  std::int32_t x = 0;
};

struct ScanKeys {
  static constexpr int kLeastBits = 3;  ///< smaller groups cost more than they save
  static constexpr int kMostBits = 6;
  static constexpr int kMostSites = 1 << kMostBits;  ///< sites of a group

  int bits = 0;
  std::int32_t factor[kAxes] = {};

  THIESSEN_HD std::int32_t sites_of_group() const { return 1 << bits; }
};

/// Makes `keys` if S is the sum or the maximum of parts that are small enough; whether it did.
inline bool make_scan_keys(const Problem& problem, ScanKeys& keys) {
  if (!is_by_axes(problem.metric)) return false;
  for (const std::int64_t period : problem.period)
    if (period != kNoPeriod) return false;
  constexpr int kKeyBits = 31;
  int bits = ScanKeys::kMostBits;
  while (bits > 0 && problem.weights.greatest >> (kKeyBits - bits) != 0) --bits;
  if (bits < ScanKeys::kLeastBits) return false;
  keys.bits = bits;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    keys.factor[axis] = static_cast<std::int32_t>(problem.weights.factor[axis]);
  return true;
}

/// The part of a cell's row in the keys of a site.
template <Metric kMetric>
THIESSEN_HD std::int32_t row_key(const ScanKeys& keys, const ScanPlace& cell, const ScanPlace& site,
                                 std::int32_t rank) {
  const std::int32_t share = combine<kMetric>(along<kMetric>(keys.factor[0], cell.z - site.z),
                                              along<kMetric>(keys.factor[1], cell.y - site.y));
  return (share << keys.bits) + rank;
}

/// The part of the column. In a maximum either part may be the greater, so both have the rank.
template <Metric kMetric>
THIESSEN_HD std::int32_t column_key(const ScanKeys& keys, std::int32_t cell_x, std::int32_t site_x,
                                    std::int32_t rank) {
  const std::int32_t share = along<kMetric>(keys.factor[2], cell_x - site_x);
  return (share << keys.bits) + (kMetric == Metric::chessboard ? rank : 0);
}

/// The lesser of a key and the key of a row and a column.
template <Metric kMetric>
THIESSEN_HD std::int32_t lesser_key(std::int32_t key, std::int32_t row, std::int32_t column) {
#ifdef __CUDA_ARCH__
  if (kMetric != Metric::chessboard) return __viaddmin_s32(row, column, key);
#endif
  const std::int32_t own = combine<kMetric>(row, column);
  return own < key ? own : key;
}

/// The cells of a column, in kRows neighbouring rows, and their winners so far.
template <Metric kMetric, int kRows>
struct ScanColumn {
  static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();

  std::int32_t key[kRows];      ///< the least key of this group
  std::int32_t exact[kRows];    ///< S of the nearest site of all groups
  std::int32_t nearest[kRows];  ///< its place in the list, or -1

  THIESSEN_HD ScanColumn() {
    THIESSEN_UNROLL
    for (int row = 0; row < kRows; ++row) {
      key[row] = kNone;
      exact[row] = kNone;
      nearest[row] = -1;
    }
  }

  /// `rows` are the row keys of a site.
  THIESSEN_HD void compare(const std::int32_t* rows, std::int32_t column) {
    THIESSEN_UNROLL
    for (int row = 0; row < kRows; ++row)
      key[row] = lesser_key<kMetric>(key[row], rows[row], column);
  }

  /// Ends a group with at least one site; the first one is at place `first` of the list.
  THIESSEN_HD void end_group(int bits, std::int32_t first) {
    THIESSEN_UNROLL
    for (int row = 0; row < kRows; ++row) {
      const std::int32_t of_group = key[row] >> bits;
      if (of_group < exact[row]) {
        exact[row] = of_group;
        nearest[row] = first + (key[row] & ((1 << bits) - 1));
      }
      key[row] = kNone;
    }
  }
};

}  // namespace thiessen::cuda::raster
