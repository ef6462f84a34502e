// SPDX-License-Identifier: Apache-2.0
//
// Method "exact" of cost distance: runs fronts from the tiles with sites.
#include "cuda/cost/kernels.hpp"
#include "cuda/cost/start.cuh"
#include "cuda/cost/tiles/front.cuh"

namespace thiessen::cuda::cost {

template <class T>
void find_costs(const CudaSession& session, const CostJob<T>& job, const CostStart& from,
                Scratch::Frame& device) {
  const TileQueue queue = allocate_queue(job.tiling, device);
  start_costs(session, job, from, queue);
  run_cost_front(session, job, queue);
}

template <class T>
void run_cost_front(const CudaSession& session, const CostJob<T>& job, const TileQueue& queue) {
  visit_count(job.edges.count, [&](auto count) {
    run_front(session, CostFlow<T, decltype(count)::value>{job}, queue);
  });
}

template void find_costs(const CudaSession&, const CostJob<float>&, const CostStart&,
                         Scratch::Frame&);
template void find_costs(const CudaSession&, const CostJob<double>&, const CostStart&,
                         Scratch::Frame&);
template void run_cost_front(const CudaSession&, const CostJob<float>&, const TileQueue&);
template void run_cost_front(const CudaSession&, const CostJob<double>&, const TileQueue&);

}  // namespace thiessen::cuda::cost
