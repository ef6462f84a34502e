// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backend/nearest_solver.hpp"
#include "core/base/context_state.hpp"

namespace thiessen::cpu::solvers {

/// Repairs a map, or makes fresh calls. All arguments must outlive it.
std::unique_ptr<NearestSolverEngine> make_nearest_solver(ContextState& state,
                                                         const NearestSolverData& data,
                                                         const FreshCalls& calls);

}  // namespace thiessen::cpu::solvers
