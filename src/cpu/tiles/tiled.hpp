// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/context_state.hpp"
#include "core/problem.hpp"
#include "core/result_writer.hpp"

namespace thiessen::cpu::tiles {

/// Whether the tile engine takes the problem: S has 64 bits, periodic axes have weights for the far
/// search, and there are kernels for the machine.
bool supports_tiles(const ContextState& state, const Problem& problem);

/// Whether it takes these points: they lie within the grid, whose axes end.
bool supports_points(const ContextState& state, const Problem& problem, const PointSites& points);

/// Units of progress that run_tiles() counts at most.
std::int64_t tile_units(const Problem& problem);

/// Exact nearest site of a raster or of a list of points, tile by tile.
void run_tiles(ContextState& state, const Problem& problem, const ProblemViews& views, Write write);

}  // namespace thiessen::cpu::tiles
