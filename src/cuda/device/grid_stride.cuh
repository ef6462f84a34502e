// SPDX-License-Identifier: Apache-2.0
//
// Grid-stride loops: thread t of n takes the items t, t + n, t + 2n …, so that the grid is never
// larger than what the device runs at once. For sources compiled as CUDA.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/host_device.hpp"
#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"

namespace thiessen::cuda {
inline namespace device {

/// The threads of a block of such a grid.
inline constexpr int kGridStrideThreads = 256;

/// Calls visit(i) for the numbers below `count`; a thread always takes the same ones.
template <int kThreads = kGridStrideThreads, class Visit>
__device__ void grid_stride_loop(std::int64_t count, const Visit& visit) {
  const std::int64_t threads = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < count; i += threads)
    visit(i);
}

/// Calls use(i, read(i)) for the numbers below `count`, but read() for several before use() for
/// any, so that a thread waits for several reads at once.
template <class Read, class Use>
__device__ void grid_stride_loop_batched(std::int64_t count, const Read& read, const Use& use) {
  constexpr int kTogether = 4;
  const std::int64_t threads = std::int64_t{gridDim.x} * kGridStrideThreads;
  for (std::int64_t first = std::int64_t{blockIdx.x} * kGridStrideThreads + threadIdx.x;
       first < count; first += kTogether * threads) {
    decltype(read(first)) values[kTogether];
    THIESSEN_UNROLL
    for (int i = 0; i < kTogether; ++i)
      if (first + i * threads < count) values[i] = read(first + i * threads);
    THIESSEN_UNROLL
    for (int i = 0; i < kTogether; ++i)
      if (first + i * threads < count) use(first + i * threads, values[i]);
  }
}

/// The number of blocks for so many pieces, if a block takes some of them at once.
inline unsigned grid_stride_blocks(const CudaSession& session, std::int64_t pieces,
                                   std::int64_t of_a_block) {
  constexpr std::int64_t kBlocksPerProcessor = 8;
  return static_cast<unsigned>(
      std::min(parts(pieces, of_a_block), session.processors() * kBlocksPerProcessor));
}

/// The grid for `count` numbers, one a thread.
inline GridShape grid_stride_shape(const CudaSession& session, std::int64_t count) {
  return {grid_stride_blocks(session, count, kGridStrideThreads), kGridStrideThreads};
}

}  // namespace device
}  // namespace thiessen::cuda
