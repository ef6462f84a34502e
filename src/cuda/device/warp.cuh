// SPDX-License-Identifier: Apache-2.0
//
// What the threads of a warp do together. For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "cuda/device/warp.hpp"

namespace thiessen::cuda {

__device__ inline int lane_of_thread() { return static_cast<int>(threadIdx.x % kLanes); }

/// The least of the lanes' values.
template <class Scalar>
__device__ Scalar least_of_warp(Scalar own) {
#if __CUDA_ARCH__ >= 800
  if constexpr (sizeof(Scalar) == 4) {
    return __reduce_min_sync(~0u, own);
  } else
#endif
  {
    for (int step = kLanes / 2; step > 0; step /= 2) {
      const Scalar other = __shfl_xor_sync(~0u, own, step);
      if (other < own) own = other;
    }
    return own;
  }
}

/// Appends a lane's value to an array that the block shares, if `wanted`.
template <class T>
__device__ void append(T* array, std::int32_t& count, bool wanted, const T& value) {
  const std::uint32_t wanting = __ballot_sync(~0u, wanted);
  std::int32_t first = 0;
  if (wanting != 0 && lane_of_thread() == 0) first = atomicAdd(&count, __popc(wanting));
  first = __shfl_sync(~0u, first, 0);
  if (wanted) array[first + __popc(wanting & ((1u << lane_of_thread()) - 1))] = value;
}

}  // namespace thiessen::cuda
