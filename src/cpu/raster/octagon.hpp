// SPDX-License-Identifier: Apache-2.0
//
// The first site on an octagon around a cell.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/problem/problem.hpp"
#include "cpu/raster/line_bits.hpp"
#include "cpu/raster/site_bits.hpp"

namespace thiessen::cpu::raster {

/// The cells at the octagonal distance S from a cell lie on the sides of an octagon: S cells away
/// along one axis and at most S/2 along the other; or m or m - 1 cells along both together, with m
/// = S + S/2, and at most S each. The search goes through bits along these lines from the top.
class Octagons {
 public:
  Octagons(Scratch::Frame& scratch, const Problem& problem, const SiteBits& bits)
      : extent_(problem.extent),
        rows_(bits),
        columns_(scratch, problem, bits, Slope::column),
        falling_(scratch, problem, bits, Slope::falling),
        rising_(scratch, problem, bits, Slope::rising) {}

  /// The index of the first site whose distance from (y, x) is `exact` (> 0), an even number. There
  /// must be one, and none may be nearer.
  std::int64_t first_site(std::int64_t y, std::int64_t x, std::int64_t exact) const {
    const std::int64_t half = exact / 2;
    std::int64_t first = first_in_row(y - exact, x - half, x + half);
    if (first >= 0) return first;
    first = kNone;
    for (const std::int64_t both : {exact + half - 1, exact + half}) {
      const std::int64_t least = both - exact;
      for (const std::int64_t side : {-1, 1}) {
        // x - y or x + y is constant along the side above the cell and on this side of it.
        const LineBits& above = side < 0 ? rising_ : falling_;
        const LineBits& below = side < 0 ? falling_ : rising_;
        take(first, along(above, side < 0 ? 1 : -1, {y, x + side * both}, y - exact, y - least));
        take(first, along(below, side < 0 ? -1 : 1, {y, x + side * both}, y + least, y + exact));
      }
    }
    for (const std::int64_t side : {-exact, exact})
      take(first, along(columns_, 0, {y, x + side}, y - half, y + half));
    const std::int64_t last = first_in_row(y + exact, x - half, x + half);
    if (last >= 0) take(first, last);
    return first;
  }

 private:
  static constexpr std::int64_t kNone = std::int64_t{1} << 62;

  struct Place {
    std::int64_t y;
    std::int64_t x;
  };

  static void take(std::int64_t& first, std::int64_t index) { first = std::min(first, index); }

  std::int64_t first_in_row(std::int64_t y, std::int64_t begin, std::int64_t end) const {
    if (y < 0 || y >= extent_[1]) return -1;
    const BitLine row{rows_.row(0, y)};
    const std::int64_t x =
        row.first(std::max<std::int64_t>(begin, 0), std::min(end, extent_[2] - 1));
    return x < 0 ? -1 : y * extent_[2] + x;
  }

  /// Searches the line through a place on which x falls by `rise` a row, from row `begin` to `end`.
  std::int64_t along(const LineBits& lines, std::int64_t rise, const Place& place,
                     std::int64_t begin, std::int64_t end) const {
    // x = place.x - rise · (row - place.y) must be in the raster.
    const std::int64_t to_left = place.y + rise * place.x;
    const std::int64_t to_right = place.y + rise * (place.x - extent_[2] + 1);
    if (rise == 0 && (place.x < 0 || place.x >= extent_[2])) return kNone;
    if (rise != 0) {
      begin = std::max(begin, std::min(to_left, to_right));
      end = std::min(end, std::max(to_left, to_right));
    }
    const BitLine line = lines.line(0, place.y, place.x);
    const std::int64_t y =
        line.first(std::max<std::int64_t>(begin, 0), std::min(end, extent_[1] - 1));
    return y < 0 ? kNone : y * extent_[2] + place.x - rise * (y - place.y);
  }

  Axes extent_;
  SiteBits rows_;
  LineBits columns_;
  LineBits falling_;
  LineBits rising_;
};

}  // namespace thiessen::cpu::raster
