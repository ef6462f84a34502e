// SPDX-License-Identifier: Apache-2.0
//
// Labels once costs are final: which steps are tight, then the least rank that reaches a cell along
// them, then the hops from the cell of its site (core/cost_labels.hpp).
#include "cuda/cost/flood.cuh"
#include "cuda/cost/kernels.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/turns.cuh"

namespace thiessen::cuda {
namespace {

template <class T>
__global__ void __launch_bounds__(kTurnThreads) find_steps(const __grid_constant__ CostJob<T> job) {
  take_turns(job.cells(), [&](std::int64_t cell) { job.steps[cell] = tight_steps_to(job, cell); });
}

/// Sites that keep their own initial cost hand out ranks.
template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    put_ranks(const __grid_constant__ CostJob<T> job, const TileQueue queue) {
  take_turns(job.site_count, [&](std::int64_t rank) {
    const std::int64_t cell = job.site_cell[rank];
    if (cell == kNoCell || job.cost[cell] != job.initial_of(rank)) return;
    atomicMin(&job.rank[cell], static_cast<std::uint32_t>(rank));
    queue.push(tile_of(job.tiling, cell), 0);
  });
}

template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    put_hops(const __grid_constant__ CostJob<T> job, const TileQueue queue) {
  take_turns(job.site_count, [&](std::int64_t rank) {
    const std::int64_t cell = job.site_cell[rank];
    if (cell == kNoCell || job.rank[cell] != rank) return;
    job.hops[cell] = 0;
    queue.push(tile_of(job.tiling, cell), 0);
  });
}

void clear_values(const CudaSession& session, std::uint32_t* values, std::int64_t count) {
  check(cudaMemsetAsync(values, 0xff, static_cast<std::size_t>(count) * sizeof *values,
                        session.stream()),
        "start of labels");
}

}  // namespace

template <class T>
void settle_labels(const CudaSession& session, const CostJob<T>& job, Scratch::Frame& device) {
  clear_values(session, job.rank, job.cells());
  if (job.hops != nullptr) clear_values(session, job.hops, job.cells());
  if (job.site_count == 0) return;
  const TileQueue queue = take_queue(job.tiling, device);
  const GridShape of_sites = turns_for(session, job.site_count);
  launch(session, "tight steps", turns_for(session, job.cells()), find_steps<T>, job);
  clear_queue(session, job.tiling, queue);
  launch(session, "ranks of sites", of_sites, put_ranks<T>, job, queue);
  visit_count(job.edges.count,
              [&](auto count) { flood(session, RankFlow<decltype(count)::value>{job}, queue); });
  if (job.hops == nullptr) return;
  clear_queue(session, job.tiling, queue);
  launch(session, "hops of sites", of_sites, put_hops<T>, job, queue);
  visit_count(job.edges.count,
              [&](auto count) { flood(session, HopFlow<decltype(count)::value>{job}, queue); });
}

template void settle_labels(const CudaSession&, const CostJob<float>&, Scratch::Frame&);
template void settle_labels(const CudaSession&, const CostJob<double>&, Scratch::Frame&);

}  // namespace thiessen::cuda
