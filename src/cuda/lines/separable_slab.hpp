// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slabs/slab.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/sites/bits.hpp"

namespace thiessen::cuda::lines {

/// The same as run_separable() for a slab: sites may lie beyond it, anywhere. `problem` is that of
/// the whole raster, `job` and `bits` are those of the slab alone, and the neighbours of `slab` lie
/// on the device.
void run_separable_slab(const CudaSession& session, const Problem& problem, const Slab& slab,
                        const Job& job, const Bits& bits, Scratch::Frame& device);

}  // namespace thiessen::cuda::lines
