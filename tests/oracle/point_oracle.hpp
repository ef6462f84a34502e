// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/base/cells.hpp"
#include "oracle/oracle.hpp"
#include "thiessen/nearest_site.hpp"

namespace thiessen::oracle {

using Point = std::array<double, kAxes>;  ///< (z, y, x) in cells

/// Nearest point of every cell by comparing all, in units of 2^-16 of a cell whatever the points
/// need. `exact` of the result is in these units. Cells outside of `domain` are nodata.
Result nearest_point(const std::vector<Point>& points, const Grid& grid,
                     const NearestSiteOptions& options, const View<const void>& domain = {});

}  // namespace thiessen::oracle
