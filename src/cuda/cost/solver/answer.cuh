// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of a CostSolver do with single cells: marks, outputs, notes of changes. For
// sources compiled as CUDA.
#pragma once

#include "core/search/special_values.hpp"
#include "cuda/cost/solver/job.hpp"
#include "cuda/device/warp.cuh"

namespace thiessen::cuda::cost {

/// Reads what other threads may write meanwhile.
template <class Value>
__device__ Value read(const Value* from) {
  return *static_cast<const volatile Value*>(from);
}

/// Sets a bit of a mark; returns whether it was not set.
__device__ inline bool set_mark(std::uint32_t* mark, std::uint32_t bit) {
  return (atomicOr(mark, bit) & bit) == 0;
}

__device__ inline bool has_mark(const std::uint32_t* mark, std::uint32_t bit) {
  return (read(mark) & bit) != 0;
}

template <class T>
__device__ bool is_changed(const SolverJob<T>& job, std::int64_t cell) {
  return job.now.cost[cell] != job.cost_before[cell] || job.now.rank[cell] != job.site_before[cell];
}

template <class T>
__device__ void write_label(const SolverJob<T>& job, std::int64_t cell) {
  const std::uint32_t site = job.now.rank[cell];
  const SolverOutputs& out = job.out;
  const Axes& extent = job.now.tiling.extent;
  if (site == kNoRank) return out.labels.put(extent, cell, out.unreached.bytes.data());
  if (site == kOutsideSite) return out.labels.put(extent, cell, out.nodata.bytes.data());
  const std::uint32_t record = job.record_of_site(site);
  if (out.site_labels == nullptr) return out.labels.put(extent, cell, std::uint64_t{record} + 1);
  out.labels.put(extent, cell, out.site_labels + std::int64_t{record} * out.labels.element);
}

/// Writes label, site index and distance of a cell.
template <class T>
__device__ void write_answer(const SolverJob<T>& job, std::int64_t cell) {
  const std::uint32_t site = job.now.rank[cell];
  const SolverOutputs& out = job.out;
  const Axes& extent = job.now.tiling.extent;
  if (out.labels) write_label(job, cell);
  if (out.site_index)
    out.site_index.put(extent, cell,
                       site == kOutsideSite ? kNodata
                       : site == kNoRank    ? kUnreached
                                            : std::int64_t{site});
  if (!out.distance) return;
  const T cost = site == kOutsideSite ? static_cast<T>(kNodataDistance) : job.now.cost[cell];
  if (out.distance.element == 8)
    out.distance.put(extent, cell, static_cast<double>(cost));
  else
    out.distance.put(extent, cell, static_cast<float>(cost));
}

/// What a thread has seen change; finish() adds it to what others have seen.
template <class T>
class ChangeNotes {
 public:
  __device__ explicit ChangeNotes(const SolverJob<T>& job) : job_(job) {}

  __device__ void add(std::int64_t cell) {
    const Axes place = to_cell(job_.now.tiling.extent, cell);
    ++changed_;
    for (int axis = 0; axis < kAxes; ++axis) {
      const auto at = static_cast<std::uint32_t>(place[static_cast<std::size_t>(axis)]);
      first_[axis] = min(first_[axis], at);
      last_[axis] = max(last_[axis], at);
    }
    const std::uint32_t now = job_.now.rank[cell];
    const std::uint32_t before = job_.site_before[cell];
    if (now == before) return;
    tell(now);
    tell(before);
  }

  /// For all lanes of a warp.
  __device__ void finish() {
    const std::int32_t changed = sum_of_warp(changed_);
    if (changed == 0) return;
    if (lane_of_thread() == 0)
      atomicAdd(&job_.work->changed, static_cast<unsigned long long>(changed));
    for (int axis = 0; axis < kAxes; ++axis) {
      const std::uint32_t first = least_of_warp(first_[axis]);
      const std::uint32_t last = greatest_of_warp(last_[axis]);
      if (lane_of_thread() != 0) continue;
      atomicMin(&job_.work->first[axis], first);
      atomicMax(&job_.work->last[axis], last);
    }
  }

 private:
  __device__ void tell(std::uint32_t site) {
    if (site >= kOutsideSite || site == last_told_) return;
    last_told_ = site;
    std::uint32_t* const mark = &job_.site_mark[site];
    if (!has_mark(mark, kMarkTold) && set_mark(mark, kMarkTold))
      job_.changed_sites[atomicAdd(&job_.work->changed_sites, 1u)] = site;
  }

  const SolverJob<T>& job_;
  std::uint32_t last_told_ = kNoRank;
  std::int32_t changed_ = 0;
  std::uint32_t first_[kAxes] = {~0u, ~0u, ~0u};
  std::uint32_t last_[kAxes] = {0, 0, 0};
};

}  // namespace thiessen::cuda::cost
