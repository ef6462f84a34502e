// SPDX-License-Identifier: Apache-2.0
//
// Launches of passes in tiles.
#pragma once

#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/flood/run_tiles.hpp"
#include "cuda/flood/tile.cuh"

namespace thiessen::cuda::flood {

template <Metric kMetric, int kRank, bool kPlain>
__global__ void __launch_bounds__(kFloodThreads, kFloodBlocks)
    flood_tiles(const __grid_constant__ Job job, const __grid_constant__ Packing packing,
                const __grid_constant__ FloodGroup group,
                const __grid_constant__ FloodBuffers buffers) {
  follow();
  FloodTile<kMetric, kRank, kPlain>(packing, group, blockIdx.x, dynamic_shared<PackedCell>())
      .run(job, buffers);
}

template <Metric kMetric, int kRank, bool kPlain>
void launch_tiles(const CudaSession& session, const Job& job, const Packing& packing,
                  const FloodGroup& group, const FloodBuffers& buffers) {
  const auto shared = static_cast<std::size_t>(2 * group.cells()) * sizeof(PackedCell);
  constexpr auto* kKernel = flood_tiles<kMetric, kRank, kPlain>;
  allow_all_shared(kKernel, "passes in tiles");
  // Asks for room for kFloodBlocks blocks, not only for one.
  check(cudaFuncSetAttribute(kKernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared),
        "passes in tiles");
  const GridShape shape{blocks_for(group.blocks(), 1), kFloodThreads, shared};
  launch_next(session, "passes in tiles", shape, kKernel, job, packing, group, buffers);
}

/// Manhattan and chessboard distance have no kernels for equal spacing: saving a multiplication is
/// not worth the time to compile them.
template <int kRank>
void launch_tiles(const CudaSession& session, const Job& job, const Packing& packing,
                  const FloodGroup& group, const FloodBuffers& buffers) {
  switch (job.metric) {
    case Metric::euclidean:
      if (packing.plain)
        return launch_tiles<Metric::euclidean, kRank, true>(session, job, packing, group, buffers);
      return launch_tiles<Metric::euclidean, kRank, false>(session, job, packing, group, buffers);
    case Metric::manhattan:
      return launch_tiles<Metric::manhattan, kRank, false>(session, job, packing, group, buffers);
    default:
      return launch_tiles<Metric::chessboard, kRank, false>(session, job, packing, group, buffers);
  }
}

}  // namespace thiessen::cuda::flood
