// SPDX-License-Identifier: Apache-2.0
#include "cuda/flood/tiles.cuh"

namespace thiessen::cuda::flood {

void run_deep_tiles(const CudaSession& session, const Job& job, const Packing& packing,
                    const FloodGroup& group, const FloodBuffers& buffers) {
  launch_tiles<3>(session, job, packing, group, buffers);
}

}  // namespace thiessen::cuda::flood
