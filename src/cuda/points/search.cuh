// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest point, a tile of cells at a time.
//
// Points are sorted along a Hilbert curve. Each 32 of them in a row make a leaf of a tree, 32
// leaves a node above them, and so on: so the tree needs no links, and the lanes of a warp look at
// all children of a node at once. Tree: I. Kamel, C. Faloutsos, "On packing R-trees" (1993); curve:
// J. Skilling, "Programming the Hilbert curve" (2004); search by boxes: N. Roussopoulos, S. Kelley,
// F. Vincent, "Nearest neighbor queries" (1995).
//
// A warp has a tile of cells, some for each lane, and a bound: every cell of the tile has found a
// point with S <= bound. A box cannot hold a winner if its nearest place is farther than that from
// the nearest cell of the tile. It can if it is just as far, since the first of equally near points
// in the list wins. The first bound comes from the point at the end of a descent towards the middle
// of the tile, seen from the farthest cell. Points of the leaves that are left go into a list. When
// it is full, each cell is compared with all of them, and the bound falls to the greatest S of the
// tile.
//
// A box without extent holds one place. Only the first of its points in the list can win, and
// points in a leaf are in the order of the list. So many points at one place cost no more than one
// in each node. For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "core/measure.hpp"
#include "cuda/device/warp.cuh"
#include "cuda/job/limits.hpp"
#include "cuda/job/results.hpp"
#include "cuda/points/tree.hpp"

namespace thiessen::cuda {

/// The memory of a warp beside that of its lanes.
template <class Coordinate, class Scalar>
struct SearchMemory {
  static constexpr int kMostListed = 64;
  static_assert(kLimitsVary || PointLimits::kListedPoints <= kMostListed);
  static constexpr int kMostOpen = kChildren * kMostTreeLevels;

  PointPlace<Coordinate> place[kMostListed];
  std::uint32_t index[kMostListed];
  std::uint32_t open[kMostOpen];  ///< nodes still to be searched
  Scalar open_exact[kMostOpen];   ///< least S to them
};

/// A node in the list of those to be searched.
struct OpenNode {
  static constexpr std::uint32_t kIsPlace = 1u << 31;

  __device__ static std::uint32_t make(int level, std::int64_t node, bool is_place) {
    return static_cast<std::uint32_t>(node) | static_cast<std::uint32_t>(level) << 27 |
           (is_place ? kIsPlace : 0);
  }
  __device__ static int level(std::uint32_t open) { return static_cast<int>(open >> 27 & 15); }
  __device__ static std::int64_t node(std::uint32_t open) { return open & ((1u << 27) - 1); }
};

/// The winners of a lane's cells.
template <class Scalar, int kCells>
struct LaneWinners {
  static constexpr std::uint32_t kNone = ~0u;

  Scalar exact[kCells];
  std::uint32_t index[kCells];
};

/// write_result(), compiled once in a kernel for all cells of a lane.
template <class Scalar>
__device__ THIESSEN_NOINLINE void write_point(const Job& job, std::int64_t cell, std::int64_t point,
                                              Scalar exact) {
  write_result(job, cell, point, exact);
}

/// Whether only labels of four bytes are wanted, for every cell.
__device__ inline bool wants_labels_alone(const Job& job) {
  const Outputs& out = job.out;
  return out.labels.element == 4 && out.labels && out.site_index == nullptr && !out.distance &&
         out.squared == nullptr && out.offset == nullptr && out.direction == nullptr &&
         !job.limited && job.point_count > 0;
}

/// The search for one tile.
template <Metric kMetric, class Tree, int kCells>
class PointTileSearch {
 public:
  using Coordinate = typename Tree::Coordinate;
  using Scalar = typename Tree::Scalar;
  using Winners = LaneWinners<Scalar, kCells>;

  __device__ PointTileSearch(const Job& job, const Tree& tree, const PointTileShape& shape,
                             std::int64_t number, SearchMemory<Coordinate, Scalar>& memory)
      : job_(job),
        tree_(tree),
        shape_(shape),
        tile_(make_tile<Coordinate>(job, shape, number)),
        memory_(memory) {}

  __device__ const std::int64_t (&first_cell() const)[kAxes] { return tile_.first; }

  __device__ void run() {
    const int lane = lane_of_thread();
    const std::int32_t rest = lane / shape_.lanes[2];
    first_cell_ = {{static_cast<std::int32_t>(tile_.first[0]) + rest / shape_.lanes[1],
                    static_cast<std::int32_t>(tile_.first[1]) + rest % shape_.lanes[1],
                    static_cast<std::int32_t>(tile_.first[2]) + lane % shape_.lanes[2]}};
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i) {
      winners_.exact[i] = beyond_all<Scalar>();
      winners_.index[i] = Winners::kNone;
    }
    if (tree_.count > 0) search();
    write();
  }

 private:
  __device__ void search() {
    bound_ = greatest_to_box<kMetric>(tree_, tile_.box, tree_.place[descend()]);
    open_children(tree_.levels, 0);
    while (open_ > 0) {
      const std::uint32_t next = memory_.open[--open_];
      const Scalar exact = memory_.open_exact[open_];
      __syncwarp();
      if (bound_ < exact) continue;
      const int level = OpenNode::level(next);
      const std::int64_t node = OpenNode::node(next);
      if ((next & OpenNode::kIsPlace) != 0)
        list_points(node << 5 * (level + 1), 1);
      else if (level == 0)
        list_points(node * kChildren, kChildren);
      else
        open_children(level, node);
      if (listed_ > PointLimits::kListedPoints - kChildren) compare_listed();
    }
    compare_listed();
  }

  /// The number of children of a node; on level 0 they are points.
  __device__ std::int64_t children(int level) const {
    return level == 0 ? tree_.count : tree_.nodes[level - 1];
  }

  /// Finds a point near the middle of the tile: always goes on to the child whose box is nearest.
  __device__ std::int64_t descend() const {
    PointPlace<Coordinate> middle;
    THIESSEN_UNROLL
    for (int axis = 0; axis < kAxes; ++axis)
      middle.at[axis] = tile_.box.low[axis] + (tile_.box.high[axis] - tile_.box.low[axis]) / 2;
    std::int64_t node = 0;
    for (int level = tree_.levels; level >= 0; --level) {
      const std::int64_t child = node * kChildren + lane_of_thread();
      Scalar exact = beyond_all<Scalar>();
      if (child < children(level))
        exact = greatest_to_box<kMetric>(tree_, box_of_child(level, child), middle);
      node = node * kChildren + lane_of_least(exact);
    }
    return node;
  }

  __device__ PointBox<Coordinate> box_of_child(int level, std::int64_t child) const {
    if (level > 0) return tree_.box[level - 1][child];
    return box_of_place(tree_.place[child]);
  }

  /// Adds the children of a node that may hold a winner to those to be searched, the nearest one
  /// first.
  __device__ void open_children(int level, std::int64_t node) {
    const int lane = lane_of_thread();
    const std::int64_t own = node * kChildren + lane;
    bool counts = false;
    Scalar exact = beyond_all<Scalar>();
    std::uint32_t child = 0;
    if (own < children(level)) {
      const PointBox<Coordinate> box = box_of_child(level, own);
      exact = least_to_box<kMetric>(tree_, tile_, box);
      counts = !(bound_ < exact);
      child = OpenNode::make(level - 1, own, box.is_place());
    }
    const std::uint32_t some = __ballot_sync(~0u, counts);
    if (some == 0) return;
    const int nearest = lane_of_least(exact);
    const int last = open_ + __popc(some) - 1;
    if (counts) {
      const std::uint32_t before = some & ((1u << lane) - 1);
      const int at = open_ + __popc(before) - (nearest < lane ? 1 : 0);
      memory_.open[lane == nearest ? last : at] = child;
      memory_.open_exact[lane == nearest ? last : at] = exact;
    }
    open_ = last + 1;
    __syncwarp();
  }

  /// Lists those of the points that may win. Each of them lowers the bound to its S seen from the
  /// farthest cell.
  __device__ void list_points(std::int64_t first, int count) {
    const int lane = lane_of_thread();
    const std::int64_t own = first + lane;
    const bool exists = lane < count && own < tree_.count;
    PointPlace<Coordinate> place{};
    Scalar farthest = bound_;
    if (exists) {
      place = tree_.place[own];
      farthest = greatest_to_box<kMetric>(tree_, tile_.box, place);
    }
    const Scalar bound = least_of_warp(farthest);
    if (bound < bound_) bound_ = bound;
    const bool counts =
        exists && !(bound_ < least_to_box<kMetric>(tree_, tile_, box_of_place(place)));
    const std::uint32_t some = __ballot_sync(~0u, counts);
    if (counts) {
      const int at = listed_ + __popc(some & ((1u << lane) - 1));
      memory_.place[at] = place;
      memory_.index[at] = tree_.index[own];
    }
    listed_ += __popc(some);
    __syncwarp();
  }

  __device__ bool has_cell(int i) const {
    return first_cell_.at[2] < job_.extent[2] &&
           first_cell_.at[1] + shape_.cell_y[i] < job_.extent[1] &&
           first_cell_.at[0] + shape_.cell_z[i] < job_.extent[0];
  }

  __device__ Coordinate place_of_cell(std::int64_t cell) const {
    return static_cast<Coordinate>(cell << job_.fraction_bits);
  }

  __device__ void compare_listed() {
    const Coordinate x = place_of_cell(first_cell_.at[2]);
    const Coordinate y = place_of_cell(first_cell_.at[1]);
    const Coordinate z = place_of_cell(first_cell_.at[0]);
    for (int at = 0; at < listed_; ++at) {
      const PointPlace<Coordinate> place = memory_.place[at];
      const std::uint32_t index = memory_.index[at];
      const Scalar in_x = measure_between<kMetric>(tree_, 2, x, place.at[2]);
      THIESSEN_UNROLL
      for (int i = 0; i < kCells; ++i) {
        Scalar exact = join<kMetric>(
            in_x,
            measure_between<kMetric>(tree_, 1, y + place_of_cell(shape_.cell_y[i]), place.at[1]));
        if (job_.rank == 3)
          exact = join<kMetric>(
              exact,
              measure_between<kMetric>(tree_, 0, z + place_of_cell(shape_.cell_z[i]), place.at[0]));
        const bool wins =
            exact < winners_.exact[i] || (exact == winners_.exact[i] && index < winners_.index[i]);
        winners_.exact[i] = wins ? exact : winners_.exact[i];
        winners_.index[i] = wins ? index : winners_.index[i];
      }
    }
    Scalar most = 0;
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i)
      if (has_cell(i) && most < winners_.exact[i]) most = winners_.exact[i];
    const Scalar bound = greatest_of_warp(most);
    if (bound < bound_) bound_ = bound;
    listed_ = 0;
    __syncwarp();
  }

  __device__ void write() const {
    const bool simple = wants_labels_alone(job_);
    THIESSEN_UNROLL
    for (int i = 0; i < kCells; ++i) {
      if (!has_cell(i)) continue;
      const std::int64_t cell =
          to_index(job_.extent, {first_cell_.at[0] + shape_.cell_z[i],
                                 first_cell_.at[1] + shape_.cell_y[i], first_cell_.at[2]});
      const std::uint32_t index = winners_.index[i];
      if (simple) {
        reinterpret_cast<std::uint32_t*>(job_.out.labels.bytes)[cell] =
            reinterpret_cast<const std::uint32_t*>(job_.labels.bytes)[index];
        continue;
      }
      const bool none = index == Winners::kNone;
      write_point(job_, cell, none ? kUnreached : std::int64_t{index}, winners_.exact[i]);
    }
  }

  const Job& job_;
  const Tree& tree_;
  const PointTileShape& shape_;
  PointTile<Coordinate> tile_;
  SearchMemory<Coordinate, Scalar>& memory_;
  PointPlace<std::int32_t> first_cell_;
  Winners winners_;
  Scalar bound_ = 0;
  int open_ = 0;
  int listed_ = 0;
};

}  // namespace thiessen::cuda
