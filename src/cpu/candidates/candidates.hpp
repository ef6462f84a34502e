// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cpu {

/// Exact winner of every cell among points anywhere, with or without weights, on periodic axes, in
/// 64 or 128 bits. Time O(points · log(points)) for the tree, then close to O(cells + cells on
/// borders · sites around them).
void run_candidates(ContextState& state, const Problem& problem, const ProblemViews& views);

inline std::int64_t candidates_units(const Problem& problem) { return problem.cells(); }

}  // namespace thiessen::cpu
