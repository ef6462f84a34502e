// SPDX-License-Identifier: Apache-2.0
//
// Lines on a map have places in cells; 0 is the corner of the first one. They are made of every
// `step`-th cell along both axes.
#pragma once

#include <cstdint>
#include <vector>

#include "maps/drawing/drawing.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::maps {

/// The lines between cells of different values, from one meeting of lines to the next. Points that
/// lie within `tolerance` cells of a straight line are left out (D. Douglas, T. Peucker, 1973), so
/// that the steps of cells need not show; two areas share the same line. Time and memory those of
/// region_borders(), and O(points²) for a line at worst.
std::vector<std::vector<Point>> border_lines(Context& context,
                                             const std::vector<std::uint32_t>& cells,
                                             const Extents& extents, std::int64_t step,
                                             double tolerance);

struct ContourLine {
  double level = 0;
  std::vector<Point> points = {};
};

/// The lines at the multiples of `interval`.
std::vector<ContourLine> map_contours(Context& context, const View<const void>& distance,
                                      double interval, std::int64_t step);

}  // namespace thiessen::maps
