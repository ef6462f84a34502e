// SPDX-License-Identifier: Apache-2.0
//
// Expands the neighbourhood of a cell until it contains the nearest site: step 5 of Tu and Wang,
// "Raster-based method for Voronoi diagram using GPU parallel technology" (2015).
//
// It grows by rings of rows: in 2-D the two rows that are r rows away, in 3-D a square ring around
// the cell's own row among the rows of all planes. In a row only the nearest site to the left and
// to the right count, and the first of those that are as near as the nearer one (chessboard and
// octagonal distance may have more than two). Rows finds them by a few looks, however far away they
// are. The search ends before the first ring in which no row can have a site as near as the best
// one. In the document's words it would end with the first site, which need not be the nearest.
//
// Rows: row(z, y) is a row with first_from(x), the next site from x on or a place beyond the row,
// and last_to(x), the last site up to x or a place before the row.
//
// Notation: r, rows from the middle of a ring to its sides.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/problem/cell_class.hpp"
#include "core/problem/cell_metric.hpp"

namespace thiessen {

/// What a search has found: a site and its S, or kUnreached.
struct NearestCell {
  std::int64_t site = kUnreached;
  std::int64_t exact = 0;
};

/// The search of one cell.
template <class Metric, class Rows>
class Neighbourhood {
 public:
  /// Sites with S above `limit` do not count.
  THIESSEN_HD Neighbourhood(const Axes& extent, std::int64_t limit, const Metric& metric,
                            const Rows& rows)
      : extent_(extent), limit_(limit), metric_(metric), rows_(rows) {}

  /// Finds the first site in the order (S, index).
  THIESSEN_HD NearestCell search(const Axes& cell) {
    cell_ = cell;
    found_ = {kUnreached, limit_};
    for (std::int64_t r = 0; least_of_ring(r) <= found_.exact; ++r) {
      const std::int64_t last = std::min(cell_[0] + r, extent_[0] - 1);
      for (std::int64_t z = std::max<std::int64_t>(cell_[0] - r, 0); z <= last; ++z)
        look_at_plane(z, r, z == cell_[0] - r || z == cell_[0] + r);
    }
    return found_;
  }

 private:
  /// The least S of a site in the rows of the ring; more than any S if there is no such row.
  THIESSEN_HD std::int64_t least_of_ring(std::int64_t r) const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t axis = 0; axis < 2; ++axis)
      if (r < extent_[axis]) least = std::min(least, metric_.exact(0, axis, r));
    return least;
  }

  THIESSEN_HD void look_at_plane(std::int64_t z, std::int64_t r, bool whole) {
    const std::int64_t step = whole || r == 0 ? 1 : 2 * r;
    for (std::int64_t y = cell_[1] - r; y <= cell_[1] + r; y += step)
      if (y >= 0 && y < extent_[1]) look_along(z, y);
  }

  THIESSEN_HD void look_along(std::int64_t z, std::int64_t y) {
    const std::int64_t share =
        metric_.share(0, absolute_difference(z, cell_[0]), 1, absolute_difference(y, cell_[1]));
    if (metric_.exact(share, 2, 0) > found_.exact) return;
    const auto row = rows_.row(z, y);
    const std::int64_t x = cell_[2];
    const std::int64_t left = row.last_to(x);
    const std::int64_t right = row.first_from(x);
    const std::int64_t to_left = left < 0 ? extent_[2] : x - left;
    const std::int64_t to_right = right >= extent_[2] ? extent_[2] : right - x;
    const std::int64_t nearest = std::min(to_left, to_right);
    if (nearest == extent_[2]) return;
    const std::int64_t exact = metric_.exact(share, 2, nearest);
    if (exact > found_.exact) return;
    const std::int64_t reach = metric_.reach(share, 2, exact, nearest);
    const std::int64_t site =
        to_index(extent_, {z, y, row.first_from(std::max<std::int64_t>(x - reach, 0))});
    if (exact == found_.exact && found_.site != kUnreached && site > found_.site) return;
    found_ = {site, exact};
  }

  THIESSEN_HD static std::int64_t absolute_difference(std::int64_t a, std::int64_t b) {
    return a < b ? b - a : a - b;
  }

  Axes extent_;
  std::int64_t limit_;
  Metric metric_;
  Rows rows_;
  Axes cell_{};
  NearestCell found_;
};

}  // namespace thiessen
