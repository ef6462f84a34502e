// SPDX-License-Identifier: Apache-2.0
//
// The kernels of J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled distance planes
// using CUDA"; labels are left to a later phase. `cost` is C_o, `lowered` is C_u, `mask` is M, and
// notes->changed, the number of cells of the next mask, is the flag.
#include "cuda/cost/atomic.cuh"
#include "cuda/cost/kernels.hpp"
#include "cuda/cost/start.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/device/turns.cuh"

namespace thiessen::cuda {
namespace {

template <class T>
__global__ void __launch_bounds__(kTurnThreads) start(const __grid_constant__ CostIteration<T> it) {
  take_turns(it.job.cells(), [&](std::int64_t cell) {
    const T cost = it.job.cost[cell];
    it.lowered[cell] = cost;
    it.mask[cell] = cost < std::numeric_limits<T>::infinity() ? 1 : 0;
    if (it.mask[cell] != 0) atomicAdd(&it.notes->changed, 1u);
  });
}

/// Algorithm 1.
template <class T>
__global__ void __launch_bounds__(kTurnThreads) relax(const __grid_constant__ CostIteration<T> it) {
  const CostJob<T>& job = it.job;
  take_turns(job.cells(), [&](std::int64_t cell) {
    if (it.mask[cell] == 0) return;
    it.mask[cell] = 0;
    const Axes place = to_cell(job.tiling.extent, cell);
    for (int k = 0; k < job.edges.count; ++k) {
      if (!has_neighbour(job, place, k)) continue;
      const T cost = along(job.cost[cell], raster_weight(job, cell, k));
      if (cost <= job.limit) lower_cost(&it.lowered[cell + job.tiling.raster_delta[k]], cost);
    }
  });
}

/// Algorithm 2.
template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    update(const __grid_constant__ CostIteration<T> it) {
  take_turns(it.job.cells(), [&](std::int64_t cell) {
    const T now = it.lowered[cell];
    if (!(now < it.job.cost[cell])) return;
    it.job.cost[cell] = now;
    it.mask[cell] = 1;
    atomicAdd(&it.notes->changed, 1u);
  });
}

template <class T>
unsigned cell_blocks(const CudaSession& session, const CostIteration<T>& iteration) {
  return turns_for(session, iteration.job.cells()).blocks;
}

template <class T>
void clear_flag(const CudaSession& session, const CostIteration<T>& iteration) {
  check(cudaMemsetAsync(&iteration.notes->changed, 0, sizeof iteration.notes->changed,
                        session.stream()),
        "flag of an iteration");
}

}  // namespace

template <class T>
void start_iterations(const CudaSession& session, const CostIteration<T>& iteration,
                      const CostStart& from) {
  start_costs(session, iteration.job, from, {});
  clear_flag(session, iteration);
  launch(session, "start of the relaxation", {cell_blocks(session, iteration), kTurnThreads},
         start<T>, iteration);
}

template <class T>
void iterate_costs(const CudaSession& session, const CostIteration<T>& iteration) {
  clear_flag(session, iteration);
  launch(session, "relaxation", {cell_blocks(session, iteration), kTurnThreads}, relax<T>,
         iteration);
  launch(session, "update of the relaxation", {cell_blocks(session, iteration), kTurnThreads},
         update<T>, iteration);
}

template void start_iterations(const CudaSession&, const CostIteration<float>&, const CostStart&);
template void start_iterations(const CudaSession&, const CostIteration<double>&, const CostStart&);
template void iterate_costs(const CudaSession&, const CostIteration<float>&);
template void iterate_costs(const CudaSession&, const CostIteration<double>&);

}  // namespace thiessen::cuda
