// SPDX-License-Identifier: Apache-2.0
//
// A cell looks at the square rings (in 3-D shells of cubes) around itself, one after the other,
// until no cell of the next one can be as near as the best site found: step 5 of Tu and Wang,
// "Raster-based method for Voronoi diagram using GPU parallel technology" (2015). In its words a
// cell goes on until it meets a site; that alone would be exact by chessboard distance only.
//
// A ring is segments of rows and columns, along which there are bits (Lines), so that it takes a
// few looks. Of a segment the nearest site to the left and to the right count, and of those as near
// as the nearer the first (by chessboard and octagonal distance there are more than two).
//
// Lines: row(z, y) and column(z, x) are lines, whose first(from, to) and last(from, to) are the
// first and the last site from..to, or -1.
//
// Notation: r, cells from the middle of a ring to its sides.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cell_class.hpp"
#include "core/cell_metric.hpp"

namespace thiessen {

/// What a search has found: a site and its S, or kUnreached.
struct NearestCell {
  std::int64_t site = kUnreached;
  std::int64_t exact = 0;
  std::int64_t ring = 0;  ///< that of the first site met; 0 if a max distance may hide nearer ones
};

/// The search of one cell.
template <class Metric, class Lines>
class Neighbourhood {
 public:
  /// Sites with an S above `limit` do not count.
  THIESSEN_HD Neighbourhood(const Axes& extent, bool limited, std::int64_t limit,
                            const Metric& metric, const Lines& lines)
      : extent_(extent), limited_(limited), limit_(limit), metric_(metric), lines_(lines) {}

  /// The first site in the order (S, index); rings smaller than `first` are known to be empty.
  THIESSEN_HD NearestCell search(const Axes& cell, std::int64_t first = 0) {
    cell_ = cell;
    found_ = {kUnreached, limit_, 0};
    const std::int64_t farthest = std::max(std::max(extent_[0], extent_[1]), extent_[2]);
    for (std::int64_t r = std::max<std::int64_t>(first, 0);
         r < farthest && metric_.least_beyond(extent_, r) <= found_.exact; ++r) {
      look_at_ring(r);
      if (found_.ring == 0 && found_.site != kUnreached && !limited_) found_.ring = r;
    }
    return found_;
  }

 private:
  THIESSEN_HD void look_at_ring(std::int64_t r) {
    const std::int64_t first = std::max<std::int64_t>(cell_[0] - r, 0);
    const std::int64_t last = std::min(cell_[0] + r, extent_[0] - 1);
    for (std::int64_t z = first; z <= last; ++z) {
      if (z == cell_[0] - r || z == cell_[0] + r)
        look_at_square(z, r);
      else
        look_at_border(z, r);
    }
  }

  THIESSEN_HD void look_at_square(std::int64_t z, std::int64_t r) {
    const std::int64_t first = std::max<std::int64_t>(cell_[1] - r, 0);
    const std::int64_t last = std::min(cell_[1] + r, extent_[1] - 1);
    for (std::int64_t y = first; y <= last; ++y) look_along_row(z, y, r);
  }

  THIESSEN_HD void look_at_border(std::int64_t z, std::int64_t r) {
    if (cell_[1] - r >= 0) look_along_row(z, cell_[1] - r, r);
    if (cell_[1] + r < extent_[1]) look_along_row(z, cell_[1] + r, r);
    if (cell_[2] - r >= 0) look_along_column(z, cell_[2] - r, r - 1);
    if (cell_[2] + r < extent_[2]) look_along_column(z, cell_[2] + r, r - 1);
  }

  THIESSEN_HD void look_along_row(std::int64_t z, std::int64_t y, std::int64_t r) {
    const std::int64_t share = metric_.share(0, apart(z, cell_[0]), 1, apart(y, cell_[1]));
    const std::int64_t x = look_along(lines_.row(z, y), 2, share, r);
    if (x >= 0) consider(to_index(extent_, {z, y, x}), metric_.exact(share, 2, apart(x, cell_[2])));
  }

  THIESSEN_HD void look_along_column(std::int64_t z, std::int64_t x, std::int64_t r) {
    const std::int64_t share = metric_.share(0, apart(z, cell_[0]), 2, apart(x, cell_[2]));
    const std::int64_t y = look_along(lines_.column(z, x), 1, share, r);
    if (y >= 0) consider(to_index(extent_, {z, y, x}), metric_.exact(share, 1, apart(y, cell_[1])));
  }

  /// The first of the nearest sites of a line, among the cells up to r from the cell; -1 if there
  /// are none that are near enough.
  template <class Line>
  THIESSEN_HD std::int64_t look_along(const Line& line, std::size_t axis, std::int64_t share,
                                      std::int64_t r) const {
    if (metric_.exact(share, axis, 0) > found_.exact) return -1;
    const std::int64_t middle = cell_[axis];
    const std::int64_t begin = std::max<std::int64_t>(middle - r, 0);
    const std::int64_t end = std::min(middle + r, extent_[axis] - 1);
    const std::int64_t left = line.last(begin, middle);
    const std::int64_t right = line.first(middle, end);
    if (left < 0 && right < 0) return -1;
    const std::int64_t nearest = left < 0    ? right - middle
                                 : right < 0 ? middle - left
                                             : std::min(middle - left, right - middle);
    const std::int64_t exact = metric_.exact(share, axis, nearest);
    if (exact > found_.exact) return -1;
    return line.first(std::max(begin, middle - metric_.reach(share, axis, exact)), end);
  }

  THIESSEN_HD void consider(std::int64_t site, std::int64_t exact) {
    if (exact > found_.exact) return;
    if (exact == found_.exact && found_.site != kUnreached && site > found_.site) return;
    found_.site = site;
    found_.exact = exact;
  }

  THIESSEN_HD static std::int64_t apart(std::int64_t a, std::int64_t b) {
    return a < b ? b - a : a - b;
  }

  Axes extent_;
  bool limited_;
  std::int64_t limit_;
  Metric metric_;
  Lines lines_;
  Axes cell_{};
  NearestCell found_;
};

}  // namespace thiessen
