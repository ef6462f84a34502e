// SPDX-License-Identifier: Apache-2.0
//
// The block of cells of a lane, and the nearest points that they have found.
//
// Linear (euclidean, without periods): S is f·(d + u·j)² along an axis, for a cell j steps behind
// the block's first one, which is d away from the point. That is f·d² + 2·f·u·d·j + f·u²·j², and
// the last part is the same for all points. So a key, S without that part, takes one addition a
// cell.
//
//   f   factor of the axis      u   a cell in the units of places
//
// Else S is computed for each cell. For sources compiled as CUDA.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cuda/job/results.hpp"
#include "cuda/points/walk.cuh"

namespace thiessen::cuda::points {

/// The unsigned integer of a width: what it keeps of a sum beyond all numbers is never used.
template <class Scalar>
using WordOf = std::conditional_t<sizeof(Scalar) == 4, std::uint32_t,
                                  std::conditional_t<sizeof(Scalar) == 8, std::uint64_t, UInt128>>;

/// A number that is more than any S or key.
template <class Scalar>
THIESSEN_HD constexpr Scalar beyond_all() {
  return static_cast<Scalar>(static_cast<WordOf<Scalar>>(~WordOf<Scalar>{0}) >> 1);
}

/// The block of cells of a lane in a tile.
template <class Tree, int kCells>
class LaneBlock {
 public:
  using Coordinate = typename Tree::Coordinate;
  using Shape = PointTileShape<Tree::kRank, kCells>;
  static constexpr int kRow = Shape::block(2);  ///< cells in a row of the block
  static constexpr int kRows = kCells / kRow;

  /// In the tile whose first cell is given.
  __device__ LaneBlock(const Job& job, const std::int64_t (&first)[kAxes]) : job_(job) {
    THIESSEN_UNROLL
    for (int axis = 0; axis < kAxes; ++axis)
      cell_[axis] = static_cast<std::int32_t>(first[axis]) + Shape::first(lane_of_thread(), axis);
  }

  /// Whether a row of the block lies in the grid.
  __device__ bool has_row(int row) const {
    return in_grid(0, Shape::within(row * kRow, 0)) && in_grid(1, Shape::within(row * kRow, 1));
  }
  /// How many of its cells do.
  __device__ int row_cells() const {
    const auto left = static_cast<std::int32_t>(job_.extent[2]) - cell_[2];
    return min(max(left, 0), kRow);
  }
  /// The number of the first cell of a row in the grid.
  __device__ std::int64_t row_begin(int row) const {
    return to_index(job_.extent, {cell_[0] + Shape::within(row * kRow, 0),
                                  cell_[1] + Shape::within(row * kRow, 1), cell_[2]});
  }

 protected:
  __device__ const Job& job() const { return job_; }
  __device__ bool has_cell(int i) const { return has_row(i / kRow) && i % kRow < row_cells(); }
  __device__ std::int32_t first(int axis) const { return cell_[axis]; }

  __device__ std::int32_t last_of_grid(int axis) const {
    return static_cast<std::int32_t>(job_.extent[static_cast<std::size_t>(axis)] - 1);
  }
  __device__ Coordinate place_of_cell(std::int64_t cell) const {
    return static_cast<Coordinate>(cell << job_.fraction_bits);
  }

 private:
  __device__ bool in_grid(int axis, std::int32_t within) const {
    return cell_[axis] + within <= last_of_grid(axis);
  }

  const Job& job_;
  std::int32_t cell_[kAxes];  ///< the first one
};

template <Metric kMetric, class Tree, int kCells>
class LaneCells : public LaneBlock<Tree, kCells> {
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
  using Scalar = typename Tree::Scalar;
  static constexpr std::uint32_t kNone = ~0u;

  /// The cells of the tile whose first cell is given.
  __device__ LaneCells(const Job& job, const Tree& tree, const std::int64_t (&first)[kAxes])
      : Block(job, first), tree_(tree) {
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i) {
      least_[i] = beyond_all<Scalar>();
      winner_[i] = kNone;
    }
  }

  /// Compares the cells with the points of which `chosen` has a bit. kInOrder: the points come in
  /// the order of the caller's list, and there were none before.
  template <bool kInOrder>
  __device__ void compare(const WalkMemory<Tree>& memory, std::uint64_t chosen) {
    for (; chosen != 0; chosen &= chosen - 1) {
      const int at = __ffsll(static_cast<long long>(chosen)) - 1;
      const PointPlace<Coordinate> place = memory.place[at];
      if constexpr (kIsLinear<kMetric, Tree>)
        compare_by_keys<kInOrder>(place, memory.index[at]);
      else
        compare_each<kInOrder>(place, memory.index[at]);
    }
  }

  /// The greatest S of the cells of all lanes, or more.
  __device__ float greatest() const {
    float most = 0;
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i)
      if (has_cell(i))
        most = fmaxf(most, winner_[i] == kNone ? kFloatBeyondAll : float_up(exact(i)));
    return __uint_as_float(greatest_of_warp(__float_as_uint(most)));
  }

  /// The number of the point that a cell has found, or kNone.
  __device__ std::uint32_t winner(int i) const { return winner_[i]; }

  /// The distance of a cell.
  template <class Distance>
  __device__ Distance distance(int i) const {
    return distance_as<Distance>(job(), exact(i));
  }
  /// S of a cell.
  __device__ Scalar exact(int i) const {
    if constexpr (!kIsLinear<kMetric, Tree>) return least_[i];
    auto all = static_cast<Word>(least_[i]);
    THIESSEN_UNROLL
    for (int axis = Tree::kFirstAxis; axis < kAxes; ++axis) {
      const auto cells = static_cast<Word>(Shape::within(i, axis)) << job().fraction_bits;
      all += static_cast<Word>(tree_.factor[axis]) * (cells * cells);
    }
    return static_cast<Scalar>(all);
  }

 private:
  using Word = WordOf<Scalar>;

  template <bool kInOrder>
  __device__ void take(int i, Scalar key, std::uint32_t index) {
    const bool wins = key < least_[i] || (!kInOrder && key == least_[i] && index < winner_[i]);
    least_[i] = wins ? key : least_[i];
    winner_[i] = wins ? index : winner_[i];
  }

  template <bool kInOrder>
  __device__ void compare_by_keys(const PointPlace<Coordinate>& place, std::uint32_t index) {
    Word key = 0;
    Word slope[kAxes] = {};  // what a step of a cell adds
    THIESSEN_UNROLL
    for (int axis = Tree::kFirstAxis; axis < kAxes; ++axis) {
      // Blocks beyond the end are computed like those at the end, so that keys stay in their range.
      const std::int32_t cell = min(first(axis), last_of_grid(axis));
      const auto away =
          static_cast<Word>(static_cast<Scalar>(place_of_cell(cell) - place.at[axis]));
      const Word product = static_cast<Word>(tree_.factor[axis]) * away;
      key += product * away;
      slope[axis] = product << (job().fraction_bits + 1);
    }
    const Word next_row = slope[1] - (kRow - 1) * slope[2];
    const Word next_plane = slope[0] - (Shape::block(1) - 1) * slope[1] - (kRow - 1) * slope[2];
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i) {
      take<kInOrder>(i, static_cast<Scalar>(key), index);
      const int cells = i + 1;
      key += cells % kRow != 0                       ? slope[2]
             : cells % (kRow * Shape::block(1)) != 0 ? next_row
                                                     : next_plane;
    }
  }

  template <bool kInOrder>
  __device__ void compare_each(const PointPlace<Coordinate>& place, std::uint32_t index) {
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i) {
      Scalar exact = 0;
      THIESSEN_UNROLL
      for (int axis = Tree::kFirstAxis; axis < kAxes; ++axis)
        exact = combine<kMetric>(
            exact,
            measure_between<kMetric>(
                tree_, axis, place_of_cell(first(axis) + Shape::within(i, axis)), place.at[axis]));
      take<kInOrder>(i, exact, index);
    }
  }

  const Tree& tree_;
  Scalar least_[kCells];  ///< keys, or S
  std::uint32_t winner_[kCells];
};

}  // namespace thiessen::cuda::points
