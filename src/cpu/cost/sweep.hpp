// SPDX-License-Identifier: Apache-2.0
//
// Passes costs on in a whole tile of a 2-D raster with 4 or 8 neighbours.
#pragma once

#include <cstdint>

#include "core/cost_edges.hpp"
#include "core/walk.hpp"
#include "cpu/cost/ground.hpp"
#include "cpu/cost/tile.hpp"

namespace thiessen::cpu::cost {

template <class T>
struct SweepWalk;

/// A tile and its raster.
template <class T>
struct SweepTile {
  const T* resistance = nullptr;
  T* cost = nullptr;
  TilePlace place;
  const Ground<T>* ground = nullptr;  ///< null where it is not level
  SweepWalk<T>* walk = nullptr;       ///< null where steps cost the same both ways
};

/// The factors of steps (CostEdges) along y, along x, and along both.
template <class T>
struct SweepEdges {
  T y = 0;
  T x = 0;
  T diagonal = 0;  ///< 0: there are no such steps
  bool stiffness = true;
  bool tight_barriers = false;
  T limit = 0;
};

/// The factors for a call with 4 or 8 neighbours.
template <class T>
SweepEdges<T> sweep_edges(const CostEdges<T>& edges, T limit) {
  const bool diagonals = edges.count == 8;
  return {.y = edges.factor[diagonals ? 1 : 0],
          .x = edges.factor[diagonals ? 3 : 1],
          .diagonal = diagonals ? edges.factor[0] : T{0},
          .stiffness = edges.stiffness,
          .tight_barriers = edges.tight_barriers,
          .limit = limit};
}

/// The cells along a side of a tile, inside and beyond it.
template <class T>
struct SweepSide {
  static constexpr int kMargin = 16;
  alignas(64) T inner_resistance[kTile + 2 * kMargin];
  alignas(64) T inner_cost[kTile + 2 * kMargin];
  alignas(64) T outer_resistance[kTile + 2 * kMargin];
  alignas(64) T outer_cost[kTile];
};

/// What a worker needs; planes of kTile rows, some of them transposed.
template <class T>
struct SweepBuffers {
  static constexpr int kPlane = kTile * kTile + kTile;
  static constexpr int kMargin = SweepSide<T>::kMargin;
  static constexpr int kPadded = kTile + 2 * kMargin;
  alignas(64) T resistance[kTile * kPadded];
  alignas(64) T cost[kPlane];
  alignas(64) T turned_cost[kPlane];
  /// The steps to a cell from the one above it, above on the left, above on the right, and on the
  /// left.
  alignas(64) T above[kPlane];
  alignas(64) T left_above[kPlane];
  alignas(64) T right_above[kPlane];
  alignas(64) T left[kPlane];
  alignas(64) T turned_left[kPlane];
  alignas(64) T turned_left_above[kPlane];
  alignas(64) T turned_right_above[kPlane];
  std::uint64_t turned_open[kTile];
  SweepSide<T> side;
};

/// The steps of a walk, and what a worker needs for them besides: planes as above.
template <class T>
struct SweepWalk {
  static constexpr int kPlane = SweepBuffers<T>::kPlane;

  const WalkSteps<T>* steps = nullptr;
  alignas(64) T elevation[kTile * SweepBuffers<T>::kPadded];
  /// The steps to a cell from the one below it, below on the left, below on the right, and on the
  /// right.
  alignas(64) T below[kPlane];
  alignas(64) T left_below[kPlane];
  alignas(64) T right_below[kPlane];
  alignas(64) T right[kPlane];
  alignas(64) T turned_right[kPlane];
  alignas(64) T turned_left_below[kPlane];
  alignas(64) T turned_right_below[kPlane];
  /// What SweepSide has of the cells along a side.
  alignas(64) T inner_elevation[SweepBuffers<T>::kPadded];
  alignas(64) T outer_elevation[SweepBuffers<T>::kPadded];
};

template <class T>
struct SweepKernel {
  /// Describes the ground of a tile if it is level, and says whether it is.
  bool (*survey)(const T* resistance, const TilePlace& place, Ground<T>& ground) = nullptr;
  /// Passes on the costs of the cells that fell, which lie on the lines `start`: lowers costs in
  /// the tile until no step within it lowers any, and those beyond its sides by the steps out of
  /// it. The four steps out of its corners are left to the caller.
  Fallen (*sweep)(const SweepTile<T>& tile, const SweepEdges<T>& edges, const Lines& start,
                  SweepBuffers<T>& buffers) = nullptr;
};

/// The kernels of the best instruction set among `targets` (bits of Highway); null without vectors.
SweepKernel<float> sweep_kernel(std::int64_t targets, float);
SweepKernel<double> sweep_kernel(std::int64_t targets, double);

}  // namespace thiessen::cpu::cost
