// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backend/cost_steps.hpp"
#include "core/base/context_state.hpp"
#include "core/cost/problem.hpp"

namespace thiessen::cpu {

/// The steps of the map and the elevation of `views`, on the host. They are in the scratch memory
/// of `state`, which must outlive them, as must `problem` and the arrays.
std::unique_ptr<CostSteps> make_cost_steps(ContextState& state, const CostProblem& problem,
                                           const CostViews& views);

}  // namespace thiessen::cpu
