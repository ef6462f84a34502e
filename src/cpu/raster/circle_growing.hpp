// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::cpu {

/// Method "circle-growing": every site covers the cells of a circle that grows round by round.
/// Time: O(sites · r²), where r is the farthest distance of a cell from its site; sites whose 8
/// neighbours are sites cost next to nothing. Memory: 16 bytes a cell.
Support supports_circle_growing(const ContextState& state, const Problem& problem);
void run_circle_growing(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cpu
