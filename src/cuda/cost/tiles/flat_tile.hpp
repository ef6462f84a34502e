// SPDX-License-Identifier: Apache-2.0
//
// A tile of a flat raster (2-D, 4 or 8 neighbours) in shared memory: where its cells, their steps
// and the tiles around it are. How a warp lowers it is in flat_sweep.cuh.
//
//   line        row or column of the tile: 0 … 31, and those of the halo, -1 and 32
//   direction   of a pass; it counts lines in its own order, so that its first line is 0
#pragma once

#include <cstdint>

#include "core/base/host_device.hpp"
#include "cuda/cost/tiles/flow.hpp"
#include "cuda/device/lanes.hpp"

namespace thiessen::cuda::cost {

/// Whether the tiles of a flow are those of this file.
template <class Flow>
inline constexpr bool kIsFlat = Flow::kCount == 4 || Flow::kCount == 8;

inline constexpr int kSide = kLanes;  ///< cells of a tile along an axis
/// The pitch of a tile with its halo: odd, so that the cells of a column lie in 32 banks.
inline constexpr int kPitch = kSide + 3;
inline constexpr int kFlatCells = (kSide + 2) * kPitch;

enum class Direction : std::uint8_t { down, up, right, left };
inline constexpr int kDirections = 4;

THIESSEN_HD constexpr Direction opposite(Direction direction) {
  return static_cast<Direction>(static_cast<int>(direction) ^ 1);
}
THIESSEN_HD constexpr bool is_vertical(Direction direction) {
  return direction == Direction::down || direction == Direction::up;
}
/// Whether the first line of the direction is the first of the tile.
THIESSEN_HD constexpr bool is_forward(Direction direction) {
  return direction == Direction::down || direction == Direction::right;
}

/// The reason to work on a tile: cells fell in the halo on the side that a direction comes from.
THIESSEN_HD constexpr std::uint32_t side_bit(Direction direction) {
  return std::uint32_t{1} << static_cast<int>(direction);
}
static_assert(kSetWithin == 1 << kDirections);

/// The place of a cell in a tile with its halo.
THIESSEN_HD constexpr int flat_place(int y, int x) { return (y + 1) * kPitch + x + 1; }

/// The number of the neighbour (dy, dx) of a cell, with four or eight neighbours.
template <int kNeighbours>
THIESSEN_HD constexpr int neighbour_at(int dy, int dx) {
  const int of_nine = (dy + 1) * 3 + dx + 1;
  return kNeighbours == 4 ? of_nine / 2 : of_nine - (of_nine > 4 ? 1 : 0);
}

/// The number of the neighbour that a direction comes from, `beside` cells further along its line.
template <int kNeighbours>
THIESSEN_HD constexpr int neighbour_behind(Direction direction, int beside) {
  const int back = is_forward(direction) ? -1 : 1;
  return is_vertical(direction) ? neighbour_at<kNeighbours>(back, beside)
                                : neighbour_at<kNeighbours>(beside, back);
}

/// The steps of a tile, between each two neighbours of which at least one lies in it. They are
/// numbered by the cell of their upper left corner, from (-1, -1) on, and by their direction.
inline constexpr int kStepPitch = kSide + 1;
inline constexpr int kFlatSteps = kStepPitch * kStepPitch;
THIESSEN_HD constexpr int step_place(int y, int x) { return (y + 1) * kStepPitch + x + 1; }
enum class Slope : std::uint8_t { across, down, falling, rising };

/// The step between a cell and its neighbour k: its corner relative to the cell.
struct StepOf {
  Slope slope;
  int place;
};
template <int kNeighbours>
THIESSEN_HD constexpr StepOf step_of(int k) {
  constexpr int kAbove = -kStepPitch;
  constexpr StepOf kFour[] = {
      {Slope::down, kAbove}, {Slope::across, -1}, {Slope::across, 0}, {Slope::down, 0}};
  constexpr StepOf kEight[] = {{Slope::falling, kAbove - 1},
                               {Slope::down, kAbove},
                               {Slope::rising, kAbove},
                               {Slope::across, -1},
                               {Slope::across, 0},
                               {Slope::rising, -1},
                               {Slope::down, 0},
                               {Slope::falling, 0}};
  return kNeighbours == 4 ? kFour[k] : kEight[k];
}

/// The place of a cell in a tile, and of the steps around it.
struct FlatPlace {
  int cell;
  int step;
};

/// The offset, in cells of a tile, from a cell to its neighbour k.
template <int kNeighbours>
THIESSEN_HD constexpr int offset_of(int k) {
  const int of_nine = kNeighbours == 4 ? 2 * k + 1 : k + (k > 3 ? 1 : 0);
  return (of_nine / 3 - 1) * kPitch + of_nine % 3 - 1;
}

/// The data that say how values go from cell to cell of a tile. `Steps` are those to one cell from
/// the neighbours behind it, with which it can be lowered without another look at the tile.
template <class Flow>
struct FlatMap;

/// Weights of steps, by their slope.
template <class T, int kNeighbours>
struct FlatMap<CostFlow<T, kNeighbours>> {
  static constexpr int kBehind = kNeighbours == 4 ? 1 : 3;
  struct Steps {
    T weight[kBehind];
  };

  T weight[kNeighbours / 2][kFlatSteps];

  template <int k>
  THIESSEN_HD T weight_of(FlatPlace at) const {
    constexpr StepOf kStep = step_of<kNeighbours>(k);
    return weight[static_cast<int>(kStep.slope)][at.step + kStep.place];
  }
  template <Direction kDirection>
  THIESSEN_HD Steps steps_to(FlatPlace at) const {
    if constexpr (kNeighbours == 4)
      return {{weight_of<neighbour_behind<4>(kDirection, 0)>(at)}};
    else
      return {{weight_of<neighbour_behind<8>(kDirection, -1)>(at),
               weight_of<neighbour_behind<8>(kDirection, 0)>(at),
               weight_of<neighbour_behind<8>(kDirection, 1)>(at)}};
  }
  /// The value that the neighbour behind, `beside` cells further along its line, passes on.
  template <Direction kDirection>
  THIESSEN_HD static T value_from_behind(const Steps& steps, int beside, T cost) {
    return along(cost, steps.weight[kBehind / 2 + beside]);
  }
  /// The value that neighbour k passes to the cell at `at`.
  template <int k>
  THIESSEN_HD T value_via(FlatPlace at, T cost) const {
    return along(cost, weight_of<k>(at));
  }
};

/// The tight steps to each cell.
template <int kNeighbours, std::uint32_t kAdded>
struct FlatMap<TightFlow<kNeighbours, kAdded>> {
  using Steps = TightSteps;

  std::uint32_t steps[kFlatCells];

  template <Direction kDirection>
  THIESSEN_HD Steps steps_to(FlatPlace at) const {
    return {steps[at.cell], kAdded};
  }
  template <Direction kDirection>
  THIESSEN_HD static std::uint32_t value_from_behind(const Steps& steps, int beside,
                                                     std::uint32_t value) {
    return steps.along(neighbour_behind<kNeighbours>(kDirection, beside), value);
  }
  template <int k>
  THIESSEN_HD std::uint32_t value_via(FlatPlace at, std::uint32_t value) const {
    return TightSteps{steps[at.cell], kAdded}.along(k, value);
  }
};

template <class Flow>
struct FlatTile {
  typename Flow::Value value[kFlatCells];
  union {
    FlatMap<Flow> map;
    std::uint32_t link[kFlatCells];  ///< once the map is done with
  };
};

/// The tiles around a flat one, by number i: first those beyond its sides, by the direction that
/// leads there, then those at its corners, two above and two below.
inline constexpr int kFlatAround = 8;
struct FlatAround {
  int code;              ///< tile_around()
  std::uint32_t reason;  ///< the reason to work on it
};
THIESSEN_HD constexpr FlatAround flat_around(int i) {
  constexpr int kItself = kTileCodes / 2;
  if (i < kDirections) {
    const auto direction = static_cast<Direction>(i);
    const int step = is_forward(direction) ? 1 : -1;
    return {kItself + (is_vertical(direction) ? 3 * step : step), side_bit(direction)};
  }
  const bool lower = (i & 2) != 0;
  const bool right = (i & 1) != 0;
  return {kItself + (lower ? 3 : -3) + (right ? 1 : -1),
          side_bit(lower ? Direction::down : Direction::up)};
}

}  // namespace thiessen::cuda::cost
