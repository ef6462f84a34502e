// SPDX-License-Identifier: Apache-2.0
//
// A warp that works on tiles of flat rasters (flat_sweep.cuh). For sources compiled as CUDA.
#pragma once

#include <algorithm>

#include "cuda/cost/tiles/flat_sweep.cuh"
#include "cuda/cost/tiles/flat_tile.hpp"
#include "cuda/cost/tiles/queue.cuh"

namespace thiessen::cuda::cost {

template <class Flow>
struct WarpWorker {
  static constexpr const char* kName = "front by tiles";
  /// The warps of a block, each on a tile of its own: as many as fit the memory of every device.
  static constexpr int kAtOnce = std::min<int>(4, 48 * 1024 / sizeof(FlatTile<Flow>));
  static constexpr int kThreads = kAtOnce * kLanes;
  /// The number of blocks that the registers of a processor should suffice for: more do not fit its
  /// shared memory.
  static constexpr int kBlocks = 5;
  struct Memory {
    FlatTile<Flow> tile[kAtOnce];
  };

  __device__ WarpWorker(const Flow& flow, const TileQueue& queue, Memory& memory)
      : flow_(flow), queue_(queue), tile_(memory.tile[place()]) {}

  /// The warp's number in the block.
  __device__ static std::uint32_t place() { return threadIdx.x / kLanes; }

  /// Works on a tile if there is a reason to.
  __device__ void work_on(std::uint32_t tile, std::uint32_t generation) {
    FlatSweep<Flow> sweep(flow_, origin_of(flow_.job.tiling, tile), tile_);
    std::uint32_t reasons;
    if (tile == held_) {
      reasons = take(tile);
      if (reasons == 0) return;
      sweep.put_values(sweep.read_values());
    } else {
      const auto map = sweep.read_map();  // on its way while reasons are taken
      reasons = take(tile);
      const auto values = sweep.read_values();
      sweep.put_map(map);
      held_ = tile;
      sweep.put_values(values);
      if (reasons == 0) return;
    }
    sweep.solve(reasons);
    sweep.store();
    const std::uint32_t key = sweep.key_beyond();
    __syncwarp();  // so that the fence of a lane orders the stores of all
    if (key != kNoKey) enter_around(tile, key, generation + 1);
    const std::uint32_t least = least_of_warp(key);
    if (lane_of_thread() == 0) queue_.note_key(least, generation + 1);
  }

  /// A number, one for each call on any worker: it is asked for before the work that hides the
  /// wait.
  __device__ std::uint32_t ask_for_number(std::uint32_t* counter) const {
    return lane_of_thread() == 0 ? atomicAdd(counter, 1u) : 0;
  }
  __device__ static std::uint32_t number(std::uint32_t asked) { return __shfl_sync(~0u, asked, 0); }

 private:
  static constexpr std::uint32_t kNoTile = 0xFFFFFFFFu;

  /// For a lane with a key.
  __device__ void enter_around(std::uint32_t tile, std::uint32_t key,
                               std::uint32_t generation) const {
    const FlatAround around = flat_around(lane_of_thread());
    const std::int64_t next = tile_around(flow_.job.tiling, tile, around.code);
    if (next >= 0) queue_.enter(static_cast<std::uint32_t>(next), around.reason, key, generation);
  }

  __device__ std::uint32_t take(std::uint32_t tile) const {
    std::uint32_t reasons = 0;
    if (lane_of_thread() == 0) reasons = queue_.take(tile);
    reasons = __shfl_sync(~0u, reasons, 0);
    __syncwarp();  // so that the fence of lane 0 orders accesses of all lanes
    return reasons;
  }

  const Flow& flow_;
  const TileQueue& queue_;
  FlatTile<Flow>& tile_;
  std::uint32_t held_ = kNoTile;  ///< whose map lies in `tile_`
};

}  // namespace thiessen::cuda::cost
