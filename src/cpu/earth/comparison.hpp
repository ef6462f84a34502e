// SPDX-License-Identifier: Apache-2.0
//
// What the lengths of the ways from the middle of a leaf of cells to sites tell of those from its
// other cells.
//
// Let d be lengths of shortest ways, c the middle of a leaf, r the greatest d from it to
// its cells, s and t sites. At a place x, d(x, t) - d(x, s) has for its gradient the difference of
// two unit vectors, which is at most the angle between the ways to s and t. By the comparison
// theorem of Rauch that angle is at most d(s, t) / J, where J is the least of b sin(D / b) over the
// lengths D of ways from x to the way between s and t, since no curvature of the ellipsoid is
// greater than 1 / b² (and as long as each D is below π b, which no place comes to that has two
// shortest ways). So t is left out if d(c, t) - d(c, s) > r d(s, t) / J, or > 2r.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "cpu/earth/boxes.hpp"
#include "cpu/earth/rough_length.hpp"
#include "cpu/earth/site_tree.hpp"

namespace thiessen::cpu::earth {

/// A site, and between which lengths the way to it is.
struct BoundedSite {
  const Site* site;
  RoughLength length;
};

inline double least_of_most(const std::vector<BoundedSite>& rough) {
  double least = std::numeric_limits<double>::infinity();
  for (const BoundedSite& site : rough) least = std::min(least, site.length.most);
  return least;
}

class Comparison {
 public:
  /// `radius` is that of the leaf, `across` no shorter than the way from any of its sites to
  /// another one; the lengths are the least and the greatest of its sites.
  Comparison(const RoughLengths& lengths, double radius, double across, const RoughLength& least,
             const RoughLength& greatest)
      : lengths_(lengths),
        longest_(std::min(least.least / 2, across)),
        spread_(lengths.least_spread(least.least - longest_ - radius,
                                     greatest.most + longest_ + radius) /
                radius) {}

  /// Whether a site is farther than another one from each cell.
  bool is_farther(const BoundedSite& site, const BoundedSite& other) const {
    const double more = site.length.least - other.length.most;
    if (more <= 0) return false;
    const double apart = std::min(more * spread_, longest_);
    return square_between(site.site->at, other.site->at) < lengths_.chord_square_within(apart);
  }

 private:
  const RoughLengths& lengths_;
  /// The way between two sites that are compared; at most half as far as the nearest site.
  double longest_;
  double spread_;  ///< J / r
};

}  // namespace thiessen::cpu::earth
