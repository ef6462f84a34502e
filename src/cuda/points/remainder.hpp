// SPDX-License-Identifier: Apache-2.0
//
// What the search among points has to do where the search by tiles went before it.
#pragma once

#include <cstdint>

#include "cuda/points/cells.hpp"
#include "cuda/tiles/left_tiles.hpp"
#include "cuda/tiles/tile.hpp"

namespace thiessen::cuda {

/// Without a state, everything: there was no search by tiles.
struct Remainder {
  const PointCells::State* state = nullptr;
  LeftTiles left;

  THIESSEN_HD bool is_all() const { return state == nullptr || state->misfits != 0; }
  THIESSEN_HD bool is_none() const { return !is_all() && *left.some == 0; }
  /// Whether it has the tile of a cell.
  THIESSEN_HD bool has(int rank, const std::int64_t (&cell)[kAxes]) const {
    const auto at = [&](int axis) {
      return cell[axis] / (rank == 2 ? tile_size<2>(axis) : tile_size<3>(axis));
    };
    return is_all() ||
           left.state[(at(0) * left.along[1] + at(1)) * left.along[2] + at(2)] == kTileLeft;
  }
};

}  // namespace thiessen::cuda
