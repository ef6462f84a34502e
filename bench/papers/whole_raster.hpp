// SPDX-License-Identifier: Apache-2.0
//
// Three methods as W. Tu and J. Wang, "Raster-based method for Voronoi diagram using GPU parallel
// technology", describe them: circle growing and dilation look at the whole raster after each
// round, to see whether it is covered, and expansion looks at every cell of a neighbourhood. The
// library's methods of these names keep frontiers and bits instead.
#pragma once

#include <cstdint>

#include "thiessen/thiessen.hpp"

namespace thiessen::bench {

/// Rasters of the same extents (y, x), without gaps between their cells.
struct WholeRaster {
  View<const std::int32_t> sites;  ///< 0, or a label; labels rise with the index of the cell
  View<std::int32_t> labels;       ///< result
  View<float> distance;            ///< result
};

/// Runs Method::circle_growing (step 1), dilation or expansion on one thread. There must be a site.
/// Metrics: manhattan and chessboard. If several sites are equally near, the least label wins.
void run_on_whole_raster(Method method, Metric metric, const WholeRaster& raster);

}  // namespace thiessen::bench
