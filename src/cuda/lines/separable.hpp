// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/sites/bits.hpp"

namespace thiessen::cuda::lines {

/// Exact nearest site of every cell in linear time, axis by axis; not by the chessboard metric.
/// Does nothing if *open, on the device, is 0 by then.
void run_separable(const CudaSession& session, const Problem& problem, const Job& job,
                   const Bits& bits, const std::int32_t* open, Scratch::Frame& device);

/// The same if the sites have weights of the kind power.
void run_weighted_separable(const CudaSession& session, const Problem& problem, const Job& job,
                            Scratch::Frame& device);

}  // namespace thiessen::cuda::lines
