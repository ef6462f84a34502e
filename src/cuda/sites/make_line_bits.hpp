// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/sites/bits.hpp"
#include "cuda/sites/line_bits.hpp"

namespace thiessen::cuda::sites {

/// Makes the bits of cells along an axis: 0 (3-D), 1 or 2. Does nothing on the device if `open` is
/// not null and *open is 0.
LineBits make_line_bits(const CudaSession& session, const Job& job, const Bits& bits,
                        std::size_t axis, const std::int32_t* open, Scratch::Frame& device);

}  // namespace thiessen::cuda::sites
