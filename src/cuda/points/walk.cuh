// SPDX-License-Identifier: Apache-2.0
//
// A warp lists the points that may win in a box of cells.
//
// It walks through the tree (tree.hpp) with a bound: every cell of the box has a point with
// S <= bound. A box of points cannot hold a winner if its nearest place is farther than that from
// the nearest cell. It can if it is just as far, since the first of equally near points in the list
// wins. The first bound comes from points that are known from the box before, else from the point
// at the end of a descent towards the middle of the box. Each point that is listed lowers the
// bound to its S seen from the farthest cell. Search by boxes: N. Roussopoulos, S. Kelley,
// F. Vincent, "Nearest neighbor queries" (1995).
//
// A box without extent holds one place. Only the first of its points in the list can win, and
// points in a leaf are in the order of the list. So many points at one place cost no more than one
// in each node.
//
// With weights, bounds are those of keys in place of S (keys.hpp). Among points at one place the
// one with the greatest weight wins. Where keys divide by weights, all are 0 at that place itself,
// so that the first one in the list is listed, too. For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "cuda/device/warp.cuh"
#include "cuda/job/limits.hpp"
#include "cuda/points/keys.hpp"
#include "cuda/points/tree.hpp"

namespace thiessen::cuda::points {

inline constexpr int kMostListed = 2 * kLanes;
static_assert(kLimitsVary || PointLimits::kListedPoints <= kMostListed);

template <bool kHasWeights>
struct ListedNumbers {
  double number[kMostListed];  ///< of the points that are listed (keys.hpp)
};
template <>
struct ListedNumbers<false> {};

/// The memory of a warp beside that of its lanes.
template <class Tree>
struct WalkMemory : ListedNumbers<Tree::kHasWeights> {
  using Coordinate = typename Tree::Coordinate;
  static constexpr int kMostOpen = kChildren * kMostTreeLevels;

  __device__ double number_at(int at) const {
    if constexpr (Tree::kHasWeights) return this->number[at];
    return 0;
  }

  PointPlace<Coordinate> place[kMostListed];  ///< of the points that are listed
  std::uint32_t index[kMostListed];           ///< their numbers in the caller's list
  std::uint32_t open[kMostOpen];              ///< nodes still to be searched
  float open_least[kMostOpen];                ///< a lower bound of S or keys to them
};

/// A node in the list of those to be searched.
struct OpenNode {
  static constexpr std::uint32_t kIsPlace = 1u << 31;

  __device__ static std::uint32_t make(int level, std::uint32_t node, bool is_place) {
    return node | static_cast<std::uint32_t>(level) << 27 | (is_place ? kIsPlace : 0);
  }
  __device__ static int level(std::uint32_t open) { return static_cast<int>(open >> 27 & 15); }
  __device__ static std::uint32_t node(std::uint32_t open) { return open & ((1u << 27) - 1); }
};

template <Metric kMetric, class Tree>
class PointWalk {
 public:
  using Coordinate = typename Tree::Coordinate;
  using Box = PointBox<Coordinate>;
  static constexpr Weighting kWeighting = Tree::kWeighting;

  __device__ PointWalk(const Tree& tree, WalkMemory<Tree>& memory) : tree_(tree), memory_(memory) {}

  /// Begins anew, with an empty list. The tree has points.
  __device__ void begin(const Box& box) {
    box_ = box;
    bound_ = first_bound();
    __syncwarp();
    listed_ = 0;
    open_ = 1;
    memory_.open[0] = OpenNode::make(tree_.levels, 0, false);
    memory_.open_least[0] = -kFloatBeyondAll;
    __syncwarp();
  }

  /// Lists points until all that may win are listed, or until there may be no room for those of
  /// another leaf. Returns whether it has come to the end.
  __device__ bool go_on() {
    while (open_ > 0) {
      if (listed_ > PointLimits::kListedPoints - kChildren) return false;
      const std::uint32_t next = memory_.open[--open_];
      const float least = memory_.open_least[open_];
      __syncwarp();
      if (least > bound_) continue;
      const int level = OpenNode::level(next);
      const std::uint32_t node = OpenNode::node(next);
      if ((next & OpenNode::kIsPlace) != 0)
        list_place(level, node);
      else if (level == 0)
        list_points(node * kChildren + static_cast<std::uint32_t>(lane_of_thread()), true);
      else
        open_children(level, node);
    }
    return true;
  }

  __device__ int listed() const { return listed_; }

  /// Takes all points from the list; every cell of the box has found one with S, or a
  /// key, <= bound.
  __device__ void drop_listed(float bound) {
    if (bound < bound_) bound_ = bound;
    listed_ = 0;
  }

  /// Keeps only the points of which `chosen` has a bit, in their order.
  __device__ void keep(std::uint64_t chosen) { rearrange(chosen, place_of_bit(chosen)); }

  /// Puts the points in the order of the caller's list.
  __device__ void sort() {
    Places places{};
    for (int at = 0; at < listed_; ++at) {
      const std::uint32_t index = memory_.index[at];
      for (int i = 0; i < 2; ++i) places.of[i] += index < memory_.index[own(i)] ? 1 : 0;
    }
    rearrange(bits_below(listed_), places);
  }

 private:
  /// The new places of the two points that a lane takes care of: those at its number, and kLanes
  /// behind it.
  struct Places {
    int of[2];
  };

  __device__ static int own(int i) { return lane_of_thread() + i * kLanes; }
  __device__ static std::uint64_t bits_below(int count) {
    return count == kMostListed ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }
  __device__ static Places place_of_bit(std::uint64_t chosen) {
    const auto low = static_cast<std::uint32_t>(chosen);
    const auto high = static_cast<std::uint32_t>(chosen >> kLanes);
    const std::uint32_t before = (1u << lane_of_thread()) - 1;
    return {{__popc(low & before), __popc(low) + __popc(high & before)}};
  }

  __device__ void rearrange(std::uint64_t chosen, const Places& to) {
    PointPlace<Coordinate> place[2];
    std::uint32_t index[2];
    double number[2];
    for (int i = 0; i < 2; ++i) {
      place[i] = memory_.place[own(i)];
      index[i] = memory_.index[own(i)];
      number[i] = memory_.number_at(own(i));
    }
    __syncwarp();
    for (int i = 0; i < 2; ++i) {
      if ((chosen >> own(i) & 1) == 0) continue;
      memory_.place[to.of[i]] = place[i];
      memory_.index[to.of[i]] = index[i];
      if constexpr (Tree::kHasWeights) memory_.number[to.of[i]] = number[i];
    }
    listed_ = __popcll(chosen);
    __syncwarp();
  }

  __device__ float first_bound() const {
    if (known_ == 0) {
      const std::uint32_t near = descend();
      return greatest_of(tree_.place[near], number_of(near));
    }
    float most = kFloatBeyondAll;
    for (int i = 0; i < 2; ++i)
      if (own(i) < known_)
        most = fminf(most, greatest_of(memory_.place[own(i)], memory_.number_at(own(i))));
    return least_float_of_warp(most);
  }

  /// S, or the key, of a point is at most this in the box.
  __device__ float greatest_of(const PointPlace<Coordinate>& place, double number) const {
    return greatest_key<kWeighting>(greatest_to_box<kMetric>(tree_, box_, place), number);
  }
  /// It is at least this for the points of a box.
  __device__ float least_of(const Box& box, float strongest) const {
    return least_key<kWeighting>(least_between<kMetric>(tree_, box_, box), strongest);
  }
  __device__ double number_of(std::uint32_t point) const {
    if constexpr (Tree::kHasWeights) return tree_.number[point];
    return 0;
  }
  __device__ float strongest_of_child(int level, std::uint32_t child) const {
    if constexpr (!Tree::kHasWeights) return 0;
    if (level > 0) return tree_.node_weight[level - 1][child].strongest;
    return stronger<kWeighting>(tree_.number[child]);
  }

  /// The least of the lanes' numbers.
  __device__ static float least_float_of_warp(float own) {
    return float_of_order(least_of_warp(order_of_float(own)));
  }

  /// The number of nodes that are children on a level; on level 0 they are points.
  __device__ std::uint32_t children(int level) const {
    return static_cast<std::uint32_t>(level == 0 ? tree_.count : tree_.nodes[level - 1]);
  }

  /// Finds a point near the middle of the box: always goes on to the child whose box is nearest,
  /// or may have the least key.
  __device__ std::uint32_t descend() const {
    PointPlace<Coordinate> middle;
    THIESSEN_UNROLL
    for (int axis = 0; axis < kAxes; ++axis)
      middle.at[axis] = box_.low[axis] + (box_.high[axis] - box_.low[axis]) / 2;
    std::uint32_t node = 0;
    for (int level = tree_.levels; level >= 0; --level) {
      const std::uint32_t child = node * kChildren + static_cast<std::uint32_t>(lane_of_thread());
      float most = kFloatBeyondAll;
      if (child < children(level))
        most = greatest_key<kWeighting>(
            greatest_to_box<kMetric>(tree_, box_of_child(level, child), middle),
            strongest_of_child(level, child));
      node = node * kChildren + static_cast<std::uint32_t>(lane_of_least(order_of_float(most)));
    }
    return node;
  }

  __device__ Box box_of_child(int level, std::uint32_t child) const {
    if (level > 0) return tree_.box[level - 1][child];
    return box_of_place(tree_.place[child]);
  }

  /// Adds the children of a node that may hold a winner to those to be searched, the nearest one
  /// first.
  __device__ void open_children(int level, std::uint32_t node) {
    const int lane = lane_of_thread();
    const std::uint32_t own = node * kChildren + static_cast<std::uint32_t>(lane);
    float least = kFloatBeyondAll;
    std::uint32_t child = 0;
    if (own < children(level)) {
      const Box box = box_of_child(level, own);
      least = least_of(box, strongest_of_child(level, own));
      child = OpenNode::make(level - 1, own, box.is_place());
    }
    const bool counts = own < children(level) && !(least > bound_);
    const std::uint32_t some = __ballot_sync(~0u, counts);
    if (some == 0) return;
    const int nearest = lane_of_least(order_of_float(counts ? least : kFloatBeyondAll));
    const int last = open_ + __popc(some) - 1;
    if (counts) {
      const std::uint32_t before = some & ((1u << lane) - 1);
      const int at = open_ + __popc(before) - (nearest < lane ? 1 : 0);
      memory_.open[lane == nearest ? last : at] = child;
      memory_.open_least[lane == nearest ? last : at] = least;
    }
    open_ = last + 1;
    __syncwarp();
  }

  /// Lists the points of a node at one place that may win.
  __device__ void list_place(int level, std::uint32_t node) {
    const int lane = lane_of_thread();
    const std::uint32_t first = node << 5 * (level + 1);
    if constexpr (Tree::kHasWeights) {
      const std::uint32_t best = tree_.node_weight[level][node].best;
      const bool has_first = kWeighting == Weighting::multiplicative && first != best;
      list_points(lane == 0 ? best : first, lane == 0 || (lane == 1 && has_first));
    } else {
      list_points(first, lane == 0);
    }
  }

  /// Lists those of the lanes' points that may win.
  __device__ void list_points(std::uint32_t own, bool has_own) {
    const int lane = lane_of_thread();
    const bool exists = has_own && own < children(0);
    PointPlace<Coordinate> place{};
    double number = 0;
    float farthest = bound_;
    if (exists) {
      place = tree_.place[own];
      number = number_of(own);
      farthest = fminf(farthest, greatest_of(place, number));
    }
    bound_ = least_float_of_warp(farthest);
    const bool counts =
        exists && !(least_of(box_of_place(place), stronger<kWeighting>(number)) > bound_);
    const std::uint32_t some = __ballot_sync(~0u, counts);
    if (counts) {
      const int at = listed_ + __popc(some & ((1u << lane) - 1));
      memory_.place[at] = place;
      memory_.index[at] = tree_.index[own];
      if constexpr (Tree::kHasWeights) memory_.number[at] = number;
    }
    listed_ += __popc(some);
    known_ = max(known_, listed_);
    __syncwarp();
  }

  const Tree& tree_;
  WalkMemory<Tree>& memory_;
  Box box_;
  float bound_ = 0;
  int open_ = 0;
  int listed_ = 0;
  int known_ = 0;  ///< so many places of the list hold points, of this box or of earlier ones
};

}  // namespace thiessen::cuda::points
