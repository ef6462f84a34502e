// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/sites/bits.hpp"

namespace thiessen::cuda::sites {

/// Sites in the order of their index: cells, or all points of the job.
struct SiteList {
  const std::int64_t* cell = nullptr;     ///< null: points
  const std::int64_t* count = nullptr;    ///< on the device: the number of cells
  const std::int32_t* is_long = nullptr;  ///< on the device: not 0 if there were too many to list

  THIESSEN_HD bool exists() const { return is_long == nullptr || *is_long == 0; }
};

/// Lists the cells whose bit is set, if there are at most so many.
SiteList list_sites(const CudaSession& session, const Job& job, const Bits& bits,
                    Scratch::Frame& device,
                    std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// Lists all sites or points of the job.
SiteList list_all_sites(const CudaSession& session, const Job& job, Scratch::Frame& device);

}  // namespace thiessen::cuda::sites
