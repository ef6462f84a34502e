// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/sites/bits.hpp"

namespace thiessen::cuda::raster {

/// Expands the neighbourhood of every cell until it has met the nearest of the sites in `bits`,
/// which must have one. Does nothing if *open, on the device, is 0.
void expand_cells(const CudaSession& session, const Job& job, const Bits& bits,
                  const std::int32_t* open, Scratch::Frame& device);

}  // namespace thiessen::cuda::raster
