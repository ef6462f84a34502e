// SPDX-License-Identifier: Apache-2.0
//
// The only read of the raster: a bit for each cell that is a site.
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/job/site_bits.hpp"

namespace thiessen::cuda::sites {

Bits allocate_bits(const Job& job, Scratch::Frame& device);

/// Marks the sites of the job.
void mark_sites(const CudaSession& session, const Job& job, const Bits& bits);

}  // namespace thiessen::cuda::sites
