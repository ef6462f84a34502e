// SPDX-License-Identifier: Apache-2.0
//
// How far a raster of sites is from a diagram: the entropy of labels, and disconnected cells.
#pragma once

#include <cstdint>

#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen::bench {

/// Disorder of a label image: for each cell the Shannon entropy, in bits, of the labels in the
/// window of 3 x 3 cells around the cell (only cells within the raster).
///
/// It is 0 inside of a Voronoi cell, up to 1 along an edge, up to log2(3) where three cells meet,
/// and log2(9) = 3.17 if no two cells of a window are equal, as in noise of many labels. The usual
/// "entropy of an image", that of the histogram of all labels, cannot distinguish noise from a
/// diagram: both have each label about equally often.
///
/// cells  2-D, contiguous; -1, no site, is a label like any other. Time O(cells).
struct LocalEntropy {
  explicit LocalEntropy(const View<const std::int64_t>& cells);

  double mean = 0;
  Raster bits;  ///< f32
};

/// The number of cells that no path of neighbours (of 8) with the same site leads to from the cell
/// of their site: regions look disconnected there. A thin wedge of a true diagram may have such
/// cells, too (G. Rong, T. Tan, "Jump flooding in GPU with applications to Voronoi diagram and
/// distance transform", 2006).
///
/// cells  2-D, contiguous: site indices; -1, no site, does not count. Time O(cells).
std::int64_t disconnected_cells(const View<const std::int64_t>& cells);

}  // namespace thiessen::bench
