// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "thiessen/view.hpp"

namespace thiessen::cli {

/// The number of cells that no path of neighbours (of 8) with the same site leads to from the cell
/// of their site: regions look disconnected there. A thin wedge of a true diagram may have such
/// cells, too (G. Rong, T. Tan, "Jump flooding in GPU with applications to Voronoi diagram and
/// distance transform", 2006).
///
/// cells  2-D, contiguous: site indices; -1, no site, does not count. Time O(cells).
std::int64_t disconnected_cells(const View<const std::int64_t>& cells);

}  // namespace thiessen::cli
