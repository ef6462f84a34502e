// SPDX-License-Identifier: Apache-2.0
//
// The cells of a lane, and the nearest points that they have found.
//
// Linear (euclidean, without periods): S is f·(d + u·j)² along an axis, for the cell j steps behind
// the lane's first one, which is d away from the point. That is f·d² + 2·f·u·d·j + f·u²·j², and the
// last part is the same for all points. So a key, S without that part, takes one addition a cell.
//
//   f   factor of the axis      u   a cell in the units of places
//
// Else S is computed for each cell. For sources compiled as CUDA.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "cuda/points/walk.cuh"

namespace thiessen::cuda {

/// The unsigned integer of a width: what it keeps of a sum beyond all numbers is never used.
template <class Scalar>
using WordOf = std::conditional_t<sizeof(Scalar) == 4, std::uint32_t,
                                  std::conditional_t<sizeof(Scalar) == 8, std::uint64_t, UInt128>>;

/// A number that is more than any S or key.
template <class Scalar>
THIESSEN_HD constexpr Scalar beyond_all() {
  return static_cast<Scalar>(static_cast<WordOf<Scalar>>(~WordOf<Scalar>{0}) >> 1);
}

template <Metric kMetric, class Tree, int kCells, bool kLinear>
class LaneCells {
 public:
  using Coordinate = typename Tree::Coordinate;
  using Scalar = typename Tree::Scalar;
  static constexpr std::uint32_t kNone = ~0u;

  /// The cells of the tile whose first cell is given.
  __device__ LaneCells(const Job& job, const Tree& tree, const PointTileShape& shape,
                       const std::int64_t (&first)[kAxes])
      : job_(job), tree_(tree), shape_(shape) {
    const int lane = lane_of_thread();
    const std::int32_t rest = lane / shape.lanes[2];
    cell_[0] = static_cast<std::int32_t>(first[0]) + rest / shape.lanes[1];
    cell_[1] = static_cast<std::int32_t>(first[1]) + rest % shape.lanes[1];
    cell_[2] = static_cast<std::int32_t>(first[2]) + lane % shape.lanes[2];
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i) {
      least_[i] = beyond_all<Scalar>();
      winner_[i] = kNone;
    }
  }

  /// Compares the cells with the points of which `chosen` has a bit. kInOrder: the points come in
  /// the order of the caller's list, and there were none before.
  template <bool kInOrder>
  __device__ void compare(const WalkMemory<Coordinate>& memory, std::uint64_t chosen) {
    for (; chosen != 0; chosen &= chosen - 1) {
      const int at = __ffsll(static_cast<long long>(chosen)) - 1;
      const PointPlace<Coordinate> place = memory.place[at];
      if constexpr (kLinear)
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

  /// Calls visit(cell, number of its point or kNone, S) for each cell that there is.
  template <class Visit>
  __device__ void for_each(const Visit& visit) const {
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i)
      if (has_cell(i))
        visit(to_index(job_.extent,
                       {cell_[0] + shape_.cell_z[i], cell_[1] + shape_.cell_y[i], cell_[2]}),
              winner_[i], exact(i));
  }

 private:
  using Word = WordOf<Scalar>;

  __device__ bool has_cell(int i) const {
    return cell_[2] < job_.extent[2] && cell_[1] + shape_.cell_y[i] < job_.extent[1] &&
           cell_[0] + shape_.cell_z[i] < job_.extent[0];
  }

  __device__ Coordinate place_of_cell(std::int64_t cell) const {
    return static_cast<Coordinate>(cell << job_.fraction_bits);
  }

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
    for (int axis = 0; axis < kAxes; ++axis) {
      if (axis < tree_.first_axis) continue;
      const auto factor = static_cast<Word>(tree_.factor[axis]);
      const auto away =
          static_cast<Word>(static_cast<Scalar>(place_of_first(axis) - place.at[axis]));
      key += factor * (away * away);
      slope[axis] = (factor * away) << (job_.fraction_bits + 1);
    }
    const Steps steps = steps_of(slope);
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i) {
      take<kInOrder>(i, static_cast<Scalar>(key), index);
      key += i % 4 == 3 ? steps.turn : steps.next;
    }
  }

  /// Cells beyond the end of a row are computed like the last one, so that keys stay in their
  /// range.
  __device__ Coordinate place_of_first(int axis) const {
    const auto last = static_cast<std::int32_t>(job_.extent[static_cast<std::size_t>(axis)] - 1);
    return place_of_cell(min(cell_[axis], last));
  }

  /// What the way from a cell of the lane to the next one adds to keys, and what the way after each
  /// fourth one adds.
  struct Steps {
    Word next;
    Word turn;
  };
  __device__ Steps steps_of(const Word (&slope)[kAxes]) const {
    const Word row = slope[1] * static_cast<Word>(shape_.lanes[1]);
    const Word plane = slope[0] * static_cast<Word>(shape_.lanes[0]);
    if (job_.rank == 2) return {row, row};
    return kCells == 16 ? Steps{row, plane - 3 * row} : Steps{plane, plane};
  }

  template <bool kInOrder>
  __device__ void compare_each(const PointPlace<Coordinate>& place, std::uint32_t index) {
    const Scalar in_x = part(2, cell_[2], place);
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i) {
      Scalar exact = join<kMetric>(in_x, part(1, cell_[1] + shape_.cell_y[i], place));
      if (job_.rank == 3) exact = join<kMetric>(exact, part(0, cell_[0] + shape_.cell_z[i], place));
      take<kInOrder>(i, exact, index);
    }
  }

  __device__ Scalar part(int axis, std::int32_t cell, const PointPlace<Coordinate>& place) const {
    return measure_between<kMetric>(tree_, axis, place_of_cell(cell), place.at[axis]);
  }

  __device__ Scalar exact(int i) const {
    if constexpr (!kLinear) return least_[i];
    const auto common = [&](int axis, std::int32_t step) {
      const auto cells = static_cast<Word>(step) << job_.fraction_bits;
      return static_cast<Word>(tree_.factor[axis]) * (cells * cells);
    };
    return static_cast<Scalar>(static_cast<Word>(least_[i]) + common(1, shape_.cell_y[i]) +
                               (job_.rank == 3 ? common(0, shape_.cell_z[i]) : Word{0}));
  }

  const Job& job_;
  const Tree& tree_;
  const PointTileShape& shape_;
  std::int32_t cell_[kAxes];  ///< the first one
  Scalar least_[kCells];      ///< keys, or S
  std::uint32_t winner_[kCells];
};

}  // namespace thiessen::cuda
