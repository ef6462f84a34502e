// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "core/slabs/slab.hpp"

namespace thiessen::cpu {

/// Distance of each cell to the nearest one that does not hold the same value, by any metric, in
/// linear time. Writes the outputs `distance` and `squared`. `problem` is that of the slab alone,
/// or of the whole raster.
void run_boundary(ContextState& state, const Problem& problem, const Slab& slab,
                  const ProblemViews& views);

std::int64_t boundary_units(const Problem& problem);

}  // namespace thiessen::cpu
