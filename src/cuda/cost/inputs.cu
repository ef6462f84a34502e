// SPDX-License-Identifier: Apache-2.0
//
// What happens before the costs on the device: map values become resistances, sites on barriers are
// ignored, and the first costs are set.
#include "cuda/cost/atomic.cuh"
#include "cuda/cost/kernels.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/turns.cuh"
#include "cuda/job/results.hpp"
#include "cuda/job/site_class.hpp"

namespace thiessen::cuda {
namespace {

template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    convert(const __grid_constant__ CostMap map, std::int64_t cells, bool stiffness, T* resistance,
            CostNotes* notes) {
  take_turns(cells, [&](std::int64_t cell) {
    Resistance<T> own = visit_value(map.cells, map.rule.type, cell,
                                    [&](auto value) { return to_resistance<T>(value, stiffness); });
    if (is_nodata(map, cell)) own = {std::numeric_limits<T>::quiet_NaN(), true};
    if (!own.legal) atomicMin(&notes->illegal, static_cast<unsigned long long>(cell));
    resistance[cell] = own.value;
  });
}

template <class T>
__global__ void __launch_bounds__(kTurnThreads) fill(T* cells, std::int64_t count, T value) {
  take_turns(count, [&](std::int64_t i) { cells[i] = value; });
}

__global__ void __launch_bounds__(kTurnThreads)
    copy_labels(const Cells<const std::byte> raster, const std::int64_t* cells, std::int64_t count,
                std::byte* labels) {
  take_turns(count, [&](std::int64_t rank) {
    copy_element(labels + rank * raster.element, raster.bytes + cells[rank] * raster.element,
                 raster.element);
  });
}

template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    put_sites(const __grid_constant__ CostJob<T> job, CostNotes* notes) {
  take_turns(job.site_count, [&](std::int64_t rank) {
    const std::int64_t cell = job.site_cell[rank];
    if (cell == kNoCell || !is_passable(job.resistance[cell])) {
      job.site_cell[rank] = kNoCell;
      atomicAdd(&notes->ignored, 1ull);
      atomicMin(&notes->first_ignored, static_cast<unsigned long long>(rank));
      return;
    }
    const T initial = job.initial_of(rank);
    if (initial <= job.limit) lower_cost(&job.cost[cell], initial);
  });
}

}  // namespace

template <class T>
void convert_map(const CudaSession& session, const CostMap& map, std::int64_t cells, bool stiffness,
                 T* resistance, CostNotes* notes) {
  launch(session, "resistances", turns_for(session, cells), convert<T>, map, cells, stiffness,
         resistance, notes);
}

void copy_site_labels(const CudaSession& session, const Cells<const std::byte>& raster,
                      const std::int64_t* cells, std::int64_t count, std::byte* labels) {
  if (count == 0) return;
  launch(session, "labels of sites", turns_for(session, count), copy_labels, raster, cells, count,
         labels);
}

template <class T>
void start_costs(const CudaSession& session, const CostJob<T>& job, CostNotes* notes) {
  launch(session, "start of costs", turns_for(session, job.cells()), fill<T>, job.cost, job.cells(),
         std::numeric_limits<T>::infinity());
  if (job.site_count == 0) return;
  launch(session, "costs of sites", turns_for(session, job.site_count), put_sites<T>, job, notes);
}

template void convert_map(const CudaSession&, const CostMap&, std::int64_t, bool, float*,
                          CostNotes*);
template void convert_map(const CudaSession&, const CostMap&, std::int64_t, bool, double*,
                          CostNotes*);
template void start_costs(const CudaSession&, const CostJob<float>&, CostNotes*);
template void start_costs(const CudaSession&, const CostJob<double>&, CostNotes*);

}  // namespace thiessen::cuda
