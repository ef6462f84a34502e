// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backend/cost_solver.hpp"
#include "core/base/context_state.hpp"

namespace thiessen::cpu {

/// A solver whose map is the one of `views`, and whose outputs are written into those of `views`.
/// `problem`, `sites` and `state` must outlive it.
std::unique_ptr<CostSolverEngine> make_cost_solver(ContextState& state, const CostProblem& problem,
                                                   const CostViews& views,
                                                   const CostSiteTable& sites);

}  // namespace thiessen::cpu
