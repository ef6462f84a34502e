// SPDX-License-Identifier: Apache-2.0
//
// Passes along the first axis of the raster (rows in 2-D, planes in 3-D). They go down and up
// through all columns of the slab's face at once, a stretch of columns at a time.
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "core/slabs/slab.hpp"

namespace thiessen::cpu {

/// For each cell of the slab the coordinate, along the first axis and in the whole raster, of the
/// nearest site in its column, or kNoSite; the first of two equally near ones. On a periodic axis
/// it is the coordinate of the site itself, not of an image. `nearest` has the slab's cells in C
/// order.
void nearest_in_columns(ContextState& state, const Problem& problem, const Slab& slab,
                        const View<const void>& sites, std::int32_t* nearest);

/// Stands for "no such cell" in counts of cells.
inline constexpr std::int32_t kFar = std::int32_t{1} << 30;

/// For each cell of the slab the number of cells along the first axis to the nearest one with
/// another value, or kFar. `slab` is SlabMaps::boundary; the whole raster may be periodic.
void boundary_in_columns(ContextState& state, const Problem& problem, const Slab& slab,
                         const View<const void>& labels, std::int32_t* cells);

}  // namespace thiessen::cpu
