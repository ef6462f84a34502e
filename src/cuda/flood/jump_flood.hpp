// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::cuda::flood {

/// The jump flooding family, as defined in core/problem/flooding.hpp.
Support supports_jump_flood(const ContextState& state, const Problem& problem);
void run_jump_flood(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cuda::flood
