// SPDX-License-Identifier: Apache-2.0
//
// Method "exact" of cost distance: puts the tiles with sites into the queue, and runs fronts from
// there.
#include "cuda/cost/front.cuh"
#include "cuda/cost/kernels.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/turns.cuh"

namespace thiessen::cuda {
namespace {

template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    list_tiles(const __grid_constant__ CostJob<T> job, const TileQueue queue) {
  take_turns(job.site_count, [&](std::int64_t rank) {
    const std::int64_t cell = job.site_cell[rank];
    if (cell != kNoCell) queue.enter(tile_of(job.tiling, cell), kSetWithin, 0);
  });
}

}  // namespace

template <class T>
void find_costs(const CudaSession& session, const CostJob<T>& job, Scratch::Frame& device) {
  if (job.site_count == 0) return;
  const TileQueue queue = take_queue(job.tiling, device);
  clear_queue(session, job.tiling, queue);
  launch(session, "tiles of sites", turns_for(session, job.site_count), list_tiles<T>, job, queue);
  visit_count(job.edges.count, [&](auto count) {
    run_front(session, CostFlow<T, decltype(count)::value>{job}, queue);
  });
}

template void find_costs(const CudaSession&, const CostJob<float>&, Scratch::Frame&);
template void find_costs(const CudaSession&, const CostJob<double>&, Scratch::Frame&);

}  // namespace thiessen::cuda
