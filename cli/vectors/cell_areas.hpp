// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// The area of a cell of each row of a grid in degrees, in square metres: its share of the zone
/// between two parallels of the ellipsoid, or of the sphere, on which the metric measures. Rows
/// that reach beyond a pole end there.
std::vector<double> cell_areas(const Grid& grid, const Earth& earth, Metric metric);

/// A raster in which each cell has the area of its row.
Raster area_raster(const Extents& extents, const std::vector<double>& of_rows);

}  // namespace thiessen::cli
