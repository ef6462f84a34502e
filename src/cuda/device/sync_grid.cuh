// SPDX-License-Identifier: Apache-2.0
//
// The barrier of kernels that launch_together() starts. For sources compiled as CUDA.
#pragma once

#include <cooperative_groups.h>

namespace thiessen::cuda {
inline namespace device {

/// Waits for all threads of the grid.
__device__ inline void sync_grid() {
  if (gridDim.x == 1)
    __syncthreads();
  else
    cooperative_groups::this_grid().sync();
}

}  // namespace device
}  // namespace thiessen::cuda
