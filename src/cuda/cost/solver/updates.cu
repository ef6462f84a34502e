// SPDX-License-Identifier: Apache-2.0
//
// Updates of a CostSolver: the values of its map and its sites.
#include <algorithm>

#include "cuda/cost/solver/rounds.cuh"
#include "cuda/device/grid.hpp"
#include "cuda/device/grid_stride.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/device/sync_grid.cuh"

namespace thiessen::cuda::cost {
namespace {

template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    start_arrays(const __grid_constant__ SolverJob<T> job) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    SolverWork none{};
    none.whole = none.afresh = 1;
    none.illegal = none.fault.index = SolverFault::kNone;
    none.first_ignored[0] = none.first_ignored[1] = kNoRank;
    *job.work = none;
  }
  grid_stride_loop(job.now.cells(), [&](std::int64_t cell) {
    job.now.resistance[cell] = std::numeric_limits<T>::quiet_NaN();
    job.now.cost[cell] = std::numeric_limits<T>::infinity();
    job.now.rank[cell] = kNoRank;
    job.first[cell] = kNoRecord;
    if (job.now.ranks_are_cells) job.site_mark[cell] = 0;
  });
  grid_stride_loop(job.now.tiling.count(), [&](std::int64_t tile) { job.tile_mark[tile] = 0; });
}

/// The resistance of a value of an update.
template <class T>
__device__ Resistance<T> resistance_of(const SolverJob<T>& job, const CostMap& values,
                                       std::int64_t i) {
  if (is_nodata(values, i)) return {outside_resistance<T>(), true};
  return visit_value(values.cells, values.rule.type, i,
                     [&](auto value) { return to_resistance<T>(value, job.now.edges.stiffness); });
}

/// Forgets an illegal value, and keeps it for the host, unless there is one already.
template <class T>
__device__ void note_fault(const SolverJob<T>& job, const MapUpdate& update) {
  SolverFault& fault = job.work->fault;
  const std::uint64_t index = job.work->illegal;
  job.work->illegal = SolverFault::kNone;
  if (fault.index != SolverFault::kNone) return;
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

/// Lists the tiles that look at the value of a cell.
template <class T>
__device__ void list_tiles_at(const SolverJob<T>& job, std::int64_t cell) {
  const CostTiling& tiling = job.now.tiling;
  const Axes at = to_cell(tiling.extent, cell);
  const std::uint32_t tile = tile_of(tiling, cell);
  list_edited(job, tile);
  std::uint32_t reached =
      tiles_reached(tiling, {static_cast<std::int32_t>(at[0] % tiling.size[0]),
                             static_cast<std::int32_t>(at[1] % tiling.size[1]),
                             static_cast<std::int32_t>(at[2] % tiling.size[2])});
  for (; reached != 0; reached &= reached - 1) {
    const std::int64_t next = tile_around(tiling, tile, lowest_bit(reached));
    if (next >= 0) list_edited(job, static_cast<std::uint32_t>(next));
  }
}

/// Replaces values, if none of them is illegal, and lists the tiles where that makes a difference.
template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    put_values(const __grid_constant__ SolverJob<T> job, const __grid_constant__ MapUpdate update) {
  SolverWork& work = *job.work;
  const auto resistance = [&](std::int64_t i) {
    return resistance_of(job, update.values, update.value != nullptr ? update.value[i] : i);
  };
  if (!update.is_checked) {
    grid_stride_loop(update.count, [&](std::int64_t i) {
      if (!resistance(i).legal)
        atomicMin(&work.illegal, static_cast<unsigned long long>(i));  // NOLINT(google-runtime-int)
    });
    sync_grid();
    if (read(&work.illegal) != SolverFault::kNone) {
      sync_grid();  // all have read it
      if (blockIdx.x == 0 && threadIdx.x == 0) note_fault(job, update);
      return;
    }
  }
  grid_stride_loop(update.count, [&](std::int64_t i) {
    const std::int64_t cell = cell_of(job, update, i);
    const T own = resistance(i).value;
    const T old = job.now.resistance[cell];
    if (own == old || !(is_passable(own) || is_passable(old) || is_outside(own) != is_outside(old)))
      return;
    job.now.resistance[cell] = own;
    // Beyond these, the answer is made anew.
    if (read(&work.edited) <= job.most_tiles) list_tiles_at(job, cell);
  });
}

/// Replaces sites, and clears the marks of those that are new.
template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    put_sites(const __grid_constant__ SolverJob<T> job, const __grid_constant__ SiteUpdate<T> sites,
              std::int64_t* site_count) {
  follow();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *site_count = sites.all_records;
    job.work->generation = job.generation;
  }
  const std::int32_t element = job.out.labels.element;
  grid_stride_loop(sites.records, [&](std::int64_t i) {
    const std::uint32_t record = sites.record[i];
    const_cast<std::int64_t*>(job.now.listed_cell)[record] = sites.cell[i];
    const_cast<T*>(job.now.initial)[record] = sites.initial[i];
    if (sites.label != nullptr)
      copy_element(const_cast<std::byte*>(job.out.site_labels) + std::int64_t{record} * element,
                   sites.label + i * element, element);
  });
  grid_stride_loop(sites.cells, [&](std::int64_t i) {
    job.first[sites.changed[i]] = sites.first[i];
    list_edited(job, tile_of(job.now.tiling, sites.changed[i]));
  });
}

}  // namespace

template <class T>
void start_solver(const CudaSession& session, const SolverJob<T>& job) {
  launch(session, "start of a solver", grid_stride_shape(session, job.now.cells()), start_arrays<T>,
         job);
}

template <class T>
void replace_values(const CudaSession& session, const SolverJob<T>& job, const MapUpdate& update) {
  int of_processor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_processor, put_values<T>,
                                                      kGridStrideThreads, 0),
        "blocks of a processor");
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(
      parts(update.count, kGridStrideThreads), std::int64_t{of_processor} * session.processors()));
  launch_together(session, "values of a map", {blocks, kGridStrideThreads}, put_values<T>, job,
                  update);
}

template <class T>
void replace_sites(const CudaSession& session, const SolverJob<T>& job, const SiteUpdate<T>& sites,
                   std::int64_t* site_count) {
  const std::int64_t most = std::max<std::int64_t>({sites.records, sites.cells, 1});
  launch_next(session, "sites of a solver", grid_stride_shape(session, most), put_sites<T>, job,
              sites, site_count);
}

template void start_solver(const CudaSession&, const SolverJob<float>&);
template void start_solver(const CudaSession&, const SolverJob<double>&);
template void replace_values(const CudaSession&, const SolverJob<float>&, const MapUpdate&);
template void replace_values(const CudaSession&, const SolverJob<double>&, const MapUpdate&);
template void replace_sites(const CudaSession&, const SolverJob<float>&, const SiteUpdate<float>&,
                            std::int64_t*);
template void replace_sites(const CudaSession&, const SolverJob<double>&, const SiteUpdate<double>&,
                            std::int64_t*);

}  // namespace thiessen::cuda::cost
