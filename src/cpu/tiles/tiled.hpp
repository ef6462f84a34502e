// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "core/search/result_writer.hpp"
#include "cpu/tiles/job/blocks.hpp"

namespace thiessen::cpu::tiles {

/// Where a run marks the sites. A run on the complement inverts what the run before it has marked,
/// so that the raster is read once.
struct SiteBits {
  Bitmap bitmap;
  bool are_marked = false;
};

SiteBits allocate_site_bits(const Problem& problem, Scratch::Frame& scratch);

/// Whether the tile engine takes the problem: S has 64 bits, the far search has weights for
/// periodic axes, and there are kernels for the machine.
bool supports_tiles(const ContextState& state, const Problem& problem);

/// Whether it takes these points: they lie on centres of cells of the grid, which has no periodic
/// axes.
bool supports_points(const ContextState& state, const Problem& problem, const PointSites& points);

/// Whether it takes the distances to the boundary; nodata cells are left to the linear method.
bool supports_boundary(const ContextState& state, const Problem& problem);

/// The most units of progress that run_tiles() counts.
std::int64_t tile_units(const Problem& problem);

/// Some rows (2-D) or planes (3-D) of a raster.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t count = -1;  ///< less than 0: all
};

/// Rows or planes that leaves have in common.
inline std::int64_t rows_of_leaf(int rank) {
  return rank == 2 ? Blocks<2>::kLeafY : Blocks<3>::kLeafZ;
}

/// Exact nearest site of a raster or of a list of points, tile by tile. Returns which leaves have
/// their results; that lives in `scratch`. The others are left to a linear method. Write::distances
/// stands for those to the boundary. They need no `bits`.
///
/// Only outputs of `rows` are written, which begin with a leaf: other rows need no outputs. Leaves
/// at their end that have other rows, too, are left open.
Solved run_tiles(ContextState& state, const Problem& problem, const ProblemViews& views,
                 Write write, SiteBits& bits, Scratch::Frame& scratch, const RowRange& rows = {});

}  // namespace thiessen::cpu::tiles
