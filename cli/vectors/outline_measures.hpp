// SPDX-License-Identifier: Apache-2.0
//
// Areas of polygons, and lengths of borders and of the distances along them.
#pragma once

#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// The area of each region, in units of spacing (y, x).
std::vector<double> areas_of(const Polygons& polygons, const std::vector<double>& spacing);

/// What is measured of each border.
struct BorderMeasures {
  std::vector<double> length;           ///< in units of spacing
  std::vector<double> least, greatest;  ///< distance of its points to the sites
};
BorderMeasures measure(const Borders& borders, const std::vector<double>& spacing);

/// The distance between the two sites of each border of points (y, x in cells), and the least
/// distance from each straight border to them.
struct SiteGaps {
  std::vector<double> between, least;
};
SiteGaps measure_gaps(const Borders& borders, const std::vector<double>& points,
                      const std::vector<double>& spacing);

/// For each pair of regions that touch the length of the shortest way over their border: from the
/// one site to a cell, a step to its neighbour across an edge, and on to the other site. NaN for
/// pairs that touch at corners alone. Rasters are contiguous.
std::vector<double> shortest_ways(const Adjacency& pairs, const View<const void>& regions,
                                  const View<const void>& distance,
                                  const std::vector<double>& spacing);

}  // namespace thiessen::cli
