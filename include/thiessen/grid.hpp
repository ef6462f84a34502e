// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "thiessen/view.hpp"

namespace thiessen {

/// Geometry of a raster: its extents and the world length of one cell along each axis.
struct Grid {
  Extents extents;              ///< (y, x) or (z, y, x)
  std::vector<double> spacing;  ///< the same order; empty means 1 on every axis
};

}  // namespace thiessen
