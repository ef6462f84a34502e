// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/context_state.hpp"
#include "cpu/tiles/job/job.hpp"
#include "cpu/tiles/near/window_plan.hpp"

namespace thiessen::cpu::tiles {

/// Writes the distances of the leaves that windows solve, on all threads, and says so in
/// Job::solved, where all leaves must be SolvedBy::near before; the others become
/// SolvedBy::none. Sites are marked.
template <int kRank>
void find_distances(ContextState& state, const WindowPlan& plan, const Job& job);

}  // namespace thiessen::cpu::tiles
