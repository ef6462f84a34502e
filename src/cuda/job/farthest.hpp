// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda {

/// Raises *farthest (>= 0) to the greatest absolute value of some distances; NaN do not count.
void find_farthest(const CudaSession& session, const Cells<std::byte>& distance, std::int64_t first,
                   std::int64_t count, float* farthest);

}  // namespace thiessen::cuda
