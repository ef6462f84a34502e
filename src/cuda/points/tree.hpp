// SPDX-License-Identifier: Apache-2.0
//
// A tree of boxes over points, the tiles of cells that are searched in it (search.cuh), and bounds
// for S between them.
//
// Coordinate is an integer for places, Scalar one for S.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "core/measure.hpp"
#include "cuda/device/lanes.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda {

inline constexpr int kChildren = kLanes;
/// 2^31 points are 2^26 leaves.
inline constexpr int kMostTreeLevels = 7;

/// A number that is more than any S.
template <class Scalar>
THIESSEN_HD constexpr Scalar beyond_all() {
  if constexpr (sizeof(Scalar) > sizeof(std::int64_t))
    return Scalar{1} << 126;
  else
    return std::numeric_limits<Scalar>::max();
}

template <class Coordinate>
struct PointPlace {
  Coordinate at[kAxes];
};

template <class Coordinate>
struct PointBox {
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
  Scalar factor[kAxes] = {};
  Coordinate period[kAxes] = {};  ///< the greatest number for an axis without period
  bool is_plain = false;          ///< all factors are 1, and no axis is periodic
  int fraction_bits = 0;
};

/// The greatest number stands for no period.
template <class Coordinate>
THIESSEN_HD bool is_periodic(Coordinate period) {
  return period != std::numeric_limits<Coordinate>::max();
}

template <Metric kMetric, class Tree>
THIESSEN_HD typename Tree::Scalar measure_axis(const Tree& tree, int axis,
                                               typename Tree::Coordinate delta) {
  return along<kMetric>(tree.factor[axis], static_cast<typename Tree::Scalar>(delta));
}

/// S between a cell and a point along one axis.
template <Metric kMetric, class Tree>
THIESSEN_HD typename Tree::Scalar measure_between(const Tree& tree, int axis,
                                                  typename Tree::Coordinate a,
                                                  typename Tree::Coordinate b) {
  using Scalar = typename Tree::Scalar;
  auto delta = a < b ? b - a : a - b;
  if (tree.is_plain) {
    const auto cells = static_cast<Scalar>(delta);
    return kMetric == Metric::euclidean ? cells * cells : cells;
  }
  if (tree.period[axis] - delta < delta) delta = tree.period[axis] - delta;
  return measure_axis<kMetric>(tree, axis, delta);
}

/// The cells of a tile and how lanes share them: a lane has kCells, `step` apart from each other.
struct PointTileShape {
  static constexpr int kMostCells = 16;

  std::int32_t lanes[kAxes] = {};  ///< along each axis
  std::int32_t size[kAxes] = {};
  std::int32_t cell_y[kMostCells] = {};  ///< cells of a lane, relative to its first
  std::int32_t cell_z[kMostCells] = {};
};

/// A tile: the box around the centres of its cells, and its first cell.
template <class Coordinate>
struct PointTile {
  PointBox<Coordinate> box;
  std::int64_t first[kAxes];
};

template <class Coordinate>
THIESSEN_HD PointTile<Coordinate> make_tile(const Job& job, const PointTileShape& shape,
                                            std::int64_t number) {
  PointTile<Coordinate> tile;
  for (int axis = kAxes - 1; axis >= 0; --axis) {
    const std::int64_t extent = job.extent[static_cast<std::size_t>(axis)];
    const std::int64_t tiles = (extent + shape.size[axis] - 1) / shape.size[axis];
    tile.first[axis] = number % tiles * shape.size[axis];
    number /= tiles;
    const std::int64_t end = tile.first[axis] + shape.size[axis];
    tile.box.low[axis] = static_cast<Coordinate>(tile.first[axis] << job.fraction_bits);
    tile.box.high[axis] =
        static_cast<Coordinate>(((end < extent ? end : extent) - 1) << job.fraction_bits);
  }
  return tile;
}

/// The gap between two stretches of an axis; 0 if they meet.
template <class Coordinate>
THIESSEN_HD Coordinate gap_between(Coordinate low, Coordinate high, Coordinate other_low,
                                   Coordinate other_high) {
  if (low > other_high) return low - other_high;
  return other_low > high ? other_low - high : 0;
}

/// The least S between a place of the box and a cell of the tile: that of the corners that face
/// each other.
template <Metric kMetric, class Tree>
THIESSEN_HD typename Tree::Scalar least_to_box(const Tree& tree,
                                               const PointTile<typename Tree::Coordinate>& tile,
                                               const PointBox<typename Tree::Coordinate>& box) {
  using Coordinate = typename Tree::Coordinate;
  typename Tree::Scalar exact = 0;
  THIESSEN_UNROLL
  for (int axis = 0; axis < kAxes; ++axis) {
    const Coordinate low = box.low[axis];
    const Coordinate high = box.high[axis];
    Coordinate gap = gap_between(low, high, tile.box.low[axis], tile.box.high[axis]);
    const Coordinate period = tree.period[axis];
    if (is_periodic(period)) {
      const auto left = static_cast<Coordinate>(tile.box.low[axis] - (high - period));
      const auto right = static_cast<Coordinate>(low + period - tile.box.high[axis]);
      if (left < gap) gap = left;
      if (right < gap) gap = right;
      if (gap < 0) gap = 0;
    }
    exact = join<kMetric>(exact, measure_axis<kMetric>(tree, axis, gap));
  }
  return exact;
}

/// S from a place to the farthest place of a box, or more.
template <Metric kMetric, class Tree>
THIESSEN_HD typename Tree::Scalar greatest_to_box(
    const Tree& tree, const PointBox<typename Tree::Coordinate>& box,
    const PointPlace<typename Tree::Coordinate>& place) {
  using Coordinate = typename Tree::Coordinate;
  typename Tree::Scalar exact = 0;
  THIESSEN_UNROLL
  for (int axis = 0; axis < kAxes; ++axis) {
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
    exact = join<kMetric>(exact, measure_axis<kMetric>(tree, axis, reach));
  }
  return exact;
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
