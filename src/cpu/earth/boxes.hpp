// SPDX-License-Identifier: Apache-2.0
//
// Boxes of cells and of sites in space, and which sites are out of question for all cells of a box.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "cpu/earth/chords.hpp"

namespace thiessen::cpu::earth {

struct Box {
  Point low;
  Point high;

  static Box empty() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  }
  void include(const Point& point) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], point[axis]);
      high[axis] = std::max(high[axis], point[axis]);
    }
  }
  double longest_side() const {
    return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  }
};

inline double square_between(const Point& a, const Point& b) {
  const double x = b[0] - a[0];
  const double y = b[1] - a[1];
  const double z = b[2] - a[2];
  return x * x + y * y + z * z;
}

/// The square of the least distance between a point and those of a box.
inline double least_square(const Point& point, const Box& box) {
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double gap = std::max({box.low[axis] - point[axis], point[axis] - box.high[axis], 0.0});
    sum += gap * gap;
  }
  return sum;
}

/// A box of cells, and a site that is near its middle. Others are out of question if they are
/// clearly farther than this one from all points x of the box. For a site t and this one s,
/// |x - t|² - |x - s|² is the sum of a function of each coordinate of x; with t anywhere in a box
/// of its own, and as near as can be, each of these is concave, so that its least is at an end.
class Dominator {
 public:
  Dominator(const Box& cells, const Point& site, const Chords& chords) : cells_(cells) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double low = site[axis] - cells.low[axis];
      const double high = site[axis] - cells.high[axis];
      low_[axis] = low * low;
      high_[axis] = high * high;
      greatest_ += std::max(low_[axis], high_[axis]);
    }
    clear_ = chords.widened_on_sphere(greatest_) - greatest_;
  }

  /// The square of a chord within which each cell has the site.
  double greatest_square() const { return greatest_; }

  /// Whether the box is small, as seen from the site.
  bool is_far() const {
    const double side = cells_.longest_side();
    return greatest_ > kFar * kFar * side * side;
  }

  bool dominates(const Box& sites) const {
    double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      sum += std::min(gap_square(cells_.low[axis], sites, axis) - low_[axis],
                      gap_square(cells_.high[axis], sites, axis) - high_[axis]);
    return sum > clear_;
  }

  bool dominates(const Point& site) const {
    double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double low = site[axis] - cells_.low[axis];
      const double high = site[axis] - cells_.high[axis];
      sum += std::min(low * low - low_[axis], high * high - high_[axis]);
    }
    return sum > clear_;
  }

 private:
  static constexpr double kFar = 2;

  static double gap_square(double x, const Box& sites, std::size_t axis) {
    const double gap = std::max({sites.low[axis] - x, x - sites.high[axis], 0.0});
    return gap * gap;
  }

  Box cells_;
  Point low_, high_;  ///< squares of the distances of the site from both ends
  double greatest_ = 0;
  double clear_;  ///< from such a difference of squares on a site is clearly farther
};

}  // namespace thiessen::cpu::earth
