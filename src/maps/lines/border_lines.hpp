// SPDX-License-Identifier: Apache-2.0
//
// Lines between the cells of different sites, for maps that are drawn as lines.
#pragma once

#include <cstdint>
#include <vector>

#include "maps/drawing/drawing.hpp"

namespace thiessen::maps {

/// The lines between cells of different values, from one meeting of lines to the next, in cells; 0
/// is the corner of the first one. Every `step`-th cell along both axes is looked at. Points that
/// lie within `tolerance` cells of a straight line are left out (D. Douglas, T. Peucker, 1973), so
/// that the steps of cells need not show; two areas share the same line. Time and memory
/// O(cells / step²), and O(points²) for a line at worst.
std::vector<std::vector<Point>> border_lines(const std::vector<std::uint32_t>& cells,
                                             const Extents& extents, std::int64_t step,
                                             double tolerance);

}  // namespace thiessen::maps
