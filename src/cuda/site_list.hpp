// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "cuda/bits.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job.hpp"

namespace thiessen::cuda {

/// Sites in the order of their index: cells, or all points of the job.
struct SiteList {
  const std::int64_t* cell = nullptr;     ///< null: points
  const std::int64_t* count = nullptr;    ///< of the cells; on the device
  const std::int32_t* is_long = nullptr;  ///< on the device: not 0 if they were too many to list

  THIESSEN_HD bool exists() const { return is_long == nullptr || *is_long == 0; }
};

/// The cells that have their bit set, if they are at most so many.
SiteList list_sites(const CudaSession& session, const Job& job, const Bits& bits,
                    Scratch::Frame& device,
                    std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// All sites or points of the job.
SiteList list_all_sites(const CudaSession& session, const Job& job, Scratch::Frame& device);

}  // namespace thiessen::cuda
