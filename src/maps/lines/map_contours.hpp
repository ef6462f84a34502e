// SPDX-License-Identifier: Apache-2.0
//
// Lines of equal distance on a map.
#pragma once

#include <cstdint>
#include <vector>

#include "maps/drawing/drawing.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::maps {

struct ContourLine {
  double level = 0;
  std::vector<Point> points = {};  ///< in cells; 0 is the corner of the first one
};

/// The lines at the multiples of `interval` between every `step`-th cell along both axes.
std::vector<ContourLine> map_contours(Context& context, const View<const void>& distance,
                                      double interval, std::int64_t step);

}  // namespace thiessen::maps
