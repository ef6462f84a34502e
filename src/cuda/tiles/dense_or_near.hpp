// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/sites/bits.hpp"
#include "cuda/tiles/far/pyramid.hpp"

namespace thiessen::cuda::tiles {

/// Finds the winners of the tiles whose sites lie close by: writes their outputs, and for every
/// tile into `solved` whether it is done or open (tile.hpp). If the job's PointCells do not hold
/// all points, it does nothing and marks all tiles as done. If it may skip the search by tiles, and
/// lines are faster for these sites, it does nothing but leave everything: pyramid.lengths->left.
void run_near(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
              const Pyramid& pyramid, bool may_skip, std::uint8_t* solved, Scratch::Frame& device);

}  // namespace thiessen::cuda::tiles
