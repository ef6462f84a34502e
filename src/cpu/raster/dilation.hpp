// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::cpu {

/// Method "dilation": sites grow by a structuring element round by round, from the cells that were
/// reached last. Time: O(cells); octagonal: O(cells · r/64), where r is the farthest distance; on
/// one thread. Memory: 20 bytes a cell, octagonal three bits more.
Support supports_dilation(const ContextState& state, const Problem& problem);
void run_dilation(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cpu
