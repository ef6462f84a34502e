// SPDX-License-Identifier: Apache-2.0
//
// A tree of boxes over points, the tiles of cells that are searched in it (search.cuh), and bounds
// for S between them. Bounds are floats: they decide what is looked at, never what wins.
//
// Coordinate is an integer for places and their differences, Scalar one for S.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "core/measure.hpp"
#include "cuda/device/lanes.hpp"
#include "cuda/device/rounding.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda {

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

/// Node i of level l has the nodes 32·i to 32·i + 31 of level l - 1 as children; the children on
/// level 0 are points.
template <class TheCoordinate, class TheScalar>
struct PointTree {
  using Coordinate = TheCoordinate;
  using Scalar = TheScalar;

  const PointPlace<Coordinate>* place = nullptr;  ///< places of the points along the curve
  const std::uint32_t* index = nullptr;           ///< their numbers in the list
  std::int64_t count = 0;
  int levels = 0;
  const PointBox<Coordinate>* box[kMostTreeLevels] = {};
  std::int64_t nodes[kMostTreeLevels] = {};  ///< one for each level
  int first_axis = 1;                        ///< 0 in 3-D
  Scalar factor[kAxes] = {};
  float factor_down[kAxes] = {};  ///< not more than the factor
  float factor_up[kAxes] = {};    ///< not less
  Coordinate period[kAxes] = {};  ///< the greatest number for an axis without period

  void set_factor(std::size_t axis, Scalar value) {
    factor[axis] = value;
    factor_down[axis] = float_down(value);
    factor_up[axis] = float_up(value);
  }
};

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
  if (tree.period[axis] - delta < delta) delta = tree.period[axis] - delta;
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

/// The cells of a tile and how lanes share them: a lane has kCells, `step` apart from each other.
struct PointTileShape {
  static constexpr int kMostCells = 16;

  std::int32_t lanes[kAxes] = {};  ///< along each axis
  std::int32_t size[kAxes] = {};
  std::int32_t cell_y[kMostCells] = {};  ///< cells of a lane, relative to its first
  std::int32_t cell_z[kMostCells] = {};
  std::int32_t across = 1;  ///< tiles of a group along each axis that there is
};

/// The box around the centres of cells that a grid has, of so many from `first` on.
template <class Coordinate>
THIESSEN_HD PointBox<Coordinate> box_of_cells(const Job& job, const std::int64_t (&first)[kAxes],
                                              const std::int32_t (&size)[kAxes]) {
  PointBox<Coordinate> box;
  THIESSEN_UNROLL
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::int64_t extent = job.extent[static_cast<std::size_t>(axis)];
    const std::int64_t end = first[axis] + size[axis];
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
  for (int axis = 0; axis < kAxes; ++axis) {
    if (axis < tree.first_axis) continue;
    const Coordinate low = other.low[axis];
    const Coordinate high = other.high[axis];
    Coordinate gap = gap_between(low, high, own.low[axis], own.high[axis]);
    const Coordinate period = tree.period[axis];
    if (is_periodic(period)) {
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
  for (int axis = 0; axis < kAxes; ++axis) {
    if (axis < tree.first_axis) continue;
    const Coordinate to_low = place.at[axis] - box.low[axis];
    const Coordinate to_high = box.high[axis] - place.at[axis];
    Coordinate reach = to_low < to_high ? to_high : to_low;
    const Coordinate period = tree.period[axis];
    if (is_periodic(period)) {
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

/// The shape of tiles whose lanes have so many cells: 1, 4 or 16.
inline PointTileShape make_tile_shape(int rank, int cells) {
  PointTileShape shape;
  const bool is_flat = rank == 2;
  const std::array<std::int32_t, kAxes> lanes =
      cells == 1   ? (is_flat ? std::array{1, 4, 8} : std::array{2, 2, 8})
      : cells == 4 ? (is_flat ? std::array{1, 2, 16} : std::array{1, 4, 8})
                   : (is_flat ? std::array{1, 1, 32} : std::array{1, 2, 16});
  const std::int32_t rows = is_flat ? cells : cells == 16 ? 4 : 1;
  const std::int32_t planes = cells / rows;
  for (int i = 0; i < cells; ++i) {
    shape.cell_y[i] = i % rows * lanes[1];
    shape.cell_z[i] = i / rows * lanes[0];
  }
  const std::array<std::int32_t, kAxes> times{planes, rows, 1};
  for (int axis = 0; axis < kAxes; ++axis) {
    const auto own = static_cast<std::size_t>(axis);
    shape.lanes[axis] = lanes[own];
    shape.size[axis] = lanes[own] * times[own];
  }
  return shape;
}

}  // namespace thiessen::cuda
