// SPDX-License-Identifier: Apache-2.0
//
// A slab as a raster of its own that has more rows at both ends, in which the sites beyond the slab
// lie where they are: what a search solves that knows nothing of slabs.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "core/slabs/slab.hpp"
#include "cpu/slabs/outer_reach.hpp"

namespace thiessen::cpu {

struct WidenedSlab {
  Problem problem;
  ProblemViews views;      ///< its rows beyond the slab have no outputs
  std::int64_t first = 0;  ///< the slab's first row or plane there
};

/// Widens a slab by its outer reach. Cells and labels are copied into `scratch` unless nothing is
/// added. Empty if that is not possible: rows would lie beyond the end of a periodic axis, or every
/// value that a cell can have makes it a site.
std::optional<WidenedSlab> widen_slab(ContextState& state, const Problem& problem, const Slab& slab,
                                      const ProblemViews& views, const OuterReach& reach,
                                      Scratch::Frame& scratch);

}  // namespace thiessen::cpu
