// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/flood/packing.hpp"
#include "cuda/flood/plan.hpp"
#include "cuda/job/job.hpp"
#include "cuda/job/site_bits.hpp"

namespace thiessen::cuda::flood {

/// Where a group of passes reads and writes.
struct FloodBuffers {
  Bits bits = {};                    ///< sites, if `from` is null
  const PackedCell* from = nullptr;  ///< a cell each
  PackedCell* to = nullptr;          ///< null: to the outputs of the job
};

/// Blocks of a processor: just enough to hide each other's waiting, because larger tiles compute
/// fewer cells twice. Threads of a block: as many as leave each lane the 96 registers that it
/// needs.
inline constexpr int kFloodBlocks = 2;
inline constexpr int kFloodThreads = 320;

/// Does the passes of a group, in 2-D and in 3-D.
void run_flat_tiles(const CudaSession& session, const Job& job, const Packing& packing,
                    const FloodGroup& group, const FloodBuffers& buffers);
void run_deep_tiles(const CudaSession& session, const Job& job, const Packing& packing,
                    const FloodGroup& group, const FloodBuffers& buffers);

}  // namespace thiessen::cuda::flood
