// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/bits.hpp"
#include "cuda/job.hpp"
#include "cuda/pyramid.hpp"
#include "cuda/session.hpp"

namespace thiessen::cuda {

/// Settles all tiles that `settled` does not name (as run_near() left it), wherever their sites
/// are.
void run_far(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
             const Pyramid& pyramid, const std::uint8_t* settled, Scratch::Frame& device);

}  // namespace thiessen::cuda
