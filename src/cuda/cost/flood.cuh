// SPDX-License-Identifier: Apache-2.0
//
// Floods by tiles: lowers the values of a flow (cost_flow.hpp) until no step lowers any, in one
// kernel that no host looks after. For sources compiled as CUDA.
//
//   generation   what all blocks do between two barriers of the grid
//   list         tiles to be worked on in a generation; another one for the next
//   stamp        of a tile: the last generation for which it was put on a list
//
// A block takes a tile of the list with its halo into shared memory, lowers its cells until a round
// lowers none, writes those that fell, and puts on the next list every tile in whose halo one of
// them lies. In the first generation a cell that holds anything counts as one that fell.
//
// Nothing is lost. The cells of a tile are written by the one block that works on it, and a tile is
// at most once on a list (atomicExch of its stamp). What a block reads of the halo while another
// one writes it may be old or new; if it is old, the other one, having written, puts the tile on
// the next list, and the barrier of the grid, which is a fence for all memory, lies between. So
// when a list is empty, each tile was last worked on after the last change in its halo, and no step
// lowers anything. Values and lists are read and written as volatile (relaxed, past the first
// cache, each in one access), since others write them during the kernel; resistances, steps and the
// ranks that hops need are constant in it. In a tile, a warp is left out of a round if neither it
// nor a warp near it lowered anything in the round before: it would find what it found then.
//
// It ends. Values only fall, each to one of the finitely many that paths have, and a generation
// after the first comes only if a cell fell in the one before. Generations are counted in 32 bits,
// which would take days to run out.
#pragma once

#include <cooperative_groups.h>

#include <algorithm>
#include <type_traits>

#include "cuda/cost/flow.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/session.hpp"

namespace thiessen::cuda {

/// In device memory.
struct TileQueue {
  std::uint32_t* list[2];  ///< of even and of odd generations
  std::uint32_t* count;    ///< of the lists of generations, modulo 3
  std::uint32_t* stamp;

  __device__ void push(std::uint32_t tile, std::uint32_t generation) const {
    if (atomicExch(&stamp[tile], generation) == generation) return;
    list[generation % 2][atomicAdd(&count[generation % 3], 1u)] = tile;
  }
};

template <class Flow>
struct FloodTile {
  volatile typename Flow::Value value[kMostPadded];
  /// Bit w: warp w lowered something, in the round of this number modulo 3.
  volatile std::uint32_t lowered[3];
  std::uint32_t reached;  ///< codes of tiles
};

/// What a block does: a tile of a generation.
struct FloodTurn {
  std::uint32_t tile;
  std::uint32_t generation;
  std::uint32_t near;  ///< warps_near() of the thread's warp
};

/// Resistances of a padded tile, for the one flow that needs them.
template <class Flow>
struct FloodMap {};
template <class T, int kCount>
struct FloodMap<CostFlow<T, kCount>> {
  T resistance[kMostPadded];
};

template <class Flow>
__device__ void load_tile(const Flow& flow, const Axes& origin, FloodTile<Flow>& tile,
                          FloodMap<Flow>& map) {
  const CostTiling& tiling = flow.job.tiling;
  const volatile typename Flow::Value* const values = flow.values();
  for (int i = static_cast<int>(threadIdx.x); i < tiling.padded_cells(); i += kCostThreads) {
    const auto place = place_in(tiling.padded, i);
    const std::int64_t cell = cell_at(tiling, origin, place[0] - tiling.halo[0],
                                      place[1] - tiling.halo[1], place[2] - tiling.halo[2]);
    tile.value[i] = cell < 0 ? Flow::kNothing : values[cell];
    if constexpr (!std::is_empty_v<FloodMap<Flow>>)
      map.resistance[i] = cell < 0 ? std::numeric_limits<typename Flow::Value>::quiet_NaN()
                                   : flow.job.resistance[cell];
  }
  if (threadIdx.x < 3) tile.lowered[threadIdx.x] = threadIdx.x == 2 ? 0xFFFFFFFFu : 0;
  if (threadIdx.x == 0) tile.reached = 0;
}

/// Lowers the thread's own cell, which lies at `at`, and all others of the tile until none falls.
template <class Flow>
__device__ typename Flow::Value settle_tile(const Flow& flow, const typename Flow::Steps& steps,
                                            bool exists, int at, std::uint32_t near,
                                            FloodTile<Flow>& tile) {
  auto own = static_cast<typename Flow::Value>(tile.value[at]);
  for (int round = 0;; ++round) {
    const std::uint32_t before = tile.lowered[(round + 2) % 3];
    if (before == 0) return own;
    if ((before & near) != 0) {
      bool fell = false;
      if (exists) {
        const auto least = least_around<Flow::kCount>(flow.job.tiling, steps, tile.value + at, own);
        fell = least < own && flow.allows(least);
        if (fell) tile.value[at] = own = least;
      }
      if (__any_sync(0xFFFFFFFFu, fell) && threadIdx.x % kCostWarp == 0)
        atomicOr(const_cast<std::uint32_t*>(&tile.lowered[round % 3]),
                 1u << threadIdx.x / kCostWarp);
    }
    if (threadIdx.x == 0) tile.lowered[(round + 1) % 3] = 0;
    __syncthreads();
  }
}

template <class Flow>
__device__ void work_on_tile(const Flow& flow, const TileQueue& queue, const FloodTurn& turn,
                             FloodTile<Flow>& tile, FloodMap<Flow>& map) {
  const CostTiling& tiling = flow.job.tiling;
  const Axes origin = origin_of(tiling, turn.tile);
  load_tile(flow, origin, tile, map);
  __syncthreads();
  const auto place = place_in(tiling.size, static_cast<int>(threadIdx.x));
  const int at = ((place[0] + tiling.halo[0]) * tiling.padded[1] + place[1] + tiling.halo[1]) *
                     tiling.padded[2] +
                 place[2] + tiling.halo[2];
  const std::int64_t cell = cell_at(tiling, origin, place[0], place[1], place[2]);
  const typename Flow::Value own = tile.value[at];
  typename Flow::Steps steps{};
  if (cell >= 0) {
    if constexpr (std::is_empty_v<FloodMap<Flow>>)
      steps = flow.steps_of(cell);
    else
      steps = flow.steps_of(map.resistance + at);
  }
  const auto now = settle_tile(flow, steps, cell >= 0, at, turn.near, tile);
  if (now < own) static_cast<volatile typename Flow::Value*>(flow.values())[cell] = now;
  if (now < (turn.generation == 0 ? Flow::kNothing : own)) {
    const std::uint32_t reached = tiles_reached(tiling, place);
    if (reached != 0) atomicOr(&tile.reached, reached);
  }
  __syncthreads();
  if (threadIdx.x < kTileCodes && (tile.reached >> threadIdx.x & 1) != 0) {
    const std::int64_t next = tile_around(tiling, turn.tile, static_cast<int>(threadIdx.x));
    if (next >= 0) queue.push(static_cast<std::uint32_t>(next), turn.generation + 1);
  }
  __syncthreads();
}

/// Blocks of a processor that registers are to suffice for: two where a thread's steps take few of
/// them, and a processor has room for as many threads.
template <class Flow>
constexpr int flood_blocks() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  return 1;
#else
  return sizeof(typename Flow::Steps) <= 8 * sizeof(float) ? 2 : 1;
#endif
}

template <class Flow>
__global__ void __launch_bounds__(kCostThreads, flood_blocks<Flow>())
    flood_tiles(const __grid_constant__ Flow flow, const __grid_constant__ TileQueue queue) {
  __shared__ FloodTile<Flow> tile;
  __shared__ FloodMap<Flow> map;
  const auto grid = cooperative_groups::this_grid();
  const volatile std::uint32_t* const counts = queue.count;
  const std::uint32_t near =
      warps_near(flow.job.tiling, static_cast<std::int32_t>(threadIdx.x) / kCostWarp);
  for (std::uint32_t generation = 0;; ++generation) {
    const std::uint32_t count = counts[generation % 3];
    if (count == 0) return;
    const volatile std::uint32_t* const list = queue.list[generation % 2];
    for (std::uint32_t i = blockIdx.x; i < count; i += gridDim.x)
      work_on_tile(flow, queue, {list[i], generation, near}, tile, map);
    if (blockIdx.x == 0 && threadIdx.x == 0)
      static_cast<volatile std::uint32_t*>(queue.count)[(generation + 2) % 3] = 0;
    grid.sync();
  }
}

/// Memory for a queue.
inline TileQueue take_queue(const CostTiling& tiling, Scratch::Frame& device) {
  return {
      {device.array<std::uint32_t>(tiling.count()), device.array<std::uint32_t>(tiling.count())},
      device.array<std::uint32_t>(3),
      device.array<std::uint32_t>(tiling.count())};
}

/// Empties a queue; kernels may then push for generation 0.
inline void clear_queue(const CudaSession& session, const CostTiling& tiling,
                        const TileQueue& queue) {
  const auto bytes = static_cast<std::size_t>(tiling.count()) * sizeof(std::uint32_t);
  check(cudaMemsetAsync(queue.stamp, 0xff, bytes, session.stream()), "list of tiles");
  check(cudaMemsetAsync(queue.count, 0, 3 * sizeof(std::uint32_t), session.stream()),
        "list of tiles");
}

/// Floods from the tiles of the queue's generation 0.
template <class Flow>
void flood(const CudaSession& session, Flow flow, TileQueue queue) {
  int of_processor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_processor, flood_tiles<Flow>,
                                                      kCostThreads, 0),
        "blocks of a processor");
  const std::int64_t blocks = std::min<std::int64_t>(
      flow.job.tiling.count(), std::int64_t{of_processor} * session.processors());
  launch_together(session, "flood by tiles", {static_cast<unsigned>(blocks), kCostThreads},
                  flood_tiles<Flow>, flow, queue);
}

}  // namespace thiessen::cuda
