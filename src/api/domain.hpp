// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"

namespace thiessen {

/// Makes the cells outside of the domain nodata in all outputs; the outputs and the domain are on
/// the host. It runs once after the search, for every method: sites outside count, so the search is
/// the same. Time O(cells), on all threads; writes only those cells.
void mark_outside(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen
