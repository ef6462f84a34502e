// SPDX-License-Identifier: Apache-2.0
//
// The methods of the papers on the CPU: a plain file each, for comparisons and for repeating what
// the papers did.
#pragma once

#include "backend/backend.hpp"

namespace thiessen::papers {

/// Every cell against every site. Exact, for any metric.
void run_brute_force(ContextState& state, const Problem& problem, const ProblemViews& views);
/// The method of Tu and Wang: brute force, or expansion where sites are many.
void run_raster_gpu(ContextState& state, const Problem& problem, const ProblemViews& views);
/// Two passes of a mask over the raster.
void run_chamfer(ContextState& state, const Problem& problem, const ProblemViews& views);
/// Circles that grow around all sites at once.
void run_circle_growing(ContextState& state, const Problem& problem, const ProblemViews& views);
/// Sites that spread to their neighbours round by round.
void run_dilation(ContextState& state, const Problem& problem, const ProblemViews& views);
/// A neighbourhood of each cell that grows until it holds the nearest site.
void run_expansion(ContextState& state, const Problem& problem, const ProblemViews& views);
/// The jump flooding family (core/problem/flooding.hpp).
void run_jump_flood(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::papers
