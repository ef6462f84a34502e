// SPDX-License-Identifier: Apache-2.0
//
// Where sites lie that miss the grid, and the likely cause; for warnings.
#pragma once

#include <array>
#include <string>

#include "inputs/rasters/grid_input.hpp"
#include "io/table/points_file.hpp"

namespace thiessen::cli {

/// Least x, least y, greatest x, greatest y.
using Bounds = std::array<double, 4>;

/// The bounds of a grid, in cells if it has no georeference.
Bounds bounds_of(const Grid& grid);

/// The bounds of a list that has points.
Bounds bounds_of(const io::PointsFile& points);

/// The bounds of sites and of the grid if they have nothing in common, with the likely cause: x and
/// y exchanged, the order of --bounds, degrees. Empty if they meet.
std::string why_outside(const Bounds& sites, const Grid& grid, const GridArguments& arguments);

}  // namespace thiessen::cli
