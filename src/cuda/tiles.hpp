// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/bits.hpp"
#include "cuda/job.hpp"
#include "cuda/session.hpp"

namespace thiessen::cuda {

/// Settles the tiles whose sites lie around them, and counts the others in `open`, on the device:
/// nothing of those is written.
void run_windows(const CudaSession& session, const Problem& problem, const Job& job,
                 const Bits& bits, std::int32_t* open, Scratch::Frame& device);

}  // namespace thiessen::cuda
