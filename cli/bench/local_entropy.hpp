// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "thiessen/view.hpp"

namespace thiessen::cli {

/// Disorder of a label image: the mean over all cells of the Shannon entropy, in bits, of the
/// labels in the window of 3 x 3 cells around the cell (only cells within the raster).
///
/// It is 0 inside of a Voronoi cell, up to 1 along an edge, up to log2(3) where three cells meet,
/// and log2(9) = 3.17 if no two cells of any window are equal, as in noise of many labels. The
/// usual "entropy of an image", that of the histogram of all labels, cannot distinguish noise from
/// a diagram: both have each label about equally often.
///
/// cells  2-D, contiguous; -1, no site, is a label like any other. Time O(cells).
double local_entropy(const View<const std::int64_t>& cells);

/// That of the window around one cell.
double local_entropy_at(const View<const std::int64_t>& cells, std::int64_t y, std::int64_t x);

/// The most that it can be.
inline constexpr double kMostEntropy = 3.169925001442312;

}  // namespace thiessen::cli
