// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace thiessen {

/// In metres: the equatorial radius of WGS 84, and the mean radius of the Earth.
inline constexpr double kEquatorialRadius = 6378137;
inline constexpr double kMeanRadius = 6371008.8;

/// Where the cells of a 2-D raster lie on the Earth, for the metrics ellipsoidal and great-circle:
/// a latitude for each row and a longitude for each column, those of the centres of cells.
struct Earth {
  /// In degrees, from -90 to 90, rising or falling; the steps may be uneven. One for each row.
  std::vector<double> latitude = {};

  /// In degrees, rising or falling, from -720 to 720; 180 and -180 are the same meridian, so that a
  /// raster may cross it or go round. One for each column.
  std::vector<double> longitude = {};

  /// In metres. Empty: 6378137, or for great-circle 6371008.8.
  std::optional<double> radius = std::nullopt;

  /// Flattening of the ellipsoid, from 0 to 0.02. Metric::great_circle takes no notice of it.
  double flattening = 1 / 298.257223563;
};

}  // namespace thiessen
