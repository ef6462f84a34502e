// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/job/left_tiles.hpp"
#include "cuda/sites/bits.hpp"

namespace thiessen::cuda {

/// Whether run_edges() takes a problem: euclidean metric, 2-D, S of at most 30 bits.
bool has_edges(const Problem& problem, const Job& job);

/// Exact nearest site of every cell of the tiles that are left, in 2-D.
void run_edges(const CudaSession& session, const Job& job, const Bits& bits, const LeftTiles& left,
               Scratch::Frame& device);

}  // namespace thiessen::cuda
