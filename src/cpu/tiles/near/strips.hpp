// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/context_state.hpp"
#include "cpu/tiles/job/job.hpp"
#include "cpu/tiles/near/windows.hpp"

namespace thiessen::cpu::tiles {

/// The near search by windows: writes the outputs of strips, on all threads, and makes the leaves
/// that are done SolvedBy::near. Leaves that another search has done may be written again. Sites
/// are marked. Takes `units` of the progress.
template <int kRank>
void search_strips(ContextState& state, const WindowPlan& plan, WindowResult result, const Job& job,
                   std::int64_t units);

}  // namespace thiessen::cpu::tiles
