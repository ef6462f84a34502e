// SPDX-License-Identifier: Apache-2.0
//
// Method "eikonal", and its first pass.
#include "cuda/cost/eikonal/order_pass.cuh"
#include "cuda/cost/eikonal/stages.hpp"
#include "cuda/cost/start.cuh"
#include "cuda/cost/tiles/front.cuh"

namespace thiessen::cuda::cost {

void lower_order(const CudaSession& session, const EikonalJob& job, const TileQueue& queue) {
  if (job.dimensions == 2)
    run_front<ListWorker<OrderPass<2>>>(session, OrderPass<2>{job}, queue);
  else
    run_front<ListWorker<OrderPass<3>>>(session, OrderPass<3>{job}, queue);
}

void find_fronts(const CudaSession& session, const EikonalJob& job, const CostStart& from,
                 Scratch::Frame& device) {
  const TileQueue queue = allocate_queue(job.tiling, device);
  CostJob<double> listed = job;
  listed.limit = -1;  // so that sites are listed, but do not start: lines do
  start_costs(session, listed, from, queue);
  start_answers(session, job, queue);
  lower_order(session, job, queue);
  find_arrivals(session, job, queue);
}

}  // namespace thiessen::cuda::cost
