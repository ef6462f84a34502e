// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda::lines {

/// If the raster is a slab: for each line along its first axis the nearest cell beyond it with
/// another value than the first or last cell, as a coordinate in the slab, or kNoSite. Null:
/// nothing lies there.
struct BoundaryBeyond {
  const std::int32_t* above = nullptr;
  const std::int32_t* below = nullptr;
};

/// Writes the distance of every cell to the nearest cell with another value, and its square, if the
/// job wants them.
void run_boundary(const CudaSession& session, const Problem& problem, const Job& job,
                  const BoundaryBeyond& beyond, Scratch::Frame& device);

}  // namespace thiessen::cuda::lines
