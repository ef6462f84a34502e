// SPDX-License-Identifier: Apache-2.0
//
// A block of threads, as the logic of kernels sees it: on the device those of one, on the host a
// loop over so many, so that the logic can be tested without a GPU. Work of a thread stands in
// each(); what it has of its own from one each() to the next is an Own<T>.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/host_device.hpp"

namespace thiessen::cuda {

/// 64 threads, one after the other.
struct HostBlock {
  template <class T>
  struct Own {
    T value[64];
    T& operator[](int thread) { return value[thread]; }
    const T& operator[](int thread) const { return value[thread]; }
  };

  static int threads() { return 64; }
  template <class Visit>
  static void each(const Visit& visit) {
    for (int thread = 0; thread < threads(); ++thread) visit(thread);
  }
  static void sync() {}
  /// Of so many neighbouring threads of a warp, a power of two, each gets the least that one has.
  static void take_least(Own<std::uint64_t>& own, int count) {
    for (int first = 0; first < threads(); first += count)
      std::fill_n(own.value + first, count,
                  *std::min_element(own.value + first, own.value + first + count));
  }
};

#ifdef __CUDACC__
/// The calling thread is one of the block's.
struct DeviceBlock {
  template <class T>
  struct Own {
    T value;
    __device__ T& operator[](int) { return value; }
    __device__ const T& operator[](int) const { return value; }
  };

  __device__ static int threads() { return static_cast<int>(blockDim.x); }
  template <class Visit>
  __device__ static void each(const Visit& visit) {
    visit(static_cast<int>(threadIdx.x));
  }
  __device__ static void sync() { __syncthreads(); }
  __device__ static void take_least(Own<std::uint64_t>& own, int count) {
    for (int step = 1; step < count; step *= 2)
      own.value = min(own.value, __shfl_xor_sync(~0u, own.value, step));
  }
};
#endif

/// Number of the highest bit that is set; there must be one.
THIESSEN_HD inline std::int32_t highest_bit(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return 31 - __clz(static_cast<int>(word));
#else
  return 31 - std::countl_zero(word);
#endif
}

/// Number of the lowest bit that is set; there must be one.
THIESSEN_HD inline std::int32_t lowest_bit(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return __ffs(static_cast<int>(word)) - 1;
#else
  return std::countr_zero(word);
#endif
}

}  // namespace thiessen::cuda
