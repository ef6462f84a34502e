// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/sites/bits.hpp"

namespace thiessen::cuda::tiles {

/// Whether run_eighths() takes a problem: euclidean metric, rows of at most 2^17 cells and other
/// axes of at most 65,535, or 26,000 if periodic (in 3-D all of at most 32,255), S of at most 58
/// bits, factors of S so small that relative costs fit 57 bits (eighths.cuh), and fewer than 2^24
/// tiles of 64 x 64 cells. For large rasters the device must have the memory.
bool has_eighths(const CudaSession& session, const Problem& problem);

/// Exact nearest site of all cells, from the bits. Does nothing on the device if `open` is not null
/// and *open is 0.
void run_eighths(const CudaSession& session, const Problem& problem, const Job& job,
                 const Bits& bits, const std::int32_t* open, Scratch::Frame& device);

}  // namespace thiessen::cuda::tiles
