// SPDX-License-Identifier: Apache-2.0
//
// A block finds the winners of a single tile that needs too many sites for the lists of a node.
#pragma once

#include <limits>

#include "cuda/device/launch.cuh"
#include "cuda/tiles/far/search.cuh"

namespace thiessen::cuda::tiles {

/// The winners of a lane's cells so far; they lie in the rows of its warp.
template <class Scalar>
struct Best {
  static constexpr int kRows = kTileRows / kBlockWarps;
  Scalar least[kRows];
  Packed site[kRows];
};

/// Whether a list is sorted by site index, or is one of several in any order.
enum class ListOrder : std::uint8_t { kSorted, kAny };

template <Metric kMetric, int kRank, class Scalar>
__device__ void improve(const Ruler<kMetric, kRank, Scalar>& ruler, const Tile& tile,
                        const Gathered& list, ListOrder order, Best<Scalar>& best) {
  constexpr int kHeight = tile_size<kRank>(1);
  constexpr int kRows = Best<Scalar>::kRows;
  const int first = warp_of_thread() * kRows;
  for (std::int32_t i = 0; i < list.sites; ++i) {
    const Packed packed = list.site[i];
    const Place site = unpack(packed);
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const Scalar exact = ruler.between(
          site, {{tile.first[0] + first / kHeight, tile.first[1] + (first + k) % kHeight,
                  tile.first[2] + lane_of_thread()}});
      if (exact > best.least[k]) continue;
      if (exact == best.least[k] && (order == ListOrder::kSorted || packed >= best.site[k]))
        continue;
      best.least[k] = exact;
      best.site[k] = packed;
    }
  }
}

template <Metric kMetric, int kRank, class Scalar>
__device__ void write_best(const Job& job, const Tile& tile, const std::uint32_t* inner,
                           const Best<Scalar>& best) {
  constexpr int kHeight = tile_size<kRank>(1);
  const int first = warp_of_thread() * Best<Scalar>::kRows;
  if (tile.first[2] + lane_of_thread() >= job.extent[2]) return;
#pragma unroll
  for (int k = 0; k < Best<Scalar>::kRows; ++k) {
    const int row = first + k;
    if (!has_row<kRank>(job, tile, row)) continue;
    const std::int64_t cell =
        to_index(job.extent, {tile.first[0] + row / kHeight, tile.first[1] + row % kHeight,
                              tile.first[2] + lane_of_thread()});
    if (inner[row] >> lane_of_thread() & 1)
      write_result(job, cell, cell, Scalar{0});
    else
      write_result(job, cell, cell_of(job, unpack(best.site[k])), best.least[k]);
  }
}

template <int kRank>
struct LoneTileMemory {
  Place dominators[BlockLattice<kRank>::kPoints];
  Gathered list;
  union {
    GatherMemory gather;
    TileMemory quarter[4];
  };
  std::uint32_t inner[kTileRows];
};

/// Four warps do a quarter of a tile each from the list of the block; false if one of them needs
/// too many of the sites.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool solve_quarters(const Search<kMetric, kRank, Scalar>& search, const Node& node,
                               LoneTileMemory<kRank>& memory) {
  const int warp = warp_of_thread();
  bool solved = true;
  if (warp < 4) {
    const Quarter<kRank> quarter = quarter_of<kRank>(tile_at<kRank>(node.at), warp);
    TileMemory& own = memory.quarter[warp];
    const bool has_inner = mark_inner<kMetric, kRank>(search.field, node, true, own);
    if (!is_outside<kRank>(search.field.job, quarter))
      solved = solve_part(search, quarter, has_inner,
                          SiteList{memory.list.site, memory.list.sites, nullptr}, own);
  }
  return __syncthreads_and(solved) != 0;
}

/// Returns false for points that are too many for a list: the numbers that order equally near
/// points do not outlive a list.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool solve_lone_tile(const Search<kMetric, kRank, Scalar>& search, const Node& node,
                                LoneTileMemory<kRank>& memory) {
  const Field& field = search.field;
  const Tile tile = tile_at<kRank>(node.at);
  const Request<kMetric, kRank, Scalar> request{
      field, search.ruler, box_of(field.job, field.pyramid.level[0], node), memory.dominators};
  find_first(request);
  Best<Scalar> best;
#pragma unroll
  for (auto& least : best.least) least = std::numeric_limits<Scalar>::max();
  bool complete = true;
  const auto use_up = [&] {
    if (field.job.point_cells) return false;
    improve(search.ruler, tile, memory.list, ListOrder::kAny, best);
    complete = false;
    return true;
  };
  if (!gather_sites(request, memory.gather, memory.list, use_up)) return false;
  if (complete && solve_quarters(search, node, memory)) return true;
  improve(search.ruler, tile, memory.list, complete ? ListOrder::kSorted : ListOrder::kAny, best);
  if (warp_of_thread() == 0) {
    Place first;
    memory.inner[lane_of_thread()] =
        inner_sites<kMetric, kRank>(load_tile_row<kRank>(field, node, first));
  }
  __syncthreads();
  write_best<kMetric, kRank>(field.job, tile, memory.inner, best);
  return true;
}

template <Metric kMetric, int kRank, class Scalar>
__global__ void __launch_bounds__(kBlockThreads, kBlocksOfAProcessor)
    search_lone_tiles(const __grid_constant__ Search<kMetric, kRank, Scalar> search) {
  follow();
  __shared__ LoneTileMemory<kRank> memory;
  const std::int32_t count = *search.queue.count;
  if (count > search.queue.most) {
    for (std::int64_t i = std::int64_t{blockIdx.x} * kBlockThreads + threadIdx.x; i < count;
         i += std::int64_t{gridDim.x} * kBlockThreads)
      leave(search, search.queue.tile[i]);
    return;
  }
  for (std::int32_t i = static_cast<std::int32_t>(blockIdx.x); i < count;
       i += static_cast<std::int32_t>(gridDim.x)) {
    const std::uint32_t tile = search.queue.tile[i];
    const bool solved =
        solve_lone_tile(search, node_of(search.field.pyramid.level[0], tile), memory);
    if (!solved && threadIdx.x == 0) leave(search, tile);
    __syncthreads();
  }
}

}  // namespace thiessen::cuda::tiles
