// SPDX-License-Identifier: Apache-2.0
//
// A CostSolver's answer made anew, by the stages of method "exact", and what is read from answers:
// the cells that changed, the labels of sites.
//
// All kernels here are launched with every repair, which nobody waits for; where the repair was
// enough they return at once.
#include <algorithm>

#include "cuda/cost/solver/answer.cuh"
#include "cuda/cost/start.cuh"
#include "cuda/cost/tiles/queue.cuh"
#include "cuda/device/grid_stride.cuh"
#include "cuda/device/launch.cuh"

namespace thiessen::cuda::cost {
namespace {

template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    forget_costs(const __grid_constant__ SolverJob<T> job, const TileQueue queue) {
  follow();
  if (!job.now.is_wanted()) return;
  clear_queue(queue, job.now.tiling.count());
  grid_stride_loop(job.now.cells(), [&](std::int64_t cell) {
    job.now.cost[cell] = std::numeric_limits<T>::infinity();
  });
}

/// Compares the answer with the one before, and writes all outputs.
template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    tell_all(const __grid_constant__ SolverJob<T> job) {
  follow();
  if (!job.now.is_wanted()) return;
  ChangeNotes<T> notes(job);
  grid_stride_loop(job.now.cells(), [&](std::int64_t cell) {
    if (is_outside(job.now.resistance[cell])) job.now.rank[cell] = kOutsideSite;
    if (is_changed(job, cell)) notes.add(cell);
    write_answer(job, cell);
    if (!job.out.back_link) return;
    const std::uint32_t site = job.now.rank[cell];
    job.out.back_link.put(job.now.tiling.extent, cell,
                          site == kOutsideSite ? kBackLinkNodata
                          : site == kNoRank    ? kBackLinkUnreached
                                               : back_link_of(job.now, cell));
  });
  notes.finish();
}

template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    list_changed_cells(const __grid_constant__ SolverJob<T> job, SolverChange* changes,
                       std::uint32_t* count) {
  follow();
  const SolverWork& work = *job.work;
  const bool is_afresh = work.afresh != 0;
  const std::int64_t items = is_afresh ? job.now.cells() : std::int64_t{work.tiles} * kCostThreads;
  grid_stride_loop((items + kLanes - 1) / kLanes * kLanes, [&](std::int64_t i) {
    const std::int64_t cell =
        i >= items  ? -1
        : is_afresh ? i
                    : cell_of_tile(job.now.tiling, job.list[work.list][i / kCostThreads],
                                   static_cast<std::int32_t>(i % kCostThreads));
    const bool differs = cell >= 0 && is_changed(job, cell);
    append(changes, *count, differs,
           differs ? SolverChange{static_cast<std::uint32_t>(cell), job.site_before[cell]}
                   : SolverChange{});
  });
}

template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    write_labels(const __grid_constant__ SolverJob<T> job, const std::uint32_t* sites,
                 std::int64_t count) {
  follow();
  grid_stride_loop(job.now.cells(), [&](std::int64_t cell) {
    const std::uint32_t site = job.now.rank[cell];
    std::int64_t first = 0;
    for (std::int64_t end = count; first < end;) {
      const std::int64_t middle = (first + end) / 2;
      if (sites[middle] < site)
        first = middle + 1;
      else
        end = middle;
    }
    if (first < count && sites[first] == site) write_label(job, cell);
  });
}

}  // namespace

template <class T>
void solve_afresh(const CudaSession& session, const SolverJob<T>& job, const CostStart& from,
                  Scratch::Frame& device) {
  const TileQueue queue = allocate_queue(job.now.tiling, device);
  const GridShape of_cells = grid_stride_shape(session, job.now.cells());
  launch_next(session, "start of costs", of_cells, forget_costs<T>, job, queue);
  start_sites(session, job.now, from, queue);
  run_cost_front(session, job.now, queue);
  find_labels(session, job.now, device);
  launch_next(session, "changes of costs", of_cells, tell_all<T>, job);
}

template <class T>
void relabel_cells(const CudaSession& session, const SolverJob<T>& job, const std::uint32_t* sites,
                   std::int64_t count) {
  launch_next(session, "labels of cells", grid_stride_shape(session, job.now.cells()),
              write_labels<T>, job, sites, count);
}

template <class T>
void list_changed(const CudaSession& session, const SolverJob<T>& job, SolverChange* changes,
                  std::uint32_t* count) {
  launch_next(session, "cells that changed", grid_stride_shape(session, job.now.cells()),
              list_changed_cells<T>, job, changes, count);
}

template void solve_afresh(const CudaSession&, const SolverJob<float>&, const CostStart&,
                           Scratch::Frame&);
template void solve_afresh(const CudaSession&, const SolverJob<double>&, const CostStart&,
                           Scratch::Frame&);
template void relabel_cells(const CudaSession&, const SolverJob<float>&, const std::uint32_t*,
                            std::int64_t);
template void relabel_cells(const CudaSession&, const SolverJob<double>&, const std::uint32_t*,
                            std::int64_t);
template void list_changed(const CudaSession&, const SolverJob<float>&, SolverChange*,
                           std::uint32_t*);
template void list_changed(const CudaSession&, const SolverJob<double>&, SolverChange*,
                           std::uint32_t*);

}  // namespace thiessen::cuda::cost
