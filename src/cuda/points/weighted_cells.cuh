// SPDX-License-Identifier: Apache-2.0
//
// The block of cells of a lane, and the points with the least keys that they have found.
//
// Keys are computed in doubles (keys.hpp). Where two of them are so close that rounding may have
// changed their order, integers tell it at once: the point that a cell has found is always the
// right one of all that it was compared with, in whatever order they come. For sources compiled as
// CUDA.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/order/key_order.hpp"
#include "core/order/nearest_image.hpp"
#include "cuda/job/results.hpp"
#include "cuda/points/keys.hpp"
#include "cuda/points/lane_cells.cuh"

namespace thiessen::cuda::points {

/// S between a cell and a point.
__device__ inline Int128 squared_at(const Job& job, std::int64_t cell, std::uint32_t point) {
  const Axes way = way_of(job, cell, point);
  Int128 squared = 0;
  THIESSEN_UNROLL
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    squared += job.factor[axis] * way[axis] * way[axis];
  return squared;
}

/// Whether point `a` wins a cell against `b`.
template <Weighting kWeighting>
__device__ THIESSEN_NOINLINE bool wins_exactly(const Job& job, std::int64_t cell, std::uint32_t a,
                                               std::uint32_t b) {
  const auto key_of = [&](std::uint32_t point) -> ExactKey {
    const Int128 factor = job.weights.keys.factor;
    return {squared_at(job, cell, point) * factor * factor, job.weights.exact[point]};
  };
  const int order = compare_keys<kWeighting>(key_of(a), key_of(b));
  return order < 0 || (order == 0 && a < b);
}

template <class Tree, int kCells>
class WeightedCells : public LaneBlock<Tree, kCells> {
  using Block = LaneBlock<Tree, kCells>;
  using Block::first;
  using Block::has_cell;
  using Block::job;
  using Block::last_of_grid;
  using Block::place_of_cell;

 public:
  using Block::kRow;
  using typename Block::Coordinate;
  using typename Block::Shape;
  static constexpr Weighting kWeighting = Tree::kWeighting;
  static constexpr std::uint32_t kNone = ~0u;

  /// The cells of the tile whose first cell is given.
  __device__ WeightedCells(const Job& job, const Tree& tree, const std::int64_t (&first)[kAxes])
      : Block(job, first), tree_(tree) {
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i) {
      least_[i] = std::numeric_limits<double>::infinity();
      winner_[i] = kNone;
    }
  }

  /// Compares the cells with the points of which `chosen` has a bit; they may come in any order.
  template <bool kInOrder>
  __device__ void compare(const WalkMemory<Tree>& memory, std::uint64_t chosen) {
    for (; chosen != 0; chosen &= chosen - 1) {
      const int at = __ffsll(static_cast<long long>(chosen)) - 1;
      compare_with(memory.place[at], memory.number[at], memory.index[at]);
    }
  }

  /// The greatest key of the cells of all lanes, or more.
  __device__ float greatest() const {
    float most = -kFloatBeyondAll;
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i)
      if (has_cell(i)) most = fmaxf(most, float_up(least_[i] + margin_of(least_[i])));
    return float_of_order(greatest_of_warp(order_of_float(most)));
  }

  /// The number of the point that a cell has found, or kNone.
  __device__ std::uint32_t winner(int i) const { return winner_[i]; }

  /// The distance of a cell that has found a point.
  template <class Distance>
  __device__ Distance distance(int i) const {
    return tree_.is_wide ? distance_as<Distance>(job(), exact(i))
                         : distance_as<Distance>(job(), narrow(i));
  }
  /// S of a cell.
  __device__ Int128 exact(int i) const {
    return winner_[i] == kNone ? 0 : squared_at(job(), index_of(i), winner_[i]);
  }

 private:
  /// The parts of S along the axes, of the cells of a block.
  struct Parts {
    double of[kAxes][kRow];
  };

  /// A block that reaches beyond the grid has its last cells again there.
  __device__ std::int32_t cell(int axis, int within) const {
    return min(first(axis) + within, last_of_grid(axis));
  }
  __device__ std::int64_t index_of(int i) const {
    return to_index(job().extent, {cell(0, Shape::within(i, 0)), cell(1, Shape::within(i, 1)),
                                   cell(2, Shape::within(i, 2))});
  }
  __device__ double margin_of(double key) const {
    return tree_.rounding * fabs(key) + tree_.margin;
  }

  /// How far a cell of a block lies from a point along an axis.
  __device__ Coordinate length_along(int axis, int within, Coordinate place) const {
    const Coordinate from = place_of_cell(cell(axis, within));
    const Coordinate length = from < place ? place - from : from - place;
    if (Tree::kHasPeriods && tree_.period[axis] - length < length)
      return tree_.period[axis] - length;
    return length;
  }
  __device__ double part_along(int axis, int within, Coordinate place) const {
    const auto length = static_cast<double>(length_along(axis, within, place));
    return tree_.factor[axis] * (length * length);
  }
  /// S of a cell, where 64 bits hold it.
  __device__ std::int64_t narrow(int i) const {
    std::int64_t squared = 0;
    THIESSEN_UNROLL
    for (int axis = Tree::kFirstAxis; axis < kAxes; ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      const Coordinate length =
          length_along(axis, Shape::within(i, axis), job().points[winner_[i]][at]);
      squared += static_cast<std::int64_t>(job().factor[at]) * (length * length);
    }
    return squared;
  }

  __device__ void compare_with(const PointPlace<Coordinate>& place, double number,
                               std::uint32_t index) {
    Parts parts;
    THIESSEN_UNROLL
    for (int axis = Tree::kFirstAxis; axis < kAxes; ++axis) THIESSEN_UNROLL
    for (int within = 0; within < Shape::block(axis); ++within)
      parts.of[axis][within] = part_along(axis, within, place.at[axis]);
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i) {
      double squared = 0;
      THIESSEN_UNROLL
      for (int axis = Tree::kFirstAxis; axis < kAxes; ++axis)
        squared += parts.of[axis][Shape::within(i, axis)];
      take(i, make_key<kWeighting>(squared, number), index);
    }
  }

  __device__ void take(int i, double key, std::uint32_t index) {
    const double margin = margin_of(key);
    if (key > least_[i] + margin) return;
    if (!(key < least_[i] - margin) && !wins_close(i, index)) return;
    least_[i] = key;
    winner_[i] = index;
  }

  /// Whether a point wins whose key is as near to the least one as rounding may bring it.
  __device__ bool wins_close(int i, std::uint32_t index) const {
    if (tree_.rounding == 0) return index < winner_[i];
    return wins_exactly<kWeighting>(job(), index_of(i), index, winner_[i]);
  }

  const Tree& tree_;
  double least_[kCells];  ///< keys
  std::uint32_t winner_[kCells];
};

}  // namespace thiessen::cuda::points
