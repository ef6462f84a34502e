// SPDX-License-Identifier: Apache-2.0
//
// The kernels of J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled distance planes
// using CUDA"; labels are left to a later phase. `cost` is C_o, `lowered` is C_u, and `active` has
// the number of active cells before each iteration, the first of which is the flag.
//
// The paper launches both kernels in each iteration, and its host reads the flag. Here they are the
// two halves of one kernel that stays on the device for many iterations: all of its threads meet at
// a barrier where a kernel of the paper ends. What others write between two barriers is only
// lowered by atomic minima, and read after the next one. A small raster has one block, whose
// barrier is short and whose shared memory holds the planes.
//
// The mask M of the paper is a list of its cells here. As a rule few cells are active, so a thread
// takes one step of one cell, and no warp waits for a single lane that goes round its neighbours.
#include <algorithm>

#include "cuda/cost/atomic.cuh"
#include "cuda/cost/kernels.hpp"
#include "cuda/cost/start.cuh"
#include "cuda/device/grid_stride.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/device/sync_grid.cuh"
#include "cuda/device/warp.cuh"

namespace thiessen::cuda::cost {
namespace {

/// The threads of a block that iterates.
constexpr int kIterationThreads = 1024;
/// Rasters of up to so many cells are iterated by one block, if its shared memory holds them.
constexpr std::int64_t kCellsOfOneBlock = 8192;
/// Most cells that a launch looks at in all of its iterations, so that the host is soon asked
/// whether the call is cancelled.
constexpr std::int64_t kCellsPerLaunch = std::int64_t{1} << 33;

/// What iterations read and write.
template <class T>
struct Planes {
  T* cost;
  T* lowered;
  std::uint32_t* listed;  ///< the active cells, in any order
  std::uint32_t* active;

  static constexpr std::int64_t kBytesOfCell = 2 * sizeof(T) + sizeof(std::uint32_t);
};

/// Calls visit(cell, is_cell) with all lanes of a warp, for the cells of a raster and some numbers
/// behind the last.
template <int kThreads, class Visit>
__device__ void grid_stride_cell_loop(std::int64_t cells, const Visit& visit) {
  grid_stride_loop<kThreads>((cells + kLanes - 1) / kLanes * kLanes,
                             [&](std::int64_t cell) { visit(cell, cell < cells); });
}

template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    start(const __grid_constant__ CostIteration<T> it) {
  grid_stride_cell_loop<kGridStrideThreads>(it.job.cells(), [&](std::int64_t cell, bool is_cell) {
    const T cost = is_cell ? it.job.cost[cell] : std::numeric_limits<T>::infinity();
    if (is_cell) it.lowered[cell] = cost;
    append(it.listed, it.active->cells[0], cost < std::numeric_limits<T>::infinity(),
           static_cast<std::uint32_t>(cell));
  });
}

/// Algorithm 1.
template <class T>
__device__ void relax(const CostJob<T>& job, const Planes<T>& planes, std::uint32_t active) {
  const std::int64_t steps = job.edges.count;
  grid_stride_loop<kIterationThreads>(active * steps, [&](std::int64_t i) {
    const std::int64_t cell = planes.listed[i / steps];
    const auto k = static_cast<int>(i % steps);
    if (!has_neighbour(job, to_cell(job.tiling.extent, cell), k)) return;
    const T cost = along(planes.cost[cell], raster_weight(job, cell, k));
    if (cost <= job.limit) lower_cost(&planes.lowered[cell + job.tiling.raster_delta[k]], cost);
  });
}

/// Algorithm 2; lists and counts the next active cells.
template <class T>
__device__ void update(const CostJob<T>& job, const Planes<T>& planes, std::uint32_t& active) {
  grid_stride_cell_loop<kIterationThreads>(job.cells(), [&](std::int64_t cell, bool is_cell) {
    const bool fell = is_cell && planes.lowered[cell] < planes.cost[cell];
    if (fell) planes.cost[cell] = planes.lowered[cell];
    append(planes.listed, active, fell, static_cast<std::uint32_t>(cell));
  });
}

/// Iterates until no cell is active, at most `most` times.
template <class T>
__device__ void iterate_planes(const CostJob<T>& job, const Planes<T>& planes, int most) {
  for (int i = 0; i < most && planes.active[i] > 0; ++i) {
    relax(job, planes, planes.active[i]);
    sync_grid();
    update(job, planes, planes.active[i + 1]);
    sync_grid();
  }
}

template <class T>
__global__ void __launch_bounds__(kIterationThreads)
    iterate(const __grid_constant__ CostIteration<T> it, int most) {
  iterate_planes(it.job, {it.job.cost, it.lowered, it.listed, it.active->cells}, most);
}

/// Copies planes whose list has so many cells, in turns.
template <class T>
__device__ void copy_planes(const Planes<T>& from, const Planes<T>& to, std::int64_t cells,
                            std::int64_t listed) {
  grid_stride_loop<kIterationThreads>(cells, [&](std::int64_t cell) {
    to.cost[cell] = from.cost[cell];
    to.lowered[cell] = from.lowered[cell];
  });
  grid_stride_loop<kIterationThreads>(listed,
                                      [&](std::int64_t i) { to.listed[i] = from.listed[i]; });
  grid_stride_loop<kIterationThreads>(ActiveCells::kMostIterations + 1,
                                      [&](std::int64_t i) { to.active[i] = from.active[i]; });
}

/// The same by a single block, on planes in its shared memory.
template <class T>
__global__ void __launch_bounds__(kIterationThreads)
    iterate_small(const __grid_constant__ CostIteration<T> it, int most) {
  const std::int64_t cells = it.job.cells();
  const Planes<T> all{it.job.cost, it.lowered, it.listed, it.active->cells};
  T* const cost = dynamic_shared<T>();
  auto* const listed = reinterpret_cast<std::uint32_t*>(cost + 2 * cells);
  const Planes<T> held{cost, cost + cells, listed, listed + cells};
  copy_planes(all, held, cells, all.active[0]);
  __syncthreads();
  iterate_planes(it.job, held, most);
  copy_planes(held, all, cells, held.active[most]);
}

template <class T>
unsigned iteration_blocks(const CudaSession& session, std::int64_t cells) {
  int of_processor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_processor, iterate<T>, kIterationThreads,
                                                      0),
        "blocks of a processor");
  return static_cast<unsigned>(std::min<std::int64_t>(
      parts(cells, kIterationThreads), std::int64_t{of_processor} * session.processors()));
}

/// Makes the last count the first, and clears the others.
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
  launch(session, "start of the relaxation", grid_stride_shape(session, iteration.job.cells()),
         start<T>, iteration);
}

template <class T>
int iterate_costs(const CudaSession& session, const CostIteration<T>& iteration, bool is_first) {
  const std::int64_t cells = std::max<std::int64_t>(iteration.job.cells(), 1);
  const auto most = static_cast<int>(
      std::clamp<std::int64_t>(kCellsPerLaunch / cells, 1, ActiveCells::kMostIterations));
  if (!is_first) restart_counts(session, iteration.active, most);
  const std::int64_t shared_bytes =
      cells * Planes<T>::kBytesOfCell + std::int64_t{sizeof(ActiveCells)};
  if (cells <= kCellsOfOneBlock && shared_bytes <= most_shared_bytes()) {
    allow_all_shared(iterate_small<T>, "relaxation");
    launch(session, "relaxation", {1, kIterationThreads, static_cast<std::size_t>(shared_bytes)},
           iterate_small<T>, iteration, most);
  } else {
    launch_together(session, "relaxation", {iteration_blocks<T>(session, cells), kIterationThreads},
                    iterate<T>, iteration, most);
  }
  return most;
}

template void start_iterations(const CudaSession&, const CostIteration<float>&, const CostStart&);
template void start_iterations(const CudaSession&, const CostIteration<double>&, const CostStart&);
template int iterate_costs(const CudaSession&, const CostIteration<float>&, bool);
template int iterate_costs(const CudaSession&, const CostIteration<double>&, bool);

}  // namespace thiessen::cuda::cost
