// SPDX-License-Identifier: Apache-2.0
//
// Euclidean, without periods: a warp chooses, from the points that it has listed, those that may
// win in a box of cells.
//
// S to one point minus S to another is linear in the cell. If a point is farther than another one,
// its dominator, from all corners of the box, it is farther from all cells. The least difference
// over the corners is a sum over the axes, each of which takes the worse of its two ends
// (tiles/job/prune.hpp has the same in integers). Dominators are the points nearest to the corners.
// All is computed in floats, so a point stays as long as the difference may be one of rounding.
//
//   part   what a difference along one axis adds to S: of a point, from both ends of the box
//
// For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "cuda/points/walk.cuh"

namespace thiessen::cuda::points {

/// The parts of S of one point, for the low and the high end of each axis.
struct EndParts {
  float of[kAxes][2];
};

template <class Tree>
class PointChoice {
 public:
  using Coordinate = typename Tree::Coordinate;

  __device__ PointChoice(const Tree& tree, const PointBox<Coordinate>& box,
                         const PointPlace<Coordinate>* place, int count)
      : tree_(tree), box_(box), place_(place), count_(count) {}

  /// A bit for each point that may win.
  __device__ std::uint64_t chosen() const {
    return count_ <= kLanes ? chosen_of<1>() : chosen_of<2>();
  }

 private:
  /// The same if a lane takes care of so many points.
  template <int kEach>
  __device__ std::uint64_t chosen_of() const {
    EndParts own[kEach];
    bool wins[kEach];
    THIESSEN_UNROLL
    for (int i = 0; i < kEach; ++i) {
      own[i] = parts_of(i);
      wins[i] = has_own(i);
    }
    THIESSEN_UNROLL
    for (int corner = 0; corner < 1 << Tree::kRank; ++corner) {
      const EndParts dominator = nearest_to(corner, own);
      THIESSEN_UNROLL
      for (int i = 0; i < kEach; ++i) wins[i] = wins[i] && may_beat(own[i], dominator);
    }
    std::uint64_t all = 0;
    THIESSEN_UNROLL
    for (int i = 0; i < kEach; ++i) all |= std::uint64_t{__ballot_sync(~0u, wins[i])} << i * kLanes;
    return all;
  }

  __device__ bool has_own(int i) const { return lane_of_thread() + i * kLanes < count_; }

  __device__ EndParts parts_of(int i) const {
    EndParts parts{};
    if (!has_own(i)) {
      THIESSEN_UNROLL
      for (auto& part : parts.of) part[0] = part[1] = kFloatBeyondAll;
      return parts;
    }
    const PointPlace<Coordinate> place = place_[lane_of_thread() + i * kLanes];
    THIESSEN_UNROLL
    for (int axis = Tree::kFirstAxis; axis < kAxes; ++axis) {
      const auto part = [&](Coordinate end) {
        const auto length = static_cast<float>(place.at[axis] - end);
        return tree_.factor_down[axis] * (length * length);
      };
      parts.of[axis][0] = part(box_.low[axis]);
      parts.of[axis][1] = part(box_.high[axis]);
    }
    return parts;
  }

  /// The parts of the point nearest to a corner, whose bits 0, 1 and 2 are 1 for the high end of
  /// x, y and z.
  template <int kEach>
  __device__ static EndParts nearest_to(int corner, const EndParts (&own)[kEach]) {
    float least = kFloatBeyondAll;
    EndParts nearest{};
    THIESSEN_UNROLL
    for (int i = 0; i < kEach; ++i) {
      float exact = 0;
      THIESSEN_UNROLL
      for (int axis = Tree::kFirstAxis; axis < kAxes; ++axis)
        exact += own[i].of[axis][corner >> (kAxes - 1 - axis) & 1];
      if (exact < least) nearest = own[i];
      least = fminf(least, exact);
    }
    const int lane = lane_of_least(__float_as_uint(least));
    THIESSEN_UNROLL
    for (int axis = Tree::kFirstAxis; axis < kAxes; ++axis) THIESSEN_UNROLL
    for (int end = 0; end < 2; ++end)
      nearest.of[axis][end] = __shfl_sync(~0u, nearest.of[axis][end], lane);
    return nearest;
  }

  /// Whether a point may be as near to a cell of the box as its dominator.
  __device__ bool may_beat(const EndParts& own, const EndParts& dominator) const {
    // Each part is off by less than 2^-21 of itself, and the sums add less than that.
    constexpr float kRounding = 1.0F / (1 << 18);
    float least = 0;
    float all = 0;
    THIESSEN_UNROLL
    for (int axis = Tree::kFirstAxis; axis < kAxes; ++axis) {
      const float(&a)[2] = own.of[axis];
      const float(&b)[2] = dominator.of[axis];
      least += fminf(a[0] - b[0], a[1] - b[1]);
      all += fmaxf(a[0], a[1]) + fmaxf(b[0], b[1]);
    }
    return !(least > all * kRounding);
  }

  const Tree& tree_;
  const PointBox<Coordinate>& box_;
  const PointPlace<Coordinate>* place_;
  int count_;
};

}  // namespace thiessen::cuda::points
