// SPDX-License-Identifier: Apache-2.0
//
// Which of the sites that cost the same in a cell are among its k nearest.
#pragma once

#include "core/base/context_state.hpp"
#include "core/base/scratch.hpp"
#include "cpu/cost/cost.hpp"
#include "cpu/cost/nearest_lists.hpp"

namespace thiessen::cpu::cost {

/// Where the sites at places k - 1 and k of a list cost the same, puts the k first sites by (cost,
/// rank) in front. `lists` have k + 1 places, and their costs are the least.
///
/// Time and memory: one pass over the cells and a cost for each if there are no such ties. Else
/// 8 · k + 12 bytes for f32 and O(k · log(cells)) time for each cell at which tied sites pass.
template <class T>
void settle_cut_ties(ContextState& state, const CostJob<T>& job, NearestLists<T>& lists,
                     Scratch::Frame& scratch);

}  // namespace thiessen::cpu::cost
