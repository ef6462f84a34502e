// SPDX-License-Identifier: Apache-2.0
//
// The number of cells of a region, where they lie, and how they spread, as exact integers. The sums
// are those of coordinates counted from the first cell of the raster. Central moments follow in
// integers, too, so nothing cancels: with n cells, o = floor(sum / n) and r = sum mod n along each
// axis, the sum of (x - mx)(y - my) is
//   sum of (x - ox)(y - oy)  -  rx·ry / n,
// where the first is an integer that 128 bits hold, though steps on the way to it may wrap round.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/base/host_device.hpp"
#include "core/base/int128.hpp"

namespace thiessen {

/// Whether 64 bits hold the sums of a raster whose longest axis has so many cells; else they take
/// 128, and the sums of a run may, too.
constexpr bool has_short_sums(std::int64_t cells, std::int64_t longest_axis) {
  constexpr std::int64_t kMostCells = std::int64_t{1} << 31;  // whose square fits
  const auto longest = static_cast<Int128>(longest_axis);
  return cells <= kMostCells && cells * longest * longest < static_cast<Int128>(1) << 61;
}

/// Sums over cells of a raster of kRank axes. Sum: an unsigned type that holds the sums. Cells can
/// be added in any order, and taken away again.
template <int kRank, class Sum = UInt128>
struct CellMoments {
  using Cell = std::array<std::int64_t, kRank>;
  using Signed = std::conditional_t<sizeof(Sum) == 8, std::int64_t, Int128>;
  static constexpr int kProducts = kRank * (kRank + 1) / 2;

  std::int64_t cells = 0;
  Sum sum[kRank] = {};
  Sum product[kProducts] = {};  ///< of coordinates i <= j: (0,0), (0,1) … (1,1) …

  THIESSEN_HD static constexpr int place(int i, int j) { return i * kRank - i * (i + 1) / 2 + j; }

  /// Adds `length` cells along the last axis from `cell` on.
  THIESSEN_HD void add_run(const Cell& cell, std::int64_t length) {
    constexpr int kLast = kRank - 1;
    const auto n = static_cast<Sum>(length);
    const auto x = static_cast<Sum>(cell[kLast]);
    const Sum along = n * (x + x + n - 1) / 2;
    cells += length;
    sum[kLast] += along;
    product[place(kLast, kLast)] += squares_below(x + n) - squares_below(x);
    THIESSEN_UNROLL
    for (int i = 0; i < kLast; ++i) {
      const auto at = static_cast<Sum>(cell[static_cast<std::size_t>(i)]);
      sum[i] += n * at;
      product[place(i, kLast)] += at * along;
      for (int j = i; j < kLast; ++j)
        product[place(i, j)] += n * at * static_cast<Sum>(cell[static_cast<std::size_t>(j)]);
    }
  }

  /// Adds a cell, or takes it away: sign is 1 or -1.
  THIESSEN_HD void add_cell(const Cell& cell, int sign) {
    const auto n = static_cast<Sum>(sign);
    cells += sign;
    for (int i = 0; i < kRank; ++i) {
      const Sum at = n * static_cast<Sum>(cell[static_cast<std::size_t>(i)]);
      sum[i] += at;
      for (int j = i; j < kRank; ++j)
        product[place(i, j)] += at * static_cast<Sum>(cell[static_cast<std::size_t>(j)]);
    }
  }

  THIESSEN_HD void add(const CellMoments& other) {
    cells += other.cells;
    for (int i = 0; i < kRank; ++i) sum[i] += other.sum[i];
    for (int i = 0; i < kProducts; ++i) product[i] += other.product[i];
  }
  THIESSEN_HD void subtract(const CellMoments& other) {
    cells -= other.cells;
    for (int i = 0; i < kRank; ++i) sum[i] -= other.sum[i];
    for (int i = 0; i < kProducts; ++i) product[i] -= other.product[i];
  }

  /// A mean coordinate: whole + rest / cells.
  struct Mean {
    Sum whole;
    Sum rest;
  };
  /// There are cells.
  THIESSEN_HD Mean mean(int axis) const {
    const auto n = static_cast<Sum>(cells);
    const Sum whole = sum[axis] / n;
    return {whole, sum[axis] - whole * n};
  }
  THIESSEN_HD double to_double(const Mean& mean) const {
    return static_cast<double>(mean.whole) + fraction(mean.rest);
  }

  /// The mean of the products of what the coordinates i <= j differ from their means by.
  THIESSEN_HD double central(int i, int j, const Mean& mean_i, const Mean& mean_j) const {
    const auto n = static_cast<Sum>(cells);
    const Sum rest = mean_i.rest * mean_j.rest;
    const Sum around = product[place(i, j)] - mean_i.whole * sum[j] - mean_j.whole * sum[i] +
                       n * mean_i.whole * mean_j.whole;
    // The central sum is whole - part / n.
    const Sum quotient = rest / n;
    auto whole = static_cast<Signed>(around - quotient);
    Sum part = rest - quotient * n;
    const bool negative = whole < 0 || (whole == 0 && part != 0);
    if (negative) {
      whole = -whole;
    } else if (part != 0) {
      whole -= 1;
      part = n - part;
    }
    const double magnitude = static_cast<double>(whole) + fraction(part);
    return (negative ? -magnitude : magnitude) / static_cast<double>(cells);
  }

 private:
  /// 0² + 1² + … + (k - 1)².
  THIESSEN_HD static Sum squares_below(Sum k) {
    return k == 0 ? Sum{0} : (k - 1) * k * (2 * k - 1) / 6;
  }

  THIESSEN_HD double fraction(Sum part) const {
    return static_cast<double>(part) / static_cast<double>(cells);
  }
};

/// The least box around cells. It grows only: no cell can be taken away.
template <int kRank>
struct CellBox {
  std::int32_t first[kRank];
  std::int32_t last[kRank];

  THIESSEN_HD CellBox() {
    for (int i = 0; i < kRank; ++i) {
      first[i] = INT32_MAX;
      last[i] = INT32_MIN;
    }
  }

  THIESSEN_HD void add_run(const std::array<std::int64_t, kRank>& cell, std::int64_t length) {
    for (int i = 0; i < kRank; ++i) {
      const auto from = static_cast<std::int32_t>(cell[static_cast<std::size_t>(i)]);
      const auto to = i == kRank - 1 ? from + static_cast<std::int32_t>(length) - 1 : from;
      first[i] = from < first[i] ? from : first[i];
      last[i] = last[i] < to ? to : last[i];
    }
  }

  void add(const CellBox& other) {
    for (int i = 0; i < kRank; ++i) {
      first[i] = std::min(first[i], other.first[i]);
      last[i] = std::max(last[i], other.last[i]);
    }
  }
};

}  // namespace thiessen
