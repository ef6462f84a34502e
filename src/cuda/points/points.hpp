// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/points/unsolved_cells.hpp"

namespace thiessen::cuda::points {

/// Exact nearest point of every cell that is left. Throws Error{unsupported} for more than 2^31
/// points.
void run_points(const CudaSession& session, const Problem& problem, const Job& job,
                const UnsolvedCells& unsolved, Scratch::Frame& device);

}  // namespace thiessen::cuda::points
