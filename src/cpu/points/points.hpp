// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cpu {

/// Exact nearest point of every cell. Time O(points · log(points)) for the tree, then close to
/// O(cells + cells of the diagram that each row crosses · log(points)).
void run_points(ContextState& state, const Problem& problem, const ProblemViews& views);

std::int64_t points_units(const Problem& problem);

}  // namespace thiessen::cpu
