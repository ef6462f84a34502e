// SPDX-License-Identifier: Apache-2.0
//
// A block that works on tiles of any shape and neighbourhood, one cell a thread. For sources
// compiled as CUDA.
//
// It loads a tile with its halo into shared memory, lowers its cells until a round lowers none, and
// writes those that fell. Threads read cells that others of the block are lowering (racecheck
// reports that). They get a value that the cell had, older or newer; if it is older, the cell fell
// in this round, and another round follows.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "cuda/cost/tiles/flow.hpp"
#include "cuda/cost/tiles/queue.cuh"

namespace thiessen::cuda::cost {

template <class Flow>
struct FrontTile {
  volatile typename Flow::Value value[kMostPadded];
  /// 1: something fell in the round with this number modulo 3.
  volatile std::uint32_t lowered[3];
  std::uint32_t reached;  ///< codes of tiles
  std::uint32_t key;      ///< the least of what reaches them
  std::uint32_t reasons;
  std::uint32_t number;
};

/// The resistances of a padded tile, for the flow that needs them.
template <class Flow>
struct FrontMap {};
template <class T, int kCount>
struct FrontMap<CostFlow<T, kCount>> {
  T resistance[kMostPadded];
};

template <class Flow>
__device__ void load_tile(const Flow& flow, const Axes& origin, FrontTile<Flow>& tile,
                          FrontMap<Flow>& map) {
  const CostTiling& tiling = flow.job.tiling;
  const volatile typename Flow::Value* const values = flow.values();
  for (int i = static_cast<int>(threadIdx.x); i < tiling.padded_cells(); i += kCostThreads) {
    const auto place = place_in(tiling.padded, i);
    const std::int64_t cell = cell_at(tiling, origin, place[0] - tiling.halo[0],
                                      place[1] - tiling.halo[1], place[2] - tiling.halo[2]);
    tile.value[i] = cell < 0 ? Flow::kNothing : values[cell];
    if constexpr (!std::is_empty_v<FrontMap<Flow>>)
      map.resistance[i] = cell < 0 ? std::numeric_limits<typename Flow::Value>::quiet_NaN()
                                   : flow.job.resistance[cell];
  }
  if (threadIdx.x < 3) tile.lowered[threadIdx.x] = threadIdx.x == 2 ? 1 : 0;
  if (threadIdx.x == 0) {
    tile.reached = 0;
    tile.key = kNoKey;
  }
}

/// Lets all threads change their cells in rounds, until a round changes none: change() changes the
/// thread's own one, and returns whether it did.
template <class Change>
__device__ void change_in_rounds(volatile std::uint32_t (&changed)[3], const Change& change) {
  for (int round = 0; changed[(round + 2) % 3] != 0; ++round) {
    if (change()) changed[round % 3] = 1;
    if (threadIdx.x == 0) changed[(round + 1) % 3] = 0;
    __syncthreads();
  }
}

/// Lowers the thread's own cell, which lies at `at`, and the other cells of the tile until none
/// falls.
template <class Flow>
__device__ typename Flow::Value solve_tile(const Flow& flow, const typename Flow::Steps& steps,
                                           bool exists, int at, FrontTile<Flow>& tile) {
  auto own = static_cast<typename Flow::Value>(tile.value[at]);
  change_in_rounds(tile.lowered, [&] {
    if (!exists) return false;
    const auto least = least_around<Flow::kCount>(flow.job.tiling, steps, tile.value + at, own);
    const bool falls = least < own && flow.allows(least);
    if (falls) tile.value[at] = own = least;
    return falls;
  });
  return own;
}

template <class Flow>
class BlockWorker {
 public:
  static constexpr const char* kName = "front by tiles";
  static constexpr int kAtOnce = 1;
  static constexpr int kThreads = kCostThreads;
  /// The number of blocks that the registers of a processor should suffice for: two where the steps
  /// of a thread take few registers and a processor has room for as many threads.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr int kBlocks = 1;
#else
  static constexpr int kBlocks = sizeof(typename Flow::Steps) <= 8 * sizeof(float) ? 2 : 1;
#endif
  struct Memory {
    FrontTile<Flow> tile;
    FrontMap<Flow> map;
  };

  __device__ BlockWorker(const Flow& flow, const TileQueue& queue, Memory& memory)
      : flow_(flow), queue_(queue), tile_(memory.tile), map_(memory.map) {}

  __device__ static std::uint32_t place() { return 0; }

  /// Works on a tile if there is a reason to.
  __device__ void work_on(std::uint32_t tile, std::uint32_t generation) {
    const CostTiling& tiling = flow_.job.tiling;
    const Axes origin = origin_of(tiling, tile);
    if (threadIdx.x == 0) tile_.reasons = queue_.take(tile);
    __syncthreads();
    if (tile_.reasons == 0) return;
    load_tile(flow_, origin, tile_, map_);
    __syncthreads();
    const auto place = place_in(tiling.size, static_cast<int>(threadIdx.x));
    const int at = ((place[0] + tiling.halo[0]) * tiling.padded[1] + place[1] + tiling.halo[1]) *
                       tiling.padded[2] +
                   place[2] + tiling.halo[2];
    const std::int64_t cell = cell_at(tiling, origin, place[0], place[1], place[2]);
    const Value before = tile_.value[at];
    const Value now = solve_tile(flow_, steps_of(cell, at), cell >= 0, at, tile_);
    if (now < before) static_cast<volatile Value*>(flow_.values())[cell] = now;
    if (now < ((tile_.reasons & kSetWithin) != 0 ? Flow::kNothing : before)) {
      const std::uint32_t reached = tiles_reached(tiling, place);
      if (reached != 0) {
        atomicOr(&tile_.reached, reached);
        atomicMin(&tile_.key, key_of(now));
      }
    }
    __syncthreads();
    if (threadIdx.x < kTileCodes && (tile_.reached >> threadIdx.x & 1) != 0) {
      const std::int64_t next = tile_around(tiling, tile, static_cast<int>(threadIdx.x));
      if (next >= 0)
        queue_.enter(static_cast<std::uint32_t>(next), kFromAround, tile_.key, generation + 1);
    }
    if (threadIdx.x == 0) queue_.note_key(tile_.key, generation + 1);
    __syncthreads();
  }

  /// As WarpWorker has them.
  __device__ std::uint32_t ask_for_number(std::uint32_t* counter) const {
    return threadIdx.x == 0 ? atomicAdd(counter, 1u) : 0;
  }
  __device__ std::uint32_t number(std::uint32_t asked) {
    if (threadIdx.x == 0) tile_.number = asked;
    __syncthreads();
    return tile_.number;
  }

 private:
  using Value = typename Flow::Value;
  static constexpr std::uint32_t kFromAround = 1;

  __device__ typename Flow::Steps steps_of(std::int64_t cell, int at) const {
    if (cell < 0) return {};
    if constexpr (std::is_empty_v<FrontMap<Flow>>)
      return flow_.steps_of(cell);
    else
      return flow_.steps_of(map_.resistance + at);
  }

  const Flow& flow_;
  const TileQueue& queue_;
  FrontTile<Flow>& tile_;
  FrontMap<Flow>& map_;
};

}  // namespace thiessen::cuda::cost
