// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "thiessen/view.hpp"

namespace thiessen {

/// The georeference of a raster: it places the cells in world coordinates.
struct Georeference {
  /// World coordinates of the corner between cells, like GDAL: for column c and row r
  ///   x = t[0] + c·t[1] + r·t[2],  y = t[3] + c·t[4] + r·t[5];
  /// the centre of the first cell has c = r = 0.5.
  std::array<double, 6> transform{0, 1, 0, 0, 0, 1};
  std::string crs;       ///< coordinate reference system as WKT; empty if it is unknown
  bool degrees = false;  ///< x and y are angles, so that planar distances mean nothing
};

/// Geometry of a raster: its extents, the world length of one cell along each axis, and its
/// georeference.
struct Grid {
  Extents extents = {};              ///< (y, x) or (z, y, x)
  std::vector<double> spacing = {};  ///< the same order; empty means 1 on every axis
  std::optional<Georeference> georeference = std::nullopt;
};

}  // namespace thiessen
