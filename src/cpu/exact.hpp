// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::cpu {

/// Method "exact": the linear-time methods of this backend behind one name.
Support supports_exact(const ContextState& state, const Problem& problem);
void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cpu
