// SPDX-License-Identifier: Apache-2.0
//
// Floods by tiles: lowers the values of a flow (flow.hpp) until no step lowers any, in one kernel
// that no host looks after. For sources compiled as CUDA.
//
// Tiles of flat rasters with 4 or 8 neighbours are a warp's work (warp_worker.cuh), others a
// block's (block_worker.cuh). A worker takes tiles of the list of a generation (queue.cuh), each
// with its halo; lowers its cells until no step within the tile lowers any; writes those that fell;
// and gives a reason to be worked on to every tile around in which that may lower something.
//
// Nothing is lost. The cells of a tile are written by its worker alone, as a tile is at most once
// on a list. What a worker reads of the halo while another one writes it may be old or new; if it
// is old, the other one, having written, gives the tile another reason, for it was told of none
// since this worker took them all, before it read. So when a list is empty, each tile was last
// worked on after the last change in its halo that could lower anything in it. Values and lists are
// read and written as volatile (relaxed, past the first cache, each in one access), since others
// write them during the kernel; resistances, steps and ranks that hops need are constant in it.
//
// It ends. Values only fall, each to one of the finitely many that paths have, and a generation
// after the first comes only if a cell fell in the one before. Generations are counted in 32 bits,
// which would take days to run out.
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
using FloodWorker = std::conditional_t<kIsFlat<Flow>, WarpWorker<Flow>, BlockWorker<Flow>>;

template <class Worker, class Flow>
__global__ void __launch_bounds__(Worker::kThreads, Worker::kBlocks)
    flood_tiles(const __grid_constant__ Flow flow, const __grid_constant__ TileQueue queue) {
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

/// Floods from the tiles of the queue's generation 0.
template <class Flow>
void flood(const CudaSession& session, Flow flow, TileQueue queue) {
  using Worker = FloodWorker<Flow>;
  int of_processor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_processor, flood_tiles<Worker, Flow>,
                                                      Worker::kThreads, 0),
        "blocks of a processor");
  const std::int64_t blocks =
      std::min<std::int64_t>(parts(flow.job.tiling.count(), Worker::kAtOnce),
                             std::int64_t{of_processor} * session.processors());
  launch_together(session, "flood by tiles", {static_cast<unsigned>(blocks), Worker::kThreads},
                  flood_tiles<Worker, Flow>, flow, queue);
}

}  // namespace thiessen::cuda
