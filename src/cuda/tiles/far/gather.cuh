// SPDX-License-Identifier: Apache-2.0
//
// Searches in the pyramid: a warp searches a site close to a cell, a block the sites that a box of
// cells needs.
#pragma once

#include <cstdint>
#include <cub/block/block_merge_sort.cuh>
#include <limits>

#include "cuda/device/warp.cuh"
#include "cuda/job/limits.hpp"
#include "cuda/job/site_bits.hpp"
#include "cuda/job/tile.hpp"
#include "cuda/tiles/far/pyramid.hpp"
#include "cuda/tiles/job/dominators.cuh"
#include "cuda/tiles/job/prune.hpp"

namespace thiessen::cuda::tiles {

inline constexpr int kBlockWarps = 8;
inline constexpr int kBlockThreads = kBlockWarps * kLanes;

/// The points of a block whose nearest sites become dominators.
template <int kRank>
using BlockLattice = Lattice<kRank, kRank == 2 ? 4 : 3>;
template <Metric kMetric, int kRank, class Scalar>
using BlockPruner = Pruner<kMetric, kRank, Scalar, BlockLattice<kRank>>;

/// The data that searches read.
struct Field {
  Job job;
  Bits bits;
  Pyramid pyramid;
};

__device__ inline int warp_of_thread() { return static_cast<int>(threadIdx.x / kLanes); }

/// The cells of a node that lie in the raster.
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

/// The site of the lane's row that is nearest to a column.
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

/// Goes down to a site that is likely to be among the nearest, always into the nearest child of a
/// node. Returns false if the layer of `from` has no site.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool find_close(const Field& field, const Ruler<kMetric, kRank, Scalar>& ruler,
                           const Place& from, Place& close) {
  constexpr Scalar kNone = std::numeric_limits<Scalar>::max();
  const Pyramid& pyramid = field.pyramid;
  const int lane = lane_of_thread();
  Node node{{kRank == 2 ? from.at[0] : 0, 0, 0}};
  for (int k = pyramid.top; k > 0; --k) {
    const Pyramid::Level& level = pyramid.level[k];
    const std::uint32_t children = level.children[number_of(level, node)];
    if (children == 0) return false;
    Scalar own = kNone;
    if (children >> lane & 1)
      own =
          ruler.to_box(from, box_of(field.job, pyramid.level[k - 1], child_of(level, node, lane)));
    const Scalar nearest = least_of_warp(own);
    const int chosen = __ffs(static_cast<int>(__ballot_sync(~0u, own == nearest))) - 1;
    node = child_of(level, node, chosen);
  }
  Place site;
  const std::uint32_t row = load_tile_row<kRank>(field, node, site);
  Scalar own = kNone;
  if (row != 0) {
    site.at[2] = nearest_in_row(row, site.at[2], from.at[2]);
    own = ruler.between(site, from);
  }
  const Scalar nearest = least_of_warp(own);
  const int finder = __ffs(static_cast<int>(__ballot_sync(~0u, own == nearest))) - 1;
#pragma unroll
  for (int axis = 0; axis < kAxes; ++axis) close.at[axis] = __shfl_sync(~0u, site.at[axis], finder);
  return true;
}

/// The nodes that a block still has to look at, each a number with its level above it.
struct Stack {
  static constexpr int kLevelShift = 29;
  /// Nodes are taken from the top, and their children put there. While at least half of the places
  /// are free, a block takes as many nodes as the free places have room for their children. It
  /// always takes one for each warp; the depth of the pyramid bounds their number, so the other
  /// half is enough for that.
  static constexpr int kMost = 2 * kBlockWarps * kLanes * Pyramid::kMostLevels;
  static constexpr int kMostTaken = kMost / 2 / kLanes;
  static_assert(kLimitsVary || TileLimits::kSpareNodes <= kMost / 2);

  std::uint32_t node[kMost];

  THIESSEN_HD static constexpr int round(std::int32_t nodes) {
    const int room = (TileLimits::kSpareNodes - nodes) / kLanes;
    const int most = room > kBlockWarps ? room : kBlockWarps;
    return nodes < most ? nodes : most;
  }
};

/// Sites that a block has gathered.
struct Gathered {
  /// A list that is not given up has room for the sites of one more tile: so no node is put back
  /// forever.
  static constexpr int kMost = 2 * kTileCells;
  static_assert(kLimitsVary || TileLimits::kGatheredSites <= kMost);

  Packed site[kMost];  ///< sorted by index at the end
  std::int32_t nodes;  ///< number of nodes on the stack
  std::int32_t sites;
  std::int32_t reserved;           ///< places for sites that may be needed
  std::int32_t full;               ///< a node had to be put back
  std::int32_t kept[kBlockWarps];  ///< by each warp, in refine()
};

/// Empties a list, for all threads of the block.
__device__ inline void clear(Gathered& list) {
  if (threadIdx.x == 0) list.sites = 0;
  __syncthreads();
}

template <Metric kMetric, int kRank, class Scalar>
__device__ void gather_tile(const Field& field, const BlockPruner<kMetric, kRank, Scalar>& pruner,
                            std::uint32_t entry, const Node& tile, Stack& stack, Gathered& list) {
  Place first;
  std::uint32_t row = load_tile_row<kRank>(field, tile, first);
  const std::int32_t most = sum_of_warp(__popc(row));
  std::int32_t room = 0;
  if (lane_of_thread() == 0) {
    room = TileLimits::kGatheredSites - atomicAdd(&list.reserved, most) - most;
    if (room < 0) {
      list.full = 1;
      stack.node[atomicAdd(&list.nodes, 1)] = entry;
    }
  }
  if (__shfl_sync(~0u, room, 0) < 0) return;
  while (__any_sync(~0u, row != 0)) {
    Place site = first;
    site.at[2] += __ffs(static_cast<int>(row)) - 1;
    append(list.site, list.sites, row != 0 && pruner.may_need(site), pack(site));
    row &= row - 1;
  }
}

/// A warp replaces a node by its children that the box may need, or a tile by its sites.
template <Metric kMetric, int kRank, class Scalar>
__device__ void expand(const Field& field, const BlockPruner<kMetric, kRank, Scalar>& pruner,
                       std::uint32_t entry, Stack& stack, Gathered& list) {
  const int k = static_cast<int>(entry >> Stack::kLevelShift);
  const Pyramid::Level& level = field.pyramid.level[k];
  const std::uint32_t number = entry & ((1u << Stack::kLevelShift) - 1);
  const Node node = node_of(level, number);
  if (k == 0) return gather_tile(field, pruner, entry, node, stack, list);
  const Pyramid::Level& below = field.pyramid.level[k - 1];
  const Node child = child_of(level, node, lane_of_thread());
  bool wanted = (level.children[number] >> lane_of_thread() & 1) != 0;
  if (wanted) wanted = pruner.may_need(box_of(field.job, below, child));
  const auto next = static_cast<std::uint32_t>(k - 1) << Stack::kLevelShift |
                    (wanted ? number_of(below, child) : 0);
  append(stack.node, list.nodes, wanted, next);
}

/// The search of a block: the sites that a box needs.
template <Metric kMetric, int kRank, class Scalar>
struct Request {
  const Field& field;
  const Ruler<kMetric, kRank, Scalar>& ruler;
  Box box;
  Place* dominators;  ///< in the memory of the block

  __device__ BlockPruner<kMetric, kRank, Scalar> pruner() const { return {ruler, box, dominators}; }
};

/// Finds sites to start with as dominators; false if there is no site at all. All threads of the
/// block take part, here and in the functions below.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool find_first(const Request<kMetric, kRank, Scalar>& request) {
  using Points = BlockLattice<kRank>;
  bool found = true;
  for (int i = warp_of_thread(); i < Points::kPoints; i += kBlockWarps) {
    Place close{};
    found = find_close(request.field, request.ruler, Points::point(request.box, i), close);
    if (lane_of_thread() == 0) request.dominators[i] = close;
  }
  return __syncthreads_and(found) != 0;
}

/// Finds the dominators among the sites of a list, and keeps those that the box needs, in their
/// order.
template <Metric kMetric, int kRank, class Scalar>
__device__ void refine(const Request<kMetric, kRank, Scalar>& request, Gathered& list) {
  using Points = BlockLattice<kRank>;
  const std::int32_t count = list.sites;
  for (int point = warp_of_thread(); point < Points::kPoints; point += kBlockWarps) {
    const Place place = Points::point(request.box, point);
    Scalar least = std::numeric_limits<Scalar>::max();
    std::int32_t nearest = 0;
    for (std::int32_t i = lane_of_thread(); i < count; i += kLanes) {
      const Scalar exact = request.ruler.between(unpack(list.site[i]), place);
      if (exact < least) nearest = i;
      least = min(least, exact);
    }
    const std::uint32_t finders = __ballot_sync(~0u, least == least_of_warp(least));
    if (lane_of_thread() == __ffs(static_cast<int>(finders)) - 1 && count > 0)
      request.dominators[point] = unpack(list.site[nearest]);
  }
  __syncthreads();
  const BlockPruner<kMetric, kRank, Scalar> pruner = request.pruner();
  std::int32_t kept = 0;
  for (std::int32_t first = 0; first < count; first += kBlockThreads) {
    const std::int32_t i = first + static_cast<std::int32_t>(threadIdx.x);
    const Packed site = list.site[min(i, count - 1)];
    const bool wanted = i < count && pruner.may_need(unpack(site));
    const std::uint32_t all = __ballot_sync(~0u, wanted);
    if (lane_of_thread() == 0) list.kept[warp_of_thread()] = __popc(all);
    __syncthreads();
    std::int32_t before = kept;
    for (int warp = 0; warp < kBlockWarps; ++warp) {
      if (warp < warp_of_thread()) before += list.kept[warp];
      kept += list.kept[warp];
    }
    if (wanted) list.site[before + __popc(all & ((1u << lane_of_thread()) - 1))] = site;
    __syncthreads();
  }
  if (threadIdx.x == 0) list.sites = list.reserved = kept;
  __syncthreads();
}

/// Memory for sort_sites().
using BlockSort = cub::BlockMergeSort<Packed, kBlockThreads, Gathered::kMost / kBlockThreads>;

/// The sort key of a site of the list: the site itself; or the number of its point, with its place
/// in the lower kBitsOfPlace bits.
inline constexpr int kBitsOfPlace = 32;
__device__ inline Packed key_of(const Job& job, const Gathered& list, std::int32_t i) {
  if (!job.point_cells) return list.site[i];
  const Place site = unpack(list.site[i]);
  const std::int64_t row = site.at[0] * job.extent[1] + site.at[1];
  return Packed{job.point_cells.number(row, site.at[2])} << kBitsOfPlace | static_cast<Packed>(i);
}

/// Sorts the sites of a list by their index.
__device__ inline void sort_sites(const Job& job, Gathered& list,
                                  typename BlockSort::TempStorage& memory) {
  const std::int32_t count = list.sites;
  if (count <= kBlockThreads) {  // each site finds its own place, among keys in the other half
    static_assert(Gathered::kMost >= 2 * kBlockThreads);
    Packed* const keys = list.site + kBlockThreads;
    const auto own = static_cast<std::int32_t>(threadIdx.x);
    const Packed site = own < count ? list.site[own] : 0;
    const Packed key = own < count ? key_of(job, list, own) : 0;
    if (own < count) keys[own] = key;
    __syncthreads();
    std::int32_t place = 0;
    for (std::int32_t i = 0; i < count; ++i) place += keys[i] < key ? 1 : 0;
    if (own < count) list.site[place] = site;
  } else {
    constexpr int kOfAThread = Gathered::kMost / kBlockThreads;
    const std::int32_t first = static_cast<std::int32_t>(threadIdx.x) * kOfAThread;
    Packed own[kOfAThread];
#pragma unroll
    for (int i = 0; i < kOfAThread; ++i)
      own[i] = first + i < count ? key_of(job, list, first + i) : ~Packed{0};
    BlockSort(memory).Sort(own, [](Packed a, Packed b) { return a < b; });
    if (job.point_cells) {
#pragma unroll
      for (int i = 0; i < kOfAThread; ++i)
        if (first + i < count) own[i] = list.site[static_cast<std::uint32_t>(own[i])];
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kOfAThread; ++i)
      if (first + i < count) list.site[first + i] = own[i];
  }
  __syncthreads();
}

/// The memory of gather_sites().
union GatherMemory {
  Stack stack;
  typename BlockSort::TempStorage sort;
};

/// Gathers the sites that a box needs, refined and sorted; false if they are more than the list
/// holds.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool gather_sites(const Request<kMetric, kRank, Scalar>& request, GatherMemory& memory,
                             Gathered& list) {
  Stack& stack = memory.stack;
  if (threadIdx.x == 0) {
    const std::int32_t layer = kRank == 2 ? request.box.low[0] : 0;
    stack.node[0] = static_cast<std::uint32_t>(request.field.pyramid.top) << Stack::kLevelShift |
                    static_cast<std::uint32_t>(layer);
    list.nodes = 1;
    list.sites = list.reserved = list.full = 0;
  }
  __syncthreads();
  while (list.nodes > 0) {
    const std::int32_t nodes = list.nodes;
    const std::int32_t taken = Stack::round(nodes);
    __syncthreads();
    // The nodes that are taken lie above the others: their places are filled again after all are
    // read.
    std::uint32_t entry[Stack::kMostTaken / kBlockWarps];
    int own = 0;
    for (std::int32_t i = warp_of_thread(); i < taken; i += kBlockWarps)
      entry[own++] = stack.node[nodes - 1 - i];
    if (threadIdx.x == 0) list.nodes = nodes - taken;
    __syncthreads();
    const BlockPruner<kMetric, kRank, Scalar> pruner = request.pruner();
    for (int i = 0; i < own; ++i) expand(request.field, pruner, entry[i], stack, list);
    __syncthreads();
    if (list.full != 0) {
      refine(request, list);
      if (list.sites + kTileCells > TileLimits::kGatheredSites) return false;
      if (threadIdx.x == 0) list.full = 0;
    } else if (threadIdx.x == 0) {
      list.reserved = list.sites;
    }
    __syncthreads();
  }
  refine(request, list);
  sort_sites(request.field.job, list, memory.sort);
  return true;
}

}  // namespace thiessen::cuda::tiles
