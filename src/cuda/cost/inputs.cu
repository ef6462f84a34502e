// SPDX-License-Identifier: Apache-2.0
//
// What happens before the costs on the device: map values become resistances, sites on barriers are
// ignored, and the first costs are set.
#include "cuda/cost/atomic.cuh"
#include "cuda/cost/kernels.hpp"
#include "cuda/cost/start.cuh"
#include "cuda/device/grid_stride.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/job/results.hpp"
#include "cuda/job/site_class.hpp"

namespace thiessen::cuda::cost {
namespace {

/// Converts the map, sets all costs to infinity, and empties the queue if there is one.
template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    start(const __grid_constant__ CostJob<T> job, const __grid_constant__ CostStart from,
          const TileQueue queue) {
  follow();
  if (queue.reason != nullptr) clear_queue(queue, job.tiling.count());
  grid_stride_loop_batched(
      job.cells(),
      [&](std::int64_t cell) -> Resistance<T> {
        if (is_nodata(from.map, cell)) return {std::numeric_limits<T>::quiet_NaN(), true};
        return visit_value(from.map.cells, from.map.rule.type, cell, [&](auto value) {
          return to_resistance<T>(value, job.edges.stiffness);
        });
      },
      [&](std::int64_t cell, Resistance<T> own) {
        if (!own.legal) atomicMin(&from.notes->illegal, static_cast<unsigned long long>(cell));
        job.resistance[cell] = own.value;
        job.cost[cell] = std::numeric_limits<T>::infinity();
      });
}

/// Lists the sites that are not ignored, with their labels if these lie in a raster, and puts them
/// where paths start.
template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    put_sites(const __grid_constant__ CostJob<T> job, const __grid_constant__ CostStart from,
              const TileQueue queue) {
  follow();
  if (!job.is_wanted()) return;
  grid_stride_loop(*job.site_count, [&](std::int64_t rank) {
    const std::int64_t cell = job.listed_cell[rank];
    const std::int32_t element = from.sites.element;
    if (from.site_labels != nullptr)
      copy_element(from.site_labels + rank * element, from.sites.bytes + cell * element, element);
    const bool counts = cell != kNoCell && is_passable(job.resistance[cell]);
    job.site_cell[rank] = counts ? cell : kNoCell;
    if (!counts) {
      atomicAdd(&from.notes->ignored, 1ull);
      atomicMin(&from.notes->first_ignored, static_cast<unsigned long long>(rank));
      return;
    }
    const T initial = job.initial_of(rank);
    if (!(initial <= job.limit)) return;
    lower_cost(&job.cost[cell], initial);
    if (queue.reason != nullptr)
      queue.enter(tile_of(job.tiling, cell), kSetWithin, key_of(initial), 0);
  });
}

}  // namespace

template <class T>
void start_costs(const CudaSession& session, const CostJob<T>& job, const CostStart& from,
                 const TileQueue& queue) {
  launch_next(session, "start of costs", grid_stride_shape(session, job.cells()), start<T>, job,
              from, queue);
  start_sites(session, job, from, queue);
}

template <class T>
void start_sites(const CudaSession& session, const CostJob<T>& job, const CostStart& from,
                 const TileQueue& queue) {
  launch_next(session, "costs of sites", grid_stride_shape(session, job.most_sites), put_sites<T>,
              job, from, queue);
}

template void start_costs(const CudaSession&, const CostJob<float>&, const CostStart&,
                          const TileQueue&);
template void start_costs(const CudaSession&, const CostJob<double>&, const CostStart&,
                          const TileQueue&);
template void start_sites(const CudaSession&, const CostJob<float>&, const CostStart&,
                          const TileQueue&);
template void start_sites(const CudaSession&, const CostJob<double>&, const CostStart&,
                          const TileQueue&);

}  // namespace thiessen::cuda::cost
