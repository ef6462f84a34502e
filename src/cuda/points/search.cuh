// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest point, a tile of cells at a time.
//
// Points are sorted along a Hilbert curve. Each 32 of them in a row make a leaf of a tree, 32
// leaves a node above them, and so on: so the tree needs no links, and the lanes of a warp look at
// all children of a node at once. Tree: I. Kamel, C. Faloutsos, "On packing R-trees" (1993); curve:
// J. Skilling, "Programming the Hilbert curve" (2004).
//
// A warp has a group of tiles, and lists the points that may win in it (walk.cuh). If they fit into
// the list, each tile chooses its own among them (choose.cuh), and compares them with its cells
// (lane_cells.cuh), some of which each lane has. Else each tile walks through the tree by itself;
// whenever its list is full, its cells are compared with all of the list, which is then begun anew.
// With weights a tile has WeightedCells, and chooses by WeightedChoice. For sources compiled as
// CUDA.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cuda/job/results.hpp"
#include "cuda/points/choose.cuh"
#include "cuda/points/lane_cells.cuh"
#include "cuda/points/unsolved_cells.hpp"
#include "cuda/points/walk.cuh"
#include "cuda/points/weighted_cells.cuh"
#include "cuda/points/weighted_choice.cuh"

namespace thiessen::cuda::points {

/// The result of a cell, compiled once in a kernel for all cells of a lane.
template <bool kHasWeights, class Scalar>
__device__ THIESSEN_NOINLINE void write_point(const Job& job, std::int64_t cell, std::int64_t point,
                                              Scalar exact) {
  if constexpr (kHasWeights)
    write_weighted_result(job, cell, point, exact);
  else
    write_result(job, cell, point, exact);
}

/// Whether only labels of four bytes, or distances, are wanted, and every cell has them.
THIESSEN_HD inline bool wants_simple_results(const Job& job) {
  const Outputs& out = job.out;
  return (!out.labels || out.labels.element == 4) && out.site_index == nullptr &&
         out.squared == nullptr && out.offset == nullptr && out.direction == nullptr &&
         !out.weighted_distance && !job.limited && !job.weights.limited && job.point_count > 0;
}

/// Stores four neighbouring cells, at once if their addresses allow it.
template <class T>
__device__ void store_row(T* to, int cells, const T (&value)[4]) {
  static_assert(sizeof(T) == 4);
  if (cells == 4 && reinterpret_cast<std::uintptr_t>(to) % sizeof(uint4) == 0) {
    uint4 all;
    memcpy(&all, value, sizeof all);
    *reinterpret_cast<uint4*>(to) = all;
    return;
  }
  THIESSEN_UNROLL
  for (int i = 0; i < 4; ++i)
    if (i < cells) to[i] = value[i];
}

template <Metric kMetric, class Tree, int kCells>
class PointSearch {
 public:
  using Coordinate = typename Tree::Coordinate;
  using Cells = std::conditional_t<Tree::kHasWeights, WeightedCells<Tree, kCells>,
                                   LaneCells<kMetric, Tree, kCells>>;
  using Shape = typename Cells::Shape;
  using Box = PointBox<Coordinate>;

  /// A group has `across` tiles along each axis.
  __device__ PointSearch(const Job& job, const Tree& tree, const UnsolvedCells& unsolved,
                         std::int32_t across, WalkMemory<Tree>& memory)
      : job_(job),
        tree_(tree),
        unsolved_(unsolved),
        memory_(memory),
        across_(across),
        walk_(tree, memory),
        is_simple_(wants_simple_results(job)) {}

  /// Does a group of tiles; groups are numbered like cells.
  __device__ void run(std::int64_t number) {
    std::int64_t first[kAxes];
    THIESSEN_UNROLL
    for (int axis = kAxes - 1; axis >= 0; --axis) {
      const std::int64_t extent = job_.extent[static_cast<std::size_t>(axis)];
      const std::int64_t groups = (extent + size(axis) - 1) / size(axis);
      first[axis] = number % groups * size(axis);
      number /= groups;
    }
    bool is_begun = false;
    bool is_listed = false;
    for_each_tile(first, [&](const std::int64_t(&tile)[kAxes]) {
      if (!is_begun && tree_.count > 0) is_listed = list_all(box_of_group(first));
      is_begun = true;
      Cells cells(job_, tree_, tile);
      if (is_listed)
        cells.template compare<true>(memory_, chosen_in(box_of_tile(tile)));
      else if (tree_.count > 0)
        search_alone(cells, box_of_tile(tile));
      write(cells);
      __syncwarp();
    });
  }

 private:
  /// Large tiles are taken for simple results alone: a call would cost them many registers.
  static constexpr bool kIsSimple = Shape::kIsLarge;
  /// Whether tiles choose among the listed points.
  static constexpr bool kMayChoose =
      kIsLinear<kMetric, Tree> || (Tree::kHasWeights && !Tree::kHasPeriods);

  /// Calls visit(first cell) for the tiles of a group that are left.
  template <class Visit>
  __device__ void for_each_tile(const std::int64_t (&first)[kAxes], const Visit& visit) const {
    for (std::int32_t z = 0; z < size(0); z += Shape::size(0))
      for (std::int32_t y = 0; y < size(1); y += Shape::size(1))
        for (std::int32_t x = 0; x < size(2); x += Shape::size(2)) {
          const std::int64_t tile[kAxes] = {first[0] + z, first[1] + y, first[2] + x};
          if (tile[0] < job_.extent[0] && tile[1] < job_.extent[1] && tile[2] < job_.extent[2] &&
              unsolved_.has(job_.rank, tile))
            visit(tile);
        }
  }

  /// Cells of a group along an axis.
  __device__ std::int32_t size(int axis) const {
    return Shape::size(axis) * (axis < Tree::kFirstAxis ? 1 : across_);
  }
  __device__ Box box_of_tile(const std::int64_t (&tile)[kAxes]) const {
    return box_of_cells<Coordinate>(job_, tile, [](int axis) { return Shape::size(axis); });
  }

  __device__ Box box_of_group(const std::int64_t (&first)[kAxes]) const {
    return box_of_cells<Coordinate>(job_, first, [&](int axis) { return size(axis); });
  }

  /// A bit for each listed point that may win in a box.
  __device__ std::uint64_t chosen_in(const Box& box) const {
    if constexpr (kMayChoose && Tree::kHasWeights)
      return WeightedChoice<Tree>(tree_, box, memory_, walk_.listed()).chosen();
    else if constexpr (kMayChoose)
      return PointChoice<Tree>(tree_, box, memory_.place, walk_.listed()).chosen();
    return all_listed();
  }
  __device__ std::uint64_t all_listed() const {
    const int listed = walk_.listed();
    return listed == 0 ? 0 : ~std::uint64_t{0} >> (kMostListed - listed);
  }

  /// Goes on with the walk; returns whether it has come to its end. It may have chosen from the
  /// list to make room, and stops when that is not enough.
  __device__ bool list_more(const Box& box) {
    while (!walk_.go_on()) {
      if constexpr (!kMayChoose) return false;
      walk_.keep(chosen_in(box));
      if (walk_.listed() > PointLimits::kListedPoints - kChildren) return false;
    }
    return true;
  }

  /// Lists all points that may win in a box, in their order; returns false if they are too many.
  __device__ bool list_all(const Box& box) {
    walk_.begin(box);
    if (!list_more(box)) return false;
    walk_.sort();
    return true;
  }

  /// Compares the cells of a tile with all points that may win there, whenever the list is full.
  __device__ void search_alone(Cells& cells, const Box& box) {
    walk_.begin(box);
    for (bool is_done = false; !is_done;) {
      is_done = list_more(box);
      cells.template compare<false>(memory_, all_listed());
      walk_.drop_listed(cells.greatest());
    }
  }

  __device__ void write(const Cells& cells) const {
    THIESSEN_UNROLL
    for (int row = 0; row < Cells::kRows; ++row) {
      if (!cells.has_row(row)) continue;
      if (kIsSimple || is_simple_)
        write_simple(cells, row);
      else
        write_all(cells, row);
    }
  }

  __device__ void write_simple(const Cells& cells, int row) const {
    const std::int64_t begin = cells.row_begin(row);
    const int count = cells.row_cells();
    if (job_.out.labels) {
      const auto* const labels = reinterpret_cast<const std::uint32_t*>(job_.labels.bytes);
      std::uint32_t label[Cells::kRow];
      THIESSEN_UNROLL
      for (int i = 0; i < Cells::kRow; ++i) label[i] = labels[cells.winner(row * Cells::kRow + i)];
      store_row(reinterpret_cast<std::uint32_t*>(job_.out.labels.bytes) + begin, count, label);
    }
    if (job_.out.distance && job_.out.distance.element == sizeof(float)) {
      float distance[Cells::kRow];
      THIESSEN_UNROLL
      for (int i = 0; i < Cells::kRow; ++i)
        distance[i] = cells.template distance<float>(row * Cells::kRow + i);
      store_row(reinterpret_cast<float*>(job_.out.distance.bytes) + begin, count, distance);
    } else if (job_.out.distance) {
      THIESSEN_UNROLL
      for (int i = 0; i < Cells::kRow; ++i)
        if (i < count)
          store_distance(job_, begin + i, cells.template distance<double>(row * Cells::kRow + i));
    }
  }

  __device__ void write_all(const Cells& cells, int row) const {
    THIESSEN_UNROLL
    for (int i = 0; i < Cells::kRow; ++i) {
      if (i >= cells.row_cells()) continue;
      const std::uint32_t index = cells.winner(row * Cells::kRow + i);
      const std::int64_t point = index == Cells::kNone ? kUnreached : std::int64_t{index};
      write_point<Tree::kHasWeights>(job_, cells.row_begin(row) + i, point,
                                     cells.exact(row * Cells::kRow + i));
    }
  }

  const Job& job_;
  const Tree& tree_;
  const UnsolvedCells& unsolved_;
  WalkMemory<Tree>& memory_;
  std::int32_t across_;  ///< tiles of a group
  PointWalk<kMetric, Tree> walk_;
  bool is_simple_;
};

}  // namespace thiessen::cuda::points
