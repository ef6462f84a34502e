// SPDX-License-Identifier: Apache-2.0
//
// The nearest site on the ellipsoid.
#pragma once

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cpu {

/// Fills every output of a problem that is on the Earth (Problem::earth).
void run_earth(ContextState& state, const Problem& problem, const ProblemViews& views);

/// The same by comparing each cell with each site.
void run_earth_by_force(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cpu
