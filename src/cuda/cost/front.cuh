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
// Nothing is lost. Only the worker of a tile writes its cells, as a tile is at most once on a list.
// If a worker reads the halo while another one writes it, it may get the old or the new value. If
// it gets the old one, the other worker gives this tile a new reason after it has written: this
// worker took all reasons before it read. So when a list is empty, each tile was last worked on
// after the last change in its halo that could lower anything in it. Values and lists are read and
// written as volatile (relaxed, past the first cache, each in one access), since others write them
// during the kernel. Resistances, steps, and the ranks that hops need do not change during the
// kernel.
//
// It ends. Values only fall, each to one of the finitely many values that paths have, and a
// generation after the first comes only if a cell fell in the one before. Generations are counted
// in 32 bits; it would take days to use them up.
#pragma once

#include <cooperative_groups.h>

#include <algorithm>
#include <type_traits>

#include "cuda/cost/block_worker.cuh"
#include "cuda/cost/flow.hpp"
#include "cuda/cost/queue.cuh"
#include "cuda/cost/warp_worker.cuh"
#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/session.hpp"

namespace thiessen::cuda {

template <class Flow>
using FrontWorker = std::conditional_t<kIsFlat<Flow>, WarpWorker<Flow>, BlockWorker<Flow>>;

template <class Worker, class Flow>
__global__ void __launch_bounds__(Worker::kThreads, Worker::kBlocks)
    run_front_tiles(const __grid_constant__ Flow flow, const __grid_constant__ TileQueue queue) {
  __shared__ typename Worker::Memory memory;
  const auto grid = cooperative_groups::this_grid();
  const volatile std::uint32_t* const counts = queue.count;
  const std::uint32_t first = blockIdx.x * Worker::kAtOnce + Worker::place();
  Worker worker(flow, queue, memory);
  for (std::uint32_t generation = 0;; ++generation) {
    const std::uint32_t count = counts[generation % 3];
    if (count == 0) return;
    const volatile std::uint32_t* const list = queue.list[generation % 2];
    for (std::uint32_t i = first; i < count; i += gridDim.x * Worker::kAtOnce)
      worker.work_on(list[i], generation);
    if (blockIdx.x == 0 && threadIdx.x == 0)
      static_cast<volatile std::uint32_t*>(queue.count)[(generation + 2) % 3] = 0;
    grid.sync();
  }
}

/// Runs the front from the tiles of the queue's generation 0.
template <class Flow>
void run_front(const CudaSession& session, Flow flow, TileQueue queue) {
  using Worker = FrontWorker<Flow>;
  int of_processor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_processor, run_front_tiles<Worker, Flow>,
                                                      Worker::kThreads, 0),
        "blocks of a processor");
  const std::int64_t blocks =
      std::min<std::int64_t>(parts(flow.job.tiling.count(), Worker::kAtOnce),
                             std::int64_t{of_processor} * session.processors());
  launch_together(session, "front by tiles", {static_cast<unsigned>(blocks), Worker::kThreads},
                  run_front_tiles<Worker, Flow>, flow, queue);
}

}  // namespace thiessen::cuda
