// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/context_state.hpp"
#include "core/problem.hpp"
#include "core/result_writer.hpp"
#include "cpu/tiles/job/blocks.hpp"

namespace thiessen::cpu::tiles {

/// Where a run marks the sites. A run on the complement inverts what the run before it has marked,
/// so that the raster is read once.
struct SiteBits {
  Bitmap bitmap;
  bool are_marked = false;
};

SiteBits take_site_bits(const Problem& problem, Scratch::Frame& scratch);

/// Whether the tile engine takes the problem: S has 64 bits, the far search has weights for
/// periodic axes, and there are kernels for the machine.
bool supports_tiles(const ContextState& state, const Problem& problem);

/// Whether it takes these points: they lie within the grid, which has no periodic axes.
bool supports_points(const ContextState& state, const Problem& problem, const PointSites& points);

/// Whether it takes the distances to the boundary; nodata cells are left to the linear method.
bool supports_boundary(const ContextState& state, const Problem& problem);

/// The most units of progress that run_tiles() counts.
std::int64_t tile_units(const Problem& problem);

/// Exact nearest site of a raster or of a list of points, tile by tile. Returns which leaves have
/// their results; that lives in `scratch`. The others are left to a linear method. Write::distances
/// stands for those to the boundary. They need no `bits`.
Solved run_tiles(ContextState& state, const Problem& problem, const ProblemViews& views,
                 Write write, SiteBits& bits, Scratch::Frame& scratch);

}  // namespace thiessen::cpu::tiles
