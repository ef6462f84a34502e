// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "thiessen/view.hpp"

namespace thiessen::cli {

/// Disorder of a label image: the mean over all cells of the Shannon entropy, in bits, of the
/// labels in the window of 3 x 3 cells around the cell (of those within the raster).
///
/// 0 if all cells are equal; in the inside of a Voronoi cell 0, along an edge up to 1, where three
/// meet up to log2(3); log2(9) = 3.17 if no two cells of any window are equal, as in noise of many
/// labels. The entropy of the histogram of all labels, which is what "entropy of an image" often
/// means, cannot tell noise from a diagram: both have each label about equally often.
///
/// cells  2-D, contiguous; -1, no site, is a label like any other. Time O(cells).
double local_entropy(const View<const std::int64_t>& cells);

}  // namespace thiessen::cli
