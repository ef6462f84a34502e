// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/bits.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job.hpp"
#include "cuda/tiles/pyramid.hpp"

namespace thiessen::cuda {

/// Whether the far search measures a problem: S may take 64 bits in 2-D by the euclidean metric, 32
/// bits elsewhere.
bool can_measure(const Problem& problem);

/// Whether run_far() may leave tiles.
bool may_leave_tiles(const Pyramid& pyramid);

/// Settles all tiles that are open (as run_near() left them), wherever their sites are; only if too
/// many of them need very many sites, those are left, and pyramid.lengths->left becomes 1. Points
/// leave every tile that needs more than fit into a list. Tiles that are left are noted as such.
void run_far(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
             const Pyramid& pyramid, std::uint8_t* settled, Scratch::Frame& device);

}  // namespace thiessen::cuda
