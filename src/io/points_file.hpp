// SPDX-License-Identifier: Apache-2.0
//
// Points from text files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "thiessen/raster.hpp"

namespace thiessen::io {

struct PointsFile {
  int axes = 2;                     ///< 2: x, y; 3: x, y, z
  std::vector<double> coordinates;  ///< x, y[, z] of one point after the other, as in the file
  Raster labels;                    ///< extents (points), or without axes if the file has none

  std::int64_t count() const { return static_cast<std::int64_t>(coordinates.size()) / axes; }
};

/// Reads points, one a line: x,y or x,y,z, and a label. Throws Error{io} naming file and line.
PointsFile read_points(const std::filesystem::path& path);

}  // namespace thiessen::io
