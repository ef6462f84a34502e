// SPDX-License-Identifier: Apache-2.0
//
// The cells whose nearest point the search among points finds: those of the tiles that the search
// by tiles has left to it.
#pragma once

#include <cstdint>

#include "cuda/job/point_cells.hpp"
#include "cuda/job/tile.hpp"
#include "cuda/points/unsolved_tiles.hpp"

namespace thiessen::cuda::points {

/// Without a state all cells are unsolved: there was no search by tiles.
struct UnsolvedCells {
  const PointCells::State* state = nullptr;
  UnsolvedTiles tiles;

  THIESSEN_HD bool is_all() const { return state == nullptr || state->misfits != 0; }
  THIESSEN_HD bool is_none() const { return !is_all() && *tiles.any_unsolved == 0; }
  /// Whether the tile of a cell is unsolved.
  THIESSEN_HD bool has(int rank, const std::int64_t (&cell)[kAxes]) const {
    const auto at = [&](int axis) {
      return cell[axis] / (rank == 2 ? tile_size<2>(axis) : tile_size<3>(axis));
    };
    return is_all() ||
           tiles.state[(at(0) * tiles.along[1] + at(1)) * tiles.along[2] + at(2)] == kTileUnsolved;
  }
};

}  // namespace thiessen::cuda::points
