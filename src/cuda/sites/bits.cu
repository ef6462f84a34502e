// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/warp.cuh"
#include "cuda/job/site_class.hpp"
#include "cuda/sites/bits.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::cuda::sites {
namespace {

constexpr int kThreads = 256;

/// Whether the rule is the common one.
bool is_plain(const Rule& rule) {
  return rule.selection == SiteSelection::nonzero && !rule.has_nodata && !rule.complement;
}

/// 32 words of a row, one a lane, from `word` on; beyond the width there are no sites.
template <class T, bool kPlain>
__device__ std::uint32_t load_row_bits(const Job& job, std::int64_t row, std::int64_t word) {
  constexpr int kLoads = 8;  // words whose cells a warp loads before it tests them
  const int lane = lane_of_thread();
  const std::int64_t rest = job.extent[2] - word * kLanes - lane;  // cells of the row from here on
  const T* const cells =
      reinterpret_cast<const T*>(job.sites.bytes) + row * job.extent[2] + word * kLanes + lane;
  std::uint32_t own = 0;
#pragma unroll
  for (int first = 0; first < kLanes; first += kLoads) {
    T value[kLoads];
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const int cell = (first + i) * kLanes;
      value[i] = cell < rest ? __ldcs(cells + cell) : T{};
    }
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      bool site;
      if constexpr (kPlain)
        site = is_nonzero(value[i]);
      else
        site = (first + i) * kLanes < rest && class_of_value(job.rule, value[i]) == kSiteCell;
      const std::uint32_t sites = __ballot_sync(~0u, site);
      if (lane == first + i) own = sites;
    }
  }
  return own;
}

/// A warp makes 32 words side by side and stores them together.
template <class T, bool kPlain>
__global__ void __launch_bounds__(kThreads)
    mark(const __grid_constant__ Job job, const Bits bits, std::int64_t groups_of_row) {
  follow();
  const std::int64_t group = std::int64_t{blockIdx.x} * (kThreads / kLanes) + threadIdx.x / kLanes;
  const std::int64_t row = group / groups_of_row;
  if (row >= job.extent[0] * job.extent[1]) return;
  const std::int64_t word = group % groups_of_row * kLanes;
  const std::uint32_t own = load_row_bits<T, kPlain>(job, row, word);
  if (word + lane_of_thread() < bits.row_words)
    bits.words[row * bits.row_words + word + lane_of_thread()] = own;
}

}  // namespace

Bits allocate_bits(const Job& job, Scratch::Frame& device) {
  Bits bits;
  bits.row_words = parts(job.extent[2], 32);
  bits.words = device.array<std::uint32_t>(bits.row_words * job.extent[0] * job.extent[1]);
  return bits;
}

void mark_sites(const CudaSession& session, const Job& job, const Bits& bits) {
  const std::int64_t groups_of_row = parts(bits.row_words, kLanes);
  const std::int64_t groups = groups_of_row * job.extent[0] * job.extent[1];
  const GridShape shape{blocks_for(groups, kThreads / kLanes), kThreads};
  const auto run = [&](auto* kernel) {
    launch_next(session, "marks of the sites", shape, kernel, job, bits, groups_of_row);
  };
  visit_element_type(job.rule.type, [&]<class T>(std::type_identity<T>) {
    run(is_plain(job.rule) ? mark<T, true> : mark<T, false>);
  });
}

}  // namespace thiessen::cuda::sites
