// SPDX-License-Identifier: Apache-2.0
//
// Loads the sites of a row as bits. For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "cuda/device/warp.cuh"
#include "cuda/job/site_class.hpp"

namespace thiessen::cuda::sites {

/// Whether the rule is the common one.
inline bool is_plain(const Rule& rule) {
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

}  // namespace thiessen::cuda::sites
