// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace thiessen {

/// The equatorial radius of WGS 84, and the mean radius of the Earth, in metres.
inline constexpr double kEquatorialRadius = 6378137;
inline constexpr double kMeanRadius = 6371008.8;

/// The latitude of each row and the longitude of each column of a 2-D raster, at the centres of the
/// cells. Required for the metrics ellipsoidal and great-circle.
struct Earth {
  /// Latitude of each row in degrees, from -90 to 90, rising or falling. The steps may be uneven.
  std::vector<double> latitude = {};

  /// Longitude of each column in degrees, rising or falling, from -720 to 720. 180 and -180 are the
  /// same meridian, so that a raster may cross it or go round.
  std::vector<double> longitude = {};

  /// Radius at the equator in metres. Empty: 6378137, or for great-circle 6371008.8.
  std::optional<double> radius = std::nullopt;

  /// Flattening of the ellipsoid, from 0 to 0.02. Metric::great_circle ignores it.
  double flattening = 1 / 298.257223563;
};

}  // namespace thiessen
