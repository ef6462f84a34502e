// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/bits.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job.hpp"
#include "cuda/lines/bits.hpp"

namespace thiessen::cuda {

/// The bits of cells, as lines along an axis: 0 (3-D), 1 or 2. On the device, where nothing is done
/// if `open` is not null and *open is 0.
LineBits make_line_bits(const CudaSession& session, const Job& job, const Bits& bits,
                        std::size_t axis, const std::int32_t* open, Scratch::Frame& device);

}  // namespace thiessen::cuda
