// SPDX-License-Identifier: Apache-2.0
//
// Writes nodata to all outputs of the cells outside of the domain, one cell a thread.
#include "core/special_values.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/turns.cuh"
#include "cuda/job/domain.hpp"

namespace thiessen::cuda {
namespace {

/// Copies the first bytes of a value into an element, which is aligned only to its own size.
__device__ void put(const Cells<std::byte>& cells, std::int64_t cell, const void* value) {
  memcpy(cells.bytes + cell * cells.element, value, static_cast<std::size_t>(cells.element));
}

__device__ bool is_outside(const Cells<const std::byte>& domain, std::int64_t cell) {
  const std::byte* const bytes = domain.bytes + cell * domain.element;
  for (int i = 0; i < domain.element; ++i)
    if (bytes[i] != std::byte{0}) return false;
  return true;
}

__device__ void put_no_distance(const Cells<std::byte>& distance, std::int64_t cell) {
  constexpr auto kFloat = static_cast<float>(kNodataDistance);
  constexpr double kDouble = kNodataDistance;
  if (distance.element == sizeof kFloat)
    put(distance, cell, &kFloat);
  else
    put(distance, cell, &kDouble);
}

__device__ void put_nodata(const Job& job, std::int64_t cell) {
  const Outputs& out = job.out;
  if (out.labels) put(out.labels, cell, job.nodata_label.bytes.data());
  if (out.site_index != nullptr) out.site_index[cell] = kNodata;
  if (out.distance) put_no_distance(out.distance, cell);
  if (out.squared != nullptr) out.squared[cell] = kNodata;
  if (out.direction != nullptr) out.direction[cell] = kNoDirection;
  if (out.offset == nullptr) return;
  for (int axis = 0; axis < job.rank; ++axis) out.offset[axis * job.cells() + cell] = kNoOffset;
}

__global__ void __launch_bounds__(kTurnThreads) mark(const __grid_constant__ Job job) {
  follow();
  take_turns(job.cells(), [&](std::int64_t cell) {
    if (is_outside(job.domain, cell)) put_nodata(job, cell);
  });
}

}  // namespace

void mark_outside(const CudaSession& session, const Job& job) {
  launch_next(session, "cells outside of the domain", turns_for(session, job.cells()), mark, job);
}

}  // namespace thiessen::cuda
