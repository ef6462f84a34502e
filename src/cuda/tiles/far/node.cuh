// SPDX-License-Identifier: Apache-2.0
//
// A block finds the winners of the open tiles of a node, from the sites that the node needs.
#pragma once

#include <limits>

#include "cuda/device/launch.cuh"
#include "cuda/job/limits.hpp"
#include "cuda/tiles/far/search.cuh"
#include "cuda/tiles/far/short_list.cuh"

namespace thiessen::cuda::tiles {

/// The tiles of a node in quarters: halves along each of the two axes that have several.
inline constexpr int kGroups = 4;

/// The tiles of a group, a bit each. The number of a tile in its node has the bits of the inner one
/// of these axes, and above them those of the outer one; the highest of each tells the half.
template <int kRank>
__device__ std::uint32_t tiles_of_group(int group) {
  constexpr int kInnerBits = fan_log2<kRank>(1, kRank == 2 ? 2 : 1);
  constexpr int kBits = 5;
  const int tile = lane_of_thread();
  const int own = (tile >> (kInnerBits - 1) & 1) | tile >> (kBits - 1) << 1;
  return __ballot_sync(~0u, own == group);
}

/// The box around some tiles of a node, a bit each, cut to the raster.
__device__ inline Box box_of_tiles(const Field& field, const Node& node, std::uint32_t tiles) {
  const Pyramid& pyramid = field.pyramid;
  const int lane = lane_of_thread();
  const bool own = (tiles >> lane & 1) != 0;
  const Box tile = box_of(field.job, pyramid.level[0], child_of(pyramid.level[1], node, lane));
  Box box;
#pragma unroll
  for (int axis = 0; axis < kAxes; ++axis) {
    box.low[axis] = least_of_warp(own ? tile.low[axis] : std::numeric_limits<std::int32_t>::max());
    box.high[axis] = -least_of_warp(own ? -tile.high[axis] : 0);
  }
  return box;
}

template <int kRank>
struct FarMemory {
  static constexpr std::int32_t kLabels = kBlockThreads;
  static_assert(kLimitsVary || TileLimits::kFetchedLabels <= kLabels);

  Place dominators[BlockLattice<kRank>::kPoints];
  std::uint64_t label[kLabels];  ///< labels of the sites of a list, if they are no more
  Gathered list;
  union {
    GatherMemory gather;
    TileMemory tile[kBlockWarps];
  };
};

/// Takes the list of the node above; false if there is none.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool take_list(const Search<kMetric, kRank, Scalar>& search, const Node& node,
                          Gathered& list) {
  if (search.lists.site == nullptr) return false;
  const Pyramid::Level& above = search.field.pyramid.level[2];
  const std::uint32_t number =
      number_of(above, {{node.at[0] >> above.fan_log2[0], node.at[1] >> above.fan_log2[1],
                         node.at[2] >> above.fan_log2[2]}});
  const std::int32_t count = search.lists.count[number];
  if (count == kNoList) return false;
  const Packed* const sites = search.lists.site + std::int64_t{number} * Gathered::kMost;
  for (std::int32_t i = static_cast<std::int32_t>(threadIdx.x); i < count; i += kBlockThreads)
    list.site[i] = sites[i];
  if (threadIdx.x == 0) list.sites = count;
  __syncthreads();
  return true;
}

/// The sites of the list; with their labels, fetched once for all tiles, if it is short.
template <int kRank>
__device__ SiteList with_labels(const Job& job, FarMemory<kRank>& memory) {
  const Gathered& list = memory.list;
  const bool fetched = job.out.labels && list.sites <= TileLimits::kFetchedLabels;
  const SiteList sites{list.site, list.sites, fetched ? memory.label : nullptr};
  const auto own = static_cast<std::int32_t>(threadIdx.x);
  if (fetched && own < list.sites)
    memory.label[own] = load_label(job, cell_of(job, sites.place(own)));
  __syncthreads();
  return sites;
}

/// Whether solve_short() may do whole tiles from a list.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool is_short(const Search<kMetric, kRank, Scalar>& search, const SiteList& sites) {
  if constexpr (kMetric != Metric::euclidean || sizeof(Scalar) != 4) return false;
  const Job& job = search.field.job;
  return sites.count <= kLanes && (sites.label != nullptr || !job.out.labels) &&
         search.key_bits >= kLaneBits && is_simple(job);
}

/// The warps of a block do some tiles of a node, a bit each, from the list. Those that need too
/// many of its sites are left.
template <Metric kMetric, int kRank, class Scalar>
__device__ void solve_tiles(const Search<kMetric, kRank, Scalar>& search, const Node& node,
                            std::uint32_t tiles, FarMemory<kRank>& memory) {
  const Field& field = search.field;
  const SiteList sites = with_labels(field.job, memory);
  const bool is_list_short = is_short(search, sites);
  LaneSite own{};
  if (is_list_short && lane_of_thread() < sites.count)
    own = {sites.place(lane_of_thread()),
           sites.label != nullptr ? sites.label[lane_of_thread()] : 0, true};
  for (int i = warp_of_thread(); i < __popc(tiles); i += kBlockWarps) {
    const Node at = child_of(field.pyramid.level[1], node, nth_bit(tiles, i));
    const Tile tile = tile_at<kRank>(at.at);
    if (sites.count == 0) {
      write_unreached<kRank>(field.job, tile);
      continue;
    }
    if constexpr (kMetric == Metric::euclidean && sizeof(Scalar) == 4) {
      if (is_list_short && is_whole<kRank>(field.job, tile)) {
        solve_short<kRank>(field.job, search.ruler, tile, own);
        continue;
      }
    }
    const bool done = solve_tile(search, at, sites, memory.tile[warp_of_thread()]);
    if (!done && lane_of_thread() == 0) leave(search, at);
  }
}

/// A block does some tiles of a node, a bit each, after it has gathered the sites that the box
/// around them needs; false if these are too many.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool solve_box(const Search<kMetric, kRank, Scalar>& search, const Node& node,
                          std::uint32_t tiles, FarMemory<kRank>& memory) {
  const Request<kMetric, kRank, Scalar> request{
      search.field, search.ruler, box_of_tiles(search.field, node, tiles), memory.dominators};
  if (take_list(search, node, memory.list))
    refine(request, memory.list);
  else if (!find_first(request))
    clear(memory.list);
  else if (!gather_sites(request, memory.gather, memory.list))
    return false;
  solve_tiles(search, node, tiles, memory);
  __syncthreads();
  return true;
}

/// Whether tiles need not be searched: if one of a raster is left, other methods solve all of it.
/// The same for all threads of the block.
template <class Search>
__device__ bool is_over(const Search& search) {
  const Field& field = search.field;
  if (field.job.point_cells) return false;
  const volatile std::int32_t* const left = &field.pyramid.lengths->left;
  return __syncthreads_or(threadIdx.x == 0 && *left != 0) != 0;
}

/// Whether a list of a node of the second level is worth its time; for all threads of the block.
template <class Search>
__device__ bool wants_list(const Search& search, const Node& node) {
  const Pyramid& pyramid = search.field.pyramid;
  const Pyramid::Level& tiles = pyramid.level[0];
  __shared__ int open;
  __shared__ int sites;
  if (threadIdx.x == 0) open = sites = 0;
  __syncthreads();
  for (int i = warp_of_thread(); i < kLanes; i += kBlockWarps) {
    const Node child = child_of(pyramid.level[2], node, i);
    if (!exists(pyramid.level[1], child)) continue;
    const Node tile = child_of(pyramid.level[1], child, lane_of_thread());
    if (!exists(tiles, tile)) continue;
    const std::uint32_t number = number_of(tiles, tile);
    if (search.solved[number] == kTileOpen) atomicAdd(&open, 1);
    if (pyramid.sites[number] > 0) atomicAdd(&sites, pyramid.sites[number]);
  }
  __syncthreads();
  return open * TileLimits::kTilesPerOpenOne >= kLanes * kLanes &&
         sites <= TileLimits::kSitesForList;
}

template <Metric kMetric, int kRank, class Scalar>
__global__ void __launch_bounds__(kBlockThreads, kBlocksPerProcessor)
    gather_lists(const __grid_constant__ Search<kMetric, kRank, Scalar> search) {
  follow();
  if (is_over(search)) return;
  __shared__ Place dominators[BlockLattice<kRank>::kPoints];
  __shared__ GatherMemory memory;
  __shared__ Gathered list;
  const Pyramid::Level& level = search.field.pyramid.level[2];
  const Node node = node_of(level, blockIdx.x);
  bool all = wants_list(search, node);
  if (all) {
    const Request<kMetric, kRank, Scalar> request{
        search.field, search.ruler, box_of(search.field.job, level, node), dominators};
    if (!find_first(request))
      clear(list);
    else
      all = gather_sites(request, memory, list);
  }
  if (threadIdx.x == 0) search.lists.count[blockIdx.x] = all ? list.sites : kNoList;
  if (!all) return;
  Packed* const sites = search.lists.site + std::int64_t{blockIdx.x} * Gathered::kMost;
  for (std::int32_t i = static_cast<std::int32_t>(threadIdx.x); i < list.sites; i += kBlockThreads)
    sites[i] = list.site[i];
}

template <Metric kMetric, int kRank, class Scalar>
__global__ void __launch_bounds__(kBlockThreads, kBlocksPerProcessor)
    search_far(const __grid_constant__ Search<kMetric, kRank, Scalar> search) {
  follow();
  if (is_over(search)) return;
  auto& memory = *dynamic_shared<FarMemory<kRank>>();
  const Field& field = search.field;
  const Pyramid::Level& level = field.pyramid.level[1];
  const Node node = node_of(level, blockIdx.x);
  const std::uint32_t open = open_tiles(field, node, search.solved);
  if (open == 0) return;
  if (solve_box(search, node, open, memory)) return;
  for (int group = 0; group < kGroups; ++group) {
    const std::uint32_t own = open & tiles_of_group<kRank>(group);
    if (own == 0 || solve_box(search, node, own, memory)) continue;
    if (threadIdx.x < kLanes && (own >> threadIdx.x & 1) != 0)
      leave(search, child_of(level, node, static_cast<int>(threadIdx.x)));
  }
}

}  // namespace thiessen::cuda::tiles
