// SPDX-License-Identifier: Apache-2.0
//
// What the functions of polygons, borders and contour lines take and give.
#pragma once

#include "thiessen/contours.hpp"
#include "thiessen/polygons.hpp"

namespace thiessen {

struct RegionPolygonsInputs {
  View<const void> labels;
};

struct RegionBordersInputs {
  View<const void> labels;
  View<const void> distance;
};

struct VoronoiPolygonsInputs {
  View<const void> points;
  View<const void> weights;
};

struct VoronoiPolygonsShape : VoronoiPolygonsOptions {
  std::vector<std::int64_t> shape = {};
};

struct ContourLinesInputs {
  View<const void> distance;
};

}  // namespace thiessen
