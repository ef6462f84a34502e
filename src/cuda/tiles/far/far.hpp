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

/// Whether run_far() may leave tiles.
bool may_leave_tiles(const Pyramid& pyramid);

/// Finds the winners of all tiles that run_near() left open, wherever their sites are. Only if too
/// many of them need very many sites, those are left, and pyramid.lengths->left becomes 1. Points
/// leave every tile that needs more than fit into a list. Tiles that are left are noted as such.
void run_far(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
             const Pyramid& pyramid, std::uint8_t* solved, Scratch::Frame& device);

}  // namespace thiessen::cuda::tiles
