// SPDX-License-Identifier: Apache-2.0
//
// A front goes from tile to tile: it lowers the values of a flow (flow.hpp) until no step lowers
// any, in one kernel that no host looks after. For sources compiled as CUDA.
//
// A warp works on tiles of flat rasters with 4 or 8 neighbours (warp_worker.cuh), a block on others
// (block_worker.cuh). A worker takes tiles from the list of a generation (queue.cuh), each with its
// halo; lowers its cells until no step within the tile lowers any; writes those that fell; and
// gives every tile around in which that may lower something a reason to be worked on.
//
// Where there are no more tiles than workers, each of them has a tile of its own, and keeps what it
// has found out about its steps. Else workers take tiles from the list in turn.
//
// Where tiles have been worked on more than kManyVisits times on average, paths wind: they enter a
// tile again and again, each time at a lesser cost. Then the tiles of a list with the least keys
// come first, if there are more than workers: those within a window above the least key are chosen,
// and the others go to the next list as they are, until what enters them costs least. That saves
// visits, as buckets do in U. Meyer, P. Sanders, "Δ-stepping: a parallelizable shortest path
// algorithm" (2003), and costs barriers. The window is doubled or halved so that the workers have
// work, but not much more. Any choice is right.
//
// Nothing is lost. Only the worker of a tile writes its cells, as a tile is at most once on a list.
// Between the choice and the work all meet at a barrier, so nobody enters tiles while lists are
// divided.
// If a worker reads the halo while another one writes it, it may get the old or the new value. If
// it gets the old one, the other worker gives this tile a new reason after it has written: this
// worker took all reasons before it read. So when a list is empty, each tile was last worked on
// after the last change in its halo that could lower anything in it. Values and lists are read and
// written as volatile (relaxed, past the first cache, each in one access), since others write them
// during the kernel. Resistances, steps, and the ranks that hops need do not change during the
// kernel.
//
// It ends. Values only fall, each to one of the finitely many values that paths have. At least the
// tile with the least key of a list is chosen, or one without a key; and a tile gets onto a list
// only because a cell fell, or because it was not chosen. Generations are counted in 32 bits; it
// would take days to use them up.
#pragma once

#include <cooperative_groups.h>

#include <algorithm>
#include <type_traits>

#include "cuda/cost/tiles/block_worker.cuh"
#include "cuda/cost/tiles/flow.hpp"
#include "cuda/cost/tiles/queue.cuh"
#include "cuda/cost/tiles/warp_worker.cuh"
#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/session.hpp"
#include "cuda/device/warp.cuh"

namespace thiessen::cuda::cost {

template <class Flow>
using FrontWorker = std::conditional_t<kIsFlat<Flow>, WarpWorker<Flow>, BlockWorker<Flow>>;

/// Visits of a tile, on average, after which lists are divided.
inline constexpr std::uint32_t kManyVisits = 4;

/// The keys of the tiles that are chosen: those up to a size above the least one. All threads of a
/// grid compute the same.
class Window {
 public:
  /// The greatest key that is chosen.
  __device__ std::uint32_t end(std::uint32_t least) {
    const float key = __uint_as_float(least);
    if (!is_known_) size_ = key;
    is_known_ = true;
    return least == kNoKey ? kNoKey : __float_as_uint(key + size_);
  }

  __device__ void adapt(const Generation& generation, std::uint32_t workers) {
    if (generation.chosen > workers)
      size_ /= 2;
    else if (generation.chosen < workers / 2)
      size_ = size_ > 0 ? 2 * size_ : __uint_as_float(generation.least);
  }

 private:
  float size_ = 0;
  bool is_known_ = false;
};

__device__ inline Generation read_generation(const TileQueue& queue, std::uint32_t generation) {
  const volatile Generation& from = queue.generations[generation % 3];
  return {from.listed, from.chosen, from.taken, from.least};
}

/// Divides the list of a generation into the tiles that are chosen, with keys up to `end`, and
/// those of the next list.
__device__ inline void divide_list(const TileQueue& queue, std::uint32_t generation,
                                   std::uint32_t listed, std::uint32_t end) {
  const volatile std::uint32_t* const list = queue.list[generation % 2];
  const volatile std::uint32_t* const keys = queue.key;
  Generation& now = queue.generations[generation % 3];
  Generation& next = queue.generations[(generation + 1) % 3];
  const std::uint32_t lane = threadIdx.x % kLanes;
  const std::uint32_t first = blockIdx.x * blockDim.x + threadIdx.x - lane;
  for (std::uint32_t i = first; i < listed; i += gridDim.x * blockDim.x) {
    const bool exists = i + lane < listed;
    const std::uint32_t tile = exists ? list[i + lane] : 0;
    const std::uint32_t key = exists ? keys[tile] : kNoKey;
    const bool comes_first = key == kNoKey || key <= end;
    append(queue.chosen, now.chosen, exists && comes_first, tile);
    append(queue.list[(generation + 1) % 2], next.listed, exists && !comes_first, tile);
    const std::uint32_t least = least_of_warp(comes_first ? kNoKey : key);
    if (lane == 0 && least != kNoKey) atomicMin(&next.least, least);
  }
}

template <class Worker, class Flow>
__global__ void __launch_bounds__(Worker::kThreads, Worker::kBlocks)
    run_front_tiles(const __grid_constant__ Flow flow, const __grid_constant__ TileQueue queue) {
  __shared__ typename Worker::Memory memory;
  if (!flow.job.is_wanted()) return;
  const auto grid = cooperative_groups::this_grid();
  const std::uint32_t first = blockIdx.x * Worker::kAtOnce + Worker::place();
  const std::uint32_t workers = gridDim.x * Worker::kAtOnce;
  const std::uint64_t many = std::uint64_t{kManyVisits} * queue.tiles;
  std::uint64_t visits = 0;
  Worker worker(flow, queue, memory);
  Window window;
  for (std::uint32_t generation = 0;; ++generation) {
    const volatile std::uint32_t* list = queue.list[generation % 2];
    const Generation now = read_generation(queue, generation);
    std::uint32_t count = now.listed;
    if (count == 0) return;
    if (queue.tiles <= workers) {
      if (first < queue.tiles) worker.work_on(first, generation);
      count = 0;
    }
    if (visits > many && count > workers) {
      divide_list(queue, generation, count, window.end(now.least));
      grid.sync();
      const Generation divided = read_generation(queue, generation);
      window.adapt(divided, workers);
      list = queue.chosen;
      count = divided.chosen;
    }
    for (std::uint32_t i = first; i < count;) {
      const std::uint32_t asked = worker.ask_for_number(&queue.generations[generation % 3].taken);
      worker.work_on(list[i], generation);
      i = workers + worker.number(asked);
    }
    visits += count;
    if (blockIdx.x == 0 && threadIdx.x == 0) clear_generation(queue, generation + 2);
    grid.sync();
  }
}

/// Runs the front from the tiles of the queue's generation 0.
template <class Worker, class Flow>
void run_front(const CudaSession& session, const Flow& flow, const TileQueue& queue) {
  int of_processor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_processor, run_front_tiles<Worker, Flow>,
                                                      Worker::kThreads, 0),
        "blocks of a processor");
  const std::int64_t blocks =
      std::min<std::int64_t>(parts(flow.job.tiling.count(), Worker::kAtOnce),
                             std::int64_t{of_processor} * session.processors());
  launch_together(session, Worker::kName, {static_cast<unsigned>(blocks), Worker::kThreads},
                  run_front_tiles<Worker, Flow>, flow, queue);
}

/// The same with the worker that suits a flow along steps.
template <class Flow>
void run_front(const CudaSession& session, const Flow& flow, const TileQueue& queue) {
  run_front<FrontWorker<Flow>>(session, flow, queue);
}

}  // namespace thiessen::cuda::cost
