// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/sites/bits.hpp"

namespace thiessen::cuda::lines {

/// Exact nearest site of every cell by the chessboard metric. The time does not depend on where the
/// sites lie. Does nothing if *open, on the device, is 0 by then.
void run_chessboard(const CudaSession& session, const Problem& problem, const Job& job,
                    const Bits& bits, const std::int32_t* open, Scratch::Frame& device);

}  // namespace thiessen::cuda::lines
