// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/sites/bits.hpp"
#include "cuda/tiles/far/pyramid.hpp"

namespace thiessen::cuda::tiles {

/// Whether the far search takes a problem: S may have 64 bits in 2-D with the euclidean metric,
/// else 32 bits.
bool can_measure(const Problem& problem);

/// Finds the winners of the tiles that run_near() left open, wherever their sites are. Tiles that
/// need more sites than fit into a list are left: pyramid.lengths->left becomes 1. For points such
/// tiles are noted in `solved`; of a raster any others may be left, too.
void run_far(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
             const Pyramid& pyramid, std::uint8_t* solved, Scratch::Frame& device);

}  // namespace thiessen::cuda::tiles
