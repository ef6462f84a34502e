// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::cuda::flood {

/// Method "jfa-thrust": 1+jfa as Coeurjolly's program does it.
Support supports_thrust_jump_flood(const ContextState& state, const Problem& problem);
void run_thrust_jump_flood(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cuda::flood
