// SPDX-License-Identifier: Apache-2.0
//
// With weights, without periods: a warp chooses, from the points that it has listed, those that may
// win in a box of cells.
//
// A point stays unless one of its rivals has a lesser key in all of the box. Rivals are the points
// with the least keys in the middle and at the corners. The least difference of two keys on the box
// has a lower bound, its lead:
//   power           key_a − key_b is linear.
//   multiplicative  A parabola along each axis, with its least value at the vertex or at an end.
//   additive        √A − √B = (A − B) / (√A + √B): the numerator is linear, and the denominator is
//                   that of the middle to within twice the half diagonal. √A − √B is also at least
//                   minus the distance of the points.
// (cpu/candidates/keys-inl.hpp has the same for vectors.) All is in doubles; a point stays as long
// as its lead may be one of rounding. For sources compiled as CUDA.
#pragma once

#include <cmath>
#include <cstdint>

#include "cuda/points/keys.hpp"
#include "cuda/points/walk.cuh"

namespace thiessen::cuda::points {

/// A point as seen from the middle of a box: lengths are in units of √S.
struct SeenPoint {
  double way[kAxes] = {};
  double number = 0;
  double squared = 0;
};

template <class Tree>
class WeightedChoice {
 public:
  static constexpr Weighting kWeighting = Tree::kWeighting;
  static constexpr int kFirst = Tree::kFirstAxis;

  __device__ WeightedChoice(const Tree& tree, const PointBox<typename Tree::Coordinate>& box,
                            const WalkMemory<Tree>& memory, int count)
      : memory_(memory), count_(count) {
    THIESSEN_UNROLL
    for (int axis = kFirst; axis < kAxes; ++axis) {
      length_[axis] = sqrt(static_cast<double>(tree.factor[axis]));
      middle_[axis] = 0.5 * static_cast<double>(box.low[axis] + box.high[axis]);
      half_[axis] = 0.5 * static_cast<double>(box.high[axis] - box.low[axis]) * length_[axis];
      square_ += half_[axis] * half_[axis];
    }
  }

  /// A bit for each point that may win.
  __device__ std::uint64_t chosen() const {
    return count_ <= kLanes ? chosen_of<1>() : chosen_of<2>();
  }

 private:
  /// The same if a lane takes care of so many points.
  template <int kEach>
  __device__ std::uint64_t chosen_of() const {
    SeenPoint own[kEach];
    bool wins[kEach];
    THIESSEN_UNROLL
    for (int i = 0; i < kEach; ++i) {
      wins[i] = lane_of_thread() + i * kLanes < count_;
      if (wins[i]) own[i] = seen(lane_of_thread() + i * kLanes);
    }
    for (int corner = -1; corner < 1 << Tree::kRank; ++corner) {
      const SeenPoint rival = best_at(corner, own, wins);
      THIESSEN_UNROLL
      for (int i = 0; i < kEach; ++i) wins[i] = wins[i] && !(lead(own[i], rival) > 0);
    }
    std::uint64_t all = 0;
    THIESSEN_UNROLL
    for (int i = 0; i < kEach; ++i) all |= std::uint64_t{__ballot_sync(~0u, wins[i])} << i * kLanes;
    return all;
  }

  __device__ SeenPoint seen(int at) const {
    SeenPoint point;
    THIESSEN_UNROLL
    for (int axis = kFirst; axis < kAxes; ++axis) {
      const auto place = static_cast<double>(memory_.place[at].at[axis]);
      point.way[axis] = (middle_[axis] - place) * length_[axis];
      point.squared += point.way[axis] * point.way[axis];
    }
    point.number = memory_.number[at];
    return point;
  }

  /// The point that has the least key, to within rounding, in the middle (-1) or at a corner, whose
  /// bits 0, 1 and 2 are 1 for the high end of x, y and z.
  template <int kEach>
  __device__ SeenPoint best_at(int corner, const SeenPoint (&own)[kEach],
                               const bool (&counts)[kEach]) const {
    float least = kFloatBeyondAll;
    SeenPoint best;
    THIESSEN_UNROLL
    for (int i = 0; i < kEach; ++i) {
      double squared = 0;
      THIESSEN_UNROLL
      for (int axis = kFirst; axis < kAxes; ++axis) {
        const double half = (corner >> (kAxes - 1 - axis) & 1) != 0 ? half_[axis] : -half_[axis];
        const double way = own[i].way[axis] + (corner < 0 ? 0 : half);
        squared += way * way;
      }
      const auto key = static_cast<float>(make_key<kWeighting>(squared, own[i].number));
      if (counts[i] && key < least) {
        least = key;
        best = own[i];
      }
    }
    const int lane = lane_of_least(order_of_float(least));
    THIESSEN_UNROLL
    for (int axis = kFirst; axis < kAxes; ++axis)
      best.way[axis] = __shfl_sync(~0u, best.way[axis], lane);
    best.number = __shfl_sync(~0u, best.number, lane);
    best.squared = __shfl_sync(~0u, best.squared, lane);
    return best;
  }

  /// A lower bound of key_a − key_b in the box.
  __device__ double lead(const SeenPoint& a, const SeenPoint& b) const {
    if constexpr (kWeighting == Weighting::power) return lead_of_squares(a, b);
    if constexpr (kWeighting == Weighting::additive) return lead_of_roots(a, b);
    return lead_of_ratios(a, b);
  }

  /// By so much the difference of two squared distances falls from the middle.
  __device__ double fall(const SeenPoint& a, const SeenPoint& b) const {
    double fall = 0;
    THIESSEN_UNROLL
    for (int axis = kFirst; axis < kAxes; ++axis)
      fall += 2 * half_[axis] * fabs(a.way[axis] - b.way[axis]);
    return fall;
  }

  __device__ double lead_of_squares(const SeenPoint& a, const SeenPoint& b) const {
    const double terms = a.squared + b.squared + fabs(a.number) + fabs(b.number) + square_;
    return (a.squared - a.number) - (b.squared - b.number) - fall(a, b) - 4 * kKeyRounding * terms;
  }

  __device__ double lead_of_roots(const SeenPoint& a, const SeenPoint& b) const {
    const double root_a = sqrt(a.squared);
    const double root_b = sqrt(b.squared);
    const double sum = root_a + root_b;
    const double radius = sqrt(square_);
    const double narrow = sum - 2 * radius;
    const double numerator = (root_a - root_b) * sum - fall(a, b);
    double apart = 0;
    THIESSEN_UNROLL
    for (int axis = kFirst; axis < kAxes; ++axis) {
      const double way = a.way[axis] - b.way[axis];
      apart += way * way;
    }
    double least = -sqrt(apart);
    if (numerator > 0)
      least = numerator / (sum + 2 * radius);
    else if (narrow > sum / 8)
      least = fmax(least, numerator / narrow);
    const double terms = sum + radius + fabs(a.number) + fabs(b.number);
    return least - (a.number - b.number) - 64 * kKeyRounding * terms;
  }

  __device__ double lead_of_ratios(const SeenPoint& a, const SeenPoint& b) const {
    const double bend = a.number - b.number;
    double least = a.squared * a.number - b.squared * b.number;
    THIESSEN_UNROLL
    for (int axis = kFirst; axis < kAxes; ++axis) {
      const double half = half_[axis];
      const double slope = 2 * fabs(a.number * a.way[axis] - b.number * b.way[axis]);
      const bool has_vertex = bend > 0 && slope < 2 * bend * half;
      least -= has_vertex ? slope * slope / (4 * bend) : (slope - bend * half) * half;
    }
    const double terms = (a.squared + square_) * a.number + (b.squared + square_) * b.number;
    return least - 4 * kKeyRounding * terms;
  }

  const WalkMemory<Tree>& memory_;
  int count_;
  double length_[kAxes] = {};
  double middle_[kAxes] = {};
  double half_[kAxes] = {};
  double square_ = 0;  ///< the sum of the squares of the halves
};

}  // namespace thiessen::cuda::points
