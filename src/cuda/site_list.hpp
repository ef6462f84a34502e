// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/job.hpp"
#include "cuda/session.hpp"

namespace thiessen::cuda {

/// Sites in the order of their index: cells, or all points.
struct SiteList {
  const std::int64_t* cell = nullptr;   ///< null: points
  const std::int64_t* count = nullptr;  ///< of the cells; on the device
};

SiteList list_sites(const CudaSession& session, const Job& job, Scratch::Frame& device);

}  // namespace thiessen::cuda
