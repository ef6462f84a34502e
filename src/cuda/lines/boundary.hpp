// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda {

/// Writes the distance of every cell to the nearest cell with another value, and its square, if the
/// job wants them.
void run_boundary(const CudaSession& session, const Problem& problem, const Job& job,
                  Scratch::Frame& device);

}  // namespace thiessen::cuda
