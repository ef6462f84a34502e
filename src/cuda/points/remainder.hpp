// SPDX-License-Identifier: Apache-2.0
//
// The tiles that a search by tiles has left to the search among points.
#pragma once

#include <cstdint>

#include "cuda/job/point_cells.hpp"
#include "cuda/job/tile.hpp"
#include "cuda/points/left_tiles.hpp"

namespace thiessen::cuda::points {

/// Without a state it is everything: there was no search by tiles.
struct Remainder {
  const PointCells::State* state = nullptr;
  LeftTiles left;

  THIESSEN_HD bool is_all() const { return state == nullptr || state->misfits != 0; }
  THIESSEN_HD bool is_none() const { return !is_all() && *left.some == 0; }
  /// Whether the tile of a cell is left.
  THIESSEN_HD bool has(int rank, const std::int64_t (&cell)[kAxes]) const {
    const auto at = [&](int axis) {
      return cell[axis] / (rank == 2 ? tile_size<2>(axis) : tile_size<3>(axis));
    };
    return is_all() ||
           left.state[(at(0) * left.along[1] + at(1)) * left.along[2] + at(2)] == kTileLeft;
  }
};

}  // namespace thiessen::cuda::points
