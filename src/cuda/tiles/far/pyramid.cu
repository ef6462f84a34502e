// SPDX-License-Identifier: Apache-2.0
//
// Builds the pyramid: counts the sites of the tiles, then sets the bits of the nodes level by
// level.
#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/warp.cuh"
#include "cuda/tiles/far/pyramid.hpp"

namespace thiessen::cuda::tiles {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kLanes;
constexpr int kThreadsOfTop = 1024;

template <int kRank>
Pyramid::Level make_tiles(const Axes& extent) {
  Pyramid::Level level;
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::int32_t size = tile_size<kRank>(axis);
    level.along[axis] =
        static_cast<std::int32_t>(parts(extent[static_cast<std::size_t>(axis)], size));
    while (1 << level.size_log2[axis] < size) ++level.size_log2[axis];
  }
  return level;
}

template <int kRank>
Pyramid make_shape(const Job& job) {
  Pyramid pyramid;
  Pyramid::Level level = make_tiles<kRank>(job.extent);
  pyramid.level[0] = level;
  constexpr int kFirst = kAxes - kRank;
  const auto is_top = [&] {
    bool one = true;
    for (int axis = kFirst; axis < kAxes; ++axis) one = one && level.along[axis] == 1;
    return one;
  };
  do {
    ++pyramid.top;
    for (int axis = 0; axis < kAxes; ++axis) {
      level.fan_log2[axis] = fan_log2<kRank>(pyramid.top, axis);
      level.size_log2[axis] += level.fan_log2[axis];
      level.along[axis] =
          static_cast<std::int32_t>(parts(level.along[axis], 1 << level.fan_log2[axis]));
    }
    pyramid.level[pyramid.top] = level;
  } while (!is_top());
  return pyramid;
}

template <int kRank>
__device__ int count_sites(const Job& job, const Bits& bits, const Node& tile) {
  constexpr int kHeight = tile_size<kRank>(1);
  int sites = 0;
#pragma unroll 8
  for (int row = 0; row < kTileRows; ++row) {
    const std::int64_t z = std::int64_t{tile.at[0]} * tile_size<kRank>(0) + row / kHeight;
    const std::int64_t y = std::int64_t{tile.at[1]} * kHeight + row % kHeight;
    if (z < job.extent[0] && y < job.extent[1])
      sites += __popc(bits.words[(z * job.extent[1] + y) * bits.row_words + tile.at[2]]);
  }
  return sites;
}

/// Gives places to the words of the lanes' tiles, one tile's behind the other's. A lane whose tile
/// does not exist has no sites.
template <int kRank>
__device__ void give_places(const Job& job, const Node& tile, int sites) {
  constexpr int kHeight = tile_size<kRank>(1);
  const PointCells& cells = job.point_cells;
  const std::int32_t before = sum_before_lane(sites);
  std::uint32_t next = 0;
  if (lane_of_thread() == kLanes - 1)
    next = atomicAdd(&cells.state->places, static_cast<std::uint32_t>(before + sites));
  next = __shfl_sync(~0u, next, kLanes - 1) + static_cast<std::uint32_t>(before);
  for (int row = 0; row < kTileRows && sites > 0; ++row) {
    const std::int64_t z = std::int64_t{tile.at[0]} * tile_size<kRank>(0) + row / kHeight;
    const std::int64_t y = std::int64_t{tile.at[1]} * kHeight + row % kHeight;
    if (z >= job.extent[0] || y >= job.extent[1]) continue;
    const std::int64_t word = (z * job.extent[1] + y) * cells.bits.row_words + tile.at[2];
    const int own = __popc(cells.bits.words[word]);
    if (own > 0) cells.before[word] = next;
    next += static_cast<std::uint32_t>(own);
    sites -= own;
  }
}

/// A warp makes a node above the tiles; a lane looks at one of its tiles.
template <int kRank>
__global__ void __launch_bounds__(kThreads)
    count_tiles(const __grid_constant__ Job job, const Bits bits,
                const __grid_constant__ Pyramid pyramid) {
  follow();
  if (blockIdx.x == 0 && threadIdx.x == 0) *pyramid.lengths = {};
  const std::int64_t number = std::int64_t{blockIdx.x} * kWarps + threadIdx.x / kLanes;
  const Pyramid::Level& level = pyramid.level[1];
  if (number >= level.count()) return;
  const int lane = lane_of_thread();
  const Node tile = child_of(level, node_of(level, static_cast<std::uint32_t>(number)), lane);
  int sites = 0;
  if (exists(pyramid.level[0], tile)) {
    sites = count_sites<kRank>(job, bits, tile);
    pyramid.sites[number_of(pyramid.level[0], tile)] = static_cast<std::uint16_t>(sites);
  }
  const std::uint32_t occupied = __ballot_sync(~0u, sites > 0);
  if (lane == 0) level.children[number] = occupied;
  if (job.point_cells && occupied != 0) give_places<kRank>(job, tile, sites);
}

/// One block makes all higher levels: they are small.
__global__ void __launch_bounds__(kThreadsOfTop)
    build_upper(const __grid_constant__ Pyramid pyramid) {
  follow();
  const int lane = lane_of_thread();
  for (int k = 2; k <= pyramid.top; ++k) {
    const Pyramid::Level& level = pyramid.level[k];
    const Pyramid::Level& below = pyramid.level[k - 1];
    for (std::int64_t number = threadIdx.x / kLanes; number < level.count();
         number += kThreadsOfTop / kLanes) {
      const Node child = child_of(level, node_of(level, static_cast<std::uint32_t>(number)), lane);
      const bool occupied = exists(below, child) && below.children[number_of(below, child)] != 0;
      const std::uint32_t children = __ballot_sync(~0u, occupied);
      if (lane == 0) level.children[number] = children;
    }
    __syncthreads();
  }
}

}  // namespace

bool is_pyramid_wide_enough(const Axes& extent, int rank) {
  constexpr std::int64_t kMostTiles = std::int64_t{1} << 29;
  return (rank == 2 ? make_tiles<2>(extent) : make_tiles<3>(extent)).count() <= kMostTiles;
}

Pyramid allocate_pyramid(const Job& job, Scratch::Frame& device) {
  Pyramid pyramid = job.rank == 2 ? make_shape<2>(job) : make_shape<3>(job);
  for (int k = 1; k <= pyramid.top; ++k)
    pyramid.level[k].children = device.array<std::uint32_t>(pyramid.level[k].count());
  pyramid.sites = device.array<std::uint16_t>(pyramid.tiles());
  pyramid.lengths = device.array<ListLengths>(1);
  return pyramid;
}

void build_pyramid(const CudaSession& session, const Job& job, const Bits& bits,
                   const Pyramid& pyramid) {
  const GridShape shape{blocks_for(pyramid.level[1].count(), kWarps), kThreads};
  launch_next(session, "counts of the sites", shape,
              job.rank == 2 ? count_tiles<2> : count_tiles<3>, job, bits, pyramid);
  if (pyramid.top < 2) return;
  launch_next(session, "pyramid", {1, kThreadsOfTop}, build_upper, pyramid);
}

}  // namespace thiessen::cuda::tiles
