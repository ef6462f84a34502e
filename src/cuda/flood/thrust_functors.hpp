// SPDX-License-Identifier: Apache-2.0
//
// The functor of Coeurjolly's program: a pass for one cell, from a tuple of its index and the nine
// states around it.
#pragma once

#include <bit>
#include <cstdint>

#include "core/base/host_device.hpp"

namespace thiessen::cuda::flood {

/// A state is the index of the site's cell. The program used width·height for "no site" and took it
/// for a site below the first column; here it is -1, and it is such a site with `literal` alone.
inline constexpr std::int32_t kNoCell = -1;

/// Division by the width as a multiplication: ⌊n / width⌋ = ⌊2·n·m / 2^(32 + b)⌋ with the least b
/// and m for which 2^b >= width and m >= 2^(31 + b) / width. It is exact for n < 2^31: the relative
/// error of m is less than 2^b / width · 2^-31.
class RowDivision {
 public:
  explicit RowDivision(std::int32_t width)
      : width_(width),
        bits_(static_cast<int>(std::bit_width(static_cast<std::uint32_t>(width) - 1))) {
    const std::uint64_t divisor = static_cast<std::uint32_t>(width);
    factor_ =
        static_cast<std::uint32_t>(((std::uint64_t{1} << (31 + bits_)) + divisor - 1) / divisor);
  }
  THIESSEN_HD std::int32_t row(std::int32_t cell) const {
    const std::uint64_t product = std::uint64_t{factor_} * (2u * static_cast<std::uint32_t>(cell));
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(product >> 32) >> bits_);
  }
  THIESSEN_HD std::int32_t column(std::int32_t cell, std::int32_t row) const {
    return cell - row * width_;
  }

 private:
  std::int32_t width_;
  int bits_;
  std::uint32_t factor_ = 0;
};

/// Neighbours stand in the tuple in the order of the program: own, right, below, left, above, below
/// right, above right, below left, above left.
struct MinFunctor {
  std::int32_t width;
  std::int32_t height;
  std::int32_t step;
  bool literal;
  RowDivision division{width};

  /// Reads only neighbours that exist. state(i) is the i-th of the tuple.
  template <class State>
  THIESSEN_HD std::int32_t flood(std::int32_t cell, const State& state) const {
    Nearest nearest{division.row(cell), 0};
    nearest.x = division.column(cell, nearest.y);
    const bool left = nearest.x >= step;
    const bool right = nearest.x < width - step;
    const bool above = nearest.y >= step;
    const bool below = nearest.y < height - step;
    const std::int32_t own = state.template get<0>();
    if (literal && own == kNoCell)
      nearest.squared = squared(height - nearest.y, nearest.x);
    else
      take(own, nearest);
    if (left) take(state.template get<3>(), nearest);
    if (left && above) take(state.template get<8>(), nearest);
    if (left && below) take(state.template get<7>(), nearest);
    if (right) take(state.template get<1>(), nearest);
    if (right && above) take(state.template get<6>(), nearest);
    if (right && below) take(state.template get<5>(), nearest);
    if (above) take(state.template get<4>(), nearest);
    if (below) take(state.template get<2>(), nearest);
    return nearest.site;
  }

 private:
  /// The nearest of the sites so far, for the cell (y, x).
  struct Nearest {
    std::int32_t y;
    std::int32_t x;
    std::int32_t site = kNoCell;
    std::uint32_t squared = ~std::uint32_t{0};
  };

  static THIESSEN_HD std::uint32_t squared(std::int32_t down, std::int32_t right) {
    const auto y = static_cast<std::uint32_t>(down);
    const auto x = static_cast<std::uint32_t>(right);
    return y * y + x * x;
  }

  /// Takes a site if it is nearer: of equally near ones the first seen stays.
  THIESSEN_HD void take(std::int32_t site, Nearest& nearest) const {
    if (site == kNoCell || site == nearest.site) return;
    const std::int32_t row = division.row(site);
    const std::uint32_t own = squared(row - nearest.y, division.column(site, row) - nearest.x);
    if (own >= nearest.squared) return;
    nearest.site = site;
    nearest.squared = own;
  }
};

}  // namespace thiessen::cuda::flood
