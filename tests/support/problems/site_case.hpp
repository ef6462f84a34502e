// SPDX-License-Identifier: Apache-2.0
//
// Random problems of nearest_site() and voronoi() with labels that sites share, small enough for
// definitions to be computed as they stand.
#pragma once

#include <cstdint>
#include <vector>

#include "oracle/point_oracle.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::testing {

/// Raster or points; labels are floats.
struct SiteCase {
  Extents extents;
  NearestSiteOptions options;
  std::vector<float> cells;           ///< of a raster of sites
  std::vector<oracle::Point> points;  ///< else
  std::vector<float> labels;          ///< of points
  bool by_cell = true;
  std::vector<std::uint8_t> domain;  ///< empty: all cells
};

/// The problem of a seed: unreached cells have the label -7, those outside of a domain -8.
SiteCase draw_site_case(std::uint64_t seed);

/// Which cells or points are sites.
std::vector<std::uint8_t> classes_of(const SiteCase& given);

}  // namespace thiessen::testing
