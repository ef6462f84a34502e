// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backend/backend.hpp"

namespace thiessen::cuda::cost {

/// What does the work of a CostSolver; see Backend::make_cost_solver.
std::unique_ptr<CostSolverEngine> make_cost_solver(ContextState& state, const CostProblem& problem,
                                                   const CostViews& views,
                                                   const CostSiteTable& sites);

}  // namespace thiessen::cuda::cost
