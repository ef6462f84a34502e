// SPDX-License-Identifier: Apache-2.0
//
// Labels of final costs: finds the tight steps, then the least rank that reaches a cell along them,
// then the hops from the cell of its site (core/cost_labels.hpp).
#include <algorithm>

#include "cuda/cost/front.cuh"
#include "cuda/cost/kernels.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/turns.cuh"

namespace thiessen::cuda {
namespace {

template <class T>
__global__ void __launch_bounds__(kTurnThreads) find_steps(const __grid_constant__ CostJob<T> job) {
  take_turns(job.cells(), [&](std::int64_t cell) { job.steps[cell] = tight_steps_to(job, cell); });
}

/// The same for tiles on which a warp works.
template <class Flow>
__global__ void __launch_bounds__(WarpWorker<Flow>::kThreads, WarpWorker<Flow>::kBlocks)
    find_flat_steps(const __grid_constant__ Flow flow) {
  using Worker = WarpWorker<Flow>;
  __shared__ typename Worker::Memory memory;
  const auto count = static_cast<std::uint32_t>(flow.job.tiling.count());
  for (std::uint32_t tile = blockIdx.x * Worker::kAtOnce + Worker::place(); tile < count;
       tile += gridDim.x * Worker::kAtOnce) {
    const FlatSweep<Flow> sweep(flow, origin_of(flow.job.tiling, tile),
                                memory.tile[Worker::place()]);
    sweep.store_tight_steps();
    __syncwarp();
  }
}

/// Sites that keep their own initial cost pass on their ranks.
template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    put_ranks(const __grid_constant__ CostJob<T> job, const TileQueue queue) {
  take_turns(job.site_count, [&](std::int64_t rank) {
    const std::int64_t cell = job.site_cell[rank];
    if (cell == kNoCell || job.cost[cell] != job.initial_of(rank)) return;
    atomicMin(&job.rank[cell], static_cast<std::uint32_t>(rank));
    queue.enter(tile_of(job.tiling, cell), kSetWithin, 0);
  });
}

template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    keep_same_site(const __grid_constant__ CostJob<T> job) {
  take_turns(job.cells(), [&](std::int64_t cell) { job.steps[cell] = same_site_steps(job, cell); });
}

template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    put_hops(const __grid_constant__ CostJob<T> job, const TileQueue queue) {
  take_turns(job.site_count, [&](std::int64_t rank) {
    const std::int64_t cell = job.site_cell[rank];
    if (cell == kNoCell || job.rank[cell] != rank) return;
    job.hops[cell] = 0;
    queue.enter(tile_of(job.tiling, cell), kSetWithin, 0);
  });
}

template <class T, int kNeighbours>
void find_tight_steps(const CudaSession& session, const CostJob<T>& job) {
  using Flow = CostFlow<T, kNeighbours>;
  if constexpr (kIsFlat<Flow>) {
    using Worker = WarpWorker<Flow>;
    const std::int64_t blocks = std::min<std::int64_t>(parts(job.tiling.count(), Worker::kAtOnce),
                                                       session.processors() * Worker::kBlocks);
    launch(session, "tight steps", {static_cast<unsigned>(blocks), Worker::kThreads},
           find_flat_steps<Flow>, Flow{job});
  } else {
    launch(session, "tight steps", turns_for(session, job.cells()), find_steps<T>, job);
  }
}

void clear_values(const CudaSession& session, std::uint32_t* values, std::int64_t count) {
  check(cudaMemsetAsync(values, 0xff, static_cast<std::size_t>(count) * sizeof *values,
                        session.stream()),
        "start of labels");
}

}  // namespace

template <class T>
void find_labels(const CudaSession& session, const CostJob<T>& job, Scratch::Frame& device) {
  clear_values(session, job.rank, job.cells());
  if (job.hops != nullptr) clear_values(session, job.hops, job.cells());
  if (job.site_count == 0) return;
  const TileQueue queue = take_queue(job.tiling, device);
  const GridShape of_sites = turns_for(session, job.site_count);
  visit_count(job.edges.count,
              [&](auto count) { find_tight_steps<T, decltype(count)::value>(session, job); });
  clear_queue(session, job.tiling, queue);
  launch(session, "ranks of sites", of_sites, put_ranks<T>, job, queue);
  visit_count(job.edges.count, [&](auto count) {
    run_front(session, RankFlow<decltype(count)::value>{job}, queue);
  });
  if (job.hops == nullptr) return;
  launch(session, "steps of one site", turns_for(session, job.cells()), keep_same_site<T>, job);
  clear_queue(session, job.tiling, queue);
  launch(session, "hops of sites", of_sites, put_hops<T>, job, queue);
  visit_count(job.edges.count,
              [&](auto count) { run_front(session, HopFlow<decltype(count)::value>{job}, queue); });
}

template void find_labels(const CudaSession&, const CostJob<float>&, Scratch::Frame&);
template void find_labels(const CudaSession&, const CostJob<double>&, Scratch::Frame&);

}  // namespace thiessen::cuda
