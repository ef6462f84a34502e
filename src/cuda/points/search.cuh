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
// For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "cuda/job/results.hpp"
#include "cuda/points/choose.cuh"
#include "cuda/points/lane_cells.cuh"
#include "cuda/points/remainder.hpp"
#include "cuda/points/walk.cuh"

namespace thiessen::cuda {

/// write_result(), compiled once in a kernel for all cells of a lane.
template <class Scalar>
__device__ THIESSEN_NOINLINE void write_point(const Job& job, std::int64_t cell, std::int64_t point,
                                              Scalar exact) {
  write_result(job, cell, point, exact);
}

/// Whether only labels of four bytes, or distances, are wanted, and every cell has them.
__device__ inline bool wants_simple_results(const Job& job) {
  const Outputs& out = job.out;
  return (!out.labels || out.labels.element == 4) && out.site_index == nullptr &&
         out.squared == nullptr && out.offset == nullptr && out.direction == nullptr &&
         !job.limited && job.point_count > 0;
}

template <Metric kMetric, class Tree, int kCells, bool kLinear>
class PointSearch {
 public:
  using Coordinate = typename Tree::Coordinate;
  using Scalar = typename Tree::Scalar;
  using LanesOfTile = LaneCells<kMetric, Tree, kCells, kLinear>;
  using Box = PointBox<Coordinate>;

  __device__ PointSearch(const Job& job, const Tree& tree, const PointTileShape& shape,
                         const Remainder& remainder, WalkMemory<Coordinate>& memory)
      : job_(job),
        tree_(tree),
        shape_(shape),
        remainder_(remainder),
        memory_(memory),
        walk_(tree, memory) {}

  /// Does a group of tiles; groups are numbered like cells.
  __device__ void run(std::int64_t number) {
    std::int64_t first[kAxes];
    std::int32_t size[kAxes];
    THIESSEN_UNROLL
    for (int axis = kAxes - 1; axis >= 0; --axis) {
      size[axis] = shape_.size[axis] * (axis < kAxes - job_.rank ? 1 : shape_.across);
      const std::int64_t groups =
          (job_.extent[static_cast<std::size_t>(axis)] + size[axis] - 1) / size[axis];
      first[axis] = number % groups * size[axis];
      number /= groups;
    }
    bool is_listed = false;
    for_each_tile(first, size, [&](const std::int64_t(&tile)[kAxes], bool is_first) {
      if (is_first && tree_.count > 0)
        is_listed = list_all(box_of_cells<Coordinate>(job_, first, size));
      LanesOfTile cells(job_, tree_, shape_, tile);
      if (is_listed)
        cells.template compare<true>(memory_, chosen_for(tile));
      else if (tree_.count > 0)
        search_alone(cells, tile);
      write(cells);
      __syncwarp();
    });
  }

 private:
  /// Calls visit(first cell, whether it is the first call) for the tiles of a group that are left.
  template <class Visit>
  __device__ void for_each_tile(const std::int64_t (&first)[kAxes],
                                const std::int32_t (&size)[kAxes], const Visit& visit) const {
    bool is_first = true;
    for (std::int32_t z = 0; z < size[0]; z += shape_.size[0])
      for (std::int32_t y = 0; y < size[1]; y += shape_.size[1])
        for (std::int32_t x = 0; x < size[2]; x += shape_.size[2]) {
          const std::int64_t tile[kAxes] = {first[0] + z, first[1] + y, first[2] + x};
          if (tile[0] >= job_.extent[0] || tile[1] >= job_.extent[1] || tile[2] >= job_.extent[2] ||
              !remainder_.has(job_.rank, tile))
            continue;
          visit(tile, is_first);
          is_first = false;
        }
  }

  /// A bit for each listed point that may win in a box.
  __device__ std::uint64_t chosen_in(const Box& box) const {
    return PointChoice<Tree>(tree_, box, memory_.place, walk_.listed()).chosen();
  }
  __device__ std::uint64_t chosen_for(const std::int64_t (&tile)[kAxes]) const {
    if constexpr (!kLinear) return all_listed();
    return chosen_in(box_of_cells<Coordinate>(job_, tile, shape_.size));
  }
  __device__ std::uint64_t all_listed() const {
    return ~std::uint64_t{0} >> (kMostListed - walk_.listed());
  }

  /// Goes on with the walk; returns whether it has come to its end. It may have chosen from the
  /// list to make room, and stops when that is not enough.
  __device__ bool list_more(const Box& box) {
    while (!walk_.go_on()) {
      if constexpr (!kLinear) return false;
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

  __device__ void search_alone(LanesOfTile& cells, const std::int64_t (&tile)[kAxes]) {
    const Box box = box_of_cells<Coordinate>(job_, tile, shape_.size);
    walk_.begin(box);
    for (bool is_done = false; !is_done;) {
      is_done = list_more(box);
      if (walk_.listed() == 0) continue;
      cells.template compare<false>(memory_, all_listed());
      walk_.drop_listed(cells.greatest());
    }
  }

  __device__ void write(const LanesOfTile& cells) const {
    const bool simple = wants_simple_results(job_);
    cells.for_each([&](std::int64_t cell, std::uint32_t index, Scalar exact) {
      if (!simple) {
        const bool none = index == LanesOfTile::kNone;
        return write_point(job_, cell, none ? kUnreached : std::int64_t{index}, exact);
      }
      if (job_.out.labels)
        reinterpret_cast<std::uint32_t*>(job_.out.labels.bytes)[cell] =
            reinterpret_cast<const std::uint32_t*>(job_.labels.bytes)[index];
      if (job_.out.distance) write_distance(job_, cell, exact);
    });
  }

  const Job& job_;
  const Tree& tree_;
  const PointTileShape& shape_;
  const Remainder& remainder_;
  WalkMemory<Coordinate>& memory_;
  PointWalk<kMetric, Tree> walk_;
};

}  // namespace thiessen::cuda
