// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "core/search/result_writer.hpp"
#include "core/slabs/slab.hpp"

namespace thiessen::cpu {

/// Exact nearest site by the euclidean or manhattan metric, in linear time, for a slab; sites may
/// also lie above and below it.
void run_separable(ContextState& state, const Problem& problem, const Slab& slab,
                   const ProblemViews& views, Write write);

/// Exact winner of every cell among weighted sites of a raster, Weighting::power, in linear time.
/// All keys have 62 bits, and their sums.
void run_weighted_separable(ContextState& state, const Problem& problem, const ProblemViews& views);

/// Units of progress that run_separable() counts.
std::int64_t separable_units(const Problem& problem, const Slab& slab);

}  // namespace thiessen::cpu
