// SPDX-License-Identifier: Apache-2.0
//
// Updates of a CostSolver: the values of its map and its sites.
#include "cuda/cost/solver_answer.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/device/turns.cuh"

namespace thiessen::cuda {
namespace {

template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    start_arrays(const __grid_constant__ SolverJob<T> job) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    SolverWork none{};
    none.round = none.afresh = 1;
    none.fault.index = SolverFault::kNone;
    none.edits = job.capacity + 1;  // the first answer is made anew
    *job.work = none;
  }
  take_turns(job.now.cells(), [&](std::int64_t cell) {
    job.now.resistance[cell] = std::numeric_limits<T>::quiet_NaN();
    job.now.cost[cell] = std::numeric_limits<T>::infinity();
    job.now.rank[cell] = kNoRank;
    job.queued[cell] = 0;
    job.mark[cell] = 0;
    job.first[cell] = kNoRecord;
  });
}

/// The resistance of a value of an update.
template <class T>
__device__ Resistance<T> resistance_of(const SolverJob<T>& job, const CostMap& values,
                                       std::int64_t i) {
  if (is_nodata(values, i)) return {outside_resistance<T>(), true};
  return visit_value(values.cells, values.rule.type, i,
                     [&](auto value) { return to_resistance<T>(value, job.now.edges.stiffness); });
}

/// Notes the first value that is illegal.
template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    check_values(const __grid_constant__ SolverJob<T> job,
                 const __grid_constant__ MapUpdate update) {
  follow();
  take_turns(update.count, [&](std::int64_t i) {
    if (!resistance_of(job, update.values, update.value != nullptr ? update.value[i] : i).legal)
      atomicMin(&job.work->illegal, static_cast<unsigned long long>(i));
  });
}

/// Keeps an illegal value for the host, unless there is one already.
template <class T>
__device__ void note_fault(const SolverJob<T>& job, const MapUpdate& update) {
  SolverFault& fault = job.work->fault;
  if (fault.index != SolverFault::kNone) return;
  const std::uint64_t index = job.work->illegal;
  const std::int32_t element = update.values.cells.element;
  fault.index = update.value != nullptr ? update.value[index] : index;
  fault.extent = update.extent;
  fault.is_map = update.is_map ? 1 : 0;
  fault.value = 0;
  copy_element(reinterpret_cast<std::byte*>(&fault.value),
               update.values.cells.bytes + static_cast<std::int64_t>(fault.index) * element,
               element);
}

template <class T>
__device__ std::int64_t cell_of(const SolverJob<T>& job, const MapUpdate& update, std::int64_t i) {
  if (update.cell != nullptr) return update.cell[i];
  const Axes at = to_cell(update.extent, i);
  return to_index(job.now.tiling.extent,
                  {update.first[0] + at[0], update.first[1] + at[1], update.first[2] + at[2]});
}

/// Replaces values, if none of them is illegal, and lists the cells where that makes a difference.
template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    put_values(const __grid_constant__ SolverJob<T> job, const __grid_constant__ MapUpdate update) {
  follow();
  if (!update.is_checked && job.work->illegal != SolverFault::kNone) {
    if (blockIdx.x == 0 && threadIdx.x == 0) note_fault(job, update);
    return;
  }
  const std::int64_t turns = (update.count + kLanes - 1) / kLanes * kLanes;
  take_turns(turns, [&](std::int64_t i) {
    std::int64_t cell = 0;
    bool differs = false;
    if (i < update.count) {
      cell = cell_of(job, update, i);
      const T own =
          resistance_of(job, update.values, update.value != nullptr ? update.value[i] : i).value;
      const T old = job.now.resistance[cell];
      differs = own != old &&
                (is_passable(own) || is_passable(old) || is_outside(own) != is_outside(old));
      if (differs) job.now.resistance[cell] = own;
    }
    // What a full list does not hold need not be counted.
    if (__any_sync(~0u, read(&job.work->edits) <= job.capacity) != 0)
      append_bounded(job.edits, &job.work->edits, job.capacity, differs,
                     static_cast<std::uint32_t>(cell));
  });
}

/// Replaces sites, and clears the marks of those that are new.
template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    put_sites(const __grid_constant__ SolverJob<T> job, const __grid_constant__ SiteUpdate<T> sites,
              std::int64_t* site_count) {
  follow();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *site_count = sites.all_records;
    job.work->site_cells = static_cast<std::uint32_t>(sites.cells);
    job.work->generation = job.generation;
  }
  const std::int32_t element = job.out.labels.element;
  take_turns(sites.records, [&](std::int64_t i) {
    const std::uint32_t record = sites.record[i];
    const_cast<std::int64_t*>(job.now.listed_cell)[record] = sites.cell[i];
    const_cast<T*>(job.now.initial)[record] = sites.initial[i];
    if (sites.label != nullptr)
      copy_element(const_cast<std::byte*>(job.out.site_labels) + std::int64_t{record} * element,
                   sites.label + i * element, element);
  });
  take_turns(sites.cells, [&](std::int64_t i) { job.first[sites.changed[i]] = sites.first[i]; });
}

}  // namespace

template <class T>
void start_solver(const CudaSession& session, const SolverJob<T>& job) {
  launch(session, "start of a solver", turns_for(session, job.now.cells()), start_arrays<T>, job);
}

template <class T>
void replace_values(const CudaSession& session, const SolverJob<T>& job, const MapUpdate& update) {
  if (!update.is_checked) {
    check(cudaMemsetAsync(&job.work->illegal, 0xff, sizeof job.work->illegal, session.stream()),
          "check of a map");
    launch(session, "check of a map", turns_for(session, update.count), check_values<T>, job,
           update);
  }
  launch_next(session, "values of a map", turns_for(session, update.count), put_values<T>, job,
              update);
}

template <class T>
void replace_sites(const CudaSession& session, const SolverJob<T>& job, const SiteUpdate<T>& sites,
                   std::int64_t* site_count) {
  const std::int64_t most = std::max<std::int64_t>({sites.records, sites.cells, 1});
  launch_next(session, "sites of a solver", turns_for(session, most), put_sites<T>, job, sites,
              site_count);
}

template void start_solver(const CudaSession&, const SolverJob<float>&);
template void start_solver(const CudaSession&, const SolverJob<double>&);
template void replace_values(const CudaSession&, const SolverJob<float>&, const MapUpdate&);
template void replace_values(const CudaSession&, const SolverJob<double>&, const MapUpdate&);
template void replace_sites(const CudaSession&, const SolverJob<float>&, const SiteUpdate<float>&,
                            std::int64_t*);
template void replace_sites(const CudaSession&, const SolverJob<double>&, const SiteUpdate<double>&,
                            std::int64_t*);

}  // namespace thiessen::cuda
