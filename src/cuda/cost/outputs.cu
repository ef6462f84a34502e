// SPDX-License-Identifier: Apache-2.0
//
// Writes the outputs of cost distance from costs, ranks and hops, one cell a thread.
#include "core/search/special_values.hpp"
#include "cuda/cost/kernels.hpp"
#include "cuda/device/grid_stride.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/job/results.hpp"

namespace thiessen::cuda::cost {
namespace {

enum class CostCell : std::uint8_t { nodata, unreached, reached };

template <class T>
__device__ CostCell kind_of(const CostJob<T>& job, const CostResults& results, std::int64_t cell) {
  if (is_nodata(results.map, cell)) return CostCell::nodata;
  return job.rank != nullptr && job.rank[cell] != kNoRank ? CostCell::reached : CostCell::unreached;
}

__device__ void write_label(const CostResults& results, std::int64_t cell, CostCell kind,
                            std::uint32_t rank) {
  const std::int32_t element = results.labels.element;
  const std::uint64_t number = std::uint64_t{rank} + 1;
  const std::byte* label = reinterpret_cast<const std::byte*>(&number);
  if (results.site_labels != nullptr) label = results.site_labels + std::int64_t{rank} * element;
  if (kind == CostCell::unreached) label = results.unreached.bytes.data();
  if (kind == CostCell::nodata) label = results.nodata.bytes.data();
  copy_element(results.labels.bytes + cell * element, label, element);
}

template <class T>
__device__ void write_distance(const CostJob<T>& job, const CostResults& results, std::int64_t cell,
                               CostCell kind) {
  const bool in_place = static_cast<const void*>(job.cost) == results.distance.bytes;
  if (in_place && kind != CostCell::nodata) return;
  const T cost = kind == CostCell::nodata ? static_cast<T>(kNodataDistance) : job.cost[cell];
  if (results.distance.element == 8)
    reinterpret_cast<double*>(results.distance.bytes)[cell] = static_cast<double>(cost);
  else
    reinterpret_cast<float*>(results.distance.bytes)[cell] = static_cast<float>(cost);
}

/// Costs may lie where distances go, so a thread reads its cell before it writes it.
template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    write_results(const __grid_constant__ CostJob<T> job,
                  const __grid_constant__ CostResults results) {
  follow();
  grid_stride_loop(job.cells(), [&](std::int64_t cell) {
    const CostCell kind = kind_of(job, results, cell);
    const bool reached = kind == CostCell::reached;
    const std::uint32_t rank = reached ? job.rank[cell] : 0;
    if (results.labels) write_label(results, cell, kind, rank);
    if (results.distance) write_distance(job, results, cell, kind);
    if (results.index != nullptr)
      results.index[cell] = kind == CostCell::nodata        ? kNodata
                            : !reached                      ? kUnreached
                            : results.site_index != nullptr ? results.site_index[rank]
                                                            : std::int64_t{rank};
    if (results.back_link != nullptr)
      results.back_link[cell] = kind == CostCell::nodata   ? kBackLinkNodata
                                : !reached                 ? kBackLinkUnreached
                                : results.links != nullptr ? results.links[cell]
                                                           : back_link_of(job, cell);
  });
}

}  // namespace

template <class T>
void write_cost_results(const CudaSession& session, const CostJob<T>& job,
                        const CostResults& results) {
  launch_next(session, "results of cost distance", grid_stride_shape(session, job.cells()),
              write_results<T>, job, results);
}

template void write_cost_results(const CudaSession&, const CostJob<float>&, const CostResults&);
template void write_cost_results(const CudaSession&, const CostJob<double>&, const CostResults&);

}  // namespace thiessen::cuda::cost
