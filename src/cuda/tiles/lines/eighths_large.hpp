// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cuda/device/session.hpp"
#include "cuda/sites/bits.hpp"
#include "cuda/tiles/near/padded_raster.hpp"

namespace thiessen::cuda::tiles {

/// run_eighths() in 2-D with S of 64 bits, and factors so small that keys fit 32 bits.
void run_long_lines(const CudaSession& session, const PaddedRaster& raster, const Bits& bits,
                    const std::int32_t* open, Scratch::Frame& device);

/// The same in 2-D and 3-D with keys of 64 bits; axes may be periodic.
void run_general_lines(const CudaSession& session, const PaddedRaster& raster, const Bits& bits,
                       const std::int32_t* open, Scratch::Frame& device);

}  // namespace thiessen::cuda::tiles
