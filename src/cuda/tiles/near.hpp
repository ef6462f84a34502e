// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/bits.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job.hpp"
#include "cuda/tiles/pyramid.hpp"

namespace thiessen::cuda {

/// Settles the tiles whose sites lie close by: writes their outputs, and for every tile into
/// `settled` whether it is one of them or open (TileState). If the job's PointCells do not hold all
/// points, it does nothing, and calls all tiles settled.
void run_near(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
              const Pyramid& pyramid, std::uint8_t* settled, Scratch::Frame& device);

}  // namespace thiessen::cuda
