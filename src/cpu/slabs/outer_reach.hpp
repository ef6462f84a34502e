// SPDX-License-Identifier: Apache-2.0
//
// How far beyond the ends of a slab the sites lie that can be nearest to its cells.
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "core/slabs/slab.hpp"

namespace thiessen::cpu {

/// Rows or planes beyond each end of a slab: no site farther out is the nearest one of any of its
/// cells.
struct OuterReach {
  std::int64_t above = 0;
  std::int64_t below = 0;
};

/// Reads the slab as far as it needs to.
OuterReach find_outer_reach(ContextState& state, const Problem& problem, const Slab& slab,
                            const View<const void>& sites);

}  // namespace thiessen::cpu
