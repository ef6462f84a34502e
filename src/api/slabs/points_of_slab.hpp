// SPDX-License-Identifier: Apache-2.0
//
// The points that a slab of a grid needs.
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"
#include "core/problem/points.hpp"
#include "core/problem/problem.hpp"
#include "core/slabs/slab.hpp"

namespace thiessen {

/// Points, or images of them, that may be the nearest ones of cells of a slab, in the order of
/// their list.
struct PointsOfSlab {
  PointSites points;  ///< their coordinates count from the slab's first row or plane on
  const std::int64_t* place = nullptr;  ///< of each in the list
  bool are_all = false;                 ///< the places count up
};

/// Those of `list`, which are wrapped, for the problem of the whole grid. All are kept if they
/// have weights or outputs of another label are wanted, and on devices, which find those that count
/// by themselves. The problem then becomes that of the slab alone, which is not periodic along the
/// first axis. Time O(points); 32 bytes of scratch for each that is kept.
PointsOfSlab cut_out_points(ContextState& state, Problem& problem, const PointSites& list,
                            const Slab& slab, Scratch::Frame& scratch);

}  // namespace thiessen
