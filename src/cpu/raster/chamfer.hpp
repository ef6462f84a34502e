// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::cpu {

/// Method "chamfer": two passes of a mask, from the first cell to the last and back, that carry
/// sites along. Time O(cells), on one thread. Memory: 4 bytes a cell and a bit, or 8 where S and
/// site need more than 30 bits.
Support supports_chamfer(const ContextState& state, const Problem& problem);
void run_chamfer(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cpu
