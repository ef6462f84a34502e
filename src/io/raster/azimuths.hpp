// SPDX-License-Identifier: Apache-2.0
//
// Directions on a raster that lies in the world, whatever way its rows run.
#pragma once

#include <array>

namespace thiessen::io {

/// Makes azimuths on the map, 90 east and 360 north, of directions in a raster, where 360 is along
/// the columns to row 0 and 90 along the rows. The lengths of its cells are those of the
/// directions.
class Azimuths {
 public:
  /// For a transform as of a Georeference, with rows and columns at right angles.
  explicit Azimuths(const std::array<double, 6>& transform);

  /// Whether row 0 lies in the north, so that both are the same.
  bool are_directions() const noexcept;

  /// The azimuth of a direction; 0, at the site itself, and NaN stay.
  float operator()(float direction) const noexcept;

 private:
  double turn_;    ///< azimuth of the way along the columns to row 0
  bool mirrored_;  ///< directions count the other way round
};

}  // namespace thiessen::io
