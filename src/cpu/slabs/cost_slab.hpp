// SPDX-License-Identifier: Apache-2.0
//
// Cost distance on slabs, on the CPU.
#pragma once

#include "core/base/context_state.hpp"
#include "core/cost/slab.hpp"

namespace thiessen::cpu {

/// See begin_cost_slab(), continue_cost_slab() and finish_cost_slab(); the slab has own cells.
CostSlabReport begin_cost_slab(ContextState& state, const CostSlabProblem& slab, CostStage stage);
CostSlabReport continue_cost_slab(ContextState& state, const CostSlabProblem& slab,
                                  CostStage stage);
void finish_cost_slab(ContextState& state, const CostSlabProblem& slab);

}  // namespace thiessen::cpu
