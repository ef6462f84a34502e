// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda {
inline namespace transfer {

/// Makes the cells outside of the job's domain, which it must have, nodata in all its outputs.
void mark_outside(const CudaSession& session, const Job& job);

}  // namespace transfer
}  // namespace thiessen::cuda
