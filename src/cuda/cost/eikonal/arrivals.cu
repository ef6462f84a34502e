// SPDX-License-Identifier: Apache-2.0
//
// The second pass of method "eikonal".
#include "core/cost/arrival.hpp"
#include "cuda/cost/eikonal/arrival_pass.cuh"
#include "cuda/cost/eikonal/stages.hpp"
#include "cuda/cost/tiles/front.cuh"
#include "cuda/device/grid_stride.cuh"

namespace thiessen::cuda::cost {
namespace {

/// Empties the queue, for the second pass.
__global__ void __launch_bounds__(kGridStrideThreads) empty_queue(const TileQueue queue) {
  follow();
  clear_queue(queue, queue.tiles);
}

/// Finds the earlier neighbours of each cell, and enters the tiles of those that wait for none.
/// Behind a known cell, only a known cell counts.
__global__ void __launch_bounds__(kGridStrideThreads)
    find_earlier(const __grid_constant__ EikonalJob job, const TileQueue queue) {
  follow();
  grid_stride_loop(job.cells(), [&](std::int64_t cell) {
    const double own = job.order[cell];
    Traits traits = 0;
    if (own < kInfinity) {
      const Axes place = to_cell(job.tiling.extent, cell);
      const bool known = own == job.cost[cell];
      bool is_ready = !known;
      for (std::size_t side = job.first_side(); side < kSides; ++side) {
        if (!eikonal::has_beyond(side, place, job.tiling.extent)) continue;
        const std::int64_t other = cell + job.step_over(side);
        const double order = job.order[other];
        if (!(is_upper(side) ? order < own : order <= own)) continue;
        const bool is_known = order == job.cost[other];
        if (known && !is_known) continue;
        traits = static_cast<Traits>(traits | 1 << side);
        is_ready = is_ready && is_known;
      }
      if (known) traits |= kIsKnown;
      if (is_ready) queue.enter(tile_of(job.tiling, cell), kSetWithin, key_of(own), 0);
    }
    job.traits[cell] = traits;
  });
}

/// Forgets the costs that the order has lowered.
__global__ void __launch_bounds__(kGridStrideThreads)
    forget_unknown(const __grid_constant__ EikonalJob job) {
  follow();
  grid_stride_loop(job.cells(), [&](std::int64_t cell) {
    if ((job.traits[cell] & kIsKnown) == 0) job.cost[cell] = kUnanswered;
  });
}

__global__ void __launch_bounds__(kGridStrideThreads)
    find_known_sides(const __grid_constant__ EikonalJob job) {
  follow();
  grid_stride_loop(job.cells(), [&](std::int64_t cell) {
    if ((job.traits[cell] & kIsKnown) == 0 || job.site_cell[job.rank[cell]] == cell) return;
    job.side[cell] = static_cast<std::uint8_t>(eikonal::side_of_known(
        job.tiling.extent, job.order, cell, [&](std::int64_t of) { return job.rank[of]; }));
  });
}

/// Forgets cells beyond the limit, and turns sides into back links.
__global__ void __launch_bounds__(kGridStrideThreads)
    finish(const __grid_constant__ EikonalJob job) {
  follow();
  grid_stride_loop(job.cells(), [&](std::int64_t cell) {
    const double cost = job.cost[cell];
    if (!(cost >= 0 && cost <= job.limit)) {
      job.cost[cell] = kInfinity;
      if (job.wants_sites()) job.rank[cell] = kNoRank;
    }
    if (job.side != nullptr) job.side[cell] = job.link_of_side[job.side[cell]];
  });
}

}  // namespace

void find_arrivals(const CudaSession& session, const EikonalJob& job, const TileQueue& queue) {
  const GridShape shape = grid_stride_shape(session, job.cells());
  launch_next(session, "queue", grid_stride_shape(session, queue.tiles), empty_queue, queue);
  launch_next(session, "earlier neighbours", shape, find_earlier, job, queue);
  launch_next(session, "costs to find", shape, forget_unknown, job);
  if (job.side != nullptr)
    check(
        cudaMemsetAsync(job.side, kNoSide, static_cast<std::size_t>(job.cells()), session.stream()),
        "sides");
  if (job.dimensions == 2)
    run_front<ListWorker<ArrivalPass<2>>>(session, ArrivalPass<2>{job}, queue);
  else
    run_front<ListWorker<ArrivalPass<3>>>(session, ArrivalPass<3>{job}, queue);
  if (job.side != nullptr) launch_next(session, "ways around sites", shape, find_known_sides, job);
  launch_next(session, "cells beyond the limit", shape, finish, job);
}

}  // namespace thiessen::cuda::cost
