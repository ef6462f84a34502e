// SPDX-License-Identifier: Apache-2.0
//
// Searches in the pyramid: the nearest site of a cell by a warp, and by a block the sites that a
// box of cells needs.
#pragma once

#include <cstdint>
#include <limits>

#include "cuda/bits.hpp"
#include "cuda/prune.hpp"
#include "cuda/pyramid.hpp"
#include "cuda/tile.hpp"

namespace thiessen::cuda {

inline constexpr int kBlockWarps = 8;
inline constexpr int kBlockThreads = kBlockWarps * kLanes;

/// What the searches look at.
struct Field {
  Job job;
  Bits bits;
  Pyramid pyramid;
};

__device__ inline int lane_of_thread() { return static_cast<int>(threadIdx.x % kLanes); }
__device__ inline int warp_of_thread() { return static_cast<int>(threadIdx.x / kLanes); }

/// The least of the lanes' values.
template <class Scalar>
__device__ Scalar least_of_warp(Scalar own) {
#if __CUDA_ARCH__ >= 800
  if constexpr (sizeof(Scalar) == 4) return __reduce_min_sync(~0u, own);
#endif
  for (int step = kLanes / 2; step > 0; step /= 2) {
    const Scalar other = __shfl_xor_sync(~0u, own, step);
    if (other < own) own = other;
  }
  return own;
}

/// The cells of a node that the raster has.
__device__ inline Box box_of(const Job& job, const Pyramid::Level& level, const Node& node) {
  Box box;
#pragma unroll
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::int64_t end = (node.at[axis] + std::int64_t{1}) << level.size_log2[axis];
    box.low[axis] = node.at[axis] << level.size_log2[axis];
    box.high[axis] = static_cast<std::int32_t>(min(end, job.extent[axis]) - 1);
  }
  return box;
}

/// The cells of a lane's row of a tile that are sites.
template <int kRank>
__device__ std::uint32_t load_tile_row(const Field& field, const Node& tile, Place& first) {
  constexpr int kHeight = tile_size<kRank>(1);
  const int lane = lane_of_thread();
  first = {{tile.at[0] * tile_size<kRank>(0) + lane / kHeight,
            tile.at[1] * kHeight + lane % kHeight, tile.at[2] * kLanes}};
  if (first.at[0] >= field.job.extent[0] || first.at[1] >= field.job.extent[1]) return 0;
  return field.bits
      .words[(first.at[0] * field.job.extent[1] + first.at[1]) * field.bits.row_words + tile.at[2]];
}

/// How a warp got down to a node.
struct WarpPath {
  std::uint32_t rest[Pyramid::kMostLevels];  ///< children still to be looked at
  Node node[Pyramid::kMostLevels];
};

/// A site of the lane's row that is as near to a column as any of it.
__device__ inline std::int32_t nearest_in_row(std::uint32_t row, std::int32_t first,
                                              std::int32_t x) {
  const std::int32_t at = min(max(x - first, 0), kLanes - 1);
  const std::uint32_t left = row & (~0u >> (kLanes - 1 - at));
  const std::uint32_t right = row & (~0u << at);
  const std::int32_t from_left = first + (kLanes - 1 - __clz(static_cast<int>(left)));
  const std::int32_t from_right = first + __ffs(static_cast<int>(right)) - 1;
  if (left == 0) return from_right;
  if (right == 0) return from_left;
  return abs(x - from_left) <= abs(x - from_right) ? from_left : from_right;
}

/// Finds a site that is as near to `from` as any; false if there is none in its layer. Depth first,
/// the nearest child first.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool find_nearest(const Field& field, const Ruler<kMetric, kRank, Scalar>& ruler,
                             const Place& from, WarpPath& path, Place& nearest) {
  constexpr Scalar kNone = std::numeric_limits<Scalar>::max();
  const Pyramid& pyramid = field.pyramid;
  const int lane = lane_of_thread();
  Scalar least = kNone;
  int k = pyramid.top;
  Node node{{kRank == 2 ? from.at[0] : 0, 0, 0}};
  std::uint32_t rest = pyramid.level[k].children[number_of(pyramid.level[k], node)];
  while (true) {
    const Pyramid::Level& below = pyramid.level[k - 1];
    Scalar own = kNone;
    const Node child = child_of(pyramid.level[k], node, lane);
    if (rest >> lane & 1) own = ruler.to_box(from, box_of(field.job, below, child));
    const Scalar nearest_child = least_of_warp(own);
    if (rest == 0 || nearest_child >= least) {
      if (++k > pyramid.top) break;
      rest = path.rest[k];
      node = path.node[k];
      continue;
    }
    const int chosen = __ffs(static_cast<int>(__ballot_sync(~0u, own == nearest_child))) - 1;
    rest &= ~(1u << chosen);
    const Node next = child_of(pyramid.level[k], node, chosen);
    if (k > 1) {
      __syncwarp();
      if (lane == 0) {
        path.rest[k] = rest;
        path.node[k] = node;
      }
      __syncwarp();
      --k;
      node = next;
      rest = pyramid.level[k].children[number_of(pyramid.level[k], node)];
      continue;
    }
    Place site;
    const std::uint32_t row = load_tile_row<kRank>(field, next, site);
    own = kNone;
    if (row != 0) {
      site.at[2] = nearest_in_row(row, site.at[2], from.at[2]);
      own = ruler.between(site, from);
    }
    const Scalar found = least_of_warp(own);
    if (found >= least) continue;
    least = found;
    const int finder = __ffs(static_cast<int>(__ballot_sync(~0u, own == found))) - 1;
#pragma unroll
    for (int axis = 0; axis < kAxes; ++axis)
      nearest.at[axis] = __shfl_sync(~0u, site.at[axis], finder);
  }
  return least != kNone;
}

/// Sites that a block has gathered, and the nodes that it has still to look at, each a number with
/// its level above it.
template <int kMostSites>
struct Gathered {
  static constexpr int kMost = kMostSites;
  static constexpr int kLevelShift = 29;
  /// A round takes a node for each warp from the top and puts back at most 32 for each; nodes lie
  /// above those of the next higher level.
  static constexpr int kMostNodes = kBlockWarps * kLanes * Pyramid::kMostLevels;

  std::uint32_t node[kMostNodes];
  Place site[kMost];
  std::int32_t nodes;
  std::int32_t sites;
  std::int32_t reserved;  ///< places for sites that may be needed
  std::int32_t full;      ///< a node had to be put back
};

/// Appends a lane's value to an array that the block shares, if `wanted`.
template <class T>
__device__ void append(T* array, std::int32_t& count, bool wanted, const T& value) {
  const std::uint32_t wanting = __ballot_sync(~0u, wanted);
  std::int32_t first = 0;
  if (wanting != 0 && lane_of_thread() == 0) first = atomicAdd(&count, __popc(wanting));
  first = __shfl_sync(~0u, first, 0);
  if (wanted) array[first + __popc(wanting & ((1u << lane_of_thread()) - 1))] = value;
}

/// Without the sites whose neighbours along all axes are sites of the same tile: a cell elsewhere
/// has one of these nearer.
template <int kRank>
__device__ std::uint32_t without_inner(std::uint32_t row) {
  constexpr int kHeight = tile_size<kRank>(1);
  const int lane = lane_of_thread();
  const std::uint32_t up = __shfl_up_sync(~0u, row, 1);
  const std::uint32_t down = __shfl_down_sync(~0u, row, 1);
  std::uint32_t inner = row & row << 1 & row >> 1 & up & down;
  if (lane % kHeight == 0 || lane % kHeight == kHeight - 1) inner = 0;
  if constexpr (kRank == 3) {
    inner &= __shfl_up_sync(~0u, row, kHeight) & __shfl_down_sync(~0u, row, kHeight);
    if (lane < kHeight || lane >= kLanes - kHeight) inner = 0;
  }
  return row & ~inner;
}

template <int kRank, class Prune, class List>
__device__ void gather_tile(const Field& field, const Prune& pruner, std::uint32_t entry,
                            const Node& tile, bool drop_inner, List& list) {
  Place first;
  std::uint32_t row = load_tile_row<kRank>(field, tile, first);
  const std::uint32_t border = without_inner<kRank>(row);
  if (drop_inner && !overlap(box_of(field.job, field.pyramid.level[0], tile), pruner.box()))
    row = border;
  const std::int32_t most = DeviceWarp::sum({__popc(row)});
  std::int32_t room = 0;
  if (lane_of_thread() == 0) {
    room = List::kMost - atomicAdd(&list.reserved, most) - most;
    if (room < 0) {
      list.full = 1;
      list.node[atomicAdd(&list.nodes, 1)] = entry;
    }
  }
  if (__shfl_sync(~0u, room, 0) < 0) return;
  while (__any_sync(~0u, row != 0)) {
    Place site = first;
    site.at[2] += __ffs(static_cast<int>(row)) - 1;
    append(list.site, list.sites, row != 0 && pruner.may_need(site), site);
    row &= row - 1;
  }
}

/// A warp replaces a node by its children that the box may need, or a tile by its sites.
template <int kRank, class Prune, class List>
__device__ void expand(const Field& field, const Prune& pruner, std::uint32_t entry,
                       bool drop_inner, List& list) {
  const int k = static_cast<int>(entry >> List::kLevelShift);
  const Pyramid::Level& level = field.pyramid.level[k];
  const std::uint32_t number = entry & ((1u << List::kLevelShift) - 1);
  const Node node = node_of(level, number);
  if (k == 0) return gather_tile<kRank>(field, pruner, entry, node, drop_inner, list);
  const Pyramid::Level& below = field.pyramid.level[k - 1];
  const Node child = child_of(level, node, lane_of_thread());
  bool wanted = (level.children[number] >> lane_of_thread() & 1) != 0;
  if (wanted) wanted = pruner.may_need(box_of(field.job, below, child));
  const auto next = static_cast<std::uint32_t>(k - 1) << List::kLevelShift |
                    static_cast<std::uint32_t>(wanted ? number_of(below, child) : 0);
  append(list.node, list.nodes, wanted, next);
}

/// A block gathers the sites that the box of the pruner needs. Whenever they are more than the list
/// takes, on_full() is asked: true if it has used up the list, false to give up. Returns whether
/// all were gathered; the list then has the last of them. All threads of the block take part.
template <int kRank, class Prune, class List, class OnFull>
__device__ bool gather_sites(const Field& field, const Prune& pruner, bool drop_inner, List& list,
                             const OnFull& on_full) {
  const int top = field.pyramid.top;
  if (threadIdx.x == 0) {
    const std::int64_t layer = kRank == 2 ? pruner.box().low[0] : 0;
    list.node[0] =
        static_cast<std::uint32_t>(top) << List::kLevelShift | static_cast<std::uint32_t>(layer);
    list.nodes = 1;
    list.sites = list.reserved = list.full = 0;
  }
  __syncthreads();
  while (list.nodes > 0) {
    const std::int32_t nodes = list.nodes;
    const std::int32_t own = nodes - 1 - warp_of_thread();
    const std::uint32_t entry = own >= 0 ? list.node[own] : 0;
    __syncthreads();
    if (threadIdx.x == 0) list.nodes = max(nodes - kBlockWarps, 0);
    __syncthreads();
    if (own >= 0) expand<kRank>(field, pruner, entry, drop_inner, list);
    __syncthreads();
    if (list.full != 0) {
      if (!on_full()) return false;
      __syncthreads();
      if (threadIdx.x == 0) list.sites = list.full = 0;
      __syncthreads();
    }
    if (threadIdx.x == 0) list.reserved = list.sites;
    __syncthreads();
  }
  return true;
}

}  // namespace thiessen::cuda
