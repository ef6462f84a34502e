// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/bits.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job.hpp"
#include "cuda/tiles/left_tiles.hpp"

namespace thiessen::cuda {

/// Whether run_edges() takes a problem: by the euclidean metric, in 2-D, if S has 30 bits.
bool has_edges(const Problem& problem, const Job& job);

/// Exact nearest site of every cell of the tiles that are left, in 2-D.
void run_edges(const CudaSession& session, const Job& job, const Bits& bits, const LeftTiles& left,
               Scratch::Frame& device);

}  // namespace thiessen::cuda
