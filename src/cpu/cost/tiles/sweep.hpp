// SPDX-License-Identifier: Apache-2.0
//
// Passes costs on in a whole tile of a 2-D raster with 4 or 8 neighbours.
#pragma once

#include <cstdint>

#include "core/cost/edges.hpp"
#include "core/cost/placed_steps.hpp"
#include "cpu/cost/tiles/ground.hpp"
#include "cpu/cost/tiles/tile.hpp"

namespace thiessen::cpu::cost {

template <class T>
struct SweepWalk;

/// A tile and its raster.
template <class T>
struct SweepTile {
  const T* resistance = nullptr;
  T* cost = nullptr;
  TilePlace place;
  const Ground<T>* ground = nullptr;          ///< null where it is not level
  SweepWalk<T>* walk = nullptr;               ///< null where steps cost the same both ways
  const std::uint32_t* open_steps = nullptr;  ///< of PlacedSteps
};

/// The factors of steps (CostEdges) along y, along x, and along both.
template <class T>
struct SweepFactors {
  T y = 0;
  T x = 0;
  T diagonal = 0;
};

/// The same by row, as in RowLines: those along x within it, the others from it to the row before.
template <class T>
struct SweepRows {
  const T* y = nullptr;
  const T* x = nullptr;
  const T* diagonal = nullptr;
};

template <class T>
struct SweepEdges {
  SweepFactors<T> everywhere;
  SweepRows<T> by_row;  ///< if not null, these count
  bool diagonals = true;
  bool stiffness = true;
  bool tight_barriers = false;
  T limit = 0;

  bool are_by_row() const { return by_row.x != nullptr; }
  /// The factors of steps within a row, and from it to the row before.
  SweepFactors<T> at(std::int64_t row) const {
    if (!are_by_row()) return everywhere;
    return {by_row.y[row], by_row.x[row], by_row.diagonal[row]};
  }
  /// The factor of the steps from a row that lead so far down and to the right.
  T of_step(std::int64_t row, int down, int right) const {
    const SweepFactors<T> factors = at(down > 0 ? row + 1 : row);
    return down == 0 ? factors.x : right == 0 ? factors.y : factors.diagonal;
  }
};

/// The factors for a call with 4 or 8 neighbours; `placed` is null where steps do not depend on
/// their place.
template <class T>
SweepEdges<T> sweep_edges(const CostEdges<T>& edges, const PlacedSteps<T>* placed, T limit) {
  const bool diagonals = edges.count == 8;
  const std::size_t y = diagonals ? 1 : 0;
  const std::size_t x = diagonals ? 3 : 1;
  constexpr std::size_t kDiagonal = 0;
  SweepEdges<T> own{.everywhere = {edges.factor[y], edges.factor[x], edges.factor[kDiagonal]},
                    .by_row = {},
                    .diagonals = diagonals,
                    .stiffness = edges.stiffness,
                    .tight_barriers = edges.tight_barriers,
                    .limit = limit};
  if (placed != nullptr && placed->are_of_rows()) {
    const RowLines<T>& lines = placed->factor_of_row;
    own.by_row = {lines[y], lines[x], lines[kDiagonal]};
  }
  return own;
}

/// The cells along a side of a tile, inside and beyond it.
template <class T>
struct SweepSide {
  static constexpr int kMargin = 16;
  alignas(64) T inner_resistance[kTile + 2 * kMargin];
  alignas(64) T inner_cost[kTile + 2 * kMargin];
  alignas(64) T outer_resistance[kTile + 2 * kMargin];
  alignas(64) T outer_cost[kTile];
  /// 0 for the steps across it to a cell from the cell before, from the one straight across, and
  /// from the one after it; infinity where a blocked face stops them.
  alignas(64) T closed[3][kTile];
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

  const PlacedSteps<T>* steps = nullptr;
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
  /// In metres, of the steps across it to a cell from the cell before, from the one straight
  /// across, and from the one after it.
  alignas(64) double side_length[3][SweepBuffers<T>::kPadded];
};

template <class T>
struct SweepKernel {
  /// Describes the ground of a tile if it is level, and says whether it is.
  bool (*survey)(const T* resistance, const TilePlace& place, Ground<T>& ground) = nullptr;
  /// Passes on the costs of the cells that fell, which lie on the lines `start`: lowers costs in
  /// the tile until no step within it lowers any, and those beyond its sides by the steps out of
  /// it. The four steps out of its corners are left to the caller.
  LoweredNeighbours (*sweep)(const SweepTile<T>& tile, const SweepEdges<T>& edges,
                             const Lines& start, SweepBuffers<T>& buffers) = nullptr;
};

/// The kernels of the best instruction set among `targets` (bits of Highway); null without vectors.
SweepKernel<float> sweep_kernel(std::int64_t targets, float);
SweepKernel<double> sweep_kernel(std::int64_t targets, double);

}  // namespace thiessen::cpu::cost
