// SPDX-License-Identifier: Apache-2.0
//
// Lines of equal distance as polylines, for the numbers that stand on them.
#pragma once

#include <vector>

#include "map/drawing.hpp"
#include "thiessen/view.hpp"

namespace thiessen::cli {

struct ContourLine {
  double level = 0;
  std::vector<Point> points = {};  ///< in cells; 0 is the corner of the first one
};

/// The lines at the multiples of `interval`, by marching squares over every `step`-th cell along
/// both axes. Squares with a distance that is not finite have no lines. A saddle keeps the lower
/// corners apart. Time and memory O(cells / step² + points of the lines).
std::vector<ContourLine> contour_lines(const View<const void>& distance, double interval,
                                       std::int64_t step);

}  // namespace thiessen::cli
