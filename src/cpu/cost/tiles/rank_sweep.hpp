// SPDX-License-Identifier: Apache-2.0
//
// Spreads ranks along tight steps in a whole tile of a 2-D raster with 4 or 8 neighbours.
#pragma once

#include <cstdint>

#include "core/cost/inputs.hpp"
#include "core/cost/labels.hpp"
#include "cpu/cost/tiles/tile.hpp"

namespace thiessen::cpu::cost {

/// A tile and its raster.
struct RankTile {
  const FewSteps* steps = nullptr;
  Rank* rank = nullptr;
  TilePlace place;
  bool diagonals = true;  ///< 8 neighbours
};

/// What a worker needs.
struct RankBuffers {
  alignas(64) Rank rank[kTile * kTile];
  alignas(64) Rank turned_rank[kTile * kTile];
  /// For each neighbour, a bit a cell: whether a tight step leads to that neighbour.
  std::uint64_t out[8][kTile];
  std::uint64_t turned_out[8][kTile];
};

struct RankKernel {
  /// Passes on the ranks of the cells that fell, which lie on the lines `start`: lowers ranks in
  /// the tile until no tight step within it lowers any, and those beyond its sides by the steps out
  /// of it. The four steps out of its corners are left to the caller.
  LoweredNeighbours (*sweep)(const RankTile& tile, const Lines& start,
                             RankBuffers& buffers) = nullptr;
};

/// The kernel of the best instruction set among `targets` (bits of Highway); null without vectors.
RankKernel rank_kernel(std::int64_t targets);

}  // namespace thiessen::cpu::cost
