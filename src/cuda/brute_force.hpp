// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::cuda {

/// Method "brute-force": every site against every cell.
Support supports_brute_force(const ContextState& state, const Problem& problem);
void run_brute_force(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cuda
