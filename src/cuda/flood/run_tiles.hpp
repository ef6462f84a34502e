// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/flood/tiles.hpp"

namespace thiessen::cuda {

/// Blocks of a processor: as few as hide each other's waiting, because the more cells a tile has,
/// the fewer are done twice. Threads of a block: as many as leave the 96 registers that a lane
/// needs.
inline constexpr int kFloodBlocks = 2;
inline constexpr int kFloodThreads = 320;

/// Does the passes of a group, in 2-D and in 3-D.
void run_flat_tiles(const CudaSession& session, const Job& job, const Packing& packing,
                    const FloodGroup& group, const FloodMove& move);
void run_deep_tiles(const CudaSession& session, const Job& job, const Packing& packing,
                    const FloodGroup& group, const FloodMove& move);

}  // namespace thiessen::cuda
