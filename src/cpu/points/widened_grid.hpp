// SPDX-License-Identifier: Apache-2.0
//
// A grid with more rows (3-D: planes) at both ends, so that points beyond them lie within: what a
// search solves that takes no points outside. Slabs have such points.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cpu {

struct WidenedGrid {
  Problem problem;
  ProblemViews views;      ///< the rows that were added have no outputs
  std::int64_t first = 0;  ///< the first row of the grid there, a multiple of `step`
};

/// Empty if more rows would be added than a search by other means takes as long for. Copies the
/// points if rows are added above.
std::optional<WidenedGrid> widen_grid(const Problem& problem, const ProblemViews& views,
                                      std::int64_t step, Scratch::Frame& scratch);

}  // namespace thiessen::cpu
