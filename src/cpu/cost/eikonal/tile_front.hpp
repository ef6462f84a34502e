// SPDX-License-Identifier: Apache-2.0
//
// What the sweeps over a tile (front-inl.hpp) work on, the same for every instruction set.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpu/cost/eikonal/front.hpp"
#include "cpu/cost/eikonal/tile_turns.hpp"

namespace thiessen::cpu::eikonal {

/// A tile has so many rows and columns, and in 3-D so many planes.
inline constexpr int kTileSide = 32;
inline constexpr int kTileDepth = 8;

inline constexpr std::size_t kMostLanes = 8;

/// The length of a row of the sheared layout, with room for a vector at both ends.
inline constexpr std::ptrdiff_t kRowCells = 48;
static_assert(kRowCells >= kTileSide + 2 + static_cast<std::ptrdiff_t>(kMostLanes) + 6);
inline constexpr std::ptrdiff_t kPlaneCells = (2 * kTileSide + 3) * kRowCells;

/// Planes in a sheared layout, with a row of room before and behind.
class ShearedPlanes {
 public:
  void resize(int planes, double value) {
    cells_.assign(static_cast<std::size_t>(planes * kPlaneCells + 2 * kRowCells), value);
  }
  double* plane(int number) { return cells_.data() + kRowCells + number * kPlaneCells; }

 private:
  std::vector<double> cells_;
};

/// The memory of one thread: u, and how steep cells are along each axis (one for all where the
/// spacing is equal), each in both layouts. What lies outside of the tile has steepness 0.
struct TileMemory {
  ShearedPlanes order[2];
  ShearedPlanes steepness[kAxes][2];

  void resize(int rank, bool is_even) {
    const int planes = rank == 3 ? kTileDepth + 2 : 1;
    for (int layout = 0; layout < 2; ++layout) {
      order[layout].resize(planes, kInfinity);
      for (int axis = 0; axis < (is_even ? 1 : rank); ++axis)
        steepness[axis][layout].resize(planes, 0);
    }
  }
};

/// For each side of a tile the least value that fell there and may lower the cell beyond it;
/// infinity where there is none.
using Fallen = std::array<double, kSides>;

/// Sweeps a tile until nothing falls; no sweep has seen a tile before its first turn.
using SweepTile = Fallen (*)(const Ground& ground, double* order, const TileTurn& turn,
                             TileMemory& memory);

/// The sweep that an instruction set has, for rasters of `rank` axes.
SweepTile sweep_of(std::int64_t targets, int rank);

}  // namespace thiessen::cpu::eikonal
