// SPDX-License-Identifier: Apache-2.0
//
// Lines of equal distance.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// Lines of equal distance, ascending by level. Line i has the level levels[i] and the points
/// points[i] … points[i + 1] - 1. The list `points` ends with the number of points.
///
/// Lines are as long as they can be. Open lines come first; they end in the outermost cells or
/// beside a cell that is not finite. Closed lines follow; their last point is their first one
/// again. If row 0 is drawn on top, smaller distances lie on the left of a line, so a line around a
/// site runs counter-clockwise.
struct Contours {
  std::vector<double> levels = {};
  std::vector<std::int64_t> points = {};
  /// y and x of each point in turn, in cells, as in Polygons: the centre of the first cell is (0,
  /// 0).
  std::vector<double> coordinates = {};
};

/// The greatest number of levels of one call.
inline constexpr std::int64_t kMostContourLevels = 100'000;

/// The levels of the lines: either an interval or a list.
struct ContourOptions {
  /// Lines lie at the multiples of this length, > 0 and finite.
  std::optional<double> interval = {};
  /// Lines lie at these distances, finite, in any order; equal distances are used once.
  std::vector<double> levels = {};
};

/// The lines on which distances or costs have the given levels, by marching squares. The corners of
/// a square are the centres of four cells, and between two of them distances are linear.
///
/// distance  2-D host view of f32 or f64, any strides, aligned. Squares with a corner that is not
///           finite, such as an unreached or a nodata cell, have no lines.
///
/// A line lies between cells below its level and cells at or above it. The sites' own level, 0,
/// therefore has no line unless distances are signed. A cell that alone reaches a level has no
/// line. At a saddle, cells below the level are kept apart.
///
/// Time O(cells · log(levels) + points of the lines); with an interval there is no logarithm.
/// Memory 33 bytes a point, up to twice that during the search, and the result. One thread follows
/// the lines. Throws Error: invalid_argument, also for more than kMostContourLevels, and for
/// distances of more than 2^52 intervals; out_of_memory, cancelled; unsupported for distances on a
/// device.
///
/// Source: W. Lorensen and H. Cline, "Marching Cubes" (1987), in two dimensions.
THIESSEN_API Contours contour_lines(Context& context, View<const void> distance,
                                    const ContourOptions& options);

/// Same as above, but runs on default_context().
THIESSEN_API Contours contour_lines(View<const void> distance, const ContourOptions& options);

}  // namespace thiessen
