// SPDX-License-Identifier: Apache-2.0
//
// How a raster lies in the world, as far as a map tells of it.
#pragma once

#include <optional>
#include <string>

#include "io/raster/raster_file.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/view.hpp"

namespace thiessen::maps {

/// A length of cells, finite and > 0, that is said to hold instead of the raster's own.
struct CellSize {
  double size = 1;
  std::string unit = {};  ///< empty: nobody knows it
};

struct Ground {
  std::string length_unit = "cells";  ///< of the length of a cell
  double cell_width = 1;              ///< length of a cell along x
  /// In square units of length; nothing: it differs from cell to cell, or is not known.
  std::optional<double> cell_area = {};
  std::string note = {};             ///< where that holds: "at 52° N"; empty: everywhere
  std::optional<double> north = {};  ///< direction in the picture, radians clockwise from its top
};

/// For rasters in degrees the length is that along the parallel through the middle, in metres on
/// the ellipsoid of the coordinate reference system, or on that of WGS 84; `given` counts before
/// all of that.
Ground ground_of(const Extents& extents, const std::optional<Georeference>& georeference,
                 const std::optional<io::VoxelSize>& voxels, const std::optional<CellSize>& given);

}  // namespace thiessen::maps
