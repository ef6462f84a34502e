// SPDX-License-Identifier: Apache-2.0
//
// The regular triangulation of weighted points: the dual of their power diagram. Without weights it
// is Delaunay's.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "polygons/power_sites.hpp"

namespace thiessen::polygons {

/// Three sites that turn counter-clockwise, in coordinates (y, x).
struct Triangle {
  std::array<std::int32_t, 3> site{};
  std::array<std::int32_t, 3> across{};  ///< the triangle beyond the edge that lies opposite a site

  bool exists() const { return site[0] >= 0; }
};

inline constexpr std::int32_t kNoTriangle = -1;

/// Sites 0, 1 and 2 are a triangle that has all others inside. The others join one by one; they
/// should come in an order in which neighbours follow each other, after some far between.
///
/// Sites without a region are in no triangle. If several have one place and weight, one of them is,
/// and gets the least PowerSite::place. advance(sites) is called now and then, and may throw.
std::vector<Triangle> triangulate(PowerSites& sites,
                                  const std::function<void(std::int64_t)>& advance);

}  // namespace thiessen::polygons
