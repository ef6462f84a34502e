// SPDX-License-Identifier: Apache-2.0
//
// A tree of boxes over points, the tiles of cells that are searched in it (search.cuh), and bounds
// for S between them. Bounds are floats: they decide what is looked at, never what wins.
//
// Coordinate is an integer for places and their differences, Scalar one for S.
#pragma once

#include <cstdint>
#include <limits>

#include "core/order/measure.hpp"
#include "cuda/device/lanes.hpp"
#include "cuda/device/rounding.hpp"
#include "cuda/job/job.hpp"
#include "thiessen/choices/weighting.hpp"

namespace thiessen::cuda::points {

inline constexpr int kChildren = kLanes;
/// 2^31 points are 2^26 leaves.
inline constexpr int kMostTreeLevels = 7;

template <class Coordinate>
struct PointPlace {
  Coordinate at[kAxes];
};

template <class Coordinate>
struct alignas(2 * sizeof(Coordinate)) PointBox {
  Coordinate low[kAxes];
  Coordinate high[kAxes];

  THIESSEN_HD bool is_place() const {
    return low[0] == high[0] && low[1] == high[1] && low[2] == high[2];
  }
};

template <class Coordinate>
THIESSEN_HD PointBox<Coordinate> box_of_place(const PointPlace<Coordinate>& place) {
  return {{place.at[0], place.at[1], place.at[2]}, {place.at[0], place.at[1], place.at[2]}};
}

/// What a node tells of the weights of its points.
struct NodeWeight {
  float strongest;     ///< as strong as each of them, or stronger (keys.hpp)
  std::uint32_t best;  ///< the place along the curve of the greatest weight, the first in the list
};

/// Node i of level l has the nodes 32·i to 32·i + 31 of level l - 1 as children; the children on
/// level 0 are points.
template <class TheCoordinate, class TheScalar, int kTheRank, bool kMayHavePeriods,
          Weighting kTheWeighting = Weighting::none>
struct PointTree {
  using Coordinate = TheCoordinate;
  using Scalar = TheScalar;
  static constexpr int kRank = kTheRank;
  static constexpr int kFirstAxis = kAxes - kRank;
  static constexpr bool kHasPeriods = kMayHavePeriods;
  static constexpr Weighting kWeighting = kTheWeighting;
  static constexpr bool kHasWeights = kWeighting != Weighting::none;

  const PointPlace<Coordinate>* place = nullptr;  ///< places of the points along the curve
  const std::uint32_t* index = nullptr;           ///< their numbers in the list
  std::int64_t count = 0;
  int levels = 0;
  const PointBox<Coordinate>* box[kMostTreeLevels] = {};
  std::int64_t nodes[kMostTreeLevels] = {};  ///< one for each level
  const double* number = nullptr;            ///< of the points along the curve (keys.hpp)
  const NodeWeight* node_weight[kMostTreeLevels] = {};  ///< beside the boxes
  /// Keys in doubles are less than `rounding` of themselves and `margin` away from exact ones.
  double rounding = 0;
  double margin = 0;
  bool is_wide = false;  ///< S needs 128 bits
  Scalar factor[kAxes] = {};
  float factor_down[kAxes] = {};  ///< not more than the factor
  float factor_up[kAxes] = {};    ///< not less
  Coordinate period[kAxes] = {};  ///< the greatest number for an axis without period

  void set_factor(std::size_t axis, Int128 value) {
    factor[axis] = static_cast<Scalar>(value);
    factor_down[axis] = float_down(value);
    factor_up[axis] = float_up(value);
  }
};

/// Whether S to one point minus S to another is linear in the cell.
template <Metric kMetric, class Tree>
inline constexpr bool kIsLinear =
    kMetric == Metric::euclidean && !Tree::kHasPeriods && !Tree::kHasWeights;

/// The greatest number stands for no period.
template <class Coordinate>
THIESSEN_HD bool is_periodic(Coordinate period) {
  return period != std::numeric_limits<Coordinate>::max();
}

/// S between a cell and a point along one axis.
template <Metric kMetric, class Tree>
THIESSEN_HD typename Tree::Scalar measure_between(const Tree& tree, int axis,
                                                  typename Tree::Coordinate a,
                                                  typename Tree::Coordinate b) {
  using Scalar = typename Tree::Scalar;
  auto delta = a < b ? b - a : a - b;
  if (Tree::kHasPeriods && tree.period[axis] - delta < delta) delta = tree.period[axis] - delta;
  return along<kMetric>(tree.factor[axis], static_cast<Scalar>(delta));
}

/// A lower bound of S, joined with the part of a distance along an axis.
template <Metric kMetric, class Tree>
THIESSEN_HD float join_down(const Tree& tree, float least, int axis,
                            typename Tree::Coordinate distance) {
  const float length = float_down(distance);
  const float power = kMetric == Metric::euclidean ? product_down(length, length) : length;
  const float part = product_down(power, tree.factor_down[axis]);
  return kMetric == Metric::chessboard ? fmaxf(least, part) : sum_down(least, part);
}

/// The same for an upper bound.
template <Metric kMetric, class Tree>
THIESSEN_HD float join_up(const Tree& tree, float most, int axis,
                          typename Tree::Coordinate distance) {
  const float length = float_up(distance);
  const float power = kMetric == Metric::euclidean ? product_up(length, length) : length;
  const float part = product_up(power, tree.factor_up[axis]);
  return kMetric == Metric::chessboard ? fmaxf(most, part) : sum_up(most, part);
}

/// The cells of a tile and how lanes share them: each lane has a block of so many cells.
template <int kRank, int kCells>
struct PointTileShape {
  static_assert(kCells == 4 || kCells == 16);
  static constexpr bool kIsFlat = kRank == 2;
  static constexpr bool kIsLarge = kCells == 16;

  /// Cells of a block along an axis.
  THIESSEN_HD static constexpr std::int32_t block(int axis) {
    if (axis == 2) return 4;
    if (!kIsLarge) return 1;
    return kIsFlat ? (axis == 1 ? 4 : 1) : 2;
  }
  THIESSEN_HD static constexpr std::int32_t lanes_along(int axis) {
    if (axis == 0) return kIsFlat ? 1 : 2;
    return kIsFlat && (axis == 2) == kIsLarge ? 8 : 4;
  }
  THIESSEN_HD static constexpr std::int32_t size(int axis) {
    return block(axis) * lanes_along(axis);
  }
  static_assert(lanes_along(0) * lanes_along(1) * lanes_along(2) == kLanes);
  static_assert(block(0) * block(1) * block(2) == kCells);

  /// Where a lane's block begins in the tile.
  THIESSEN_HD static constexpr std::int32_t first(int lane, int axis) {
    const int rest = lane / lanes_along(2);
    const int along = axis == 2   ? lane % lanes_along(2)
                      : axis == 1 ? rest % lanes_along(1)
                                  : rest / lanes_along(1);
    return along * block(axis);
  }
  /// Where a cell of a block lies in it.
  THIESSEN_HD static constexpr std::int32_t within(int cell, int axis) {
    const int rest = cell / block(2);
    return axis == 2 ? cell % block(2) : axis == 1 ? rest % block(1) : rest / block(1);
  }
};

/// The box around the centres of cells that a grid has, of size(axis) from `first` on.
template <class Coordinate, class Size>
THIESSEN_HD PointBox<Coordinate> box_of_cells(const Job& job, const std::int64_t (&first)[kAxes],
                                              const Size& size) {
  PointBox<Coordinate> box;
  THIESSEN_UNROLL
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::int64_t extent = job.extent[static_cast<std::size_t>(axis)];
    const std::int64_t end = first[axis] + size(axis);
    box.low[axis] = static_cast<Coordinate>(first[axis] << job.fraction_bits);
    box.high[axis] =
        static_cast<Coordinate>(((end < extent ? end : extent) - 1) << job.fraction_bits);
  }
  return box;
}

/// The gap between two stretches of an axis; 0 if they meet.
template <class Coordinate>
THIESSEN_HD Coordinate gap_between(Coordinate low, Coordinate high, Coordinate other_low,
                                   Coordinate other_high) {
  if (low > other_high) return low - other_high;
  return other_low > high ? other_low - high : 0;
}

/// S between a place of one box and a place of another is this, or more: that of the corners that
/// face each other.
template <Metric kMetric, class Tree>
THIESSEN_HD float least_between(const Tree& tree, const PointBox<typename Tree::Coordinate>& own,
                                const PointBox<typename Tree::Coordinate>& other) {
  using Coordinate = typename Tree::Coordinate;
  float least = 0;
  THIESSEN_UNROLL
  for (int axis = Tree::kFirstAxis; axis < kAxes; ++axis) {
    const Coordinate low = other.low[axis];
    const Coordinate high = other.high[axis];
    Coordinate gap = gap_between(low, high, own.low[axis], own.high[axis]);
    const Coordinate period = tree.period[axis];
    if (Tree::kHasPeriods && is_periodic(period)) {
      const auto left = static_cast<Coordinate>(own.low[axis] - (high - period));
      const auto right = static_cast<Coordinate>(low + period - own.high[axis]);
      if (left < gap) gap = left;
      if (right < gap) gap = right;
      if (gap < 0) gap = 0;
    }
    least = join_down<kMetric>(tree, least, axis, gap);
  }
  return least;
}

/// S from a place to a place of a box is this, or less.
template <Metric kMetric, class Tree>
THIESSEN_HD float greatest_to_box(const Tree& tree, const PointBox<typename Tree::Coordinate>& box,
                                  const PointPlace<typename Tree::Coordinate>& place) {
  using Coordinate = typename Tree::Coordinate;
  float most = 0;
  THIESSEN_UNROLL
  for (int axis = Tree::kFirstAxis; axis < kAxes; ++axis) {
    const Coordinate to_low = place.at[axis] - box.low[axis];
    const Coordinate to_high = box.high[axis] - place.at[axis];
    Coordinate reach = to_low < to_high ? to_high : to_low;
    const Coordinate period = tree.period[axis];
    if (Tree::kHasPeriods && is_periodic(period)) {
      // The image nearest to the middle is as good as any other.
      const Coordinate half = (box.high[axis] - box.low[axis] + 1) / 2;
      const Coordinate middle = box.low[axis] + (box.high[axis] - box.low[axis]) / 2;
      Coordinate delta =
          place.at[axis] < middle ? middle - place.at[axis] : place.at[axis] - middle;
      if (period - delta < delta) delta = period - delta;
      if (delta + half < reach) reach = delta + half;
      if (period / 2 < reach) reach = period / 2;
    }
    most = join_up<kMetric>(tree, most, axis, reach);
  }
  return most;
}

}  // namespace thiessen::cuda::points
