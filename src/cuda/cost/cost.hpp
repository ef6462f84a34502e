// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::cuda::cost {

Support supports_cost(const ContextState& state, const CostProblem& problem);

/// Solves by tiles, without the host in between.
void run_exact_cost(ContextState& state, const CostProblem& problem, const CostViews& views,
                    CostDistanceReport& report);

Support supports_eikonal(const ContextState& state, const CostProblem& problem);

/// Fronts in two passes by tiles, as on the CPU.
void run_eikonal(ContextState& state, const CostProblem& problem, const CostViews& views,
                 CostDistanceReport& report);

/// The scheme of J. Toss and J. Comba: the host reads a flag after each iteration.
void run_cost_relaxation(ContextState& state, const CostProblem& problem, const CostViews& views,
                         CostDistanceReport& report);

}  // namespace thiessen::cuda::cost
