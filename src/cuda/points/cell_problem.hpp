// SPDX-License-Identifier: Apache-2.0
//
// Turns a problem of points on centres of cells into a problem of these cells: the same S, except
// for a power of two.
#pragma once

#include <algorithm>

#include "core/problem/problem.hpp"

namespace thiessen::cuda::points {

/// The problem in whole cells, for points in the grid; no axis is periodic.
inline Problem problem_on_cells(const Problem& points) {
  Problem cells = points;
  const bool squares = points.metric == Metric::euclidean;
  cells.fraction_bits = 0;
  cells.limit = points.limit >> (squares ? 2 : 1) * points.fraction_bits;
  cells.weights.unit = scaled(points.weights.unit, points.fraction_bits);
  Int128 greatest = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const Int128 longest = std::max<std::int64_t>(points.extent[axis] - 1, 1);  // as in
                                                                                // make_weights()
    const Int128 along = points.weights.factor[axis] * (squares ? longest * longest : longest);
    greatest = points.metric == Metric::chessboard ? std::max(greatest, along) : greatest + along;
  }
  cells.weights.greatest = greatest;
  cells.wide = greatest >= Int128{1} << 62;
  return cells;
}

}  // namespace thiessen::cuda::points
