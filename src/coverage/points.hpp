// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"
#include "coverage/cells.hpp"
#include "coverage/edges.hpp"

namespace thiessen::coverage {

/// Points on edges that stand for them where the nearest one is sought.
struct EdgePoints {
  std::int64_t count = 0;
  const double* places = nullptr;       ///< (y, x) or (z, y, x) of each, in cells
  const EdgeNumber* numbers = nullptr;  ///< of their edges
};

/// Makes the points in memory of `scratch`, in the order of their edges. Time O(edges).
EdgePoints make_points(ContextState& state, const CoverageProblem& problem, const Edges& edges,
                       Scratch::Frame& scratch);

}  // namespace thiessen::coverage
