// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cpu {

/// Exact winner of every cell among the weighted sites of a raster. Time as of run_candidates(),
/// with the sites on the rims of areas of one weight.
void run_weighted_cells(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cpu
