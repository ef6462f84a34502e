// SPDX-License-Identifier: Apache-2.0
//
// The kernels of J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled distance planes
// using CUDA"; labels are left to a later phase. `cost` is C_o, `lowered` is C_u, `mask` is M, and
// active[i + 1], the number of cells in the mask after iteration i, is the flag.
//
// The paper launches both kernels in each iteration, and its host reads the flag. Here they are the
// two halves of one kernel that stays on the device for many iterations: all of its threads meet at
// a barrier where a kernel of the paper ends. A small raster has one block, whose barrier is short.
// What others write between two barriers is only lowered by atomic minima, and read after the next
// one.
#include <cooperative_groups.h>

#include <algorithm>

#include "cuda/cost/atomic.cuh"
#include "cuda/cost/kernels.hpp"
#include "cuda/cost/start.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/device/turns.cuh"
#include "cuda/device/warp.cuh"

namespace thiessen::cuda {
namespace {

/// The threads of a block that iterates.
constexpr int kIterationThreads = 1024;
/// Rasters of so many cells are iterated by one block.
constexpr std::int64_t kCellsOfOneBlock = 8192;
/// Most cells that a launch looks at in all of its iterations, so that the host is soon asked
/// whether the call is cancelled.
constexpr std::int64_t kCellsOfALaunch = std::int64_t{1} << 33;

template <class T>
__global__ void __launch_bounds__(kTurnThreads) start(const __grid_constant__ CostIteration<T> it) {
  take_turns(it.job.cells(), [&](std::int64_t cell) {
    const T cost = it.job.cost[cell];
    it.lowered[cell] = cost;
    it.mask[cell] = cost < std::numeric_limits<T>::infinity() ? 1 : 0;
    if (it.mask[cell] != 0) atomicAdd(&it.active->cells[0], 1u);
  });
}

/// Waits for all threads of the grid.
__device__ inline void meet_all() {
  if (gridDim.x == 1)
    __syncthreads();
  else
    cooperative_groups::this_grid().sync();
}

/// Algorithm 1.
template <class T>
__device__ void relax(const CostIteration<T>& it) {
  const CostJob<T>& job = it.job;
  take_turns<kIterationThreads>(job.cells(), [&](std::int64_t cell) {
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

/// Algorithm 2; counts the cells of the next mask.
template <class T>
__device__ void update(const CostIteration<T>& it, std::uint32_t& active) {
  std::int32_t fell = 0;
  take_turns<kIterationThreads>(it.job.cells(), [&](std::int64_t cell) {
    const T now = it.lowered[cell];
    if (!(now < it.job.cost[cell])) return;
    it.job.cost[cell] = now;
    it.mask[cell] = 1;
    ++fell;
  });
  fell = sum_of_warp(fell);
  if (lane_of_thread() == 0 && fell > 0) atomicAdd(&active, static_cast<std::uint32_t>(fell));
}

/// Iterates until a mask is empty, at most `most` times.
template <class T>
__global__ void __launch_bounds__(kIterationThreads)
    iterate(const __grid_constant__ CostIteration<T> it, int most) {
  for (int i = 0; i < most && it.active->cells[i] > 0; ++i) {
    relax(it);
    meet_all();
    update(it, it.active->cells[i + 1]);
    meet_all();
  }
}

template <class T>
unsigned iteration_blocks(const CudaSession& session, std::int64_t cells) {
  if (cells <= kCellsOfOneBlock) return 1;
  int of_processor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_processor, iterate<T>, kIterationThreads,
                                                      0),
        "blocks of a processor");
  return static_cast<unsigned>(std::min<std::int64_t>(
      parts(cells, kIterationThreads), std::int64_t{of_processor} * session.processors()));
}

/// Makes the count of the last mask the first, and clears the others.
void restart_counts(const CudaSession& session, ActiveCells* active, int last) {
  check(cudaMemcpyAsync(&active->cells[0], &active->cells[last], sizeof active->cells[0],
                        cudaMemcpyDeviceToDevice, session.stream()),
        "active cells");
  check(cudaMemsetAsync(&active->cells[1], 0, sizeof *active - sizeof active->cells[0],
                        session.stream()),
        "active cells");
}

}  // namespace

template <class T>
void start_iterations(const CudaSession& session, const CostIteration<T>& iteration,
                      const CostStart& from) {
  start_costs(session, iteration.job, from, {});
  check(cudaMemsetAsync(iteration.active, 0, sizeof *iteration.active, session.stream()),
        "active cells");
  launch(session, "start of the relaxation", turns_for(session, iteration.job.cells()), start<T>,
         iteration);
}

template <class T>
int iterate_costs(const CudaSession& session, const CostIteration<T>& iteration, bool is_first) {
  const std::int64_t cells = std::max<std::int64_t>(iteration.job.cells(), 1);
  const auto most = static_cast<int>(
      std::clamp<std::int64_t>(kCellsOfALaunch / cells, 1, ActiveCells::kMostIterations));
  if (!is_first) restart_counts(session, iteration.active, most);
  launch_together(session, "relaxation", {iteration_blocks<T>(session, cells), kIterationThreads},
                  iterate<T>, iteration, most);
  return most;
}

template void start_iterations(const CudaSession&, const CostIteration<float>&, const CostStart&);
template void start_iterations(const CudaSession&, const CostIteration<double>&, const CostStart&);
template int iterate_costs(const CudaSession&, const CostIteration<float>&, bool);
template int iterate_costs(const CudaSession&, const CostIteration<double>&, bool);

}  // namespace thiessen::cuda
